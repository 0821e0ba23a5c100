"""Finding one name in a long list: in the address, so that it works without a script."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from league.base.acts import links
from league.clubs.acts import players
from league.nights.acts import attendance, draws, events
from league.nights.domain.night_plans import NightPlan
from tests.factories import (
    browser_of,
    make_night,
    make_round,
    make_season,
    owner_of,
    path_of,
    play,
)
from tests.worlds import made_once

pytestmark = pytest.mark.django_db

WANTED = "Nguyễn Thị Đào"


@made_once
def night():
    """A night of forty, one of whom is wanted, in a club of eighty."""
    season = make_season(rules="penguin")
    by = owner_of(season)
    names = [WANTED, *(f"Người {number}" for number in range(101, 180))]
    players.add_players(club=season.club, text="\n".join(names), by=by)
    event = events.create_event(
        season=season, by=by, name="Đêm", date=season.starts_on, plan=NightPlan(stake=1)
    )
    keys = season.club.players.order_by("name").values_list("pk", flat=True)[:40]
    attendance.set_presence(event=event, player_ids=set(keys), presence="here", by=by)
    round_ = draws.draw_round(event=event, by=by, seed=1)
    draws.release_round(round_=round_, by=by)
    for sitting in round_.sittings.all():
        play(sitting)
    return event


@pytest.fixture
def pages(night) -> dict[str, str]:
    """Where many names are."""
    club = night.season.club
    link = links.renew_for_night(event=night, by=owner_of(club))
    return {
        "players": path_of(club, "players"),
        "season": path_of(night.season, "season"),
        "round": path_of(night, "round", 1),
        "check_in": path_of(night, "check_in"),
        "money": path_of(night.season, "season_money") + "?show=all",
        "event_money": path_of(night, "event_money") + "?show=all",
        "event": path_of(night, "event"),
        "link_check_in": reverse("league:link_night", args=[link.secret]),
    }


@pytest.fixture
def organiser(night) -> Client:
    return browser_of(owner_of(night))


def others_on(page: str) -> int:
    return page.count("Người 1")


@pytest.mark.parametrize("where", ["players", "season", "check_in", "link_check_in"])
def test_a_name_is_found_with_and_without_accents(pages, organiser, where):
    whole = organiser.get(pages[where]).content.decode()
    assert others_on(whole) >= 39
    for asked in ("dao", "nguyen đào", "THỊ DAO"):
        found = organiser.get(pages[where], {"q": asked}).content.decode()
        told = (WANTED in found, others_on(found), f'value="{asked}"' in found)
        assert told == (True, 0, True), asked


def test_a_round_shows_the_table_of_who_was_asked_for(pages, organiser):
    whole = organiser.get(pages["round"]).content.decode()
    found = organiser.get(pages["round"], {"q": "dao"}).content.decode()
    assert (whole.count('<ol class="seats '), found.count('<ol class="seats ')) == (10, 1)
    assert (WANTED in found, others_on(found)) == (True, 3)


@pytest.mark.parametrize("where", ["money", "event_money"])
def test_money_is_found_by_the_name_of_one_of_the_two(pages, organiser, where):
    whole = organiser.get(pages[where]).content.decode()
    found = organiser.get(pages[where], {"q": "dao"}).content.decode()
    assert "Sum of all" in whole
    assert "Sum of all" not in found
    found = re.split('id="proof"|Latest entries', found)[0]
    rows = re.findall(r"<tr>(.*?)</tr>", found, re.DOTALL)
    people = [row for row in rows if "<td" in row]
    assert people
    assert [row for row in people if WANTED not in row] == []


@pytest.mark.parametrize("where", ["players", "season", "round", "money"])
def test_who_is_not_there_is_said(pages, organiser, where):
    page = organiser.get(pages[where], {"q": "Zoe"}).content.decode()
    assert "Nobody is called “Zoe”." in page


def test_who_looks_for_a_name_at_the_door_still_sees_how_many_are_here(pages, organiser):
    page = organiser.get(pages["check_in"], {"q": "dao"}).content.decode()
    assert "<b>40</b> players are here" in " ".join(page.split())
    assert "Everyone is here" not in page


def test_a_name_in_a_season_costs_one_query_more_than_the_season(
    pages, organiser, django_assert_num_queries
):
    organiser.get(pages["season"])
    with django_assert_num_queries(12):
        organiser.get(pages["season"])
    with django_assert_num_queries(13):
        organiser.get(pages["season"], {"q": "dao"})


def test_a_large_night_is_asked_less_often_what_is_new(pages, organiser):
    assert 'hx-trigger="every 12s"' in organiser.get(pages["event"]).content.decode()
    at = path_of(make_round(make_night(8)).event, "event")
    assert 'hx-trigger="every 4s"' in organiser.get(at).content.decode()
