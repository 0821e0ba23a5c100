"""Whose evening it is: four zones, midnight, the day of a night."""

from __future__ import annotations

import datetime
from zoneinfo import ZoneInfo

import icalendar
import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from accounts.models import User
from engine.rules.ruleset import preset
from league.base.facts.next_nights import next_nights
from league.clubs.acts import clubs
from league.models import Channel, Claim, Club, Event, NewsItem, NewsWish, Schedule, Season, days
from league.news.acts import outbox
from league.nights.domain.night_plans import NightPlan
from league.nights.facts import claims
from league.recap.pages.tonight import club_home, tonight_page
from league.schedules.acts import schedules
from league.schedules.domain.recurrence import Recurrence
from league.schedules.domain.repeated import Ahead, Nights
from league.schedules.pages.calendars import uid
from tables.people.acts import sprints
from tests.factories import (
    make_club,
    make_night,
    make_round,
    make_season,
    make_user,
    owner_of,
    sign_in,
)

pytestmark = pytest.mark.django_db
FRIDAY = datetime.date(2027, 6, 4)
WEEK = datetime.timedelta(days=7)
EIGHT = datetime.time(20)
ZONES = ["America/Los_Angeles", "Europe/Paris", "Australia/Sydney", "Asia/Ho_Chi_Minh"]


def at(hour: str, zone: str, day: datetime.date = FRIDAY) -> datetime.datetime:
    """The moment of a local time; from 24:00 on it is of the day after."""
    hours, minutes = map(int, hour.split(":"))
    local = datetime.datetime.combine(day, datetime.time(), tzinfo=ZoneInfo(zone))
    return local.replace(fold=0) + datetime.timedelta(hours=hours, minutes=minutes)


def night_in(zone: str, starts_at: datetime.time | None = EIGHT, **details) -> Event:
    with time_machine.travel(at("12:00", zone), tick=False):
        season = make_season(make_club(time_zone=zone))
        return make_night(4, season=season, date=FRIDAY, starts_at=starts_at, **details)


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("hour", ["06:00", "16:55", "17:05", "23:30", "24:05", "29:59"])
def test_tonights_night_is_tonights_until_six(client, zone, hour):
    event = night_in(zone)
    owner = owner_of(event.season.club)
    with time_machine.travel(at(hour, zone), tick=False):
        found = tonight_page(owner)
        assert [(one.event, one.when) for one in found.coming] == [(event, "Tonight")]
        assert found.coming[0].next_step is not None  # Check people in
        assert found.today == FRIDAY
        home = club_home(event.season.club, owner, may_organise=True)
        assert [(one.event, one.when) for one in home.coming] == [(event, "Tonight")]
        assert next_nights(event.season.club) == [event]
        client.force_login(owner)
        assert client.get("/").context["today"] == FRIDAY
        clubs = client.get(reverse("league:club_list"))
        assert clubs.context["mine"].get().next_on == FRIDAY


@pytest.mark.parametrize("zone", ZONES)
def test_a_nights_day_ends_at_six(zone):
    event = night_in(zone)
    owner = owner_of(event.season.club)
    with time_machine.travel(at("30:00", zone), tick=False):
        assert tonight_page(owner).coming == []
        assert club_home(event.season.club, owner, may_organise=True).coming == []
    with time_machine.travel(at("05:59", zone), tick=False):
        assert tonight_page(owner).coming[0].when == "Tomorrow"


@pytest.mark.parametrize("zone", ZONES)
def test_one_planned_for_after_midnight_is_shown_the_evening_before(zone):
    event = night_in(zone, datetime.time(0, 30))
    owner = owner_of(event.season.club)
    thursday = FRIDAY - datetime.timedelta(days=1)
    with time_machine.travel(at("19:00", zone, thursday), tick=False):
        found = tonight_page(owner)
        assert [(one.event, one.when) for one in found.coming] == [(event, "Tonight")]
        assert found.today == thursday
    with time_machine.travel(at("06:00", zone), tick=False):
        assert tonight_page(owner).coming == []
    event.refresh_from_db()
    assert (event.date, event.starts_at) == (FRIDAY, datetime.time(0, 30))


@pytest.mark.parametrize(
    ("moment", "day"),
    [
        ("2027-11-07T01:30:00-07:00", "2027-11-06"),  # The doubled hour, first and second.
        ("2027-11-07T01:30:00-08:00", "2027-11-06"),
        ("2027-11-07T05:59:00-08:00", "2027-11-06"),
        ("2027-11-07T06:00:00-08:00", "2027-11-07"),
        ("2027-03-14T05:59:00-07:00", "2027-03-13"),  # 02:30 was skipped.
        ("2027-03-14T06:00:00-07:00", "2027-03-14"),
        ("2028-01-01T02:10:00-08:00", "2027-12-31"),
    ],
)
def test_six_is_six_on_the_clock_also_when_it_changes(moment, day):
    found = days.day_of(datetime.datetime.fromisoformat(moment), "America/Los_Angeles")
    assert found.isoformat() == day


def test_clubs_of_two_zones_stand_on_one_page_each_with_its_own_evening():
    sydney = night_in("Australia/Sydney")
    owner = owner_of(sydney.season.club)
    pacific = make_season(make_club(owner=owner, time_zone="America/Los_Angeles"))
    moment = at("20:30", "Australia/Sydney")  # 03:30 of Friday in Los Angeles.
    with time_machine.travel(moment, tick=False):
        there = make_night(4, season=pacific, date=FRIDAY, starts_at=EIGHT)
        found = {one.event: one.when for one in tonight_page(owner).coming}
    assert found == {sydney: "Tonight", there: "Tomorrow"}


def test_a_phone_with_names_in_two_nights_is_led_to_tonights():
    tonight = night_in("America/Los_Angeles")
    tomorrow = make_night(
        4, season=tonight.season, date=FRIDAY + datetime.timedelta(days=1), starts_at=EIGHT
    )
    for event in (tonight, tomorrow):
        player = event.entrants.first().player
        Claim.objects.create(event=event, player=player, phone_hash="a" * 64)
    for hour in ("17:05", "26:00"):
        with time_machine.travel(at(hour, "America/Los_Angeles"), tick=False):
            assert claims.night_of("a" * 64) == tonight.pk
    with time_machine.travel(at("30:00", "America/Los_Angeles"), tick=False):
        assert claims.night_of("a" * 64) == tomorrow.pk


def move(club: Club, zone: str) -> Club:
    return clubs.change_club(
        club=club, by=owner_of(club), name=club.name, time_zone=zone, unit=club.unit
    )


def calendar_of(club: Club) -> dict[str, icalendar.Event]:
    answer = Client().get(reverse("league:club_calendar", args=[club.slug]))
    found = icalendar.Calendar.from_ical(answer.content).walk("VEVENT")
    return {str(entry["uid"]): entry for entry in found}


def weekly(season: Season) -> Schedule:
    """Every Friday at 20:00 by the club's clock, a day ahead, with a list that closes at 18:00."""
    return schedules.create_schedule(
        season=season,
        by=owner_of(season.club),
        repeated=Nights(
            name="Thứ Sáu 1",
            plan=NightPlan(),
            rule=Recurrence(FRIDAY, EIGHT, season.club.time_zone),
            ahead=Ahead(days_ahead=1, opens_sign_up=True, sign_up_hours=2),
        ),
    )


def test_a_club_that_moves_takes_its_plans_along_and_leaves_what_was_played():
    vietnam, pacific = ZoneInfo("Asia/Ho_Chi_Minh"), ZoneInfo("America/Los_Angeles")
    with time_machine.travel(at("12:00", "Asia/Ho_Chi_Minh", FRIDAY - datetime.timedelta(days=8))):
        season = make_season(make_club())
        schedule = weekly(season)
        played = make_night(
            4, season=season, date=FRIDAY - datetime.timedelta(days=7), starts_at=EIGHT
        )
        make_round(played)
    thursday = at("21:00", "Asia/Ho_Chi_Minh", FRIDAY - datetime.timedelta(days=1))
    with time_machine.travel(thursday) as traveller:
        schedules.tick()  # The night of Friday.
        tonight = Event.objects.get(season=season, date=FRIDAY)
        before = calendar_of(season.club)
        traveller.shift(60)
        club = move(season.club, "America/Los_Angeles")
        after = calendar_of(club)
    played, tonight = Event.objects.get(pk=played.pk), Event.objects.get(pk=tonight.pk)
    assert played.begins == datetime.datetime.combine(played.date, EIGHT, tzinfo=vietnam)
    assert tonight.begins == datetime.datetime.combine(FRIDAY, EIGHT, tzinfo=pacific)
    assert (played.date, played.starts_at) == (FRIDAY - datetime.timedelta(days=7), EIGHT)
    assert tonight.sign_up.closes_at == tonight.begins - datetime.timedelta(hours=2)
    schedule.refresh_from_db()
    following = datetime.datetime.combine(FRIDAY + WEEK, EIGHT, tzinfo=pacific)
    assert schedule.next_at == following - datetime.timedelta(days=1)
    by_night = {uid(event): event for event in (played, tonight)}
    for key, entry in after.items():
        assert entry["duration"].dt == datetime.timedelta(hours=3)
        assert "dtend" not in entry
        if by_night.get(key) == played:
            assert entry == before[key]
            continue
        assert entry["sequence"] > before[key]["sequence"]
        assert entry["dtstamp"].dt > before[key]["dtstamp"].dt
        begins = entry["dtstart"].dt
        assert (begins.tzinfo.key, begins.time()) == ("America/Los_Angeles", EIGHT)
    assert len(after) == 3
    with time_machine.travel(following - datetime.timedelta(hours=20)):
        schedules.tick()
    made = Event.objects.get(season=season, date=FRIDAY + WEEK)
    assert made.begins == following


def test_a_club_that_keeps_its_zone_changes_no_calendar():
    season = make_season(make_club())
    weekly(season)
    before = calendar_of(season.club)
    move(season.club, "Asia/Ho_Chi_Minh")
    assert calendar_of(season.club) == before


def test_a_club_may_move_twice_and_each_night_stays_where_it_was_played():
    season = make_season(make_club(time_zone="Europe/Paris"))
    nights = []
    for n, zone in enumerate(["Asia/Ho_Chi_Minh", "Australia/Sydney", "Europe/Paris"]):
        night = make_night(4, season=season, date=FRIDAY + n * WEEK, starts_at=EIGHT)
        make_round(night)
        nights.append((night.pk, season.club.time_zone))
        season.club = move(season.club, zone)
    found = [(night.pk, night.zone.key) for night in Event.objects.order_by("pk")]
    assert found == nights


@pytest.mark.parametrize(
    ("zone", "place", "unit", "day"),
    [
        ("America/Los_Angeles", "San Jose", "$", FRIDAY),
        ("Asia/Saigon", "Saigon", "đ", FRIDAY + datetime.timedelta(days=1)),
        ("Europe/Paris", "Paris", "€", FRIDAY),  # 05:00 on Saturday.
        ("Australia/Sydney", "Sydney", "$", FRIDAY + datetime.timedelta(days=1)),
    ],
)
def test_a_first_night_is_by_the_browsers_clock(zone, place, unit, day):
    phone = Client()
    phone.cookies["zone"] = zone
    with time_machine.travel(at("20:00", "America/Los_Angeles"), tick=False):
        page = phone.get("/clubs/~tonight/").content.decode()
        assert f"no money, {place} time." in page
        sent = {"text": "Ba, Mẹ, Hùng, Lan", "ruleset": "mien-nam", "games": "4", "do": "start"}
        phone.post("/clubs/~tonight/", sent)
    event, club = Event.objects.get(), Club.objects.get()
    assert (event.day, club.clock.en, club.unit) == (day, place, unit)
    assert club.clock.zone in (zone, "Asia/Ho_Chi_Minh")


def test_a_first_night_may_be_by_another_clock_than_the_browsers():
    phone = Client()
    phone.cookies["zone"] = "Asia/Ho_Chi_Minh"
    sent = {"text": "Ba, Mẹ, Hùng, Lan", "ruleset": "mien-nam", "games": "4", "do": "look"}
    page = phone.post("/clubs/~tonight/", sent | {"place": "houston"}).content.decode()
    assert "no money, Houston time." in page
    refused = phone.post("/clubs/~tonight/", sent | {"do": "draw", "place": "Atlantis"})
    assert "We don&#x27;t know this place. Name a larger city nearby." in refused.content.decode()
    assert not Club.objects.exists()
    phone.post("/clubs/~tonight/", sent | {"do": "start", "place": "Seattle, USA"})
    club = Club.objects.get()
    assert (club.time_zone, club.clock.name, club.unit) == ("America/Los_Angeles", "Seattle", "$")


def test_a_browser_that_tells_a_wrong_zone_gets_the_servers():
    phone = Client()
    phone.cookies["zone"] = "Mars/Olympus"
    assert phone.get("/clubs/~tonight/").status_code == 200


@pytest.mark.parametrize(
    ("own", "at", "due"),
    [
        ("America/Los_Angeles", "2027-06-05T03:00-07:00", "2027-06-05T07:00-07:00"),
        ("America/Los_Angeles", "2027-06-04T23:00+07:00", "2027-06-04T23:00+07:00"),
        ("", "2027-06-04T23:00+07:00", "2027-06-05T07:00+07:00"),  # No browser has told a zone.
        ("", "2027-06-05T03:00-07:00", "2027-06-05T03:00-07:00"),
    ],
)
def test_quiet_hours_are_by_the_persons_clock(own, at, due):
    event = night_in("Asia/Ho_Chi_Minh")
    owner = owner_of(event.season.club)
    User.objects.filter(pk=owner.pk).update(time_zone=own)
    NewsWish.objects.create(user=owner, quiet_from=datetime.time(22), quiet_to=datetime.time(7))
    Channel.objects.create(user=owner, kind="telegram", address="1", lane="x")
    outbox.tell("dispute:1", event, [owner], datetime.datetime.fromisoformat(at))
    found = NewsItem.objects.exclude(channel=None).get()
    assert found.due_at == datetime.datetime.fromisoformat(due)


@pytest.mark.parametrize(("zone", "hour"), [("Asia/Ho_Chi_Minh", "21:10"), ("", "14:10")])
def test_a_sign_in_has_the_hour_of_the_readers_clock(zone, hour):
    with time_machine.travel(at("21:10", "Asia/Ho_Chi_Minh"), tick=False):
        client = sign_in(make_user())
        client.cookies["zone"] = zone
        page = client.get(reverse("accounts:security")).content.decode()
    assert hour in page


def test_the_lobby_names_a_tournament_by_the_readers_clock():
    with time_machine.travel(at("20:50", "Asia/Ho_Chi_Minh"), tick=False):
        begins = at("21:00", "Asia/Ho_Chi_Minh")
        sprints.open_sprint(starts_at=begins, ruleset=preset("penguin"))
        for zone, hour in (("Asia/Ho_Chi_Minh", "21:00"), ("America/Los_Angeles", "07:00")):
            phone = Client()
            phone.cookies["zone"] = zone
            assert f"Tournament at {hour}" in phone.get("/tables/").content.decode()
