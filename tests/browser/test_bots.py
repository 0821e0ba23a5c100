"""A bot tournament from the form to the replay of one game."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from league.models import Event
from league.services import bots
from tables.services import runs
from tests.browser.conftest import check_page, shot
from tests.factories import make_member, make_season

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
    page.goto("/accounts/login/")
    page.fill("#id_login", organiser.email)
    page.fill("#id_password", "s3cret-word")
    page.locator("main form button").first.click()

    page.goto(f"/clubs/{season.club.slug}/seasons/{season.pk}/")
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
    expect(page.get_by_text("All games are played.")).to_be_visible()
    expect(page.locator(".standings tbody tr")).to_have_count(4)
    check_page(page)
    shot(page, "bots")

    page.get_by_label("Deal", exact=True).fill("100")
    page.get_by_label("Rotation").fill("4")
    page.get_by_role("button", name="Open the replay").click()
    expect(page.get_by_text("The cards are dealt.")).to_be_visible()
    expect(
        page.get_by_role("list", name="greedy", exact=True).get_by_role("listitem")
    ).to_have_count(13)
    check_page(page)
    page.get_by_role("link", name="Step on").click()
    expect(page.get_by_text("plays")).to_be_visible()
    page.get_by_role("link", name="End").click()
    expect(page.get_by_role("heading", name="How it ended")).to_be_visible()
    check_page(page)
    shot(page, "replay")
