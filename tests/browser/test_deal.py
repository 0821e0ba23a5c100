"""Two phones mix a deal, and check it afterwards."""

import datetime
import re
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.browser.conftest import check_page, shot
from tests.tables import live

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


SCRIPTS = Path(__file__).parents[2] / "static" / "js"


def parts_of(table, page):
    """The parts of the table's first game, once all of them are there."""
    for _ in range(300):
        game = table.games.first()
        if game and game.parts and all(game.parts):
            return game.parts
        page.wait_for_timeout(100)
    return None


def test_phones_mix_the_cards_and_prove_what_they_saw(people, tmp_path):
    table = live.open_table(players=2, people=2)
    live.hurry_to(table, datetime.timedelta(minutes=5))
    an, binh = people.page(table, 0), people.page(table, 1)
    assert parts_of(table, an)
    live.deal(table)
    live.play_on(table)
    address = reverse("tables:fair", args=[table.key, 1])
    for page, said in ((an, "this device saw"), (binh, "this device saw"),
                       (people.page(), "did not see them")):  # fmt: skip
        page.goto(address)
        expect(page.locator("[data-verdict]")).to_contain_text(said)
        expect(page.locator("#verify")).to_contain_text("the server and Guest 0, Guest 1")
    shot(an, "deal-proved")
    check_page(an)
    saved = re.sub(
        r'src="[^"]*/(hash|verify)[^"]*\.js"', rf'src="file://{SCRIPTS}/\1.js"', an.content()
    )
    assert saved.count("file://") == 2
    forged = saved.replace('"commitment":"', '"commitment":"00')
    with an.context.browser.new_context(offline=True) as elsewhere:
        offline = elsewhere.new_page()
        for file, said in ((saved, "this device saw"), (forged, "No: these values")):
            (tmp_path / "saved.html").write_text(file, encoding="utf-8")
            offline.goto(f"file://{tmp_path}/saved.html")
            expect(offline.locator("[data-verdict]")).to_contain_text(said)
    an.evaluate("""() => {
        const name = Object.keys(localStorage).find((key) => key.startsWith("deal:"));
        const kept = JSON.parse(localStorage.getItem(name));
        kept.games[1].fingerprint = "0".repeat(64);
        localStorage.setItem(name, JSON.stringify(kept));
    }""")
    an.reload()
    expect(an.locator("[data-verdict]")).to_contain_text("saw other values")
