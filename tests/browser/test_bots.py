"""A bot tournament from the form to the replay of one game."""

import pytest
from playwright.sync_api import Page, expect

from engine import bots as engine_bots
from league.arena.acts import bots
from league.models import Event
from tables.runs import runs
from tests.browser.conftest import check_page, seen, sign_in
from tests.factories import make_member, make_season, make_tournament
from tests.league.arena.test_run_effects import Odd

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def work(event: Event, *, units: int | None = None) -> None:
    """What a worker does with the tournament's run: so many units, or all."""
    run = event.run
    while units != 0 and runs.play_next(run.pk):
        units = units and units - 1
    run.refresh_from_db()
    if run.status == "done":
        bots.close_finished(run=run)


def test_bots_play_a_tournament_that_one_can_watch(page: Page):
    season = make_season(rules="thirteen")
    organiser = make_member(season.club, "organiser")
    sign_in(page, organiser)
    page.goto(f"/clubs/{season.club.slug}/arena/")
    check_page(page)
    page.locator(".menu > summary").click()
    page.get_by_role("link", name="New bot tournament").click()
    check_page(page)
    page.get_by_label("Deals").fill("100")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("0 of 400")).to_be_visible()
    check_page(page)

    event = Event.objects.get()
    work(event, units=1)
    expect(page.get_by_text("40 of 400")).to_be_visible()
    work(event)
    expect(page.get_by_text("All games played.")).to_be_visible()
    expect(page.locator(".heat tbody tr")).to_have_count(4)
    seen(page, "bots")

    page.get_by_text("Deals and games").click()
    page.get_by_label("Deal", exact=True).fill("100")
    page.get_by_label("Seat rotation").fill("4")
    page.get_by_role("button", name="Open replay").click()
    expect(page.get_by_text("The cards are dealt.")).to_be_visible()
    expect(page.locator(".replay-hands > li").first.locator(".mini > *")).to_have_count(13)
    check_page(page)
    page.get_by_role("link", name="Step forward").click()
    expect(page.locator("#board").get_by_text("plays")).to_be_visible()
    page.get_by_role("link", name="Play the moves").click()
    expect(page.locator(".record-steps")).to_contain_text("3 /")
    page.get_by_role("link", name="Pause").click()
    expect(page.get_by_role("link", name="Play the moves")).to_be_visible()
    page.get_by_role("link", name="End").click()
    expect(page.get_by_role("heading", name="Result")).to_be_visible()
    seen(page, "replay")


def test_what_bots_did_wrong_and_what_happened_is_readable(page: Page, monkeypatch):
    monkeypatch.setitem(engine_bots.BOTS, "odd", Odd)
    season = make_season(rules="mien-nam")
    event = make_tournament(season, "odd", "planner", "greedy", "lowest", deals=20)
    work(event)
    organiser = make_member(season.club, "organiser")
    sign_in(page, organiser)
    headings = ("Which bots failed?", "What is a seat worth?", "What is a good hand worth?")
    for width in (360, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(f"/clubs/{season.club.slug}/events/{event.pk}/")
        page.get_by_text("Faults and thinking time").click()
        page.get_by_text("First incidents").click()
        expect(page.get_by_text("which is not among what it may do").first).to_be_visible()
        page.get_by_text("By seat and hand").click()
        for heading in headings:
            expect(page.get_by_role("heading", name=heading)).to_be_visible()
        seen(page, f"verdicts-{width}")
