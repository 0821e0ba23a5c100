"""Tables that someone stands behind: chairs given away or for members, stakes, a match's end.

A player who is given a chair keeps it until another is put there: one who leaves is played for.
Members come and go as at any table.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone

from engine.rules.ruleset import Ruleset
from tables.models import Arrangement, BotAccount, Seat, Successor, Table
from tables.refusals import TableRefusal
from tables.services import announce, arrangement_terms, seats, words

START = datetime.timedelta(minutes=3)
"""The first game is dealt when everyone says that they are here, or after this time."""


class Holder(NamedTuple):
    """Who gets a chair: an account, a bot, or the holder of the secret."""

    name: str
    user: Any = None
    bot: str = ""
    secret: str = ""

    def fields(self) -> dict[str, Any]:
        """Return the columns of a seat or a successor that say who it is."""
        token_hash = seats.hash_of(self.secret) if self.secret else ""
        return {"user": self.user, "bot": self.bot, "token_hash": token_hash}


@transaction.atomic
def arrange_table(
    *,
    ruleset: Ruleset,
    holders: Sequence[Holder],
    move_seconds: int,
    bank_seconds: int = 60,
    **agreed: Any,
) -> Table:
    """Open a table with everyone in their seat; `agreed` are fields of `Arrangement`.

    Raises `TableRefusal` where these rules cannot be played by so many, or here.
    """
    table = seats.open_table(
        ruleset=ruleset,
        players=len(holders),
        move_seconds=move_seconds,
        bank_seconds=bank_seconds,
    )
    Arrangement.objects.create(table=table, **agreed)
    table.watchers_talk = not agreed.get("unit")
    for no, holder in enumerate(holders):
        sit_down(table, no, holder.name, holder.fields())
    table.due_at = timezone.now() + START
    if not _people(table):
        table.due_at = timezone.now()
    seats.touch(table)
    return table


@transaction.atomic
def open_for_members(
    *,
    ruleset: Ruleset,
    players: int,
    move_seconds: int,
    bank_seconds: int = 60,
    **agreed: Any,
) -> Table:
    """Open a table with empty chairs for members only; `agreed` are fields of `Arrangement`.

    Raises `TableRefusal` where these rules cannot be played by so many, or here.
    """
    table = seats.open_table(
        ruleset=ruleset,
        players=players,
        move_seconds=move_seconds,
        bank_seconds=bank_seconds,
    )
    Arrangement.objects.create(table=table, members_only=True, **agreed)
    table.watchers_talk = False
    table.save(update_fields=["watchers_talk"])
    return table


@transaction.atomic
def say_ready(*, seat_id: int) -> bool:
    """Note that a seat's player is here; True when that was the last one who was missing.

    After a game that is everyone who plays himself: nobody's result is dealt away.
    """
    table = seats.lock(Seat.objects.get(pk=seat_id).table_id)
    seat = table.seats.filter(pk=seat_id, left_at=None).first()
    if seat is None:
        raise TableRefusal("not_seated", status=403)
    if table.status == Table.Status.BETWEEN:
        return _asks_for_next(table, seat)
    agreed = arrangement_terms.of(table)
    if agreed is None or agreed.members_only or table.status != Table.Status.WAITING:
        return True
    if agreed.held:
        return False
    if seat.no not in agreed.ready:
        agreed.ready = sorted([*agreed.ready, seat.no])
        agreed.save(update_fields=["ready"])
        seats.touch(table)
    return not _people(table) - set(agreed.ready)


def _asks_for_next(table: Table, seat: Seat) -> bool:
    if not seat.ready:
        seat.ready = True
        seat.save(update_fields=["ready"])
        seats.touch(table)
    missing = table.seats.filter(left_at=None, bot="", autopilot=False, ready=False)
    return not missing.filter(user__bot_account=None).exists()


@transaction.atomic
def hand_over(*, table_id: int, no: int, holder: Holder) -> None:
    """Give a chair to someone else: now between games, else when the game that is on is over."""
    table = seats.lock(table_id)
    if table.status == Table.Status.CLOSED:
        raise TableRefusal("closed")
    Successor.objects.update_or_create(
        table=table,
        no=no,
        defaults={"name": holder.name[:40], **holder.fields()},
    )
    if table.status == Table.Status.PLAYING:
        table.seats.filter(no=no, left_at=None).update(leaving=True)
    else:
        seat_successors(table)
    seats.touch(table)


@transaction.atomic
def end(*, table_id: int, now: bool = False) -> Table:
    """End the match: after the game that is on, or `now`, when that game is void.

    A game that is void moves nothing; its secret can be read like that of one that is over.
    """
    table = seats.lock(table_id)
    if table.status == Table.Status.CLOSED:
        return table
    agreed = arrangement_terms.of(table)
    if table.status == Table.Status.PLAYING and agreed is not None and not now:
        agreed.games = games_over(table) + 1
        agreed.save(update_fields=["games"])
    else:
        seats.close(table)
    seats.touch(table)
    return table


@transaction.atomic
def new_secret(*, table_id: int, no: int, secret: str) -> None:
    """Give the seat a new secret; the old one opens nothing."""
    table = seats.lock(table_id)
    hashed = seats.hash_of(secret)
    here = table.seats.filter(no=no, left_at=None).exclude(token_hash="")
    if not here.update(token_hash=hashed):
        raise TableRefusal("no_such_chair", status=404)
    table.successors.filter(no=no).exclude(token_hash="").update(token_hash=hashed)
    seats.touch(table)


def goes_on_alone(table: Table) -> bool:
    """Whether its games are played though no person is there: bots alone, or as was agreed."""
    agreed = arrangement_terms.of(table)
    if agreed is None:
        return False
    if agreed.games is None:
        return agreed.rotates and not _people(table)
    return agreed.plays_on or not _people(table)


def abandoned(table: Table, number: int) -> None:
    """Note the first game at whose end nobody was there."""
    agreed = arrangement_terms.of(table)
    if agreed is not None and agreed.abandoned_game is None and _people(table):
        agreed.abandoned_game = number
        agreed.save(update_fields=["abandoned_game"])


def seat_successors(table: Table) -> None:
    """Put those who were chosen for it into their chairs."""
    for heir in table.successors.order_by("no"):
        for old in table.seats.filter(no=heir.no, left_at=None):
            seats.get_up(old)
        who = {"user": heir.user, "bot": heir.bot, "token_hash": heir.token_hash}
        sit_down(table, heir.no, heir.name, who)
        heir.delete()


def games_over(table: Table) -> int:
    """How many games of the match are over."""
    return table.games.filter(over_at__isnull=False).count()


def _people(table: Table) -> set[int]:
    """Return the chairs that are no bot's."""
    return set(table.seats.filter(left_at=None, bot="").values_list("no", flat=True))


def sit_down(table: Table, no: int, name: str, who: dict[str, Any]) -> Seat:
    """Someone in a chair that is free; `who` are the fields of a `Holder`."""
    clean = words.plain(name, 40) or "?"
    user = who["user"]
    if user is not None:
        announce.account(user.pk)
        if BotAccount.objects.filter(user=user).exists() and not clean.endswith("(bot)"):
            clean = seats.name_of_program(clean)
    return Seat.objects.create(
        table=table,
        no=no,
        name=seats.free_name(table, clean),
        bank_ms=table.bank_seconds * 1000,
        **who,
    )
