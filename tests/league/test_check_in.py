"""Checking in by oneself, with the night's link."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Link
from league.services import events, links, players
from tests.factories import make_night, make_season, owner_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    """A night that expects Lan and Mai."""
    season = make_season()
    players.add_players(club=season.club, text="Lan\nMai", by=owner_of(season.club))
    return make_night(0, season=season)


@pytest.fixture
def path(event):
    link = links.renew_for_check_in(event=event, by=owner_of(event.season.club))
    return reverse("league:link_check_in", args=[links.secret_of(link)])


def key(event, name):
    return event.season.club.players.get(name=name).pk


def here(event):
    return sorted(e.player.name for e in event.entrants.filter(presence="here"))


def test_a_tap_on_ones_name_checks_in(event, path):
    Client().post(path, {"player": key(event, "Lan")})
    assert here(event) == ["Lan"]


def test_only_the_phone_that_did_it_takes_it_back(event, path):
    mine, other = Client(), Client()
    mine.post(path, {"player": key(event, "Lan")})
    other.post(path, {"player": key(event, "Lan"), "back": 1})
    assert here(event) == ["Lan"]
    mine.post(path, {"player": key(event, "Lan"), "back": 1})
    assert here(event) == []


@pytest.mark.parametrize("odd", ["", "x", "-1", "9" * 30, "²"])
def test_odd_names_change_nothing(event, path, odd):
    assert Client().post(path, {"player": odd}).status_code == 302
    assert here(event) == []


def test_a_player_of_another_club_or_a_bot_is_not_checked_in(event, path):
    stranger = make_night(1).entrants.get().player
    bot = players.add_player(club=event.season.club, name="greedy", by=None, bot="greedy")
    for player in (stranger, bot):
        Client().post(path, {"player": player.pk})
    assert here(event) == []


def test_the_link_ends_with_the_night_and_when_it_is_replaced(event, path):
    by = owner_of(event.season.club)
    events.close_event(event=event, by=by)
    assert Client().get(path).status_code == 404
    events.reopen_event(event=event, by=by)
    assert Client().get(path).status_code == 200
    links.renew_for_check_in(event=event, by=by)
    assert Client().get(path).status_code == 404
    assert Link.objects.alive().count() == 1
