"""A club's usual amounts, by which a form detects likely typing errors."""

from collections.abc import Iterable

from django.db.models import Max, Q, Sum

from league.base.domain.amounts import Usual, common
from league.models import Club, ClubTable, Event, Posting

LAST = 10
"""The number of latest amounts that count as usual."""


def stakes(club: Club, unit: str, *, apart_from: Event | None = None) -> Usual:
    """Return the stakes of the club's last nights and tables, else the common one of the unit."""
    there = _counted_in(club, unit)
    nights = Event.objects.filter(there, stake__gt=0).order_by("-pk")
    if apart_from is not None:
        nights = nights.exclude(pk=apart_from.pk)
    tables = ClubTable.objects.filter(there).order_by("-pk")
    known = [
        *nights.values_list("stake", flat=True)[:LAST],
        *tables.values_list("table__arrangement__stake", flat=True)[:LAST],
    ]
    return _of(known) if known else _of(filter(None, [common(unit)]))


def entries(club: Club, unit: str, kind: str) -> Usual:
    """Return the amounts of the club's last entries of this kind in the unit."""
    found = Posting.objects.filter(_counted_in(club, unit), kind=kind, reverses=None, posting=None)
    whole = Max if kind == Posting.Kind.FEE else Sum
    lines = found.annotate(whole=whole("transfers__amount")).order_by("-pk")
    if known := _of(lines.values_list("whole", flat=True)[:LAST]):
        return known
    return Usual(least=common(unit))


def _counted_in(club: Club, unit: str) -> Q:
    return Q(season__club=club, season__fixed_unit__in=[unit] if unit != club.unit else ["", unit])


def _of(known: Iterable[int | None]) -> Usual:
    amounts = [amount for amount in known if amount]
    return Usual(min(amounts), max(amounts)) if amounts else Usual()
