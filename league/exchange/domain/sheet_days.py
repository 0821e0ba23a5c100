"""Days of a whole sheet: which number is the month, and the years that were left out."""

import calendar
import datetime
from collections.abc import Sequence
from itertools import pairwise

from engine.rules.texts import mark as _
from league.base.domain.csv_text import LineError
from league.exchange.domain.sheet_cells import WrittenDay

EARLIEST = 1990
_HALF_A_YEAR = 183


def is_order_clear(days: Sequence[WrittenDay]) -> bool:
    """Return whether the days say themselves that the month comes second.

    They do where a first number is above 12, or where only that reading never goes back.
    """
    written = [day for day in days if not day.is_iso]
    if not written or any(day.first > 12 for day in written):
        return True
    if any(day.second > 12 for day in written):
        return False
    if all(day.first == day.second for day in written):
        return True
    return _rises([(d.second, d.first) for d in written]) and not _rises(
        [(d.first, d.second) for d in written]
    )


def is_month_first(days: Sequence[WrittenDay]) -> bool:
    """Return whether the days can only be read with the month first."""
    written = [day for day in days if not day.is_iso]
    return any(d.second > 12 for d in written) and not any(d.first > 12 for d in written)


def _rises(days: Sequence[tuple[int, int]]) -> bool:
    return len(set(days)) > 2 and all(one <= other for one, other in pairwise(days))


def with_years(
    days: Sequence[WrittenDay | None],
    *,
    month_first: bool,
    today: datetime.date,
    year: int | None = None,
) -> list[datetime.date | LineError | None]:
    """Return the days with their years; one that cannot be is an error in its place.

    A year that is missing is that of the neighbours: a step back of half a year begins the next.
    Without any, `year` is that of the first day, or else the last day is not after today.
    """
    turned = [day and _parts(day, month_first) for day in days]
    steps, step, before = list[int](), 0, None
    for day, parts in zip(days, turned, strict=True):
        if day and parts:
            now = parts[1] * 31 + parts[0]
            if before is not None and before - now > _HALF_A_YEAR:
                step += 1
            before = now
        steps.append(step)
    anchors = [(at, day.year - steps[at]) for at, day in enumerate(days) if day and day.year]
    base = anchors[0][1] if anchors else year
    if base is None:
        base = today.year - step
        last = max(
            (_key(p) for p, s in zip(turned, steps, strict=True) if p and s == step), default=0
        )
        if last > _key((today.day, today.month)):
            base -= 1
    found: list[datetime.date | LineError | None] = []
    at_anchor = 0
    for at, (day, parts) in enumerate(zip(days, turned, strict=True)):
        while at_anchor + 1 < len(anchors) and anchors[at_anchor + 1][0] <= at:
            at_anchor += 1
        of = anchors[at_anchor][1] if anchors else base
        found.append(parts and day and _date(*parts, day.year or of + steps[at], today))
    return found


def _key(parts: tuple[int, int]) -> int:
    return parts[1] * 31 + parts[0]


def _parts(day: WrittenDay, month_first: bool) -> tuple[int, int]:
    """Return the day and the month."""
    return (day.second, day.first) if month_first and not day.is_iso else (day.first, day.second)


def _date(day: int, month: int, year: int, today: datetime.date) -> datetime.date | LineError:
    if not 1 <= month <= 12:
        return LineError(_("there is no month %(month)s"), month=month)
    if not EARLIEST <= year <= today.year + 1:
        return LineError(_("the year %(year)s cannot be"), year=year)
    last = calendar.monthrange(year, month)[1]
    if not 1 <= day <= last:
        return LineError(_("month %(month)s has %(days)s days"), month=month, days=last)
    found = datetime.date(year, month, day)
    if found > today:
        return LineError(_("%(day)s is in the future"), day=found.isoformat())
    return found
