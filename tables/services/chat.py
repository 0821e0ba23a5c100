"""What players say at a table, for as long as it is open. No log and no record keeps it.

It takes no lock of the table: talking never holds up a move, and a move never holds up talk.
"""

from __future__ import annotations

import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from tables.models import Message, Seat, Table
from tables.services import announce, terms
from tables.services.errors import Refused
from tables.signals import looks_after

LONGEST = 160
MOST_KEPT = 60
"""Older messages of a table are forgotten."""

QUICK = ("nice", "wow", "ouch", "haha", "thanks", "gg")

FLOOD = ((datetime.timedelta(seconds=10), 5), (datetime.timedelta(minutes=5), 40))
"""In so much time a seat may say so much."""


@transaction.atomic
def say(*, seat_id: int, text: str = "", quick: str = "") -> Message:
    """Says a text, or one of the quick words, to everybody at the table; raises `Refused`."""
    seat = Seat.objects.select_for_update(of=("self",)).select_related("table").get(pk=seat_id)
    table = seat.table
    if seat.left_at or table.status == Table.Status.CLOSED:
        raise Refused("closed")
    text = " ".join(text.split())[:LONGEST]
    if quick:
        text = ""
    if quick not in QUICK and not text:
        raise Refused("nothing_said")
    if table.talk == Table.Talk.OFF or (text and table.talk != Table.Talk.ALL):
        raise Refused("no_talk")
    _check_flood(seat)
    message = Message.objects.create(table=table, seat=seat, text=text, quick=quick)
    old = table.messages.order_by("-id").values_list("pk", flat=True)[MOST_KEPT:]
    Message.objects.filter(pk__in=list(old)).delete()
    announce.talked(table)
    return message


@transaction.atomic
def remove(*, table_id: int, message_id: int) -> None:
    """Takes a message away, as the host, its author or an organiser may."""
    table = Table.objects.get(pk=table_id)
    if table.messages.filter(pk=message_id).delete()[0]:
        announce.talked(table)


@transaction.atomic
def allow(*, table_id: int, talk: str) -> None:
    """Sets what may be said at a table from now on; with `off` what was said goes too."""
    table = Table.objects.get(pk=table_id)
    Table.objects.filter(pk=table_id).update(talk=talk)
    if talk == Table.Talk.OFF:
        table.messages.all().delete()
    announce.talked(table)


def is_host(table: Table, *, seat: Seat | None, user: Any) -> bool:
    """Whether somebody looks after the talk: who has sat here longest, or an organiser.

    Where the chairs were given away nobody who sits there does so by sitting.
    """
    if terms.of(table):
        answers = looks_after.send(sender=Table, table=table, user=user)
        if any(answer for _receiver, answer in answers):
            return True
    if table.is_reserved:
        return False
    people = table.seats.filter(left_at=None, bot="")
    first = people.order_by("seated_at", "pk").first()
    return seat is not None and first is not None and first.pk == seat.pk


def _check_flood(seat: Seat) -> None:
    now = timezone.now()
    said = Message.objects.filter(seat=seat)
    for time, most in FLOOD:
        if said.filter(at__gt=now - time).count() >= most:
            raise Refused("too_fast")
