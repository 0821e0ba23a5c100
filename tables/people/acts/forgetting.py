"""Removal of a person's names from tables; games and their logs stay, messages are deleted."""

from collections.abc import Collection
from typing import Any

from django.db import transaction
from django.db.models import CharField, F, Q, QuerySet
from django.db.models.functions import Cast, Coalesce

from tables.base.words import GONE
from tables.chairs.acts import seats
from tables.models import (
    Attempt,
    BotAccount,
    Challenge,
    Friend,
    Message,
    RatedPlace,
    Seat,
    SentRequest,
    SharedPlace,
    Solver,
    SprintEntry,
    Successor,
    Table,
    TableInvite,
    TableRating,
    TableStrength,
)
from tables.people.acts import ratings


@transaction.atomic
def forget_user(*, user: Any) -> None:
    """Free the account's seats and remove its names at all tables, including its bot's.

    Guests who sat in one of its browsers lose their names too: it is most likely the same person.
    """
    sat = Seat.objects.filter(user=user)
    browsers = list(sat.exclude(device="").values_list("device", flat=True).distinct())
    for seat in sat.filter(left_at=None).order_by("table_id"):
        seats.leave(seat_id=seat.pk)
    Successor.objects.filter(user=user).update(name=GONE)
    for model in (BotAccount, TableRating, SprintEntry, Attempt, Solver, SentRequest):
        model._default_manager.filter(user=user).delete()
    Message.objects.filter(watcher=user).delete()
    if TableStrength.objects.filter(user=user).delete()[0]:
        ratings.count_again()
    RatedPlace.objects.filter(user=user).update(user=None, name=GONE)
    Friend.objects.filter(Q(owner=user) | Q(user=user)).delete()
    TableInvite.objects.filter(Q(by=user) | Q(user=user)).delete()
    forget_seats(found=sat)
    forget_seats(found=Seat.objects.filter(user=None, bot="", device__in=browsers))
    forget_entries(found=SprintEntry.objects.filter(user=None, device__in=browsers))


def forget_entries(*, found: QuerySet[SprintEntry]) -> int:
    """Remove the names and browsers of guests' entries; their points stay. Return how many."""
    # Each has a device of its own.
    return found.exclude(name=GONE).update(name=GONE, device=Cast("pk", CharField()))


@transaction.atomic
def rename_seats(*, found: QuerySet[Seat], to: str) -> None:
    """Give these seats another name, of the length that a seat has."""
    tables = set(found.values_list("table", flat=True))
    found.update(name=to[: Seat._meta.get_field("name").max_length])
    show_tables(tables)


def show_tables(tables: Collection[int]) -> None:
    """Let every process read these tables again, and those of the same friends, who share faces.

    Cached positions are valid for one version.
    """
    found = Table.objects.filter(pk__in=tables)
    firsts = set(found.values_list(Coalesce("first", "pk"), flat=True))
    same = Q(pk__in=tables) | Q(first__in=firsts)
    Table.objects.filter(same).update(version=F("version") + 1)


@transaction.atomic
def forget_seats(*, found: QuerySet[Seat]) -> None:
    """Remove the names of these seats, and delete their messages."""
    named = list(found.exclude(name=GONE).values_list("table", "name").distinct())
    for table, name in named:
        Challenge.objects.filter(table=table, by=name).update(by=GONE)
    Message.objects.filter(seat__in=found).delete()
    SharedPlace.objects.filter(Q(one__in=found) | Q(other__in=found)).delete()
    found.update(name=GONE, device="", network="")
    show_tables({table for table, _name in named})
