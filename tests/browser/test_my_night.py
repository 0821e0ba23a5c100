"""A night of eight from the door to the last game, with a phone that has no account."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from league.base.services import links
from league.clubs.services import players
from league.models import Confirmation, Dispute, Event, Place, Result
from tests.browser.conftest import check_page, open_page, shot, sign_in
from tests.factories import make_night, make_season, names_at, owner_of, play, secret_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
NAMES = ["An", "Bình", "Chi", "Dũng", "Hà", "Lan", "Minh", "Nga"]


def draw(page: Page, event: Event, number: int) -> None:
    page.goto(f"/clubs/{event.season.club.slug}/events/{event.pk}/")
    page.get_by_role("button", name=f"Draw round {number}").click()
    page.get_by_role("button", name="Release").click()
    expect(page.get_by_text(f"Round {number} released.")).to_be_visible()


def table_of(event: Event, name: str, number: int):
    found = Place.objects.filter(round__event=event, round__number=number)
    return found.get(entrant__player__name=name).sitting


def test_a_night_in_ones_pocket_from_the_door_to_the_last_game(page: Page, browser, live_server):
    season = make_season(rules="mien-nam")
    by = owner_of(season.club)
    players.add_players(club=season.club, text="\n".join(NAMES), by=by)
    event = make_night(
        0, season=season, stake=5, rounds_planned=2, games_per_round=1, confirmed_by="player"
    )
    sign_in(page, live_server.url, by)

    # At the door: a thumb that taps twice marks one person, and no name moves under it.
    page.goto(f"/clubs/{season.club.slug}/events/{event.pk}/check-in/")
    page.get_by_role("button", name="An", exact=True).dblclick()
    page.get_by_role("button", name="Bình").click()
    expect(page.locator(".btn-here")).to_have_count(2)
    assert event.entrants.filter(presence="here").count() == 2
    page.get_by_role("button", name="Everyone is here").click()
    expect(page.locator(".btn-here")).to_have_count(8)

    link = links.renew_for_check_in(event=event, by=by)
    with open_page(browser, live_server.url) as phone, open_page(browser, live_server.url) as other:
        phone.goto(reverse("league:link_check_in", args=[link.secret]))
        check_page(phone)
        phone.locator("li", has_text="Lan").get_by_role("button", name="That's me").click()
        expect(
            phone.get_by_text("Your table appears here once the round is drawn.")
        ).to_be_visible()
        draw(page, event, 1)
        sitting = table_of(event, "Lan", 1)
        heading = phone.get_by_role("heading", name=f"Table {sitting.table_no}")
        expect(heading).to_be_visible()
        check_page(phone)
        shot(phone, "my-night-table")

        # At the table another phone enters the game; the second tap on Save means nothing.
        other.goto(reverse("league:link_table", args=[secret_of(sitting)]))
        check_page(other)
        for index in range(3):
            other.locator("[data-tap]").nth(index).click()
        other.get_by_role("button", name="Save the game").dblclick()
        expect(
            other.get_by_text("All games of this round are entered.", exact=True)
        ).to_be_visible()
        assert Result.objects.count() == 1
        expect(phone.get_by_role("button", name="Right", exact=True)).to_be_visible()
        shot(phone, "my-night-question")
        phone.get_by_role("button", name="Right", exact=True).click()
        expect(phone.get_by_text("Game 1 confirmed.")).to_be_visible()
        assert Confirmation.objects.count() == 1
        elsewhere = event.rounds.get(number=1).sittings.exclude(pk=sitting.pk).get()
        play(elsewhere, names_at(elsewhere), device="x")

        # The card on the table holds: its page leads on to the next round by itself.
        draw(page, event, 2)
        expect(other.get_by_role("heading", name="Round 2")).to_be_visible()
        for each in event.rounds.get(number=2).sittings.all():
            play(each, names_at(each), device="x")
        expect(phone.get_by_role("button", name="Not right", exact=True)).to_be_visible()
        phone.get_by_role("button", name="Not right", exact=True).click()
        expect(phone.get_by_text("No organiser has looked at it yet.")).to_be_visible()
        page.goto(f"/clubs/{season.club.slug}/events/{event.pk}/check-in/")
        page.get_by_role("link", name="1 table needs an organiser").click()
        page.get_by_role("button", name="I'll look at it").click()
        expect(page.get_by_text("An organiser is looking at it.")).to_be_visible()
        expect(phone.get_by_text("An organiser is looking at it.")).to_be_visible()
        assert Dispute.objects.get().seen_at is not None
        check_page(phone)
        shot(phone, "my-night")

        # Going home, and giving the name back.
        phone.get_by_role("button", name="Leave for tonight").click()
        expect(phone.get_by_text("You have left for tonight.")).to_be_visible()
        page.goto(f"/clubs/{season.club.slug}/events/{event.pk}/check-in/")
        page.get_by_text("1 phone", exact=True).click()
        check_page(page)
        shot(page, "check-in-phones")
        page.get_by_role("button", name="Free the name").click()
        expect(page.get_by_text("The name is free.")).to_be_visible()
        assert phone.reload().status == 404
