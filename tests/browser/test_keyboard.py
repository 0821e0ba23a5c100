"""The product without a mouse: the focus stays where it was, and what happens is said."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import sign_in
from tests.factories import make_night, make_round, names_at, owner_of, play
from tests.tables import live

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def home_of(event) -> str:
    return f"/clubs/{event.season.club.slug}/events/{event.pk}/"


def said(page: Page):
    return page.locator("#live")


def test_names_are_checked_in_one_after_the_other(page: Page, live_server):
    event = make_night(5)
    event.entrants.update(presence="expected")
    sign_in(page, live_server.url, owner_of(event.season.club))
    page.goto(home_of(event) + "check-in/")
    first, second, *_others = page.locator(".chips .btn").all_inner_texts()
    page.get_by_role("button", name=first, exact=True).focus()
    page.keyboard.press("Enter")
    expect(said(page)).to_have_text(f"1 player is here {first} is here.")
    expect(page.get_by_role("button", name=second, exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(said(page)).to_have_text(f"2 players are here {second} is here.")


def test_a_replay_is_stepped_through_by_one_button(page: Page):
    table = live.open_table("penguin", people=4)
    live.deal(table)
    live.play_quickly(table)
    page.goto(f"/tables/{table.key}/games/1/")
    on = page.get_by_role("link", name="Step on")
    on.focus()
    for step in (1, 2, 3):
        page.keyboard.press("Enter")
        expect(page.locator(".record-steps")).to_contain_text(f"{step} /")
        expect(on).to_be_focused()
    expect(said(page)).to_have_text(re.compile(r"Guest \d (passes|plays \w+ of \w+)"))


def test_a_night_that_goes_on_leaves_its_reader_where_he_is(page: Page, live_server):
    event = make_night(8, games_per_round=2)
    round_ = make_round(event)
    sign_in(page, live_server.url, owner_of(event.season.club))
    page.clock.install()
    page.goto(home_of(event))
    page.get_by_label("Minutes").fill("45")
    page.get_by_role("link", name="Table 2").focus()
    sitting = round_.sittings.get(table_no=1)
    play(sitting, names_at(sitting))
    page.clock.run_for(5000)
    expect(page.get_by_text("1 of 2 games")).to_be_visible()
    expect(page.get_by_role("link", name="Table 2")).to_be_focused()
    expect(page.get_by_label("Minutes")).to_have_value("45")
