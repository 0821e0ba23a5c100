"""Whose evening it is: four zones, midnight, the day of a night."""

from __future__ import annotations

import datetime
import re
from zoneinfo import ZoneInfo

import icalendar
import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.zones import read_in
from engine.rules.ruleset import preset
from league.base.facts.next_nights import next_nights, when_of
from league.base.pages.clocks import clocks_of
from league.clubs.acts import clubs, players
from league.models import (
    Channel,
    Claim,
    Club,
    Event,
    NewsItem,
    NewsWish,
    Player,
    Schedule,
    Season,
    days,
)
from league.news.acts import outbox, sending
from league.news.facts.words import NewsText, message_of
from league.nights.acts import attendance, closing
from league.nights.domain.night_plans import NightPlan
from league.nights.facts import claims
from league.nights.facts.final_places import event_places
from league.recap.pages.tonight import club_home, tonight_page
from league.schedules.acts import schedules
from league.schedules.domain.recurrence import Recurrence
from league.schedules.domain.repeated import Ahead, Nights
from league.schedules.pages.calendars import uid
from tables.base.places import likely
from tables.people.acts import sprints
from tests.factories import (
    change_night,
    make_club,
    make_member,
    make_night,
    make_round,
    make_season,
    make_table,
    make_user,
    names_at,
    owner_of,
    path_of,
    play,
    sign_in,
    stored,
)
from tests.shares import share
from tests.worlds import lived_from

pytestmark = pytest.mark.django_db
lived = lived_from("2026-11-20 12:00Z")
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
    owner = owner_of(event)
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
        assert "· <b>Tonight</b>" in clubs.content.decode()


@pytest.mark.parametrize("zone", ZONES)
def test_a_nights_day_ends_at_six(zone):
    event = night_in(zone)
    owner = owner_of(event)
    with time_machine.travel(at("30:00", zone), tick=False):
        assert tonight_page(owner).coming == []
        assert club_home(event.season.club, owner, may_organise=True).coming == []
    with time_machine.travel(at("05:59", zone), tick=False):
        assert tonight_page(owner).coming[0].when == "Tomorrow"


@pytest.mark.parametrize("zone", ZONES)
def test_one_planned_for_after_midnight_is_shown_the_evening_before(zone):
    event = night_in(zone, datetime.time(0, 30))
    owner = owner_of(event)
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
    owner = owner_of(sydney)
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
    answer = Client().get(path_of(club, "club_calendar"))
    found = icalendar.Calendar.from_ical(answer.content).walk("VEVENT")
    return {str(entry["uid"]): entry for entry in found}


def weekly(season: Season) -> Schedule:
    """Every Friday at 20:00 by the club's clock, a day ahead, with a list that closes at 18:00."""
    return schedules.create_schedule(
        season=season,
        by=owner_of(season),
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
        season = make_season()
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
        after = calendar_of(move(season.club, "America/Los_Angeles"))
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
    assert Event.objects.get(season=season, date=FRIDAY + WEEK).begins == following


def test_a_club_that_keeps_its_zone_changes_no_calendar():
    season = make_season()
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
        ("America/Los_Angeles", "San Jose", "¤USD", FRIDAY),
        ("Asia/Saigon", "Saigon", "đ", FRIDAY + datetime.timedelta(days=1)),
        ("Europe/Paris", "Paris", "¤EUR", FRIDAY),  # 05:00 on Saturday.
        ("Australia/Sydney", "Sydney", "¤AUD", FRIDAY + datetime.timedelta(days=1)),
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
    assert (club.time_zone, club.clock.name, club.unit) == (
        "America/Los_Angeles",
        "Seattle",
        "¤USD",
    )


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
    owner = owner_of(event)
    User.objects.filter(pk=owner.pk).update(time_zone=own)
    NewsWish.objects.create(user=owner, quiet_from=datetime.time(22), quiet_to=datetime.time(7))
    Channel.objects.create(user=owner, kind="telegram", address="1", lane="x")
    outbox.tell("dispute:1", event, [owner], datetime.datetime.fromisoformat(at))
    found = NewsItem.objects.exclude(channel=None).get()
    assert found.due_at == datetime.datetime.fromisoformat(due)
    client = Client()
    client.force_login(owner)
    page = client.get(reverse("my_news")).content.decode()
    assert "By your own clock. News from these hours is sent afterwards." in page


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


@pytest.mark.parametrize(
    ("hour", "seen", "made"),
    [
        ("23:59", "24:00:05", 1),
        ("23:59", "29:59:59", 1),
        ("23:59", "30:00:00", 0),
        ("00:30", "23:00:00", 0),
        ("00:30", "05:59:59", 1),
    ],
)
def test_a_plan_that_is_seen_late_is_made_while_its_evening_lasts(hour, seen, made):
    """The server was down for a second, or until the night had begun."""
    with time_machine.travel(at("12:00", "America/Los_Angeles", FRIDAY - WEEK)):
        season = make_season(make_club(time_zone="America/Los_Angeles"))
        schedules.create_schedule(
            season=season,
            by=owner_of(season),
            repeated=Nights(
                name="Thứ Sáu 1",
                plan=NightPlan(),
                rule=Recurrence(FRIDAY, datetime.time.fromisoformat(hour), "America/Los_Angeles"),
                ahead=Ahead(days_ahead=0),
            ),
        )
    local, _, seconds = seen.rpartition(":")
    moment = at(local, "America/Los_Angeles") + datetime.timedelta(seconds=int(seconds))
    with time_machine.travel(moment):
        schedules.tick()
    assert Event.objects.filter(season=season, date=FRIDAY).count() == made


def test_the_hour_that_spring_skips_is_said_as_the_clock_shows_it():
    event = night_in("America/Los_Angeles")
    event.date, event.starts_at = datetime.date(2027, 3, 14), datetime.time(2, 30)
    assert when_of(event).endswith("14 Mar 2027, 03:30")
    event.date = datetime.date(2027, 11, 7)  # 02:30 comes once, after the doubled hour.
    assert when_of(event).endswith("7 Nov 2027, 02:30")


@pytest.mark.parametrize(
    ("zone", "begins"),
    [
        ("America/Los_Angeles", "2027-06-04T20:00:00-07:00"),
        ("Asia/Ho_Chi_Minh", "2027-06-04T20:00:00+07:00"),
    ],
)
def test_programs_get_a_nights_start_with_its_offset(client, zone, begins):
    event = night_in(zone)
    client.force_login(owner_of(event))
    found = client.get(f"/api/v1/clubs/{event.season.club.slug}/events/{event.pk}/").json()
    told = found["date"], found["starts_at"], found["begins"]
    assert told == ("2027-06-04", "20:00:00", begins)
    news = NewsItem(kind="night_soon", club=event.season.club, event=event, created_at=event.begins)
    sent = sending.payload(news, NewsText("", []))["data"]["event"]
    assert datetime.datetime.fromisoformat(sent["begins"]).isoformat() == begins


def test_a_night_without_an_hour_has_no_moment(client):
    event = night_in("Europe/Paris", None)
    client.force_login(owner_of(event))
    found = client.get(f"/api/v1/clubs/{event.season.club.slug}/events/{event.pk}/").json()
    assert (found["starts_at"], found["begins"]) == (None, None)


def test_a_night_that_moves_within_its_day_is_reminded_of_again():
    event = night_in("America/Los_Angeles")
    player = event.entrants.first().player
    player.user = owner_of(event)
    player.save()
    Channel.objects.create(user=player.user, kind="telegram", address="1", lane="x")
    with time_machine.travel(at("12:00", "America/Los_Angeles"), tick=False):
        now = timezone.now()
        assert outbox.remind(now) == 1
        change_night(event, starts_at=datetime.time(22))
        outbox.remind(now)
    keys = NewsItem.objects.filter(kind="night_soon").values_list("key", flat=True)
    assert len(set(keys)) == 2


def settings_of(club: Club, place: str, **more: str) -> dict[str, str]:
    return {"name": club.name, "time_zone": place, "unit": club.unit} | more


def test_a_move_is_asked_once_with_its_consequence_in_hours():
    with time_machine.travel(at("12:00", "Asia/Ho_Chi_Minh"), tick=False):
        club = night_in("Asia/Ho_Chi_Minh").season.club
        client, address = sign_in(owner_of(club)), path_of(club, "club_settings")
        sent = settings_of(club, "San Jose, USA")
        page = client.post(address, sent).content.decode()
        words = " ".join(re.sub(r"<[^>]+>", " ", page).split())
        assert "1 planned night keeps its hour" in words
        assert "Friday 20:00 in San Jose, which is Saturday 10:00 in Saigon." in words
        assert "06:00 in San Jose, if you keep it" in words
        assert "20:00 in San Jose, if you change it" in words
        assert stored(club).time_zone == "Asia/Ho_Chi_Minh"
        answer = dict(re.findall(r'name="(\w+)"\s+value="([^"]*)"', page))
        assert answer.pop("moves_to") == "America/Los_Angeles"
        assert {name: answer[name] for name in sent} == sent
        # The answer to a question about another place is no answer.
        client.post(address, sent | {"moves_to": "Europe/Paris"})
        club.refresh_from_db()
        assert club.time_zone == "Asia/Ho_Chi_Minh"
        client.post(address, sent | {"moves_to": "America/Los_Angeles"})
    club.refresh_from_db()
    assert (club.time_zone, club.clock.name) == ("America/Los_Angeles", "San Jose")
    assert Event.objects.get().begins == at("20:00", "America/Los_Angeles")


def test_a_move_asks_nothing_where_nothing_is_planned():
    club = make_club()
    client = sign_in(owner_of(club))
    client.post(path_of(club, "club_settings"), settings_of(club, "Paris"))
    assert stored(club).time_zone == "Europe/Paris"


def test_another_place_of_the_same_zone_is_a_name_and_no_move():
    club = night_in("America/Los_Angeles").season.club
    client = sign_in(owner_of(club))
    client.post(path_of(club, "club_settings"), settings_of(club, "Seattle"))
    club.refresh_from_db()
    assert (club.time_zone, club.clock.name) == ("America/Los_Angeles", "Seattle")


@pytest.mark.parametrize(
    ("said", "zone", "name"),
    [
        ("San Jose, USA", "America/Los_Angeles", "San Jose"),
        ("houston", "America/Chicago", "Houston"),
        ("Asia/Ho_Chi_Minh", "Asia/Ho_Chi_Minh", "Saigon"),
        ("UTC", "UTC", "UTC"),
    ],
)
def test_page_and_api_take_the_same_names_of_places(said, zone, name):
    user = make_user()
    client = sign_in(user)
    client.post("/clubs/new/", {"name": "Hội A", "time_zone": said, "unit": ""})
    sent = {"name": "Hội B", "time_zone": said}
    assert client.post("/api/v1/clubs/", sent, "application/json").status_code == 201
    found = [(club.time_zone, club.clock.en) for club in Club.objects.of(user)]
    assert found == [(zone, name)] * 2
    for club in Club.objects.of(user):
        address = f"/api/v1/clubs/{club.slug}/"
        refused = client.patch(address, {"time_zone": "Atlantis"}, "application/json")
        assert refused.status_code == 400
        assert "time_zone" in refused.json()
        client.patch(address, {"time_zone": "Sydney"}, "application/json")
        club.refresh_from_db()
        assert (club.time_zone, club.clock.en) == ("Australia/Sydney", "Sydney")


def test_each_place_of_the_picker_has_its_own_hour():
    with time_machine.travel(at("12:00", "Asia/Ho_Chi_Minh"), tick=False):
        page = sign_in(make_user()).get("/clubs/new/").content.decode()
    hours = re.findall(r"(\w+) <b class=\"num\">([\d:]+)</b>", page)
    assert {"Saigon": "12:00", "Paris": "07:00", "Sydney": "15:00"}.items() <= dict(hours).items()


def test_a_reader_with_another_clock_reads_the_nights_place_and_the_own_hour():
    event = night_in("America/Los_Angeles")
    for zone, said in (
        ("Asia/Ho_Chi_Minh", "Friday, 4 Jun 2027, 20:00 in San Jose (10:00, Saturday for you)"),
        ("America/Vancouver", "Friday, 4 Jun 2027, 20:00"),
        ("", "Friday, 4 Jun 2027, 20:00"),
    ):
        with read_in(zone):
            assert when_of(event) == said
    assert clocks_of(event) == []
    with read_in("Asia/Ho_Chi_Minh"):
        here, there = clocks_of(event)
    assert (here.place, f"{here.face.time:%a %H:%M}") == ("Saigon", "Sat 10:00")
    assert (there.place, f"{there.face.time:%a %H:%M}") == ("San Jose", "Fri 20:00")


def test_what_is_shared_names_the_place_once_somebody_of_the_club_lives_elsewhere():
    event = night_in("America/Los_Angeles")
    assert when_of(event, is_shared=True) == "Friday, 4 Jun 2027, 20:00"
    member = make_member(event.season.club, "player")
    User.objects.filter(pk=member.pk).update(time_zone="Asia/Saigon")
    with read_in("Asia/Ho_Chi_Minh"):  # Who shares it is not who reads it.
        assert when_of(event, is_shared=True) == "Friday, 4 Jun 2027, 20:00 in San Jose"


def test_a_page_and_a_reminder_say_the_readers_hour():
    event = night_in("America/Los_Angeles")
    owner = owner_of(event)
    User.objects.filter(pk=owner.pk).update(time_zone="Asia/Ho_Chi_Minh")
    with time_machine.travel(at("12:00", "America/Los_Angeles"), tick=False):
        browser = sign_in(owner)
        browser.cookies["zone"] = "Asia/Ho_Chi_Minh"
        for page in ("/", path_of(event.season.club, "club")):
            found = " ".join(browser.get(page).content.decode().split())
            assert "in San Jose, 10:00, Saturday for you" in found
        Channel.objects.create(user=owner, kind="telegram", address="1", lane="x")
        outbox.tell(f"night_soon:{event.pk}", event, [owner])
    text = message_of(NewsItem.objects.exclude(channel=None).get())
    assert text is not None
    assert "20:00 in San Jose (10:00, Saturday for you)" in "\n".join(text.lines)


def test_a_chosen_clock_holds_in_every_browser_until_it_follows_the_device_again():
    user = make_user()
    browser = sign_in(user)
    browser.cookies["zone"] = "Asia/Ho_Chi_Minh"
    settings = "/people/me/?settings=1"
    assert "as the device has them: Saigon" in browser.get(settings).content.decode()
    assert browser.post("/people/me/clock/", {"place": "Atlantis"}).status_code == 302
    assert "We don&#x27;t know this place." in browser.get(settings).content.decode()
    browser.post("/people/me/clock/", {"place": "Houston"})
    assert "Times as in Houston" in browser.get(settings).content.decode()
    other = Client()
    other.cookies["zone"] = "Asia/Ho_Chi_Minh"
    other.force_login(user)
    other.get("/people/me/")
    user.refresh_from_db()
    assert (user.time_zone, user.keeps_zone) == ("America/Chicago", True)
    browser.post("/people/me/clock/", {"place": ""})
    user.refresh_from_db()
    assert (user.time_zone, user.keeps_zone) == ("Asia/Ho_Chi_Minh", False)
    assert "as the device has them: Saigon" in browser.get(settings).content.decode()


def test_an_older_name_of_a_zone_is_no_second_place_in_the_picker():
    found = [place.en for place in likely(["Asia/Saigon", "Asia/Ho_Chi_Minh"])]
    assert found == ["Saigon", "San Jose", "Houston", "Paris", "Sydney"]


CHANGES = [
    ("America/Los_Angeles", "2027-03-13"),
    ("America/Los_Angeles", "2027-11-06"),
    ("Europe/Paris", "2027-03-27"),
    ("Europe/Paris", "2027-10-30"),
    ("Australia/Sydney", "2027-04-03"),
    ("Australia/Sydney", "2027-10-02"),
    ("Asia/Ho_Chi_Minh", "2027-12-31"),
    ("America/Los_Angeles", "2027-12-31"),
    ("Europe/Paris", "2027-12-31"),
    ("Australia/Sydney", "2027-12-31"),
]
"""Evenings after which the clock changes in the night, and those of New Year."""


@pytest.mark.parametrize(("zone", "date"), share(CHANGES, of=2))
def test_an_evening_from_its_plan_to_the_next_week_in_four_cities(zone, date):
    """Planned for 20:00, begun at 23:30, played until ten past two, closed then."""
    day = datetime.date.fromisoformat(date)
    with time_machine.travel(at("12:00", zone, day - WEEK), tick=False):
        season = make_season(make_club(time_zone=zone))
        club, owner = season.club, owner_of(season)
        weekly = Recurrence(day, EIGHT, zone)
        ahead = Ahead(days_ahead=1, opens_sign_up=True, sign_up_hours=2)
        schedules.create_schedule(
            season=season,
            by=owner,
            repeated=Nights(name="Tối 1", plan=NightPlan(), rule=weekly, ahead=ahead),
        )
    with time_machine.travel(at("20:30", zone, day - datetime.timedelta(days=1)), tick=False):
        schedules.tick()
        event = Event.objects.get(season=season)
        assert (event.date, event.starts_at) == (day, EIGHT)
        assert event.sign_up.closes_at == at("18:00", zone, day)
        Channel.objects.create(user=owner, kind="telegram", address="1", lane="x")
        assert outbox.remind(timezone.now()) == 1  # Due within 24 hours by any clock.
    with time_machine.travel(at("17:05", zone, day), tick=False):
        found = tonight_page(owner)
        assert [(one.event, one.when) for one in found.coming] == [(event, "Tonight")]
    late = at("23:30", zone, day)
    with time_machine.travel(late, tick=False):
        people = [player.pk for player in club_people(club)]
        attendance.set_presence(event=event, player_ids=people, presence="here", by=owner)
        sitting = make_table(event)
        first = names_at(sitting)
    with time_machine.travel(late + datetime.timedelta(minutes=40), tick=False):
        play(sitting, first)
    end = late + datetime.timedelta(hours=2, minutes=40)
    with time_machine.travel(end, tick=False):
        play(sitting, first)
        running = tonight_page(owner).running
        assert [one.event for one in running] == [event]
        closing.close_event(event=event, by=owner, despite_unfinished=True)
        assert [place.player.name for place in event_places(event)] == first
        last = club_home(club, owner, may_organise=True).last
        assert last is not None
        assert last.event == event
    event.refresh_from_db()
    assert event.date == day  # The season counts it where it was planned.
    with time_machine.travel(end, tick=False):
        calendar = {entry["dtstart"].dt for entry in calendar_of(club).values()}
    assert event.begins in calendar
    with time_machine.travel(end + WEEK - datetime.timedelta(hours=20), tick=False):
        schedules.tick()
        following = Event.objects.exclude(pk=event.pk).get(season=season)
        assert (following.date, following.starts_at) == (day + WEEK, EIGHT)
        assert following.begins == at("20:00", zone, day + WEEK)


def club_people(club: Club) -> list[Player]:
    if not club.players.exists():
        players.add_players(club=club, text="An\nBình\nChi\nDũng", by=owner_of(club))
    return list(club.players.all())
