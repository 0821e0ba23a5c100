"""Opening a table, sitting down and getting up."""

from __future__ import annotations

import datetime
import hashlib
import secrets
from typing import Any

from django.db import transaction
from django.utils import timezone

from engine.bots import BOTS, is_outside
from engine.ruleset import Ruleset
from tables.models import BotAccount, Game, Seat, Table
from tables.services import announce, dealing, rulesets, terms
from tables.services.errors import Refused
from tables.signals import sat_down, sits_down

MOST_OPEN = 1000
IDLE = datetime.timedelta(minutes=20)
SOON = datetime.timedelta(seconds=25)
"""A table for members only deals so long after the last chair was taken."""
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
HOUSE_BOT = "greedy"


@transaction.atomic
def open_table(
    *,
    ruleset: Ruleset,
    players: int,
    move_seconds: int = 40,
    bank_seconds: int = 60,
    talk: str = Table.Talk.ALL,
) -> Table:
    """A table with empty chairs and a first game whose commitment is public.

    Raises `Refused` where these rules cannot be played by so many, or here.
    """
    if not ruleset.min_players <= players <= ruleset.max_players:
        raise Refused("players")
    if Table.objects.exclude(status=Table.Status.CLOSED).count() >= MOST_OPEN:
        raise Refused("too_many_tables")
    table = Table.objects.create(
        key="".join(secrets.choice(LETTERS) for _ in range(10)),
        ruleset=rulesets.freeze(ruleset),
        players=players,
        move_seconds=move_seconds,
        bank_seconds=bank_seconds,
        talk=talk,
        due_at=timezone.now() + IDLE,
    )
    prepare_game(table, no=1)
    return table


@transaction.atomic
def open_again(*, table_id: int) -> Table:
    """The table where a closed one goes on: the same rules, chairs and clock; made only once."""
    table = lock(table_id)
    if table.again is None:
        if table.status != Table.Status.CLOSED or terms.of(table):
            raise Refused("not_again")
        table.again = open_table(
            ruleset=rulesets.thaw(table.ruleset),
            players=table.players,
            move_seconds=table.move_seconds,
            bank_seconds=table.bank_seconds,
            talk=table.talk,
        )
        touch(table)
    return table.again


def prepare_game(table: Table, *, no: int, previous: dict[str, Any] | None = None) -> Game:
    """The next game before its deal: its secret is fixed and its commitment can be seen."""
    secret = dealing.new_secret()
    return Game.objects.create(
        table=table,
        no=no,
        secret=secret,
        commitment=dealing.commitment(secret),
        previous=previous,
    )


@transaction.atomic
def sit(*, table_id: int, no: int, name: str, user: Any = None) -> tuple[Seat, str]:
    """Somebody in an empty chair, or in a bot's between games; a guest's secret, else "".

    Raises `Refused` when the chair is taken or a game is on.
    """
    table = lock(table_id)
    check_between(table)
    if table.is_reserved:
        raise Refused("reserved")
    if table.is_for_members:
        name = name_of_member(table, user)
    if not 0 <= no < table.players:
        raise Refused("no_such_chair")
    there = table.seats.filter(no=no, left_at=None).first()
    if there and not there.is_bot:
        raise Refused("chair_taken")
    if user and table.seats.filter(user=user, left_at=None).exists():
        raise Refused("sits_already")
    if there:
        get_up(there)
    token = "" if user else secrets.token_urlsafe(24)
    seat = Seat.objects.create(
        table=table,
        no=no,
        name=free_name(table, name.strip()[:40] or "?"),
        user=user,
        token_hash=hash_of(token) if token else "",
        bank_ms=table.bank_seconds * 1000,
    )
    if table.is_for_members:
        sat_down.send(sender=Table, seat=seat)
        await_people(table)
    touch(table)
    return seat, token


@transaction.atomic
def fill_with_bots(*, table_id: int, bot: str = HOUSE_BOT) -> Table:
    """The table with a bot in every empty chair."""
    table = lock(table_id)
    check_between(table)
    check_bots(table)
    if bot not in BOTS:
        raise Refused("no_such_bot")
    fill_chairs(table, bot)
    touch(table)
    return table


def fill_chairs(table: Table, bot: str = HOUSE_BOT) -> None:
    """Puts a bot into every empty chair of a locked table, where bots may sit."""
    for no in empty_chairs(table) if not table.is_for_members else ():
        seat_bot(table, no, bot)


def await_people(table: Table) -> None:
    """Lets a table for members only wait for whom it lacks, and deal soon once nobody is missing.

    (Elsewhere a bot takes the chair.)
    """
    if not table.is_for_members or table.status == Table.Status.CLOSED:
        return
    if empty_chairs(table):
        table.status, table.due_at = Table.Status.WAITING, timezone.now() + IDLE
    elif table.status == Table.Status.WAITING:
        table.due_at = timezone.now() + SOON


@transaction.atomic
def leave(*, seat_id: int) -> Table:
    """Frees the chair now, or after the game that is on; until then the autopilot plays."""
    table = lock(Seat.objects.get(pk=seat_id).table_id)
    seat = table.seats.get(pk=seat_id)
    if seat.left_at or seat.is_bot:
        return table
    if table.status == Table.Status.PLAYING:
        seat.leaving = True
        seat.save(update_fields=["leaving"])
    else:
        get_up(seat)
        await_people(table)
    if not table.seats.filter(left_at=None, bot="", leaving=False).exists():
        abandon(table)
    touch(table)
    return table


def abandon(table: Table) -> None:
    """Closes a table that nobody sits at; a game that is on is played to its end by autopilots."""
    if table.status == Table.Status.PLAYING:
        table.seats.filter(left_at=None, bot="").update(autopilot=True)
    else:
        close(table)


def close(table: Table) -> None:
    """Ends the match; whoever sits there gets up."""
    now = timezone.now()
    table.status, table.closed_at = Table.Status.CLOSED, now
    table.due_at = table.turn_at = None
    table.thinks = False
    table.seats.filter(left_at=None).update(left_at=now)
    table.messages.all().delete()


def seat_bot(table: Table, no: int, bot: str = HOUSE_BOT) -> Seat:
    """A bot in an empty chair. Programs outside play in tournaments alone."""
    if is_outside(bot):
        raise Refused("no_such_bot")
    name = free_name(table, bot.capitalize())
    return Seat.objects.create(table=table, no=no, name=name, bot=bot)


def get_up(seat: Seat) -> None:
    """Frees the chair."""
    seat.left_at = timezone.now()
    seat.save(update_fields=["left_at"])


def empty_chairs(table: Table) -> list[int]:
    """The numbers of chairs without anybody."""
    taken = set(table.seats.filter(left_at=None).values_list("no", flat=True))
    return [no for no in range(table.players) if no not in taken]


def free_name(table: Table, name: str) -> str:
    """The name, or with a number where somebody at the table has it already."""
    taken = set(table.seats.filter(left_at=None).values_list("name", flat=True))
    others = (f"{name[:36]} {n}" for n in range(2, 99))
    return name if name not in taken else next(n for n in others if n not in taken)


def name_of_program(name: str) -> str:
    """A name that tells everybody that a program plays."""
    return f"{name[:34]} (bot)"


def hash_of(token: str) -> str:
    """What the database keeps of a secret."""
    return hashlib.sha256(token.encode()).hexdigest()


def check_between(table: Table) -> None:
    """Raises `Refused` while a game is on or when the table is closed."""
    if table.status == Table.Status.CLOSED:
        raise Refused("closed")
    if table.status == Table.Status.PLAYING:
        raise Refused("game_is_on")


def check_bots(table: Table) -> None:
    """Raises `Refused` where chairs are given away or for people alone."""
    if table.is_reserved:
        raise Refused("reserved")
    if table.is_for_members:
        raise Refused("no_bots")


def name_of_member(table: Table, user: Any) -> str:
    """The name under which somebody sits at a table for members only; raises `Refused`."""
    if user is None:
        raise Refused("sign_in")
    if BotAccount.objects.filter(user=user).exists():
        raise Refused("no_bots")
    answers = sits_down.send(sender=Table, table=table, user=user)
    name = next((name for _receiver, name in answers if name), "")
    if not name:
        raise Refused("members_only")
    return name


def lock(table_id: int) -> Table:
    """The table, locked until the end of the transaction: every change begins here."""
    tables = Table.objects.select_for_update(no_key=True, of=("self",))
    return tables.select_related("arrangement").get(pk=table_id)


def touch(table: Table) -> None:
    """Stores the table under its next version and tells everybody."""
    table.version += 1
    table.save()
    announce.changed(table)
