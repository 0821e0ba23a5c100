"""A club's own rules on a phone and on paper, and a record stepped through."""

import json
import re

import pytest
from playwright.sync_api import Browser, Page, expect

from engine.rules.ruleset import digest, preset, preset_keys
from league.models import ClubRuleset
from tables.base import rulesets
from tests.browser.conftest import check_page, seen, sign_in
from tests.factories import make_club, make_rules, make_user
from tests.league.arena.test_records import GAME

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# As many sentences as a ruleset can have.
WORDIEST = {
    "min_players": 2,
    "max_players": 8,
    "cards_each": {"2": 13, "3": 17, "4": 12, "5": 13, "6": 12, "7": 13, "8": 12},
    "decks": {"5": 2, "6": 2, "7": 2, "8": 2},
    "first_card_to_winner": True,
    "lowest_cards_revealed": True,
    "quad_runs": True,
    "new_player_resets": True,
    "pair_run_opens": True,
    "all_lose": True,
    "straight_flush_locks": "choice",
    "chops": {
        target: ["PR3", "PR4", "PR6", "Q", "QR2"]
        for target in ("one_two", "two_twos", "three_twos", "four_twos", "Q")
    },
    "locked_out_chops": ["PR4", "PR5"],
    "pair_runs_beat_singles": True,
    "quads_beat_singles": True,
    "triples_beat_aces": True,
    "quads_beat_pair_runs": True,
    "exchange": ["go_fish", "negotiated", "chop_debt", "twos_left"],
    "trade_equal": False,
    "betting": "mien_nam",
}


def open_chapter(page: Page, name: str) -> None:
    page.locator("summary", has_text=re.compile(f"^\\s*{name}")).click()


def test_an_organiser_makes_rules_and_reads_them_while_choosing(page):
    owner = make_user()
    club = make_club(owner=owner)
    sign_in(page, owner)
    page.goto(f"/clubs/{club.slug}/manage/")
    page.get_by_role("link", name="Rules what the club plays by").click()
    check_page(page)
    page.get_by_role("link", name="Miền Nam (Southern, for money)", exact=True).click()
    page.get_by_role("link", name="Make a copy for our club").click()
    page.get_by_label("Name", exact=True).fill("Luật nhà Lan")
    open_chapter(page, "Chops")
    page.get_by_role("group", name="Three 2s").get_by_label("Four of a kind", exact=True).check()
    words = page.locator("#preview mark", has_text="On three 2s: four of a kind; 5 consecutive")
    expect(words).to_be_visible()
    expect(page.locator("#live")).to_have_text("1 difference from Tiến Lên Miền Nam.")
    seen(page, "rules-edit")
    open_chapter(page, "Players and cards")
    page.get_by_label("Maximum players").fill("1")
    page.get_by_label("Minimum players").click()
    expect(page.locator("#preview .error")).to_contain_text("Maximum players")
    page.get_by_role("button", name="Save rules").click()
    expect(page.get_by_label("Maximum players")).to_have_attribute("aria-invalid", "true")
    check_page(page)
    page.get_by_label("Maximum players").fill("4")
    page.get_by_role("button", name="Save rules").click()
    expect(page.get_by_role("heading", name="Luật nhà Lan", level=1)).to_be_visible()
    seen(page, "rules-card")
    saved = rulesets.thaw(ClubRuleset.objects.get().frozen)
    assert dict(saved.chops)["three_twos"] == ("PR5", "Q")


def test_every_card_prints_on_one_page(page):
    club = make_club()
    wordiest = make_rules(club, preset="tien-len", name="W" * 80, **WORDIEST)
    digests = [digest(preset(key)) for key in preset_keys()] + [wordiest.frozen_id]
    for frozen in digests:
        page.goto(f"/clubs/{club.slug}/rules/{frozen}/")
        expect(page.locator(".rule-card .rule-hands .card").first).to_be_visible()
        for paper in ("A4", "A5"):
            pages = re.findall(rb"/Type\s*/Page\b", page.pdf(format=paper))
            assert (frozen, paper, len(pages)) == (frozen, paper, 1)


def test_a_record_is_stepped_through_with_the_keyboard(page):
    page.goto("/records/")
    check_page(page)
    page.get_by_label("Or paste its text").fill(json.dumps(GAME))
    page.get_by_role("button", name="Check and show").click()
    page.get_by_role("button", name="Step forward").wait_for()
    page.wait_for_load_state("load")  # Before that, a step is a page of its own.
    page.get_by_role("button", name="Step forward").focus()
    for step in (1, 2, 3):
        page.keyboard.press("Enter")
        expect(page.locator("#board")).to_contain_text(f"{step} / 6")
        expect(page.get_by_role("button", name="Step forward")).to_be_focused()
    seen(page, "record")


def test_without_script_rules_are_previewed_and_records_stepped(browser: Browser, live_server):
    owner = make_user()
    club = make_club(owner=owner)
    context = browser.new_context(
        java_script_enabled=False, base_url=live_server.url, locale="en-GB"
    )
    page = context.new_page()
    sign_in(page, owner)
    page.goto(f"/clubs/{club.slug}/rules/new/?from=killa")
    open_chapter(page, "Beating and passing")
    page.get_by_label("Tiến lên: the last player may keep playing alone").uncheck()
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("#preview mark").first).to_be_visible()
    assert ClubRuleset.objects.count() == 0
    page.goto("/records/")
    page.get_by_label("Or paste its text").fill(json.dumps(GAME))
    page.get_by_role("button", name="Check and show").click()
    page.get_by_role("button", name="Step forward").click()
    expect(page.locator("#board")).to_contain_text("1 / 6")
    context.close()
