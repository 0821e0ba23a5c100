"""What is said at a table, for as long as it is open. No log and no record keeps it.

Players say it, and who only watches where the table lets him: he sees what everyone sees.

It takes no lock of the table: talking never holds up a move, and a move never holds up talk.
"""

from __future__ import annotations

import datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from tables import hosts
from tables.models import Message, Seat, Table
from tables.refusals import TableRefusal
from tables.services import announce, arrangement_terms, seats, words

LONGEST = 160
MOST_KEPT = 60
"""Older messages of a table are forgotten."""

QUICK = ("nice", "wow", "ouch", "haha", "thanks", "gg")

FLOOD = ((datetime.timedelta(seconds=10), 5), (datetime.timedelta(minutes=5), 40))
"""In so much time a seat, or somebody who only watches, may say so much."""

WATCHERS = 12
"""In the shortest of these times all who only watch may say so much together."""


@transaction.atomic
def say(*, seat_id: int, text: str = "", quick: str = "") -> Message:
    """Says a text, or one of the quick words, to everyone at the table; raises `TableRefusal`."""
    seat = (
        Seat.objects.select_for_update(no_key=True, of=("self",))
        .select_related("table")
        .get(pk=seat_id)
    )
    if seat.left_at:
        raise TableRefusal("closed")
    return _say(seat.table, text, quick, seat=seat)


@transaction.atomic
def say_watching(*, table_id: int, user: Any, text: str = "", quick: str = "") -> Message:
    """Say the same as someone with an account who only watches; raises `TableRefusal`."""
    user = get_user_model().objects.select_for_update(no_key=True).get(pk=user.pk)
    table = Table.objects.get(pk=table_id)
    if not table.watchers_talk:
        raise TableRefusal("players_talk")
    now = timezone.now()
    together = table.messages.exclude(watcher=None).filter(at__gt=now - FLOOD[0][0])
    if together.count() >= WATCHERS:
        raise TableRefusal("too_fast")
    return _say(table, text, quick, watcher=user, name=words.plain(user.name, 40))


def _say(table: Table, text: str, quick: str, **who: Any) -> Message:
    if table.status == Table.Status.CLOSED:
        raise TableRefusal("closed")
    text = words.plain(text, LONGEST)
    if quick:
        text = ""
    if quick not in QUICK and not text:
        raise TableRefusal("nothing_said")
    if table.talk == Table.Talk.OFF or (text and table.talk != Table.Talk.ALL):
        raise TableRefusal("no_talk")
    _check_flood(Message.objects.filter(table=table, **who))
    message = Message.objects.create(table=table, text=text, quick=quick, **who)
    old = table.messages.order_by("-id").values_list("pk", flat=True)[MOST_KEPT:]
    Message.objects.filter(pk__in=list(old)).delete()
    announce.talked(table)
    return message


@transaction.atomic
def remove(*, table_id: int, message_id: int) -> None:
    """Take a message away, as the host, its author or an organiser may."""
    table = Table.objects.get(pk=table_id)
    if table.messages.filter(pk=message_id).delete()[0]:
        announce.talked(table)


@transaction.atomic
def allow(*, table_id: int, talk: str) -> None:
    """Set what may be said at a table from now on; with `off` what was said goes too."""
    table = Table.objects.get(pk=table_id)
    Table.objects.filter(pk=table_id).update(talk=talk)
    if talk == Table.Talk.OFF:
        table.messages.all().delete()
    announce.talked(table)


@transaction.atomic
def allow_watchers(*, table_id: int, talk: bool) -> None:
    """Lets those who only watch speak or not; when not, what they said goes too."""
    table = Table.objects.get(pk=table_id)
    Table.objects.filter(pk=table_id).update(watchers_talk=talk)
    if not talk:
        table.messages.exclude(watcher=None).delete()
    announce.talked(table)


def is_host(table: Table, *, seat: Seat | None, user: Any) -> bool:
    """Whether someone looks after the talk: who has sat here longest, or an organiser.

    Where the chairs were given away nobody who sits there does so by sitting.
    """
    if arrangement_terms.of(table) and hosts.host().looks_after(table, user):
        return True
    if table.is_reserved:
        return False
    first = seats.host(table)
    return seat is not None and first is not None and first.pk == seat.pk


def _check_flood(said: QuerySet[Message]) -> None:
    now = timezone.now()
    for time, most in FLOOD:
        if said.filter(at__gt=now - time).count() >= most:
            raise TableRefusal("too_fast")
