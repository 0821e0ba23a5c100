"""Where a night is played: who reads it, what may be written, and which nights have it next."""

import datetime
import json
import re

import icalendar
import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from league.clubs.acts import forgetting
from league.exchange.acts import archives
from league.models import Event, Mention, NewsItem, Schedule
from league.news.acts import outbox, sending
from league.news.facts import words
from league.nights.acts import events
from league.schedules.acts import schedules
from league.schedules.domain.recurrence import Recurrence
from league.schedules.domain.repeated import Nights
from league.turnout.acts import sign_ups
from tests.factories import (
    browser_of,
    change_night,
    make_club,
    make_member,
    make_night,
    make_season,
    make_user,
    night_secret,
    owner_of,
    path_of,
    stored,
)
from tests.league.base.test_api import address, post
from tests.league.exchange.test_archives import packed, unpacked
from tests.league.news.test_news import confirmed
from tests.league.schedules.test_recipes import sent, start

pytestmark = pytest.mark.django_db

CAFE, HALL = "Quán Cô Ba, 12 Lê Văn Sỹ", "Nhà văn hóa"
EIGHT = datetime.time(20)


def in_days(season, days):
    return season.club.today + datetime.timedelta(days=days)


def make(season, **details):
    """A night in three days, at eight in the café."""
    details = {"date": in_days(season, 3), "starts_at": EIGHT, "venue": CAFE} | details
    return make_night(0, season=season, **details)


def page(client, path):
    answer = client.get(path)
    assert answer.status_code == 200, path
    return answer.content.decode()


def entry(path, client=None):
    [found] = icalendar.Calendar.from_ical((client or Client()).get(path).content).walk("VEVENT")
    return found


def test_a_night_is_made_with_a_venue_which_the_next_one_is_offered():
    season = make_season(make_club(), rules="killa")
    host = browser_of(make_member(season.club, "organiser"))
    new = path_of(season, "event_create")
    assert "Venue" in page(host, new)
    changes = {"date": in_days(season, 3).isoformat(), "starts_at": "20:00", "venue": f" {CAFE}  "}
    looked = host.post(new, sent(host.get(new), **changes) | {"preview": "1"})
    when, at, where = looked.context["form"].sentence[:3]
    assert (when.words[-7:], at, where.words) == (", 20:00", "at", CAFE)
    night = start(host, new, **changes)
    assert night.venue == CAFE
    for offered in (new, f"{new}?like=cup"):
        assert host.get(offered).context["form"]["venue"].value() == CAFE
    weekly = f"{path_of(season, 'schedule_create')}?event={night.pk}"
    assert host.get(weekly).context["form"]["venue"].value() == CAFE
    assert events.repeat_event(event=night, by=owner_of(season)).venue == CAFE
    assert start(host, new, venue="").venue == ""


def test_whoever_may_read_the_day_reads_the_venue():
    season = make_season(make_club(is_public=True))
    night = make(season)
    sign_ups.open_list(event=night, by=owner_of(night))
    stranger = Client()
    secret = night_secret(night)
    shown = page(stranger, path_of(night, "event"))
    counts = shown.count(CAFE), shown.count(CAFE.split(",")[0])
    assert counts == (1, 3), "the head is short, and so is where to ask an organiser"
    by_link = reverse("league:link_night", args=[secret])
    for path in (by_link, path_of(season.club, "club"), path_of(season.club, "feed", "atom")):
        assert CAFE in page(stranger, path), path
    for path in (path_of(night, "night_calendar"), f"{by_link}calendar.ics"):
        assert entry(path)["location"] == CAFE
    member = make_member(season.club, "player")
    season.club.players.create(name="Em", user=member)
    assert f"20:00 at {CAFE}" in page(browser_of(member), path_of(night, "event"))
    assert CAFE in page(browser_of(member), "/")
    host = browser_of(owner_of(night))
    assert f"20:00 at {CAFE}" in host.get(path_of(night, "event")).context["night"].group
    assert f"20:00 at {CAFE}" in host.get(path_of(night, "sign_up")).context["post"]
    season.club.is_public = False
    season.club.save()
    for name in ("event", "night_calendar"):
        assert CAFE not in stranger.get(path_of(night, name), follow=True).content.decode()


@pytest.mark.parametrize(
    ("language", "said"), [("en", f", 20:00 at {CAFE}"), ("vi", f", 20:00 ở {CAFE}")]
)
def test_an_invitation_and_a_reminder_say_where(settings, language, said):
    settings.HAS_MAIL = True
    night = make(make_season())
    by = confirmed(make_member(night.season.club, "player"))
    User.objects.filter(pk=by.pk).update(language=language)
    player = night.season.club.players.create(name="Em", user=by)
    listed = sign_ups.open_list(event=night, by=owner_of(night))
    outbox.ask_the_silent(event=night, by=owner_of(night))
    asked = NewsItem.objects.get(kind="asked", user=by)
    assert words.message_of(asked).lines[0].endswith(said)
    sign_ups.answer(sign_up=listed, player=player, reply="yes", organises=True)
    outbox.remind(outbox.begins_at(night) - datetime.timedelta(hours=1))
    soon = NewsItem.objects.filter(kind="night_soon", user=by)
    assert words.message_of(soon.get()).lines[0].endswith(said)
    soon.update(state=NewsItem.State.SENT)
    change_night(night, starts_at=EIGHT, venue=HALL)  # Whoever was reminded is told anew.
    outbox.remind(outbox.begins_at(night) - datetime.timedelta(hours=1))
    again = soon.exclude(state=NewsItem.State.SENT).get()
    message = words.message_of(again)
    assert message.lines[0].endswith(said.replace(CAFE, HALL))
    assert sending.payload(again, message)["data"]["event"]["venue"] == HALL


def test_a_night_that_moves_to_another_venue_says_so_in_calendars_and_the_log():
    season = make_season(make_club(is_public=True))
    night = make(season)
    host = browser_of(owner_of(night))
    settings = path_of(night, "event_settings")
    open_page = sent(host.get(settings))
    open_page["seen"] = host.get(settings).context["form"].seen
    before = night.version
    assert host.post(settings, open_page | {"venue": HALL}).status_code == 302
    night.refresh_from_db()
    assert (night.venue, night.version > before) == (HALL, True)
    moved = entry(path_of(night, "night_calendar"))
    assert (moved["location"], moved["sequence"]) == (HALL, 1)
    log = page(host, path_of(season.club, "audit"))
    assert re.findall(f"{CAFE}|{HALL}", log[log.index("Venue") :]) == [CAFE, HALL]
    # An older page changes the name alone, and one of before there were venues as well.
    assert host.post(settings, open_page | {"name": "Tất niên"}).status_code == 302
    night.refresh_from_db()
    assert (night.name, night.venue) == ("Tất niên", HALL)
    crossed = host.post(settings, open_page | {"name": "Tất niên", "venue": "Chợ"})
    assert crossed.status_code == 409
    assert all(said in crossed.content.decode() for said in (CAFE, HALL, "Chợ"))
    seen = json.loads(open_page["seen"])
    del seen["venue"], open_page["venue"]
    open_page |= {"rounds_planned": "5", "seen": json.dumps(seen)}
    assert host.post(settings, open_page).status_code == 302
    night.refresh_from_db()
    assert (night.rounds_planned, night.venue) == (5, HALL)


@pytest.mark.parametrize(
    ("venue", "said"),
    [
        ("x" * 81, "at most 80 characters (it has 81)"),
        ("Quán\x07 Cô Ba", "unprintable character U+0007"),
        ("www.quan.example", "Leave out ://, www. and @."),
        ("…", "at least one letter or digit"),
    ],
)
def test_a_venue_that_cannot_be_is_refused_beside_its_field(venue, said):
    season = make_season()
    night = make(season)
    host = browser_of(owner_of(season))
    for path in (path_of(season, "event_create"), path_of(night, "event_settings")):
        answer = host.post(path, sent(host.get(path), venue=venue))
        [error] = answer.context["form"].errors["venue"]
        assert said in error
        assert answer.context["form"].wrong == ["Venue"]
    weekly = path_of(season, "schedule_create")
    form = sent(host.get(weekly), venue=venue, every="week", starts_at="20:00", name="x")
    assert said in host.post(weekly, form).context["form"].errors["venue"][0]
    assert (stored(night).venue, Event.objects.count(), Schedule.objects.count()) == (CAFE, 1, 0)


@pytest.mark.parametrize("venue", ["   ", "\n", ""])
def test_a_venue_of_blanks_is_none(venue):
    assert change_night(make(make_season()), venue=venue).venue == ""


def test_a_venue_is_one_line():
    assert make(make_season(), venue="Quán\r\nCô  Ba").venue == "Quán Cô Ba"


def test_a_schedule_gives_its_venue_to_each_night_and_to_calendars():
    season = make_season(make_club(is_public=True))
    host = browser_of(owner_of(season))
    new = path_of(season, "schedule_create")
    form = {"every": "week", "starts_at": "20:00", "date": in_days(season, 9).isoformat()}
    form |= {"name": "Tối", "venue": CAFE, "days_ahead": "2"}
    assert host.post(new, sent(host.get(new), **form)).status_code == 302
    schedule = Schedule.objects.get()
    assert entry(path_of(season.club, "club_calendar"))["location"] == CAFE
    make(season, date=in_days(season, 1), venue=HALL)
    schedules.tick(schedule.next_at)
    assert Event.objects.latest("pk").venue == CAFE
    by_recipe = f"{path_of(season, 'event_create')}?recipe={schedule.pk}"
    assert host.get(by_recipe).context["form"]["venue"].value() == CAFE
    change = path_of(season, "schedule_edit", schedule.pk)
    assert host.post(change, sent(host.get(change), venue="")).status_code == 302
    assert Schedule.objects.get().venue == ""
    assert host.get(change).context["form"]["venue"].value() is None
    assert host.get(by_recipe).context["form"]["venue"].value() == CAFE  # The last night's.


def test_a_club_comes_back_with_its_venues_and_one_of_an_older_release_without():
    season = make_season()
    make(season)
    by, rule = owner_of(season), Recurrence(in_days(season, 9), EIGHT, "Asia/Ho_Chi_Minh", "week")
    schedules.create_schedule(
        season=season, by=by, repeated=Nights("x", make(season).plan, rule, venue=HALL)
    )
    body = unpacked(archives.write_archive(club=season.club, by=by))
    made = archives.read_archive(data=packed(body), by=make_user())
    back = Event.objects.filter(season__club=made)
    assert {night.venue for night in back} == {CAFE}
    assert Schedule.objects.get(season__club=made).venue == HALL
    for table in ("league_event", "league_schedule"):
        for row in body["tables"][table]:
            del row["venue"]
    made = archives.read_archive(data=packed(body), by=make_user())
    assert {night.venue for night in Event.objects.filter(season__club=made)} == {""}
    assert Schedule.objects.get(season__club=made).venue == ""


def test_a_program_reads_and_writes_the_venue():
    season = make_season()
    club, client = season.club, browser_of(owner_of(season))
    body = {"season": season.pk, "name": "Đêm 1", "date": in_days(season, 3).isoformat()}
    made = post(client, address("events", club), body | {"venue": f"{CAFE} "})
    assert (made.status_code, made.json()["venue"]) == (201, CAFE)
    one = address("event", club, made.json()["id"])
    for change, venue in (({"name": "Đêm 2"}, CAFE), ({"venue": HALL}, HALL), ({"venue": ""}, "")):
        answer = client.patch(one, change, content_type="application/json")
        assert (answer.status_code, answer.json()["venue"]) == (200, venue)
    for venue in ("x" * 81, "a\x07b"):
        refused = client.patch(one, {"venue": venue}, content_type="application/json")
        assert refused.json()["errors"][0]["pointer"] == "#/venue"
    night = {"days_ahead": 2, "venue": CAFE}
    recipe = post(client, address("schedules", club), body | {"name": "Tối", "night": night})
    assert recipe.status_code == 400  # A day is the night's, not the recipe's.
    del body["date"]
    recipe = post(client, address("schedules", club), body | {"name": "Tối", "night": night})
    assert (recipe.status_code, recipe.json()["venue"]) == (201, CAFE)


def test_a_name_in_a_venue_waits_for_an_organiser_when_it_is_removed():
    night = make(make_season(), venue="Nhà Chị Hoa")
    club = night.season.club
    forgetting.forget_names(clubs=[club], known=["Chị Hoa"])
    [mention] = Mention.objects.filter(kind="event.venue")
    host = browser_of(owner_of(club))
    assert "Venue of a night" in page(host, path_of(club, "mentions"))
    forgetting.decide(mentions=[mention], erased=[mention.pk], by=owner_of(club))
    assert "Hoa" not in stored(night).venue


@pytest.mark.parametrize("venue", [CAFE, ""])
def test_whoever_is_asked_reads_day_and_venue_with_the_question_and_only_there(venue):
    night = make(make_season(make_club(), rules="killa"), venue=venue)
    club, host = night.season.club, browser_of(owner_of(night))
    sign_ups.open_list(event=night, by=owner_of(night))
    asked = make_member(club, "player")
    club.players.create(name="Em", user=asked)
    pages = [
        " ".join(page(who, path_of(night, "event")).split()).split("<main")
        for who in (browser_of(asked), host)
    ]
    bodies = [re.sub(r'data-(copy|send)="[^"]*"', "", body) for _bar, body in pages]
    assert ["20:00" in bar for bar, _body in pages] == [True, True]
    assert ["Are you coming?" in body for body in bodies] == [True, False]
    assert [body.count("20:00") for body in bodies] == [1, 0], "the host reads it in the bar alone"
    if venue:
        assert [body.count(venue) for body in bodies] == [1, 1]
