"""The chat of a table, deleted when it closes and never part of a log or record.

Players chat, and spectators where the table allows it; a spectator knows only public cards.

Chat takes no lock of the table, so that messages and moves never wait for each other.
"""

import datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from tables import hosts
from tables.base import announce, words
from tables.chairs.facts import seated
from tables.models import Message, Mute, Seat, Table
from tables.refusals import TableRefusal

LONGEST = 160
MOST_KEPT = 60
"""Older messages of a table are deleted."""

QUICK = ("nice", "wow", "ouch", "haha", "thanks", "gg")

FACTS = ("given", "taken")
"""What the server says of a seat; nobody removes it."""

FLOOD = ((datetime.timedelta(seconds=10), 5), (datetime.timedelta(minutes=5), 40))
"""Most messages of a person at a table in each period, from another seat too."""

MUTES = 2
"""Players on different devices whose mutes leave a seat the quick words."""

WATCHERS = 12
"""Most messages of all spectators together in the shortest of these periods."""


@transaction.atomic
def say(*, seat_id: int, text: str = "", quick: str = "") -> Message:
    """Send a text or a quick word to everyone at the table; raise `TableRefusal`."""
    seat = (
        Seat.objects.select_for_update(no_key=True, of=("self",))
        .select_related("table")
        .get(pk=seat_id)
    )
    if seat.left_at:
        raise TableRefusal("closed")
    own = _by_account(seat.user_id) if seat.user_id else _by_guest(seat)
    return _say(seat.table, text, quick, own, seat=seat)


@transaction.atomic
def say_watching(*, table_id: int, user: Any, text: str = "", quick: str = "") -> Message:
    """Send a spectator's message, like `say`; raise `TableRefusal`."""
    user = get_user_model().objects.select_for_update(no_key=True).get(pk=user.pk)
    table = Table.objects.get(pk=table_id)
    if not table.watchers_talk:
        raise TableRefusal("players_talk")
    now = timezone.now()
    together = table.messages.exclude(watcher=None).filter(at__gt=now - FLOOD[0][0])
    if together.count() >= WATCHERS:
        raise TableRefusal("too_fast")
    name = words.plain(user.name, 40)
    return _say(table, text, quick, _by_account(user.pk), watcher=user, name=name)


def _say(table: Table, text: str, quick: str, own: Q, **who: Any) -> Message:
    if table.status == Table.Status.CLOSED:
        raise TableRefusal("closed")
    text = "" if quick else words.plain(text, LONGEST)
    if quick not in QUICK and not text:
        raise TableRefusal("nothing_said")
    if table.talk == Table.Talk.OFF or (text and table.talk != Table.Talk.ALL):
        raise TableRefusal("no_talk")
    said, now = table.messages.filter(own), timezone.now()
    if text and "seat" in who and _is_muted(table, who["seat"]):
        raise TableRefusal("muted")
    if any(said.filter(at__gt=now - time).count() >= most for time, most in FLOOD):
        raise TableRefusal("too_fast")
    message = Message.objects.create(table=table, text=text, quick=quick, **who)
    old = table.messages.order_by("-id").values_list("pk", flat=True)[MOST_KEPT:]
    Message.objects.filter(pk__in=list(old)).delete()
    announce.talked(table)
    return message


def _by_account(user: int) -> Q:
    """Return which messages are an account's: from any seat, and as a spectator."""
    return Q(watcher=user) | Q(seat__user=user)


def _by_guest(seat: Seat) -> Q:
    """Return which messages count for a guest: also those of guests who got up.

    Nothing is kept that tells whether it is the same person.
    """
    got_up = Q(seat__user=None, seat__left_at__isnull=False, seat__lt=seat.pk)
    return Q(seat=seat) | got_up


def _seats_of(seat: Seat) -> QuerySet[Seat]:
    """Return the seats that the player has or had at the table; of a guest the present one."""
    same = Q(user=seat.user_id) if seat.user_id else Q(pk=seat.pk)
    return Seat.objects.filter(same, table=seat.table_id)


def _is_muted(table: Table, seat: Seat) -> bool:
    """Return whether players on two devices who sit there mute the player.

    Where a table has a host, nobody is muted.
    """
    if not table.for_anyone:
        return False
    mutes = Mute.objects.filter(seat__in=_seats_of(seat), by__left_at=None)
    by = (mute.by for mute in mutes.select_related("by"))
    return len({(one.user_id, one.device or one.pk) for one in by}) >= MUTES


@transaction.atomic
def mute(*, seat: Seat, other: Seat, is_muted: bool) -> None:
    """Store that the player mutes another seat of a table for anyone, or no longer does."""
    if seat.pk == other.pk:
        raise TableRefusal("no_action")
    if is_muted:
        Mute.objects.get_or_create(seat=other, by=seat)
    else:
        Mute.objects.filter(seat__in=_seats_of(other), by=seat).delete()


def note(*, seat: Seat, fact: str) -> None:
    """Say to everyone at the table what happened to a seat: one of `FACTS`."""
    Message.objects.create(table_id=seat.table_id, seat=seat, quick=fact)
    announce.talked(seat.table)


@transaction.atomic
def remove(*, table_id: int, message_id: int) -> None:
    """Delete a message; the caller admits only the host, its author and organisers."""
    table = Table.objects.get(pk=table_id)
    if table.messages.filter(pk=message_id).exclude(quick__in=FACTS).delete()[0]:
        announce.talked(table)


@transaction.atomic
def allow(*, table_id: int, talk: str) -> None:
    """Set which chat a table allows; `off` also deletes its messages."""
    table = Table.objects.get(pk=table_id)
    Table.objects.filter(pk=table_id).update(talk=talk)
    if talk == Table.Talk.OFF:
        table.messages.all().delete()
    announce.talked(table)


@transaction.atomic
def allow_watchers(*, table_id: int, talk: bool) -> None:
    """Allow or forbid spectators to chat; forbidding also deletes their messages."""
    table = Table.objects.get(pk=table_id)
    Table.objects.filter(pk=table_id).update(watchers_talk=talk)
    if not talk:
        table.messages.exclude(watcher=None).delete()
    announce.talked(table)


def is_host(table: Table, *, seat: Seat | None, user: Any) -> bool:
    """Return whether someone moderates the chat: the host, or an organiser.

    At a table with reserved seats no seat makes its holder the host, and at one for anyone nobody
    who sits there moderates.
    """
    if table.terms and hosts.host().looks_after(table, user):
        return True
    if table.is_reserved or table.for_anyone:
        return False
    first = seated.host(table)
    return seat is not None and first is not None and first.pk == seat.pk
