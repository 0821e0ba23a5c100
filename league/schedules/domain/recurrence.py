"""The recurrence rule of a repeated event, in the club's time zone; it reads no clock."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import count
from typing import Any, Literal, NamedTuple, get_args
from zoneinfo import ZoneInfo

from engine.rules.texts import mark as _
from league.seasons.domain.scoring import FieldError, read_object

Every = Literal["once", "day", "week", "month"]
EVERY: tuple[str, ...] = get_args(Every)
FIRST, LAST = date(2000, 1, 1), date(2199, 12, 31)
LAST_OF_MONTH = -1

SHORTEST_MONTH = 28

_ONE_DAY = timedelta(days=1)
_FREQUENCIES = {"day": "DAILY", "week": "WEEKLY", "month": "MONTHLY"}
_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


class ScheduledTime(NamedTuple):
    """One time of a rule: its local `day`, which is unique, and the `moment` in UTC."""

    day: date
    moment: datetime


@dataclass(frozen=True, slots=True)
class Recurrence:
    """A rule such as every Friday at 20:00 in Asia/Ho_Chi_Minh.

    It runs from `start` to `until` (both included), every `interval` days, weeks or months, at
    local time `at` in `zone`. A week has the `weekdays` (Monday is 0), by default that of `start`.
    A month has the day of `start`, or its last day if it is shorter; with `nth` (1 to 4, or -1 for
    the last) it has the nth weekday of `start`, such as the first Friday. Invalid values raise
    `FieldError`.
    """

    start: date
    at: time
    zone: str
    every: Every = "week"
    interval: int = 1
    weekdays: tuple[int, ...] = ()
    nth: int | None = None
    until: date | None = None

    def __post_init__(self) -> None:
        _check(self)

    def after(self, moment: datetime) -> Iterator[ScheduledTime]:
        """Yield the times after an aware moment, in order; endless unless `until` is set.

        A local time that a clock change skips moves forward by the skipped amount; of a time that
        occurs twice the first counts.
        """
        zone = ZoneInfo(self.zone)
        earliest = max(self.start, moment.astimezone(zone).date() - _ONE_DAY)
        for day in _days(self, earliest):
            occurrence = datetime.combine(day, self.at, tzinfo=zone).astimezone(UTC)
            if occurrence > moment:
                yield ScheduledTime(day, occurrence)

    def next(self, moment: datetime) -> ScheduledTime | None:
        """Return the first time after an aware moment; None if there is no other."""
        return next(self.after(moment), None)

    def rrule(self) -> dict[str, Any]:
        """Return the rule in the terms of RFC 5545; empty for a single time."""
        if self.every == "once":
            return {}
        found: dict[str, Any] = {"FREQ": _FREQUENCIES[self.every], "INTERVAL": self.interval}
        if self.every == "week":
            found["BYDAY"] = [_DAYS[day] for day in self.weekdays or (self.start.weekday(),)]
            found["WKST"] = "MO"
        elif self.nth is not None:
            found["BYDAY"] = f"{self.nth}{_DAYS[self.start.weekday()]}"
        elif self.every == "month" and self.start.day > SHORTEST_MONTH:
            found["BYMONTHDAY"] = list(range(SHORTEST_MONTH, self.start.day + 1))
            found["BYSETPOS"] = -1
        elif self.every == "month":
            found["BYMONTHDAY"] = self.start.day
        if self.until is not None:
            ends = datetime.combine(self.until, time.max, tzinfo=ZoneInfo(self.zone))
            found["UNTIL"] = ends.astimezone(UTC).replace(microsecond=0)
        return found

    def to_json(self) -> dict[str, Any]:
        """Return all fields as JSON values, dates and times as ISO text; inverse of `from_json`."""
        return {
            "start": self.start.isoformat(),
            "at": self.at.isoformat("minutes"),
            "zone": self.zone,
            "every": self.every,
            "interval": self.interval,
            "weekdays": list(self.weekdays),
            "nth": self.nth,
            "until": self.until and self.until.isoformat(),
        }

    @classmethod
    def from_json(cls, value: Any) -> Recurrence:
        """Return the rule in a JSON object.

        `start`, `at` and `zone` are required. Raises `FieldError`.
        """
        values = read_object(cls, value, "recurrence", _("is not a field of a schedule."))
        for name in ("start", "at", "zone"):
            if name not in values:
                raise FieldError(name, _("is missing."))
        values["start"] = _read_date(values["start"], "start")
        values["at"] = _read_time(values["at"])
        if values.get("until") is not None:
            values["until"] = _read_date(values["until"], "until")
        weekdays = values.get("weekdays", ())
        if not isinstance(weekdays, list | tuple):
            raise FieldError("weekdays", _("must be a list of weekdays, Monday is 0."))
        return cls(**values | {"weekdays": tuple(weekdays)})


def _days(rule: Recurrence, earliest: date) -> Iterator[date]:
    """Yield the local days of the rule from `earliest` on, in order."""
    last = rule.until or LAST
    for day in _PERIODS[rule.every](rule, earliest):
        if day > last:
            return
        if day >= earliest:
            yield day


def _once(rule: Recurrence, earliest: date) -> Iterator[date]:
    yield rule.start


def _daily(rule: Recurrence, earliest: date) -> Iterator[date]:
    passed = (earliest - rule.start).days // rule.interval
    for n in count(passed * rule.interval, rule.interval):
        yield rule.start + n * _ONE_DAY


def _weekly(rule: Recurrence, earliest: date) -> Iterator[date]:
    monday = rule.start - rule.start.weekday() * _ONE_DAY
    step = 7 * rule.interval
    passed = (earliest - monday).days // step
    for n in count(passed * step, step):
        for weekday in sorted(rule.weekdays) or [rule.start.weekday()]:
            yield monday + (n + weekday) * _ONE_DAY


def _monthly(rule: Recurrence, earliest: date) -> Iterator[date]:
    first = rule.start.year * 12 + rule.start.month - 1
    passed = (earliest.year * 12 + earliest.month - 1 - first) // rule.interval
    for month in count(first + passed * rule.interval, rule.interval):
        yield _day_of_month(rule, month // 12, month % 12 + 1)


def _day_of_month(rule: Recurrence, year: int, month: int) -> date:
    first_weekday, length = monthrange(year, month)
    if rule.nth is None:
        return date(year, month, min(rule.start.day, length))
    day = 1 + (rule.start.weekday() - first_weekday) % 7
    if rule.nth == LAST_OF_MONTH:
        return date(year, month, day + (length - day) // 7 * 7)
    return date(year, month, day + 7 * (rule.nth - 1))


_PERIODS = {"once": _once, "day": _daily, "week": _weekly, "month": _monthly}


def _check(rule: Recurrence) -> None:
    if rule.every not in EVERY:
        raise FieldError("every", _("must be one of: %(names)s."), names=", ".join(EVERY))
    if type(rule.interval) is not int or not 1 <= rule.interval <= 100:
        raise FieldError("interval", _("must be a whole number from 1 to 100."))
    if any(type(day) is not int or not 0 <= day <= 6 for day in rule.weekdays):
        raise FieldError("weekdays", _("must be whole numbers from 0 (Monday) to 6 (Sunday)."))
    if len(set(rule.weekdays)) < len(rule.weekdays):
        raise FieldError("weekdays", _("must name each weekday once."))
    if rule.weekdays and rule.every != "week":
        raise FieldError("weekdays", _("is only for events that repeat by the week."))
    if rule.nth is not None and not (
        rule.every == "month" and type(rule.nth) is int and rule.nth in (1, 2, 3, 4, -1)
    ):
        raise FieldError("nth", _("must be 1 to 4 or -1, for events that repeat by the month."))
    if not FIRST <= rule.start <= LAST:
        raise FieldError("start", _("must be a day from 2000 to 2199."))
    if rule.until is not None and not rule.start <= rule.until <= LAST:
        raise FieldError("until", _("must be on or after the first day, and no later than 2199."))
    if rule.at.tzinfo is not None:
        raise FieldError("at", _("must be a time without a time zone; the zone has its own field."))
    try:
        ZoneInfo(rule.zone)
    except (KeyError, ValueError, TypeError, OSError):
        raise FieldError(
            "zone", _("must be the name of a time zone such as Asia/Ho_Chi_Minh.")
        ) from None


def _read_date(value: Any, field: str) -> date:
    try:
        return date.fromisoformat(value)
    except (TypeError, ValueError):
        raise FieldError(field, _("must be a date such as 2026-02-17.")) from None


def _read_time(value: Any) -> time:
    try:
        return time.fromisoformat(value).replace(second=0, microsecond=0)
    except (TypeError, ValueError):
        raise FieldError("at", _("must be a time such as 20:00.")) from None
