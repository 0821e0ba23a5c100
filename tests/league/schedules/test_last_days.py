"""A schedule makes no night after its season's last day, and organisers read of it before."""

from datetime import UTC, date, datetime, time, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.base.lookup import season_of_people
from league.clubs.acts import clubs
from league.models import Club, Event, NewsItem, Schedule, Season
from league.news.acts import outbox
from league.news.facts.words import message_of
from league.nights.domain.night_plans import NightPlan
from league.schedules.acts import schedules
from league.schedules.domain.recurrence import Recurrence
from league.schedules.domain.repeated import Nights
from league.schedules.pages import schedules_page
from tests.factories import (
    browser_of,
    make_member,
    make_night,
    make_season,
    owner_of,
    path_of,
)
from tests.worlds import lived_from

pytestmark = pytest.mark.django_db
lived = lived_from("2026-11-20 09:00+07:00")
LAST = date(2026, 11, 27)
"""A Friday."""


def ending(name="Mùa 2026", last=LAST, rule=None, paused=False) -> Season:
    season = make_season()
    Season.objects.filter(pk=season.pk).update(name=name, starts_on="2026-11-01", ends_on=last)
    season.refresh_from_db()
    zone, by = season.club.time_zone, owner_of(season)
    rule = rule or Recurrence(date(2026, 11, 25), time(20), zone, every="day")
    nights = Nights("Đêm 4", NightPlan(), rule)
    schedule = schedules.create_schedule(season=season, by=by, repeated=nights)
    if paused:
        schedules.pause_schedule(schedule=schedule, by=by, paused=True)
    return season


def live_to(day: int, month: int = 11) -> None:
    """Let the schedules make what they make until this day at noon, UTC."""
    now = datetime(2026, 11, 24, 13, tzinfo=UTC)
    while now.date() <= date(2026, month, day):
        while schedules.tick(now):
            pass
        now += timedelta(days=1)


def days() -> list[int]:
    return [event.date.day for event in Event.objects.order_by("date")]


def test_a_schedule_makes_no_night_after_the_last_day():
    season = ending()
    live_to(30)
    assert days() == [25, 26, 27]
    assert Schedule.objects.get().next_at is None
    (shown,) = schedules_page.schedules_of(season)
    assert shown.badge.text == "stops with the season"


def test_a_night_that_begins_after_midnight_is_still_of_the_last_evening():
    rule = Recurrence(date(2026, 11, 26), time(0, 30), "Asia/Ho_Chi_Minh", every="day")
    path = path_of(ending(rule=rule).club, "club_calendar")
    assert "UNTIL=20261128" in Client().get(path).content.decode()
    live_to(30)
    assert days() == [26, 27, 28]
    last = Event.objects.get(date__day=28)
    assert (last.day, last.outside_season) == (LAST, False)


def test_a_schedule_that_was_due_beyond_it_at_the_upgrade_rests():
    ending(last=date(2026, 11, 24))
    Schedule.objects.update(next_at=datetime(2026, 11, 25, 13, tzinfo=UTC))
    live_to(30)
    assert (days(), Schedule.objects.get().next_at) == ([], None)


def test_who_plans_a_night_again_after_the_last_day_reads_where_it_counts():
    season = ending()
    live_to(27)
    path = path_of(season.club, "event_again", Event.objects.get(date=LAST).pk)
    page = browser_of(owner_of(season)).post(path, follow=True).content.decode()
    assert "is outside the days of Mùa 2026" in page


def test_a_calendar_ends_with_the_season():
    path = path_of(ending().club, "club_calendar")
    assert "UNTIL=20261127" in Client().get(path).content.decode()


def test_one_tap_begins_the_next_season_where_the_schedule_goes_on():
    season = ending()
    live_to(27)
    host, home = browser_of(owner_of(season)), path_of(season.club, "club")
    planned = Event.objects.get(date=LAST)
    for page in (home, reverse("home")):
        assert "Last day of Mùa 2026: 27 Nov 2026" in host.get(page).content.decode()
    assert "Last day of" not in Client().get(home).content.decode()
    path = path_of(season, "season_next")
    for _tap in range(2):
        said = host.post(path, follow=True).content.decode()
        assert "Mùa 2026 (2) begins on 28 Nov 2026. The schedules continue there." in said
    assert "Last day of" not in host.get(home).content.decode()
    following = Season.objects.exclude(pk=season.pk).get()
    assert (following.scoring, following.ruleset) == (season.scoring, season.ruleset)
    assert season_of_people(season.club) == season, "until its last day is over"
    live_to(30)
    assert days()[:7] == [25, 26, 27, 28, 29, 30, 1]
    assert not following.events.filter(date__lte=LAST).exists()
    planned.refresh_from_db()
    assert planned.season == season


def test_nights_until_the_last_day_stay_in_the_season_where_the_next_is_begun_before_it():
    season = ending()
    Schedule.objects.update(days_ahead=0)
    following = schedules.begin_next_season(season=season, by=owner_of(season))
    live_to(29)
    seasons = {event.date.day: event.season for event in Event.objects.all()}
    assert seasons == dict.fromkeys((25, 26, 27), season) | dict.fromkeys((28, 29), following)


@pytest.mark.parametrize(
    ("name", "last", "following"),
    [
        ("Mùa 2026", date(2026, 12, 31), "Mùa 2027"),
        ("Mùa 3", LAST, "Mùa 4"),
        ("Cúp 2025-26", LAST, "Cúp 2025-26 (2)"),
        ("Hội vui", LAST, "Hội vui (2)"),
    ],
)
def test_the_next_season_is_called_like_the_last(name, last, following):
    season = ending(name, last)
    made = schedules.begin_next_season(season=season, by=owner_of(season))
    assert (made.name, made.starts_on) == (following, last + timedelta(days=1))


def test_a_season_that_is_already_planned_gets_the_schedules():
    season = ending()
    later = make_season(season.club)
    Season.objects.filter(pk=later.pk).update(starts_on="2026-12-01")
    assert schedules.begin_next_season(season=season, by=owner_of(season)) == later
    assert Schedule.objects.get().season == later


def test_a_stake_does_not_go_on_in_another_unit():
    """The season keeps whole dollars, the club counts in cents from the next one on."""
    season = ending()
    schedule = Schedule.objects.get()
    Schedule.objects.update(plan=schedule.plan | {"stake": 5})
    Club.objects.update(unit="$")
    clubs.count_in(club=season.club, unit="¤USD", by=owner_of(season))
    schedules.begin_next_season(season=season, by=owner_of(season))
    schedule.refresh_from_db()
    assert (schedule.season.unit, schedule.plan["stake"]) == ("¤USD", 0)


@pytest.mark.parametrize(
    "given",
    [
        {"last": None},
        {"last": date(2026, 12, 27)},
        {"paused": True},
        {"rule": Recurrence(date(2026, 11, 25), time(20), "Asia/Ho_Chi_Minh", every="once")},
    ],
    ids=str,
)
def test_nothing_is_said_where_nothing_stops(given):
    season = ending(**given)
    page = browser_of(owner_of(season)).get(reverse("home"))
    assert "Last day of" not in page.content.decode()
    outbox.tell_season_ends(timezone.now())
    assert not NewsItem.objects.filter(kind="season_ends").exists()


def test_organisers_are_told_once_a_week_before(settings):
    settings.HAS_MAIL = True
    user = make_member(ending().club, "organiser")
    user.emailaddress_set.create(email=user.email, verified=True, primary=True)
    outbox.tell_season_ends(timezone.now() - timedelta(days=2))
    assert not NewsItem.objects.exists()
    for _again in range(2):
        outbox.tell_season_ends(timezone.now())
    (news,) = NewsItem.objects.filter(user=user)
    assert "Mùa 2026: 27/11/2026" in message_of(news).subject


def test_organisers_are_told_of_the_last_day_that_holds_by_then(settings):
    settings.HAS_MAIL = True
    season = ending()
    by = owner_of(season)
    by.emailaddress_set.create(email=by.email, verified=True, primary=True)
    outbox.tell_season_ends(timezone.now())
    first = NewsItem.objects.get()
    season.ends_on += timedelta(days=2)
    season.save(update_fields=["ends_on"])
    assert message_of(first) is None
    outbox.tell_season_ends(timezone.now() + timedelta(days=2))
    assert f": {season.ends_on:%d/%m/%Y}" in message_of(NewsItem.objects.latest("pk")).subject


def test_a_night_after_midnight_is_of_the_evening_before():
    season = ending(last=LAST)
    for day, is_outside in ((LAST, False), (LAST + timedelta(days=1), True)):
        night = make_night(0, season=season, date=day + timedelta(days=1), starts_at=time(0, 30))
        assert night.outside_season is is_outside, day


def test_a_night_outside_its_season_is_said_by_page_and_program():
    season = ending(last=LAST)
    host = browser_of(owner_of(season))
    path = path_of(season, "event_create")
    form = host.get(path).context["form"]
    sent = {name: form[name].value() for name in form.fields if form[name].value()}
    for day, is_said in (("2026-11-27", False), ("2026-11-28", True), ("2026-10-31", True)):
        page = host.post(path, sent | {"date": day, "name": f"Đêm {day}"}, follow=True)
        assert ("is outside the days of Mùa 2026" in page.content.decode()) is is_said
        event = Event.objects.get(date=day)
        answer = host.get(f"/api/v1/clubs/{season.club.slug}/events/{event.pk}/").json()
        assert answer["outside_season"] is is_said
    at = [season.club.slug, Event.objects.get(date="2026-10-31").pk]
    for day, is_said in (("2026-11-26", False), ("2026-11-29", True)):
        form = host.get(reverse("league:event_settings", args=at)).context["form"]
        sent = {name: form[name].value() for name in form.fields if form[name].value()}
        page = host.post(
            reverse("league:event_settings", args=at), sent | {"date": day}, follow=True
        )
        assert ("is outside the days of Mùa 2026" in page.content.decode()) is is_said, day
