"""Opening a table, sitting down and getting up."""

from __future__ import annotations

import datetime
import hashlib
import secrets
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from engine.bots import BOTS, is_outside
from engine.records import deals
from engine.rules.ruleset import Ruleset
from tables import hosts, row_locks
from tables.models import BotAccount, Game, Seat, Table
from tables.refusals import TableRefusal
from tables.services import announce, arrangement_terms, dealing, rulesets, words

MOST_OPEN = 1000
IDLE = datetime.timedelta(minutes=20)
SOON = datetime.timedelta(seconds=25)
"""A table for members only deals so long after the last chair was taken."""
FULL = datetime.timedelta(seconds=5)
"""Elsewhere that long: friends see that all are there, and the cards come."""
PATIENCE = datetime.timedelta(seconds=3)
"""A table for anyone waits so long for people; then bots take the empty chairs."""
READY = datetime.timedelta(seconds=2)
"""It deals so long after the last of its chairs was taken."""
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
HOUSE_BOT = "greedy"
BOT_NAMES = (
    "Anh Hai",
    "Cô Ba",
    "Chú Tư",
    "Ông Năm",
    "Bác Sáu",
    "Chị Bảy",
    "Bà Tám",
    "Dì Út",
)
"""What house bots are called, by chair: people of a family, who are the same in every language."""


@transaction.atomic
def open_table(
    *,
    ruleset: Ruleset,
    players: int,
    move_seconds: int = 40,
    bank_seconds: int = 60,
    talk: str = Table.Talk.ALL,
    watch_delay: int = Table.WatchDelay.NONE,
) -> Table:
    """Open a table with empty chairs and a first game whose commitment is public.

    Raises `TableRefusal` where these rules cannot be played by so many, or here.
    """
    if not ruleset.min_players <= players <= ruleset.max_players:
        raise TableRefusal("players")
    if Table.objects.exclude(status=Table.Status.CLOSED).count() >= MOST_OPEN:
        raise TableRefusal("too_many_tables")
    table = Table.objects.create(
        key="".join(secrets.choice(LETTERS) for _ in range(10)),
        ruleset=rulesets.freeze(ruleset),
        players=players,
        move_seconds=move_seconds,
        bank_seconds=bank_seconds,
        talk=talk,
        watch_delay=watch_delay,
        due_at=timezone.now() + IDLE,
    )
    prepare_game(table, no=1)
    return table


@transaction.atomic
def open_again(*, table_id: int) -> Table:
    """Open the table where a closed one goes on: the same rules, chairs and clock.

    Made only once.
    """
    table = lock(table_id)
    if table.again is None:
        if table.status != Table.Status.CLOSED or arrangement_terms.of(table):
            raise TableRefusal("not_again")
        table.again = open_table(
            ruleset=rulesets.thaw(table.ruleset),
            players=table.players,
            move_seconds=table.move_seconds,
            bank_seconds=table.bank_seconds,
            talk=table.talk,
            watch_delay=table.watch_delay,
        )
        again = table.again
        again.bot, again.for_anyone, again.rated = table.bot, table.for_anyone, table.rated
        again.save(update_fields=["bot", "for_anyone", "rated"])
        touch(table)
    return table.again


def prepare_game(table: Table, *, no: int, previous: dict[str, Any] | None = None) -> Game:
    """Return the next game before its deal: its secret is fixed and its commitment can be seen."""
    secret = dealing.new_secret()
    return Game.objects.create(
        table=table,
        no=no,
        secret=secret,
        commitment=deals.fingerprint(secret),
        previous=previous,
    )


@transaction.atomic
def sit(
    *,
    table_id: int,
    no: int,
    name: str,
    user: Any = None,
    device: str = "",
    network: str = "",
) -> tuple[Seat, str]:
    """Someone in an empty chair, or in a bot's between games; a guest's secret, else "".

    `device` is the secret of his browser, `network` where he comes from. Raises `TableRefusal`
    when the chair is taken or a game is on.
    """
    table = lock(table_id)
    check_between(table)
    if table.is_reserved:
        raise TableRefusal("reserved")
    if table.is_for_members:
        name = name_of_member(table, user)
    if not 0 <= no < table.players:
        raise TableRefusal("no_such_chair", status=404)
    there = table.seats.filter(no=no, left_at=None).first()
    if there and not there.is_bot:
        raise TableRefusal("chair_taken", status=409)
    if user and table.seats.filter(user=user, left_at=None).exists():
        raise TableRefusal("sits_already")
    if table.rated:
        check_rated(table, user, device, network)
    if there:
        get_up(there)
    token = "" if user else new_token()
    seat = Seat.objects.create(
        table=table,
        no=no,
        name=free_name(table, words.plain(name, 40) or "?"),
        user=user,
        token_hash=hash_of(token) if token else "",
        device=hash_of(device) if device else "",
        network=network if table.rated else "",
        bank_ms=table.bank_seconds * 1000,
    )
    if table.is_for_members:
        hosts.host().note_player(seat)
    await_people(table)
    touch(table)
    return seat, token


def bring(*, seat: Seat, table: Table, no: int) -> Seat:
    """Seat someone of another table in an empty chair or a bot's of a locked one, ready to play.

    A guest's browser gets the secret of the chair when it comes. Raises `TableRefusal`.
    """
    if seat.user_id and table.seats.filter(user=seat.user_id, left_at=None).exists():
        raise TableRefusal("sits_already")
    if table.rated:
        check_apart(table, seat.device, seat.network)
    if there := table.seats.filter(no=no, left_at=None).first():
        get_up(there)
    return Seat.objects.create(
        table=table,
        no=no,
        name=free_name(table, seat.name),
        user_id=seat.user_id,
        token_hash="" if seat.user_id else hash_of(new_token()),
        device=seat.device,
        network=seat.network,
        bank_ms=table.bank_seconds * 1000,
        ready=True,
    )


@transaction.atomic
def fill_with_bots(*, table_id: int, bot: str = "", by: int | None = None) -> Table:
    """Put a bot into every empty chair; `bot` is then the one that comes later too.

    TableRefusal where `by`, the seat that asks, is not the host's: friends may be on their way,
    and the host knows who was invited.
    """
    table = lock(table_id)
    check_between(table)
    check_bots(table)
    if by is not None:
        check_host(table, by)
    if bot and bot not in BOTS:
        raise TableRefusal("no_such_bot", status=404)
    table.bot = bot or table.bot
    fill_chairs(table)
    await_people(table)
    touch(table)
    return table


def fill_chairs(table: Table) -> None:
    """Put a bot into every empty chair of a locked table, where bots may sit."""
    for no in empty_chairs(table) if not table.is_for_members else ():
        seat_bot(table, no)


def await_people(table: Table) -> None:
    """Lets a table wait for whom it lacks, and deal soon once nobody is missing.

    After a game a table for members only waits again; elsewhere a bot takes the chair then.
    """
    if table.is_reserved or table.status == Table.Status.CLOSED:
        return
    lacks = bool(empty_chairs(table))
    if lacks and table.is_for_members:
        table.status = Table.Status.WAITING
    if table.status == Table.Status.WAITING and table.for_anyone:
        by_then = timezone.now() + (PATIENCE if lacks else READY)
        table.due_at = min(table.due_at or by_then, by_then)
    elif table.status == Table.Status.WAITING:
        soon = SOON if table.is_for_members else FULL
        table.due_at = timezone.now() + (IDLE if lacks else soon)


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
        forget_pages(table)
        await_people(table)
    if not table.seats.filter(left_at=None, bot="", leaving=False).exists():
        abandon(table)
    touch(table)
    return table


def abandon(table: Table) -> None:
    """Close a table that nobody sits at; a game that is on is played to its end by autopilots."""
    if table.status == Table.Status.PLAYING:
        table.seats.filter(left_at=None, bot="").update(autopilot=True)
    else:
        close(table)


def close(table: Table) -> None:
    """End the match; its players get up."""
    now = timezone.now()
    table.status, table.closed_at = Table.Status.CLOSED, now
    table.due_at = table.turn_at = None
    table.thinks = False
    table.seats.filter(left_at=None).update(left_at=now)
    table.seats.exclude(device="", network="").update(device="", network="")
    table.messages.all().delete()


def seat_bot(table: Table, no: int) -> Seat:
    """Return the table's bot in an empty chair. Programs outside play in tournaments alone."""
    if is_outside(table.bot):
        raise TableRefusal("no_such_bot", status=404)
    name = free_name(table, BOT_NAMES[no])
    return Seat.objects.create(table=table, no=no, name=name, bot=table.bot)


def host(table: Table) -> Seat | None:
    """Who looks after the table: the player who has sat there longest, at first its opener."""
    people = table.seats.filter(left_at=None, bot="")
    return people.order_by("seated_at", "pk").first()


def check_host(table: Table, seat_id: int) -> None:
    """Raise `TableRefusal` for a seat that is not the host's."""
    first = host(table)
    if first is None or first.pk != seat_id:
        raise TableRefusal("not_host")


def get_up(seat: Seat) -> None:
    """Frees the chair."""
    seat.left_at, seat.device, seat.network = timezone.now(), "", ""
    seat.save(update_fields=["left_at", "device", "network"])


def forget_pages(table: Table) -> None:
    """Make pages ask again who they are: one who got up now watches, and may see less."""
    if table.watch_delay:
        table.access_version += 1


def sitting(table: Table) -> dict[int, Seat]:
    """Return who sits there, by chair."""
    return {seat.no: seat for seat in table.seats.filter(left_at=None)}


def empty_chairs(table: Table) -> list[int]:
    """Return the numbers of chairs without anyone."""
    taken = set(table.seats.filter(left_at=None).values_list("no", flat=True))
    return [no for no in range(table.players) if no not in taken]


def free_name(table: Table, name: str) -> str:
    """Return the name, or with a number where someone at the table has one that looks like it."""
    there = table.seats.filter(left_at=None).values_list("name", flat=True)
    taken = {words.shape(one) for one in there}
    others = (f"{name[:36]} {n}" for n in range(2, 99))
    free = (one for one in (name, *others) if words.shape(one) not in taken)
    return next(free)


def name_of_program(name: str) -> str:
    """Return a name that tells everyone that a program plays."""
    return f"{name[:34]} (bot)"


def new_token() -> str:
    """Return a secret by which a guest's browser is known."""
    return secrets.token_urlsafe(24)


def hash_of(token: str) -> str:
    """Return what the database keeps of a secret."""
    return hashlib.sha256(token.encode()).hexdigest()


def check_between(table: Table) -> None:
    """Raise `TableRefusal` while a game is on or when the table is closed."""
    if table.status == Table.Status.CLOSED:
        raise TableRefusal("closed")
    if table.status == Table.Status.PLAYING:
        raise TableRefusal("game_is_on")


def check_bots(table: Table) -> None:
    """Raise `TableRefusal` where chairs are given away or for people alone."""
    if table.is_reserved:
        raise TableRefusal("reserved")
    if table.is_for_members:
        raise TableRefusal("no_bots")


def check_rated(table: Table, user: Any, device: str, network: str) -> None:
    """Raise `TableRefusal` for someone who may not sit down where games are rated.

    Only accounts do, in a browser, and of each device and network one.
    """
    if user is None:
        raise TableRefusal("rated_sign_in")
    if not device or BotAccount.objects.filter(user=user).exists():
        raise TableRefusal("rated_people")
    check_apart(table, hash_of(device), network)


def check_apart(table: Table, device: str, network: str) -> None:
    """Raise `TableRefusal` where someone of the same device, by its hash, or network sits."""
    same = Q(device=device) | Q(network=network)
    if table.seats.filter(same, left_at=None, user__isnull=False).exists():
        raise TableRefusal("rated_same")


def name_of_member(table: Table, user: Any) -> str:
    """Return the name under which someone sits at a table for members only.

    Raises `TableRefusal`.
    """
    if user is None:
        raise TableRefusal("sign_in")
    if BotAccount.objects.filter(user=user).exists():
        raise TableRefusal("no_bots")
    name = hosts.host().name_of_member(table, user)
    if not name:
        raise TableRefusal("members_only")
    return name


def lock(table_id: int) -> Table:
    """Return the table, locked until the end of the transaction: every change begins here."""
    return row_locks.take(Table.objects.select_related("arrangement"), table_id)


def touch(table: Table) -> None:
    """Store the table under its next version and tell everyone."""
    table.version += 1
    table.save()
    announce.changed(table)
