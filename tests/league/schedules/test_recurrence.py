import json
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import pytest
from dateutil.rrule import rrulestr
from hypothesis import given
from hypothesis import strategies as st
from icalendar import vRecur

from league.schedules.domain.recurrence import EVERY, Recurrence
from league.seasons.domain.scoring import FieldError

SAIGON, BERLIN = "Asia/Ho_Chi_Minh", "Europe/Berlin"
FRIDAY = date(2015, 1, 2)


def rule(start: date = FRIDAY, **fields) -> Recurrence:
    return Recurrence(**{"start": start, "at": time(20), "zone": SAIGON} | fields)


def days(recurrence: Recurrence, number: int, after: date = date(2000, 1, 1)) -> list[str]:
    moment = datetime(after.year, after.month, after.day, tzinfo=UTC)
    return [str(found.day) for found in islice(recurrence.after(moment), number)]


def moments(recurrence: Recurrence, number: int) -> list[str]:
    found = islice(recurrence.after(datetime(2000, 1, 1, tzinfo=UTC)), number)
    return [f"{occurrence.moment:%m-%d %H:%M}" for occurrence in found]


def test_every_friday_at_eight_in_the_evening():
    assert days(rule(), 3) == ["2015-01-02", "2015-01-09", "2015-01-16"]
    assert moments(rule(), 2) == ["01-02 13:00", "01-09 13:00"]


def test_a_week_may_have_several_evenings():
    twice = rule(weekdays=(4, 1))
    assert days(twice, 4) == ["2015-01-02", "2015-01-06", "2015-01-09", "2015-01-13"]


def test_every_other_week_counts_from_the_week_of_the_start():
    assert days(rule(interval=2, weekdays=(0, 4)), 4) == [
        "2015-01-02", "2015-01-12", "2015-01-16", "2015-01-26",
    ]  # fmt: skip


def test_days_and_single_times():
    assert days(rule(every="day", interval=10), 3) == ["2015-01-02", "2015-01-12", "2015-01-22"]
    assert days(rule(every="once"), 3) == ["2015-01-02"]


def test_a_day_that_a_month_lacks_is_its_last():
    monthly = rule(date(2015, 12, 31), every="month")
    assert days(monthly, 4) == ["2015-12-31", "2016-01-31", "2016-02-29", "2016-03-31"]


def test_the_first_and_the_last_friday_of_the_month():
    assert days(rule(every="month", nth=1), 3) == ["2015-01-02", "2015-02-06", "2015-03-06"]
    assert days(rule(every="month", nth=-1), 3) == ["2015-01-30", "2015-02-27", "2015-03-27"]
    assert days(rule(date(2015, 1, 15), every="month", nth=1), 1) == ["2015-02-05"]


def test_the_last_day_is_included_and_nothing_follows():
    short = rule(until=date(2015, 1, 9))
    assert days(short, 9) == ["2015-01-02", "2015-01-09"]
    assert short.next(datetime(2015, 1, 9, 13, tzinfo=UTC)) is None


def test_the_next_time_is_later_than_the_moment():
    at_the_hour = datetime(2015, 1, 2, 13, tzinfo=UTC)
    assert rule().next(at_the_hour).day == date(2015, 1, 9)
    assert rule().next(at_the_hour - timedelta(seconds=1)).day == date(2015, 1, 2)


def test_the_evening_stays_when_the_clocks_change():
    weekly = rule(date(2015, 3, 27), zone=BERLIN)
    assert moments(weekly, 2) == ["03-27 19:00", "04-03 18:00"]


def test_an_hour_that_the_clocks_skip_moves_forward():
    # On 29 March 2015 Berlin goes from 02:00 to 03:00, so 02:30 is 03:30 summer time.
    assert moments(rule(date(2015, 3, 29), at=time(2, 30), zone=BERLIN), 1) == ["03-29 01:30"]


def test_of_an_hour_shown_twice_the_first_counts():
    assert moments(rule(date(2015, 10, 25), at=time(2, 30), zone=BERLIN), 1) == ["10-25 00:30"]


def test_a_rule_ends_with_the_calendar_it_knows():
    assert days(rule(date(2199, 12, 27)), 9) == ["2199-12-27"]
    assert days(rule(date(2199, 12, 27), every="month"), 9) == ["2199-12-27"]


@st.composite
def rules(draw: st.DrawFn) -> Recurrence:
    every = draw(st.sampled_from(EVERY))
    start = draw(st.dates(date(2010, 1, 1), date(2020, 1, 1)))
    weekdays = st.lists(st.integers(0, 6), unique=True).map(tuple)
    nth = st.sampled_from([None, 1, 2, 3, 4, -1])
    return Recurrence(
        start,
        draw(st.times()).replace(second=0, microsecond=0),
        draw(st.sampled_from([SAIGON, BERLIN, "America/Los_Angeles", "Pacific/Auckland"])),
        every,
        draw(st.integers(1, 5)),
        draw(weekdays) if every == "week" else (),
        draw(nth) if every == "month" else None,
        draw(st.none() | st.just(start + timedelta(days=90))),
    )


moments_around = st.datetimes(datetime(2009, 1, 1), datetime(2022, 1, 1), timezones=st.just(UTC))


@given(rules(), moments_around)
def test_starting_late_skips_exactly_what_has_passed(recurrence, moment):
    everything = recurrence.after(datetime(2000, 1, 1, tzinfo=UTC))
    expected = next((found for found in everything if found.moment > moment), None)
    assert recurrence.next(moment) == expected


@given(rules())
def test_occurrences_rise_and_no_day_comes_twice(recurrence):
    found = list(islice(recurrence.after(datetime(2000, 1, 1, tzinfo=UTC)), 12))
    assert [occurrence.moment for occurrence in found] == sorted(o.moment for o in found)
    assert len({occurrence.day for occurrence in found}) == len(found)


@given(rules())
def test_a_rule_returns_from_json_text_unchanged(recurrence):
    assert Recurrence.from_json(json.loads(json.dumps(recurrence.to_json()))) == recurrence


GOOD = {"start": "2015-01-02", "at": "20:00", "zone": SAIGON}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"start": "02.01.2015"}, "start: must be a date such as 2026-02-17."),
        ({"start": None}, "start: must be a date such as 2026-02-17."),
        ({"start": "1999-12-31"}, "start: must be a day from 2000 to 2199."),
        ({"at": "25:00"}, "at: must be a time such as 20:00."),
        ({"at": "20:00+07:00"},
         "at: must be a time without a time zone; the zone has its own field."),
        ({"zone": "Saigon/Nowhere"},
         "zone: must be the name of a time zone such as Asia/Ho_Chi_Minh."),
        ({"zone": "../etc/passwd"},
         "zone: must be the name of a time zone such as Asia/Ho_Chi_Minh."),
        ({"zone": ""}, "zone: must be the name of a time zone such as Asia/Ho_Chi_Minh."),
        ({"zone": 7}, "zone: must be the name of a time zone such as Asia/Ho_Chi_Minh."),
        ({"every": "year"}, "every: must be one of: once, day, week, month."),
        ({"interval": 0}, "interval: must be a whole number from 1 to 100."),
        ({"weekdays": [7]}, "weekdays: must be whole numbers from 0 (Monday) to 6 (Sunday)."),
        ({"weekdays": [1, 1]}, "weekdays: must name each weekday once."),
        ({"weekdays": "14"}, "weekdays: must be a list of weekdays, Monday is 0."),
        ({"weekdays": [1], "every": "day"},
         "weekdays: is only for events that repeat by the week."),
        ({"nth": 5, "every": "month"},
         "nth: must be 1 to 4 or -1, for events that repeat by the month."),
        ({"nth": 1.0, "every": "month"},
         "nth: must be 1 to 4 or -1, for events that repeat by the month."),
        ({"until": "2015-01-01"}, (
            "until: must be on or after the first day, and no later than 2199."
        )),
        ({"colour": "red"}, "colour: is not a field of a schedule."),
    ],
)  # fmt: skip
def test_a_wrong_rule_is_refused_with_its_field(changes, message):
    with pytest.raises(FieldError) as caught:
        Recurrence.from_json(GOOD | changes)
    assert str(caught.value) == message


def test_what_a_rule_cannot_do_without_is_named():
    with pytest.raises(FieldError) as caught:
        Recurrence.from_json({"start": "2015-01-02", "at": "20:00"})
    assert str(caught.value) == "zone: is missing."


@pytest.mark.parametrize(
    "values",
    [
        {"every": "day", "interval": 3},
        {"every": "week", "interval": 2, "weekdays": (1, 4)},
        {"every": "week"},
        {"every": "month"},
        {"every": "month", "nth": -1},
        {"every": "month", "nth": 2, "interval": 2, "until": date(2124, 1, 31)},
    ],
)
# A Sunday, a Friday and a Tuesday; the February after them has 29 days.
@pytest.mark.parametrize("day", [date(2123, 1, 31), date(2123, 2, 12), date(2123, 3, 30)])
def test_calendar_programs_count_the_same_days(day, values):
    """`dateutil` reads the rule as RFC 5545 has it."""
    found = rule(day, **values)
    first = found.next(datetime(2123, 1, 1, tzinfo=UTC)).moment.astimezone(ZoneInfo(SAIGON))
    told = rrulestr(vRecur(found.rrule()).to_ical().decode(), dtstart=first)
    assert [str(each.date()) for each in islice(told, 20)] == days(found, 20)
