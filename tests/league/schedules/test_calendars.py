"""Calendars: what a calendar program reads, before and after a night changes."""

import datetime
import zoneinfo
from dataclasses import replace

import icalendar
import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.clubs.acts import members, players
from league.models import CalendarFeed, Event, Membership
from league.nights.acts import events, night_settings
from league.nights.domain.counters import without_counter
from league.nights.domain.night_plans import COLUMNS, NightPlan
from league.schedules.acts import calendars, schedules
from league.schedules.domain.recurrence import Recurrence
from league.schedules.domain.repeated import Nights
from league.turnout.acts import sign_ups
from tests.factories import (
    make_club,
    make_member,
    make_night,
    make_season,
    make_user,
    night_secret,
    owner_of,
    path_of,
    sign_in,
)
from tests.worlds import lived_from

pytestmark = pytest.mark.django_db

lived = lived_from("2026-11-20 12:00Z")


def make(season, name="Đêm 1", **values):
    """A night in a week, at eight in the evening."""
    day = season.club.today + datetime.timedelta(days=7)
    values = {"date": day, "starts_at": datetime.time(20)} | values
    return events.create_event(season=season, by=owner_of(season), name=name, **values)


def change(night, **values):
    plan = replace(night.plan, **{n: values.pop(n) for n in COLUMNS if n in values})
    values = {n: getattr(night, n) for n in ("name", "date", "starts_at")} | values
    by = owner_of(night)
    night = night_settings.change_settings(event=night, by=by, plan=plan, **values)
    return Event.objects.get(pk=night.pk)


def read(path, client=None):
    """The entries of a calendar by their UIDs, as a calendar program reads them."""
    answer = (client or Client()).get(path)
    assert answer.status_code == 200, path
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    found = icalendar.Calendar.from_ical(answer.content)
    assert all(len(line) <= 75 for line in answer.content.splitlines())
    return {str(entry["uid"]): entry for entry in found.walk("VEVENT")}


def test_a_program_asks_for_the_head_of_a_calendar_first():
    season = make_season(make_club(is_public=True))
    night = make(season)
    secret = night_secret(night)
    for path in (
        path_of(season.club, "club_calendar"),
        path_of(season, "season_calendar"),
        path_of(season.club, "night_calendar", night.pk),
        reverse("league:link_night_calendar", args=[secret]),
    ):
        whole, head = Client().get(path), Client().head(path)
        assert (whole.status_code, head.status_code, head.content) == (200, 200, b"")
        assert (head["ETag"], head["Content-Type"]) == (whole["ETag"], whole["Content-Type"])
        assert Client().post(path).status_code == 405


def test_a_night_that_moves_and_is_called_off_stays_the_same_entry():
    season = make_season(make_club(name="Hội Bạn Già; chơi, vui"))
    night = make(season)
    path = path_of(season.club, "club_calendar")
    ((uid, entry),) = read(path).items()
    begins = entry["dtstart"].dt
    zone = zoneinfo.ZoneInfo("Asia/Ho_Chi_Minh")
    assert begins == datetime.datetime.combine(night.date, datetime.time(20), tzinfo=zone)
    assert (entry["sequence"], str(entry["status"])) == (0, "CONFIRMED")
    assert str(entry["summary"]) == "Hội Bạn Già; chơi, vui: Đêm 1"
    night = change(night, rounds_planned=5)
    assert read(path)[uid]["sequence"] == 0
    night = change(night, starts_at=datetime.time(19))
    moved = read(path)[uid]
    assert moved["sequence"] == 1
    assert moved["dtstart"].dt == begins - datetime.timedelta(hours=1)
    assert moved["dtstamp"].dt >= entry["dtstamp"].dt
    host = sign_in(owner_of(season))
    page = path_of(season.club, "event", night.pk)
    assert "Call off the night" in host.get(page).content.decode()
    status = path_of(season.club, "event_status", night.pk)
    host.post(status, {"status": "called_off"})
    assert "called off" in host.get(page).content.decode()
    gone = read(path)[uid]
    assert (gone["sequence"], str(gone["status"])) == (2, "CANCELLED")
    host.post(status, {"status": "open"})
    back = read(path)[uid]
    assert (back["sequence"], str(back["status"])) == (3, "CONFIRMED")
    assert list(read(path_of(season.club, "night_calendar", night.pk))) == [uid]


@time_machine.travel("2027-03-20 12:00+01:00")
def test_hours_are_those_of_the_club_on_both_sides_of_a_change_of_clocks():
    season = make_season(make_club(time_zone="Europe/Berlin"))
    for day in (datetime.date(2027, 3, 27), datetime.date(2027, 3, 28)):
        make(season, f"Abend {day}", date=day)
    entries = read(path_of(season, "season_calendar")).values()
    hours = sorted(entry["dtstart"].dt.astimezone(datetime.UTC).hour for entry in entries)
    assert hours == [18, 19]
    answer = Client().get(path_of(season.club, "club_calendar"))
    assert b"BEGIN:VTIMEZONE" in answer.content
    assert b"DTSTART;TZID=Europe/Berlin:20270328T200000" in answer.content
    again = Client().get(
        path_of(season.club, "club_calendar"),
        headers={"If-None-Match": answer["ETag"]},
    )
    assert again.status_code == 304


def test_a_night_without_an_hour_takes_the_day():
    season = make_season()
    night = make(season, starts_at=None)
    (entry,) = read(path_of(season.club, "club_calendar")).values()
    assert entry["dtstart"].dt == night.date


def test_a_secret_address_shows_what_its_owner_may_see_until_it_ends():
    season = make_season(make_club(is_public=False))
    make(season)
    club, user = season.club, make_member(season.club, Membership.Role.PLAYER)
    assert Client().get(path_of(club, "club_calendar")).status_code == 404
    client, page = sign_in(user), path_of(club, "calendar")
    for what in ("club", str(season.pk), "mine"):
        client.post(page, {"what": what})
    shown = client.get(page).content.decode()
    feeds = {(f.club_id, f.season_id): f for f in CalendarFeed.objects.filter(user=user)}
    assert len(feeds) == 3
    paths = {key: reverse("league:link_calendar", args=[f.secret]) for key, f in feeds.items()}
    assert all(path in shown for path in paths.values())
    assert len(read(paths[club.pk, None])) == len(read(paths[club.pk, season.pk])) == 1
    client.post(page, {"what": str(season.pk), "end": "1"})
    assert Client().get(paths[club.pk, season.pk]).status_code == 404
    client.post(page, {"what": "club"})
    assert Client().get(paths[club.pk, None]).status_code == 404  # Replaced.
    path = reverse("league:link_calendar", args=[CalendarFeed.objects.get(club=club).secret])
    assert read(path)
    member = club.memberships.get(user=user)
    members.remove_member(member=member, by=owner_of(club))
    assert Client().get(path).status_code == 404


def test_my_nights_are_those_of_my_clubs_that_i_did_not_decline():
    user, season = make_user(), make_season()
    an = players.add_player(club=season.club, name="An", by=None)
    players.take_player(player=an, user=user)
    first, second, third = (make(season, f"Đêm {number}") for number in (1, 2, 3))
    make(make_season())
    for night, reply in ((first, "yes"), (second, "no")):
        sign_up = sign_ups.open_list(event=night, by=owner_of(season))
        sign_ups.answer(sign_up=sign_up, player=an, reply=reply, organises=True)
    calendars.make_feed(user=user)
    path = reverse("league:link_calendar", args=[CalendarFeed.objects.get().secret])
    told = {str(e["summary"])[-1]: str(e["status"]) for e in read(path).values()}
    assert told == {"1": "CONFIRMED", "3": "TENTATIVE"}
    assert third.season.club == season.club


def test_a_program_that_asks_by_the_date_alone_hears_of_an_answer():
    user, season = make_user(), make_season()
    an = players.add_player(club=season.club, name="An", by=None)
    players.take_player(player=an, user=user)
    sign_up = sign_ups.open_list(event=make(season), by=owner_of(season))
    calendars.make_feed(user=user)
    path = reverse("league:link_calendar", args=[CalendarFeed.objects.get().secret])
    known = {"If-Modified-Since": Client().get(path)["Last-Modified"]}
    sign_ups.answer(sign_up=sign_up, player=an, reply="yes", organises=True)
    answer = Client().get(path, headers=known)
    assert answer.status_code == 200
    assert "STATUS:CONFIRMED" in answer.content.decode()


def test_who_holds_the_link_of_the_list_adds_the_night():
    season = make_season(make_club(is_public=False))
    night = make(season)
    sign_ups.open_list(event=night, by=owner_of(season))
    secret = night_secret(night)
    (entry,) = read(reverse("league:link_night_calendar", args=[secret])).values()
    assert str(entry["url"]).endswith(reverse("league:link_night", args=[secret]))


@pytest.mark.parametrize(
    ("name", "series"), [("Đêm #4", "Đêm"), ("4", "4"), ("Giải 2026", "Giải 2026")]
)
def test_an_entry_for_many_nights_has_no_night_s_number_and_keeps_a_year(name, series):
    assert without_counter(name) == series


def test_nights_that_repeat_are_one_entry_until_each_is_made():
    season = make_season()
    by, path = owner_of(season), path_of(season.club, "club_calendar")
    today = season.club.today
    rule = Recurrence(today + datetime.timedelta(days=8), datetime.time(20), "Asia/Ho_Chi_Minh")
    nights = Nights("Đêm 4", NightPlan(), rule)
    schedule = schedules.create_schedule(season=season, by=by, repeated=nights)
    ((uid, entry),) = read(path).items()
    assert entry["dtstart"].dt.date() == rule.start
    assert entry["rrule"]["FREQ"] == ["WEEKLY"]
    assert str(entry["summary"]) == f"{season.club}: Đêm"
    schedules.tick(timezone.now() + datetime.timedelta(days=4))
    entries = read(path)
    moved = entries.pop(uid)
    assert moved["dtstart"].dt.date() == rule.start + datetime.timedelta(days=7)
    assert moved["sequence"] == entry["sequence"] + 1
    assert [str(each["summary"])[-5:] for each in entries.values()] == ["Đêm 4"]
    schedules.pause_schedule(schedule=schedule, by=by, paused=True)
    assert uid not in read(path)


@pytest.mark.parametrize("broken", ["Tối\nvui", "Tối\r\nvui", "Tối\u2028vui", "Tối\x0bvui"])
def test_a_name_with_a_line_break_that_stands_in_the_database_breaks_no_calendar(client, broken):
    night = make_night()
    Event.objects.filter(pk=night.pk).update(name=broken)
    club = night.season.club
    type(club).objects.filter(pk=club.pk).update(name=broken)
    for name, args in (("club_calendar", ()), ("night_calendar", (night.pk,))):
        answer = client.get(path_of(club, name, *args))
        assert answer.status_code == 200
        assert "Tối vui" in answer.content.decode()
