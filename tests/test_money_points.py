"""A season that counts money for points is for those who see money."""

from datetime import timedelta
from typing import Any

import pytest
from django.http import Http404
from django.test import Client, RequestFactory
from django.urls import reverse

from league.base.lookup import find_club, find_event, seasons_to_see
from league.base.views.base import sees_money
from league.clubs.facts.search import search
from league.models import CalendarFeed, Club, Season
from league.recap.views.feeds import PublicSeasons
from league.schedules.acts.calendars import make_feed
from tables.base.fifo_cache import forget_all
from tests.factories import make_member, make_night, make_season, make_table, make_user, path_of
from tests.test_rights import address, make_world
from tests.test_visitors import STAKE, close, leaks
from tests.worlds import made_once

pytestmark = pytest.mark.django_db


@made_once
def world() -> dict[str, Any]:
    forget_all()
    return make_world(rules="mien-nam", stake=STAKE, points_table="stake_result")


def test_a_page_that_forgets_to_ask_for_the_visitor_shows_no_money(world):
    """Only `find_club` opens a club's money, so a club found in any other way stays closed."""
    season, event = world["season"], world["event"]
    request = RequestFactory().get("/")
    for club in (Club.objects.get(pk=season.club_id), season.club, event.season.club):
        request.club = club
        assert not sees_money(request, event)
        assert not seasons_to_see(club).filter(pk=season.pk).exists()
        with pytest.raises(Http404):
            find_event(club, event.pk)
    request.club, _right = find_club(world["visitors"]["player"], season.club.slug)
    assert sees_money(request, event)
    assert seasons_to_see(request.club).filter(pk=season.pk).exists()
    helper = make_member(season.club, "player")  # A member who is no player of the club.
    request.club, _right = find_club(helper, season.club.slug)
    assert sees_money(request, event)


def test_a_season_whose_points_are_money_is_for_those_who_see_money(world):
    close(world)
    stranger, member = Client(), Client()
    member.force_login(world["visitors"]["player"])
    for name in ("league:season", "league:event", "league:recap", "league:season_explain",
                 "league:night_picture", "api:season_standings", "api:event_places"):  # fmt: skip
        path = address(name, world)
        assert (stranger.get(path).status_code, member.get(path).status_code) == (404, 200), name
    secret = world | dict.fromkeys(("secret", "check_in", "sign_up"), "unknown")
    assert leaks(Client(), secret | {"night_table": world["club_table"]}) == {}


def test_what_strangers_list_leads_to_nothing_hidden_from_them(world):
    close(world)
    season, event, club = world["season"], world["event"], world["club"]
    coming = make_night(season=season, date=club.today + timedelta(days=1))
    stranger, member = Client(), Client()
    member.force_login(world["visitors"]["player"])
    feed = path_of(club, "feed", "json")
    nights = path_of(club, "api:events")
    shown = {
        name: [item["url"] for item in client.get(feed).json()["items"]]
        + [night["id"] for night in client.get(nights).json()["results"]]
        for name, client in (("stranger", stranger), ("member", member))
    }
    assert shown["stranger"] == []
    there = [
        path_of(club, "event", coming.pk),
        path_of(club, "recap", event.pk),
    ]
    assert {f"http://testserver{path}" for path in there} | {event.pk} <= set(shown["member"])
    assert season not in PublicSeasons().items()


def test_a_recap_leads_strangers_to_no_hidden_night_or_season(world):
    close(world)
    hidden, club = world["season"], world["club"]
    coming = make_night(season=hidden, date=club.today + timedelta(days=1))
    shown = make_season(club, rules="killa")
    night = make_night(season=shown)
    make_table(night, games=1)
    stranger, member = Client(), Client()
    member.force_login(world["visitors"]["player"])
    for name, key in (("season_recap", shown.pk), ("recap", night.pk)):
        path = path_of(club, name, key)
        assert coming.name not in stranger.get(path).content.decode(), name
        assert coming.name in member.get(path).content.decode(), name
    Season.objects.filter(pk=shown.pk).update(status=Season.Status.CLOSED)
    recap = path_of(club, "season_recap", shown.pk)
    assert hidden.name not in stranger.get(recap).content.decode()
    assert hidden.name in member.get(recap).content.decode()


def test_a_search_finds_hidden_nights_for_members_alone(world):
    night = world["event"]
    for user, is_found in (
        (None, False),
        (make_user(), False),
        (world["visitors"]["player"], True),
    ):
        found = search(user, night.name)
        assert found is not None
        assert (night in found.events) is is_found


def test_a_calendar_names_hidden_nights_to_members_alone(world):
    night, club = world["event"], world["club"]
    club_file = path_of(club, "club_calendar")
    offered = path_of(club, "calendar")
    for user, is_named in ((make_user(), False), (world["visitors"]["player"], True)):
        client = Client()
        client.force_login(user)
        for own in (None, night.season):
            make_feed(user=user, club=club, season=own)
        feeds = CalendarFeed.objects.filter(user=user)
        files = [reverse("league:link_calendar", args=[feed.secret]) for feed in feeds]
        named = [night.name in client.get(path).content.decode() for path in [club_file, *files]]
        named.append(night.season.name in client.get(offered).content.decode())
        assert named == [is_named] * 4
