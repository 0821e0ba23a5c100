"""Tournaments that begin by themselves: each time once, whatever the clock and its ticks do."""

from __future__ import annotations

import threading
from datetime import UTC, date, datetime, time, timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse

from engine import ruleset
from league.domain.recurrence import Recurrence
from league.models import Event, Occurrence, Schedule
from league.services import schedules, seasons
from tests.factories import make_member, make_schedule, make_season, owner_of

pytestmark = pytest.mark.django_db

FIRST = datetime(2027, 1, 1, 13, tzinfo=UTC)
"""Friday, 1 January 2027, 20:00 in Hồ Chí Minh City."""
WEEK = timedelta(weeks=1)
SECOND = timedelta(seconds=1)
LIST_QUERIES = 7
FRIDAYS = [date(2027, 1, 1), date(2027, 1, 8), date(2027, 1, 15)]


def held(schedule: Schedule) -> list[date]:
    return sorted(schedule.occurrences.values_list("day", flat=True))


def next_of(schedule: Schedule) -> datetime | None:
    return Schedule.objects.get(pk=schedule.pk).next_at


def tick_until_quiet(now: datetime) -> None:
    while schedules.tick(now):
        pass


def test_a_tournament_begins_at_its_time_by_the_club_s_clock_and_not_before():
    schedule = make_schedule(make_season())
    assert next_of(schedule) == FIRST
    assert schedules.tick(FIRST - SECOND) == 0
    assert schedules.tick(FIRST) == 1
    event = Event.objects.get()
    assert (event.name, event.date, event.run.design) == (
        "Thứ sáu 2027-01-01",
        FRIDAYS[0],
        "versus",
    )
    assert next_of(schedule) == FIRST + WEEK


def test_another_tick_of_the_same_time_does_nothing():
    schedule = make_schedule(make_season())
    assert [schedules.tick(FIRST), schedules.tick(FIRST)] == [1, 0]
    assert held(schedule) == FRIDAYS[:1]


def test_times_missed_while_nothing_ran_are_made_up_for():
    schedule = make_schedule(make_season())
    tick_until_quiet(FIRST + 2 * WEEK)
    assert held(schedule) == FRIDAYS
    assert [event.date for event in Event.objects.order_by("date")] == FRIDAYS


@pytest.mark.django_db(transaction=True)
def test_ticks_at_the_same_time_begin_each_tournament_once():
    schedule = make_schedule(make_season())
    ready = threading.Barrier(4)

    def work() -> None:
        ready.wait()
        for _ in range(4):
            schedules.tick(FIRST + 2 * WEEK)
        connection.close()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    tick_until_quiet(FIRST + 2 * WEEK)
    assert held(schedule) == FRIDAYS
    assert Event.objects.count() == 3


def test_the_database_itself_refuses_a_second_tournament_of_a_day():
    schedule = make_schedule(make_season())
    schedules.tick(FIRST)
    with pytest.raises(IntegrityError), transaction.atomic():
        Occurrence.objects.create(schedule=schedule, day=FRIDAYS[0], problem="again")


def test_a_schedule_for_once_is_over_after_its_time():
    rule = Recurrence(FRIDAYS[0], time(20), "Asia/Ho_Chi_Minh", "once")
    schedule = make_schedule(make_season(), rule=rule)
    tick_until_quiet(FIRST + WEEK)
    assert (held(schedule), next_of(schedule)) == (FRIDAYS[:1], None)


def test_what_falls_due_while_a_schedule_is_held_is_past():
    season = make_season()
    schedule = make_schedule(season)
    schedules.pause_schedule(schedule=schedule, by=owner_of(season.club), paused=True)
    assert next_of(schedule) is None
    assert schedules.tick(FIRST) == 0
    schedules.pause_schedule(schedule=schedule, by=owner_of(season.club), paused=False)
    assert next_of(schedule) == FIRST


def test_a_day_that_had_its_tournament_gets_no_second_one_by_a_change():
    season = make_season()
    schedule = make_schedule(season)
    schedules.tick(FIRST)
    schedule.refresh_from_db()
    later = Recurrence(FRIDAYS[0], time(22), season.club.time_zone)
    schedules.change_schedule(
        schedule=schedule, by=owner_of(season.club), name="x", rule=later,
        ruleset=ruleset.preset("thirteen"), plan=schedule.plan,
    )  # fmt: skip
    assert next_of(schedule) == FIRST + WEEK + timedelta(hours=2)


def test_a_tournament_that_cannot_begin_says_why_and_the_next_may():
    season = make_season()
    schedule = make_schedule(season)
    seasons.set_status(season=season, status="closed", by=owner_of(season.club))
    schedules.tick(FIRST)
    assert "season is closed" in schedule.occurrences.get().problem
    assert next_of(schedule) == FIRST + WEEK


def test_bots_that_the_rules_do_not_seat_are_refused_at_once():
    with pytest.raises(ValidationError, match="choose two"):
        make_schedule(make_season(), plan={"bots": ["greedy"] * 3, "design": "versus"})


@pytest.fixture
def browser() -> Client:
    client = Client()
    client.season = make_season(rules="thirteen")
    client.force_login(make_member(client.season.club, "organiser"))
    return client


def address(client: Client, name: str, *more: int) -> str:
    return reverse(f"league:{name}", args=[client.season.club.slug, client.season.pk, *more])


FORM = {
    "name": "Máy thứ sáu", "ruleset": "thirteen", "design": "versus", "deals": "5",
    "effect": "0.05", "priority": "2", "bot_1": "greedy", "bot_2": "random",
    "every": "week", "day": "2027-01-01", "at": "20:00",
}  # fmt: skip


def test_a_schedule_is_made_changed_held_and_ended_in_the_browser(browser):
    assert browser.post(address(browser, "bots_create"), FORM).status_code == 302
    schedule = Schedule.objects.get()
    assert (schedule.next_at, schedule.plan["effect"], schedule.plan["priority"]) == (
        FIRST,
        0.05,
        2,
    )
    assert "Máy thứ sáu" in browser.get(address(browser, "schedules")).content.decode()
    edit = address(browser, "schedule_edit", schedule.pk)
    shown = browser.get(edit).context["form"]
    again = {name: shown[name].value() for name in shown.fields if shown[name].value() is not None}
    assert browser.post(edit, again | {"at": "21:30"}).status_code == 302
    assert next_of(schedule) == FIRST + timedelta(minutes=90)
    change = address(browser, "schedule_change", schedule.pk)
    browser.post(change, {"change": "pause"})
    assert next_of(schedule) is None
    browser.post(change, {"change": "delete"})
    assert Schedule.objects.count() == 0


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"day": "2020-01-01", "every": "once"}, "day"),
        ({"day": ""}, "day"),
        ({"day": "2600-01-01"}, "day"),
        ({"at": "late"}, "at"),
        ({"bot_2": ""}, "bot_1"),
        ({"design": "rotations"}, "effect"),
        ({"design": "tables", "effect": ""}, "bot_1"),
        ({"deals": "0"}, "deals"),
    ],
)
def test_a_wrong_form_says_what_to_do_beside_its_field(browser, wrong, field):
    answer = browser.post(address(browser, "bots_create"), FORM | wrong)
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [field]
    assert (Schedule.objects.count(), Event.objects.count()) == (0, 0)


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_takes_the_same_queries_with_one_schedule_or_three(
    browser, count, django_assert_num_queries
):
    for _ in range(count):
        make_schedule(browser.season)
    schedules.tick(FIRST)
    with django_assert_num_queries(LIST_QUERIES):
        assert browser.get(address(browser, "schedules")).content.count(b"<section") == count
