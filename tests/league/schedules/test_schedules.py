"""Nights and tournaments made by themselves: each time once, whatever the clock does."""

import json
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from functools import partial

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone, translation

from engine.rules import ruleset
from league.arena.facts.own_bots import pool_of
from league.base import texts
from league.models import Audit, Entrant, Event, Occurrence, Schedule, Season
from league.nights.acts import bins, closing, events
from league.nights.domain.night_plans import NightPlan
from league.schedules.acts import leagues, schedules
from league.schedules.domain.recurrence import Recurrence
from league.schedules.domain.repeated import Ahead, Nights, TournamentPlan, Tournaments
from league.schedules.pages import schedules_page
from league.seasons.acts import seasons
from tables.base import rulesets
from tables.bots.acts import uploads
from tests.factories import (
    make_club,
    make_member,
    make_night,
    make_schedule,
    make_season,
    owner_of,
    path_of,
)
from tests.races import race
from tests.shares import share
from tests.worlds import lived_from

pytestmark = pytest.mark.django_db

FIRST = datetime(2027, 1, 1, 13, tzinfo=UTC)
"""Friday, 1 January 2027, 20:00 in Hồ Chí Minh City."""
lived = lived_from("2026-12-26 07:00+07:00")
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
    assert [schedules.tick(now) for now in (FIRST - SECOND, FIRST, FIRST)] == [0, 1, 0]
    event = Event.objects.get()
    found = event.name, event.date, event.run.design
    assert found == ("Thứ sáu 1/1/2027", FRIDAYS[0], "versus")
    assert next_of(schedule) == FIRST + WEEK


@pytest.mark.parametrize(
    ("every", "interval", "said"),
    [
        ("once", 1, "once"),
        ("week", 1, "every week"),
        ("week", 2, "every two weeks"),
        ("week", 3, "every 3 weeks"),
        ("day", 2, "every 2 days"),
        ("month", 6, "every 6 months"),
    ],
)
def test_a_rhythm_is_told_as_it_is(every, interval, said):
    rule = Recurrence(FRIDAYS[0], time(20), "Asia/Ho_Chi_Minh", every=every, interval=interval)
    assert schedules_page.ScheduleView(Schedule(), rule, None, "", []).every == said


def test_times_missed_while_nothing_ran_are_made_up_for():
    schedule = make_schedule(make_season())
    tick_until_quiet(FIRST + 2 * WEEK)
    assert held(schedule) == FRIDAYS
    assert [event.date for event in Event.objects.order_by("date")] == FRIDAYS


def tick_four_times(now: datetime) -> None:
    for _ in range(4):
        schedules.tick(now)


@pytest.mark.django_db(transaction=True)
def test_ticks_at_the_same_time_begin_each_tournament_once():
    schedule = make_schedule(make_season())
    race(*[partial(tick_four_times, FIRST + 2 * WEEK)] * 4, refused=())
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
    schedules.pause_schedule(schedule=schedule, by=owner_of(season), paused=True)
    assert next_of(schedule) is None
    assert schedules.tick(FIRST) == 0
    schedules.pause_schedule(schedule=schedule, by=owner_of(season), paused=False)
    assert next_of(schedule) == FIRST


def test_resuming_a_schedule_that_is_not_paused_skips_nothing_that_is_due(time_machine):
    season = make_season()
    schedule, by = make_schedule(season), owner_of(season)
    time_machine.move_to(FIRST + SECOND)
    schedules.pause_schedule(schedule=schedule, by=by, paused=False)
    assert next_of(schedule) == FIRST
    assert not Audit.objects.filter(action="schedule.resumed").exists()
    schedules.tick(FIRST + SECOND)
    assert held(schedule) == FRIDAYS[:1]


def test_a_day_that_had_its_tournament_gets_no_second_one_by_a_change():
    season = make_season()
    schedule = make_schedule(season)
    schedules.tick(FIRST)
    schedule.refresh_from_db()
    later = Recurrence(FRIDAYS[0], time(22), season.club.time_zone)
    plan = TournamentPlan.from_json(schedule.plan)
    repeated = Tournaments("x", plan, later, ruleset.preset("thirteen"))
    schedules.change_schedule(schedule=schedule, by=owner_of(season), repeated=repeated)
    assert next_of(schedule) == FIRST + WEEK + timedelta(hours=2)


def test_a_tournament_that_cannot_begin_says_why_and_the_next_may():
    season = make_season()
    schedule = make_schedule(season)
    seasons.set_status(season=season, status="closed", by=owner_of(season))
    schedules.tick(FIRST)
    assert "season is closed" in schedule.occurrences.get().problem
    assert next_of(schedule) == FIRST + WEEK


@pytest.mark.parametrize("wrong", [{"deals": "x"}, {"sugar": 1}])
def test_a_plan_that_breaks_is_noted_and_the_others_begin(wrong, caplog):
    broken, sound = make_schedule(make_season()), make_schedule(make_season())
    Schedule.objects.filter(pk=broken.pk).update(
        plan=broken.plan | wrong, next_at=FIRST - timedelta(minutes=1)
    )
    assert schedules.tick(FIRST) == 2
    assert "The scheduled night could not be created" in broken.occurrences.get().problem
    assert sound.occurrences.get().event is not None
    assert "cannot be made" in caplog.text
    assert (next_of(broken), next_of(sound)) == (FIRST + WEEK, FIRST + WEEK)


def test_why_nothing_was_made_is_said_in_the_language_of_who_reads_it(client):
    season = make_season()
    schedule = make_schedule(season)
    schedule.plan["bots"][0] = "gone"
    schedule.save()
    with translation.override("vi"):  # The language of whoever makes it does not matter.
        schedules.tick(FIRST)
    client.force_login(owner_of(season))
    path = path_of(season, "schedules")
    for language, said in (
        ("en", "gone is no longer here or can&#x27;t be loaded. Choose another bot."),
        ("vi", "gone không còn ở đây hoặc không nạp được. Hãy chọn máy khác."),
    ):
        page = client.get(path, headers={"accept-language": language}).content.decode()
        assert said in page


def test_a_night_whose_hour_of_creation_has_come_is_created_in_a_moment(client):
    season = make_season()
    rule = Recurrence(season.club.today + WEEK, time(20), "Asia/Ho_Chi_Minh", "week")
    repeated = Nights("Tối", NightPlan(), rule)
    by = owner_of(season)
    schedule = schedules.create_schedule(season=season, by=by, repeated=repeated)
    client.force_login(by)
    path = path_of(season, "schedules")
    for at, said in ((WEEK, "Will be created on"), (-WEEK, "Will be created in a moment.")):
        Schedule.objects.filter(pk=schedule.pk).update(next_at=timezone.now() + at)
        assert said in client.get(path).content.decode()


@pytest.mark.parametrize("params", [{"other": 1}, ["gone"], 3, {}])
def test_parameters_that_do_not_fit_leave_the_sentence_as_it_is(params):
    assert texts.stored("no %(bot)s here, 9%", params) == "no %(bot)s here, 9%"


def test_bots_that_the_rules_do_not_seat_are_refused_at_once():
    with pytest.raises(ValidationError, match="choose two"):
        make_schedule(make_season(), plan={"bots": ["greedy"] * 3, "design": "versus"})


@pytest.fixture
def browser() -> Client:
    client = Client()
    client.season = make_season(rules="thirteen")
    client.force_login(make_member(client.season.club, "organiser"))
    return client


FORM = {
    "name": "Máy thứ sáu", "ruleset": "thirteen", "design": "versus", "deals": "5",
    "effect": "0.05", "priority": "2", "substitute": "greedy", "bot_1": "greedy", "bot_2": "random",
    "every": "week", "day": "2027-01-01", "at": "20:00",
}  # fmt: skip


def test_a_schedule_is_made_changed_held_and_ended_in_the_browser(browser):
    assert browser.post(path_of(browser.season, "bots_create"), FORM).status_code == 302
    schedule = Schedule.objects.get()
    assert (schedule.next_at, schedule.plan["effect"], schedule.plan["priority"]) == (
        FIRST,
        0.05,
        2,
    )
    assert "Máy thứ sáu" in browser.get(path_of(browser.season, "schedules")).content.decode()
    edit = path_of(browser.season, "schedule_edit", schedule.pk)
    shown = browser.get(edit).context["form"]
    again = {name: shown[name].value() for name in shown.fields if shown[name].value() is not None}
    assert browser.post(edit, again | {"at": "21:30"}).status_code == 302
    assert next_of(schedule) == FIRST + timedelta(minutes=90)
    assert Schedule.objects.get().plan == schedule.plan  # The form was shown what there was.
    change = path_of(browser.season, "schedule_change", schedule.pk)
    browser.post(change, {"change": "pause"})
    assert next_of(schedule) is None
    browser.post(change, {"change": "delete"})
    assert Schedule.objects.count() == 0


def untouched(client: Client, edit: str) -> dict[str, object]:
    """What the browser sends of a form in which nothing was changed."""
    seen = client.get(edit).context["form"].seen
    return json.loads(seen) | {"seen": seen}


@pytest.mark.parametrize(
    "rhythm",
    [
        {"every": "week", "interval": 2, "weekdays": (0, 4), "until": date(2027, 6, 30)},
        {"every": "month", "nth": 1},
        {"every": "day", "interval": 3},
    ],
)
@pytest.mark.parametrize("is_league", [False, True])
def test_a_rhythm_that_the_form_of_bots_cannot_say_stays(browser, rhythm, is_league):
    season = browser.season
    rule = Recurrence(FRIDAYS[0], time(20), season.club.time_zone, **rhythm)
    bots = () if is_league else ("greedy", "random")
    plan = TournamentPlan(5, bots, design="versus")
    by, made = owner_of(season), Tournaments("Máy", plan, rule, ruleset.preset("thirteen"))
    if is_league:
        leagues.create_league(season=season, by=by, repeated=made, size=4, moves=1)
    else:
        schedules.create_schedule(season=season, by=by, repeated=made)
    edit = path_of(browser.season, "schedule_edit", Schedule.objects.get().pk)
    assert browser.post(edit, untouched(browser, edit) | {"deals": "7"}).status_code == 302
    after = Schedule.objects.get()
    assert (Recurrence.from_json(after.rule), after.plan["deals"]) == (rule, 7)
    assert browser.post(edit, untouched(browser, edit) | {"day": "2027-01-02"}).status_code == 302
    changed = Recurrence.from_json(Schedule.objects.get().rule)
    assert changed == replace(rule, start=date(2027, 1, 2), weekdays=())
    every = {"every": "week" if rule.every == "day" else "day"}
    assert browser.post(edit, untouched(browser, edit) | every).status_code == 302
    changed = Recurrence.from_json(Schedule.objects.get().rule)
    assert (changed.interval, changed.until, changed.nth) == (1, None, None)


def test_a_bot_with_a_newer_version_stays_in_a_schedule_that_is_changed(browser):
    club = browser.season.club
    old = uploads.add_remote(pool=pool_of(club), author=owner_of(club), base="far")
    schedule = make_schedule(
        browser.season, plan={"bots": ["lowest", old.name], "design": "single"}
    )
    uploads.add_remote(pool=pool_of(club), author=owner_of(club), base="far")
    edit = path_of(browser.season, "schedule_edit", schedule.pk)
    assert browser.post(edit, untouched(browser, edit) | {"deals": "7"}).status_code == 302
    assert Schedule.objects.get().plan == schedule.plan | {"deals": 7}
    uploads.withdraw(upload=old)
    answer = browser.post(edit, untouched(browser, edit))
    assert answer.context["form"].errors["bot_1"] == [
        "far-1 is no longer here or can't be loaded. Choose another bot."
    ]


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
    answer = browser.post(path_of(browser.season, "bots_create"), FORM | wrong)
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [field]
    assert (Schedule.objects.count(), Event.objects.count()) == (0, 0)


def test_the_list_has_the_latest_five_times_of_each():
    season = make_season()
    several = [make_schedule(season, name=name) for name in ("one", "other")]
    days = [FIRST.date() + number * WEEK for number in range(7)]
    Occurrence.objects.bulk_create(
        Occurrence(schedule=schedule, day=day, problem="x") for schedule in several for day in days
    )
    shown = [[held.day for held in view.held] for view in schedules_page.schedules_of(season)]
    assert shown == [days[:1:-1]] * 2


@pytest.mark.parametrize("count", share([1, 3], 1, of=2))
def test_the_list_takes_the_same_queries_with_one_schedule_or_three(
    browser, count, django_assert_num_queries
):
    for _ in range(count):
        make_schedule(browser.season)
    schedules.tick(FIRST)
    with django_assert_num_queries(LIST_QUERIES):
        assert browser.get(path_of(browser.season, "schedules")).content.count(b"<section") == count


# --- Nights -----------------------------------------------------------------------------------

AHEAD = timedelta(days=3)


def repeat(season=None, name="Night 4", days_ahead=3, **rule) -> Schedule:
    """Nights every Friday at 20:00 from 1 January 2027 on."""
    season = season or make_season()
    plan = make_night(season=season, games_per_round=2).plan
    when = Recurrence(FRIDAYS[0], time(20), season.club.time_zone, **rule)
    repeated = Nights(name, plan, when, Ahead(days_ahead=days_ahead))
    return schedules.create_schedule(season=season, by=owner_of(season), repeated=repeated)


def nights(schedule: Schedule) -> list[tuple[str, date]]:
    made = Event.objects.filter(occurrence__schedule=schedule).order_by("date")
    return list(made.values_list("name", "date"))


def test_a_night_is_made_some_days_ahead_and_not_before():
    schedule = repeat()
    assert schedules.tick(FIRST - AHEAD - SECOND) == 0
    tick_until_quiet(FIRST - AHEAD)
    assert nights(schedule) == [("Night 4", FRIDAYS[0])]
    event = schedule.occurrences.get().event
    assert (event.kind, event.games_per_round, event.entrants.count()) == ("night", 2, 4)
    assert next_of(schedule) == FIRST + WEEK - AHEAD


def close(season: Season) -> None:
    """Close the season, which has no nights any more."""
    season.events.all().delete()
    seasons.set_status(season=season, status="closed", by=owner_of(season))


@pytest.mark.parametrize("mend", ["reopened", "changed", "moved", "resumed"])
def test_a_day_that_failed_gets_its_night_once_nothing_stops_it(mend):
    season = make_season()
    schedule, by = repeat(season), owner_of(season)
    close(season)
    tick_until_quiet(FIRST - AHEAD)
    assert "season is closed" in schedule.occurrences.get().problem
    assert next_of(schedule) == FIRST + WEEK - AHEAD
    if mend == "moved":
        season = make_season(season.club)
    else:
        Season.objects.filter(pk=season.pk).update(status="open")
    if mend == "reopened":
        seasons.set_status(season=season, status="open", by=by)
    elif mend == "resumed":
        for paused in (True, False):
            schedules.pause_schedule(schedule=schedule, by=by, paused=paused)
    else:
        rule, plan = Recurrence.from_json(schedule.rule), NightPlan.from_json(schedule.plan)
        repeated = Nights(schedule.name, plan, rule, Ahead(days_ahead=3))
        schedules.change_schedule(schedule=schedule, by=by, repeated=repeated, season=season)
    assert next_of(schedule) == FIRST - AHEAD
    tick_until_quiet(FIRST - AHEAD)
    assert nights(schedule) == [("Night 4", FRIDAYS[0])]
    assert next_of(schedule) == FIRST + WEEK - AHEAD


def test_a_season_that_is_reopened_makes_no_night_that_is_paused_past_or_deleted(time_machine):
    season = make_season()
    by, deleted, late, paused = owner_of(season), *(repeat(season) for _ in range(3))
    tick_until_quiet(FIRST - AHEAD)
    Event.objects.filter(occurrence__schedule__in=[late, paused]).delete()
    night = deleted.occurrences.get().event
    Event.everything.filter(pk=night.pk).update(binned_at=timezone.now() - timedelta(days=31))
    Entrant.objects.filter(event=night).delete()
    bins.empty_bin(timezone.now())
    schedules.pause_schedule(schedule=paused, by=by, paused=True)
    Schedule.objects.filter(pk=late.pk).update(next_at=FIRST - AHEAD)
    close(season)
    tick_until_quiet(FIRST - AHEAD)
    assert [each.occurrences.count() for each in (deleted, late, paused)] == [1, 1, 0]
    time_machine.move_to(FIRST + timedelta(days=1))
    seasons.set_status(season=season, status="open", by=by)
    tick_until_quiet(FIRST + timedelta(days=1))
    assert not nights(deleted) + nights(late) + nights(paused)
    assert [held(each) for each in (deleted, late, paused)] == [FRIDAYS[:1], FRIDAYS[:1], []]


def test_a_night_by_hand_is_that_of_a_day_that_failed():
    season = make_season()
    schedule, by = repeat(season), owner_of(season)
    close(season)
    tick_until_quiet(FIRST - AHEAD)
    other = make_season(season.club)
    night = Nights("Night 4", NightPlan(), None, Ahead())
    made = schedules.start_night(season=other, by=by, night=night, date=FRIDAYS[0], recipe=schedule)
    assert schedule.occurrences.get().event == made


def test_names_count_on_or_take_the_day_and_a_year_is_no_count():
    season = make_season()
    made = [repeat(season, name=name) for name in ("Night 4", "Đêm thứ sáu", "Cúp 2026")]
    tick_until_quiet(FIRST - AHEAD)
    tick_until_quiet(FIRST + WEEK - AHEAD)
    assert [[name for name, _day in nights(schedule)] for schedule in made] == [
        ["Night 4", "Night 5"],
        ["Đêm thứ sáu 1/1/2027", "Đêm thứ sáu 8/1/2027"],
        ["Cúp 2026 1/1/2027", "Cúp 2026 8/1/2027"],
    ]


def test_a_tick_twice_or_much_later_makes_each_night_once_and_none_whose_day_is_over():
    schedule = repeat()
    tick_until_quiet(FIRST - AHEAD)
    tick_until_quiet(FIRST - AHEAD)
    tick_until_quiet(FIRST + 2 * WEEK - AHEAD)
    assert nights(schedule) == [("Night 4", FRIDAYS[0]), ("Night 5", FRIDAYS[2])]
    missed = schedule.occurrences.get(event=None)
    assert (missed.day, "skipped" in missed.problem) == (FRIDAYS[1], True)


def test_a_night_is_still_made_late_on_its_own_day_by_the_club_s_clock():
    schedule = repeat()
    tick_until_quiet(FIRST + timedelta(hours=3, minutes=59))
    assert nights(schedule) == [("Night 4", FRIDAYS[0])]


@pytest.mark.django_db(transaction=True)
def test_ticks_at_the_same_time_make_each_night_once():
    schedule = repeat()
    race(*[partial(tick_four_times, FIRST - AHEAD)] * 4, refused=())
    assert nights(schedule) == [("Night 4", FRIDAYS[0])]


@pytest.mark.parametrize("name", ["Night 4", "Đêm thứ sáu"])
def test_a_night_that_was_made_by_hand_is_taken_for_the_schedule_s(name):
    season = make_season()
    by = owner_of(season)
    by_hand = events.create_event(season=season, by=by, name=name, date=FRIDAYS[0])
    schedule = repeat(season, name=name)
    tick_until_quiet(FIRST - AHEAD)
    assert schedule.occurrences.get().event == by_hand
    assert season.events.filter(date=FRIDAYS[0]).count() == 1


def test_a_night_that_was_called_off_before_its_schedule_made_it_is_no_problem():
    season = make_season()
    by = owner_of(season)
    by_hand = events.create_event(season=season, by=by, name="Night 4", date=FRIDAYS[0])
    closing.call_off(event=by_hand, by=by)
    schedule = repeat(season)
    Schedule.objects.filter(pk=schedule.pk).update(opens_sign_up=True)
    tick_until_quiet(FIRST - AHEAD)
    [time] = schedule.occurrences.all()
    assert (time.event, time.problem) == (by_hand, "")


def test_the_evening_stays_when_the_clocks_change_between_making_and_playing():
    season = make_season(make_club(time_zone="Europe/Berlin"))
    rule = Recurrence(date(2027, 3, 28), time(20), "Europe/Berlin")
    schedule = repeat(season)
    repeated = Nights("Night 4", NightPlan.from_json(schedule.plan), rule, Ahead(days_ahead=3))
    schedules.change_schedule(schedule=schedule, by=owner_of(season), repeated=repeated)
    assert next_of(schedule) == datetime(2027, 3, 25, 18, tzinfo=UTC)
    tick_until_quiet(datetime(2027, 3, 25, 18, tzinfo=UTC))
    assert nights(schedule) == [("Night 4", date(2027, 3, 28))]


def test_nights_end_with_their_last_day():
    schedule = repeat(until=FRIDAYS[1])
    for week in range(4):
        tick_until_quiet(FIRST + week * WEEK - AHEAD)
    assert ([day for _name, day in nights(schedule)], next_of(schedule)) == (FRIDAYS[:2], None)


def test_what_a_night_takes_from_its_season_is_what_holds_then():
    season = make_season(rules="penguin")
    schedule = repeat(season)
    season.ruleset = rulesets.freeze(ruleset.preset("killa"))
    season.save()
    tick_until_quiet(FIRST - AHEAD)
    assert schedule.occurrences.get().event.ruleset_id == season.ruleset_id


def test_a_plan_of_an_earlier_release_says_why_there_is_no_night_and_can_be_changed(browser):
    schedule = repeat(browser.season)
    plan = schedule.plan | {"stake": 5, "format": {"ceremony": 2}}
    Schedule.objects.filter(pk=schedule.pk).update(plan=plan)
    tick_until_quiet(FIRST - AHEAD)
    assert "can't keep results back" in schedule.occurrences.get().problem
    form = browser.get(path_of(browser.season, "schedule_edit", schedule.pk)).context["form"]
    assert [form[name].value() for name in ("games_per_round", "ceremony")] == [2, 0]
    schedules.check_plan("night", plan)
    with pytest.raises(ValueError, match="sugar"):
        schedules.check_plan("night", {"sugar": 1})


NIGHTS = {
    "name": "Night 7", "every": "week", "date": "2027-01-01", "starts_at": "20:00",
    "days_ahead": "6", "rounds_planned": "4", "counting": "fixed", "games_per_round": "3",
    "confirmed_by": "none", "stake": "1",
}  # fmt: skip


def test_a_night_repeats_is_changed_held_and_ended_in_the_browser(browser):
    model = make_night(season=browser.season, rounds_planned=5, round_minutes=35)
    create = path_of(browser.season, "schedule_create")
    shown = browser.get(create, {"event": model.pk}).context["form"]
    values = {name: shown[name].value() for name in ("rounds_planned", "round_minutes", "date")}
    assert values == {"rounds_planned": 5, "round_minutes": 35, "date": model.date + WEEK}
    assert browser.post(create, NIGHTS).status_code == 302
    schedule = Schedule.objects.get()
    assert schedule.plan["rounds_planned"] == 4
    assert schedule.next_at == FIRST - timedelta(days=6)
    assert "Night 7" in browser.get(path_of(browser.season, "schedules")).content.decode()
    edit = path_of(browser.season, "schedule_edit", schedule.pk)
    again = browser.get(edit).context["form"]
    same = {name: again[name].value() for name in again.fields if again[name].value() is not None}
    changed = same | {
        "starts_at": "21:30",
        "every": "month",
        "until": "2027-06-01",
        "days_ahead": "1",
    }
    assert browser.post(edit, changed).status_code == 302
    assert next_of(schedule) == FIRST + timedelta(minutes=90) - timedelta(days=1)
    assert Schedule.objects.get().rule["nth"] == 1
    change = path_of(browser.season, "schedule_change", schedule.pk)
    browser.post(change, {"change": "pause"})
    assert next_of(schedule) is None
    browser.post(change, {"change": "resume"})
    browser.post(change, {"change": "delete"})
    assert Schedule.objects.count() == 0


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"date": ""}, "date"),
        ({"date": "2600-01-01"}, "date"),
        ({"starts_at": "late"}, "starts_at"),
        ({"starts_at": ""}, "starts_at"),
        ({"until": "2026-12-31"}, "until"),
        ({"date": "2020-01-03", "until": "2020-02-01"}, "until"),
        ({"days_ahead": "-1"}, "days_ahead"),
        ({"days_ahead": "61"}, "days_ahead"),
        ({"every": "never"}, "every"),
        ({"rounds_planned": "0"}, "rounds_planned"),
        ({"games_per_round": "x"}, "games_per_round"),
        ({"name": ""}, "name"),
    ],
)
def test_a_wrong_form_of_nights_says_what_to_do_beside_its_field(browser, wrong, field):
    answer = browser.post(path_of(browser.season, "schedule_create"), NIGHTS | wrong)
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [field]
    assert Schedule.objects.count() == 0
