"""Arranged tables: reserved or members-only seats, stakes, and the match's end.

A player keeps a reserved seat until it is handed over; a bot plays for one who leaves. Members come
and go as at any table.
"""

import datetime
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from engine.rules.ruleset import Ruleset
from tables.base import announce, tokens, words
from tables.base.columns import set_columns
from tables.base.lookup import or_raise
from tables.chairs.acts import seats
from tables.chairs.facts import seated
from tables.models import Arrangement, BotAccount, Seat, Successor, Table
from tables.refusals import TableRefusal

START = datetime.timedelta(minutes=3)
"""The first game is dealt when all players have said they are ready, or after this time."""


class Holder(NamedTuple):
    """The holder of a seat: an account, a bot, or the bearer of the secret."""

    name: str
    user: Any = None
    bot: str = ""
    secret: str = ""

    def fields(self) -> dict[str, Any]:
        """Return the columns of a seat or a successor that identify the holder."""
        token_hash = tokens.hash_of(self.secret) if self.secret else ""
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
    """Open a table with every seat taken; `agreed` are fields of `Arrangement`.

    Raises `TableRefusal` if the ruleset does not allow this number of players, or if too many
    tables are open.
    """
    table = seats.open_table(
        ruleset=ruleset,
        players=len(holders),
        move_seconds=move_seconds,
        bank_seconds=bank_seconds,
        watch_delay=Table.WatchDelay.ROUND if agreed.get("shared") else Table.WatchDelay.NONE,
        agreed=agreed,
    )
    table.watchers_talk = not agreed.get("unit")
    for no, holder in enumerate(holders):
        sit_down(table, no, holder.name, holder.fields())
    table.due_at = timezone.now() + (START if _people(table) else datetime.timedelta())
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
    """Open a table with empty seats for members only; `agreed` are fields of `Arrangement`.

    Raises `TableRefusal` if the ruleset does not allow this number of players, or if too many
    tables are open.
    """
    table = seats.open_table(
        ruleset=ruleset,
        players=players,
        move_seconds=move_seconds,
        bank_seconds=bank_seconds,
        agreed={"members_only": True, **agreed},
    )
    set_columns(table, watchers_talk=False)
    return table


@transaction.atomic
def say_ready(*, seat_id: int) -> bool:
    """Mark a seat's player as ready; return True if nobody is missing.

    Between games every person who is there, without autopilot, must be ready, so that nobody's
    result disappears under the next deal.
    """
    table = seats.lock(Seat.objects.get(pk=seat_id).table_id)
    seat = seated.occupied(table, seat_id)
    if table.status == Table.Status.BETWEEN:
        if not seat.ready:
            set_columns(seat, ready=True)
            seats.touch(table)
        missing = table.seats.filter(
            left_at=None, bot="", autopilot=False, gone_at=None, ready=False
        )
        return not missing.filter(user__bot_account=None).exists()
    agreed = table.terms
    if agreed is None or agreed.members_only or table.status != Table.Status.WAITING:
        return True
    if agreed.held:
        return False
    if seat.no not in agreed.ready:
        set_columns(agreed, ready=sorted([*agreed.ready, seat.no]))
        seats.touch(table)
    return not _people(table) - set(agreed.ready)


@transaction.atomic
def hand_over(*, table_id: int, no: int, holder: Holder) -> None:
    """Hand a seat over to another holder, now or after the running game."""
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
    """End the match after the running game, or with `now` at once, which voids that game.

    A void game does not count; its secret becomes readable like that of a finished game.
    """
    table = seats.lock(table_id)
    if table.status == Table.Status.CLOSED:
        return table
    agreed = table.terms
    if table.status == Table.Status.PLAYING and agreed is not None and not now:
        set_columns(agreed, games=games_over(table) + 1)
    else:
        seats.close(table)
    seats.touch(table)
    return table


@transaction.atomic
def end_of_host(*, found: QuerySet[Table]) -> None:
    """End these tables at once, and forget the page that they belonged to."""
    keys = list(found.order_by("pk").values_list("pk", flat=True))
    for key in keys:
        end(table_id=key, now=True)
    Arrangement.objects.filter(table__in=keys).update(home="", home_name="")


@transaction.atomic
def new_secret(*, table_id: int, no: int, secret: str) -> None:
    """Replace the seat's secret; the old one stops working."""
    table = seats.lock(table_id)
    hashed = tokens.hash_of(secret)
    here = or_raise(
        table.seats.filter(no=no, left_at=None).exclude(token_hash="").first(),
        TableRefusal("no_such_chair", status=404),
    )
    # A successor is another person, or the player again who was to leave.
    table.successors.filter(token_hash=here.token_hash).update(token_hash=hashed)
    set_columns(here, token_hash=hashed)
    table.access_version += 1  # An open page of the old link is the player's no more.
    seats.touch(table)


@transaction.atomic
def hold_by_secret(*, table_id: int, user: Any, secret: str) -> None:
    """Give the account's seat to the bearer of the secret, in the running game too."""
    table = seats.lock(table_id)
    holder = {"user": None, "token_hash": tokens.hash_of(secret)}
    table.successors.filter(user=user).update(**holder)
    table.seats.filter(user=user, left_at=None).update(**holder)
    announce.account(user.pk)
    table.access_version += 1
    seats.touch(table)


def goes_on_alone(table: Table) -> bool:
    """Return whether games go on without people: among bots, or as agreed."""
    agreed = table.terms
    if agreed is None:
        return False
    if agreed.games is None:
        return agreed.rotates and not _people(table)
    return agreed.plays_on or not _people(table)


def abandoned(table: Table, number: int) -> None:
    """Store the first game that ended without people."""
    agreed = table.terms
    if agreed is not None and agreed.abandoned_game is None and _people(table):
        set_columns(agreed, abandoned_game=number)


def seat_successors(table: Table) -> None:
    """Seat the next holders, who have not yet said that they are ready."""
    agreed = table.terms
    for heir in table.successors.order_by("no"):
        before = table.seats.filter(no=heir.no, left_at=None).first()
        if before is not None:
            seats.get_up(before)
        who = {"user": heir.user, "bot": heir.bot, "token_hash": heir.token_hash}
        seat = sit_again(table, heir.no, last_seat(table, heir.name, who), heir.name, who)
        heir.delete()
        if seat == before:
            continue
        seats.forget_pages(table)
        if agreed is not None and heir.no in agreed.ready:
            agreed.ready.remove(heir.no)
            agreed.save(update_fields=["ready"])


def games_over(table: Table) -> int:
    """Return the number of finished games of the match."""
    return table.games.filter(over_at__isnull=False).count()


def _people(table: Table) -> set[int]:
    return set(table.seats.filter(left_at=None, bot="").values_list("no", flat=True))


def last_seat(table: Table, name: str, who: dict[str, Any]) -> Seat | None:
    """Return the present or last seat at the table of a holder; `who` are its fields."""
    named = {"name": name[:40]} if who["bot"] else {}
    found: Seat | None = table.seats.filter(**who, **named).order_by("-pk").first()
    return found


def sit_again(table: Table, no: int, seat: Seat | None, name: str, who: dict[str, Any]) -> Seat:
    """Seat a holder under this number, in the present or last seat, else in a new one."""
    if seat is None:
        return sit_down(table, no, name, who)
    seat.no = no
    if seat.left_at is not None:
        seat.left_at, seat.bank_ms = None, table.bank_seconds * 1000
        seat.leaving = seat.autopilot = seat.away = False
        if seat.user_id:
            announce.account(seat.user_id)
    seat.save()
    return seat


def sit_down(table: Table, no: int, name: str, who: dict[str, Any]) -> Seat:
    """Put a holder into a free seat; `who` are the fields of a `Holder`."""
    clean = words.plain(name, 40) or "?"
    user = who["user"]
    if user is not None:
        announce.account(user.pk)
        if BotAccount.objects.filter(user=user).exists() and not clean.endswith("(bot)"):
            clean = seated.name_of_program(clean)
    return Seat.objects.create(
        table=table,
        no=no,
        name=seated.free_name(table, clean),
        bank_ms=table.bank_seconds * 1000,
        **who,
    )
