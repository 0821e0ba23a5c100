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
"""Delay of a members-only table's deal after its last seat is taken."""
FULL = datetime.timedelta(seconds=5)
"""The same delay at other tables: friends see that all seats are taken before the deal."""
PATIENCE = datetime.timedelta(seconds=3)
"""How long a table for anyone waits for people before bots fill the empty seats."""
READY = datetime.timedelta(seconds=2)
"""Delay of its deal after its last seat is taken."""
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
"""House bots' names by seat: kinship names that stay the same in every language."""


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
    """Open a table with empty seats and a first game whose commitment is public.

    Raises `TableRefusal` if the ruleset does not allow this number of players, or if too many
    tables are open.
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
    """Open the table that continues a closed one: the same rules, seats and clock.

    A second call returns the same table.
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
    """Create the next game before its deal, with its secret fixed and its commitment public."""
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
    """Seat a player in an empty seat, or in a bot's between games.

    Return the seat and a guest's secret, "" for an account. `device` is the secret of the player's
    browser, `network` the origin of the connection. Raises `TableRefusal` if the seat is taken or a
    game is running.
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
    """Seat a player of another table, ready to play, in an empty or a bot's seat of a locked table.

    A guest's browser gets the seat's secret when it opens the table. Raises `TableRefusal`.
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
    """Put a bot into every empty seat; `bot` also becomes the table's bot for later seats.

    Raises `TableRefusal` if the asking seat `by` is not the host's: friends may be on their way,
    and only the host knows who was invited.
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
    """Put a bot into every empty seat of a locked table, where bots may sit."""
    for no in empty_chairs(table) if not table.is_for_members else ():
        seat_bot(table, no)


def await_people(table: Table) -> None:
    """Set when a table that waits for players deals or gives up waiting.

    After a game a members-only table with an empty seat waits again; at other tables a bot takes
    the seat.
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
    """Free the seat now, or after the running game; close or autopilot a table without people."""
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
    """Close a table without people; autopilots finish its running game first."""
    if table.status == Table.Status.PLAYING:
        table.seats.filter(left_at=None, bot="").update(autopilot=True)
    else:
        close(table)


def close(table: Table) -> None:
    """End the match and free its seats."""
    now = timezone.now()
    table.status, table.closed_at = Table.Status.CLOSED, now
    table.due_at = table.turn_at = None
    table.thinks = False
    table.seats.filter(left_at=None).update(left_at=now)
    table.seats.exclude(device="", network="").update(device="", network="")
    table.messages.all().delete()


def seat_bot(table: Table, no: int) -> Seat:
    """Put the table's bot into an empty seat; external programs play only in tournaments."""
    if is_outside(table.bot):
        raise TableRefusal("no_such_bot", status=404)
    name = free_name(table, BOT_NAMES[no])
    return Seat.objects.create(table=table, no=no, name=name, bot=table.bot)


def host(table: Table) -> Seat | None:
    """Return the table's host: the person seated longest, at first its opener."""
    people = table.seats.filter(left_at=None, bot="")
    return people.order_by("seated_at", "pk").first()


def check_host(table: Table, seat_id: int) -> None:
    """Raise `TableRefusal` if the seat is not the host's."""
    first = host(table)
    if first is None or first.pk != seat_id:
        raise TableRefusal("not_host")


def get_up(seat: Seat) -> None:
    seat.left_at, seat.device, seat.network = timezone.now(), "", ""
    seat.save(update_fields=["left_at", "device", "network"])


def forget_pages(table: Table) -> None:
    """Make pages re-check their access: a player who got up now watches, and may see less."""
    if table.watch_delay:
        table.access_version += 1


def sitting(table: Table) -> dict[int, Seat]:
    """Return the occupied seats by number."""
    return {seat.no: seat for seat in table.seats.filter(left_at=None)}


def seated(table: Table, seat_id: int, **more: Any) -> Seat:
    """Return the occupied seat with this key; raise `TableRefusal` if its player has left."""
    seat = table.seats.filter(pk=seat_id, left_at=None, **more).first()
    if seat is None:
        raise TableRefusal("not_seated", status=403)
    return seat


def empty_chairs(table: Table) -> list[int]:
    """Return the numbers of the empty seats."""
    taken = set(table.seats.filter(left_at=None).values_list("no", flat=True))
    return [no for no in range(table.players) if no not in taken]


def free_name(table: Table, name: str) -> str:
    """Return the name, numbered if it looks like another name at the table."""
    there = table.seats.filter(left_at=None).values_list("name", flat=True)
    taken = {words.shape(one) for one in there}
    others = (f"{name[:36]} {n}" for n in range(2, 99))
    free = (one for one in (name, *others) if words.shape(one) not in taken)
    return next(free)


def name_of_program(name: str) -> str:
    """Return the name, marked as a program's."""
    return f"{name[:34]} (bot)"


def new_token() -> str:
    """Return a new secret that identifies a guest's browser."""
    return secrets.token_urlsafe(24)


def hash_of(token: str) -> str:
    """Return the hash of a secret, as stored in the database."""
    return hashlib.sha256(token.encode()).hexdigest()


def check_between(table: Table) -> None:
    """Raise `TableRefusal` during a game or at a closed table."""
    if table.status == Table.Status.CLOSED:
        raise TableRefusal("closed")
    if table.status == Table.Status.PLAYING:
        raise TableRefusal("game_is_on")


def check_bots(table: Table) -> None:
    """Raise `TableRefusal` where seats are reserved or for people only."""
    if table.is_reserved:
        raise TableRefusal("reserved")
    if table.is_for_members:
        raise TableRefusal("no_bots")


def check_rated(table: Table, user: Any, device: str, network: str) -> None:
    """Raise `TableRefusal` for someone who may not sit at a rated table.

    Rated tables take accounts in a browser only, one per device and network.
    """
    if user is None:
        raise TableRefusal("rated_sign_in")
    if not device or BotAccount.objects.filter(user=user).exists():
        raise TableRefusal("rated_people")
    check_apart(table, hash_of(device), network)


def check_apart(table: Table, device: str, network: str) -> None:
    """Raise `TableRefusal` if a player with the same device hash or network sits at the table."""
    same = Q(device=device) | Q(network=network)
    if table.seats.filter(same, left_at=None, user__isnull=False).exists():
        raise TableRefusal("rated_same")


def name_of_member(table: Table, user: Any) -> str:
    """Return the player's name at a members-only table.

    Raises `TableRefusal` for guests, bots and people who are no members.
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
    """Return the table, locked until the transaction ends. Every change starts here."""
    return row_locks.take(Table.objects.select_related("arrangement"), table_id)


def touch(table: Table) -> None:
    """Store the table under its next version and notify its clients."""
    table.version += 1
    table.save()
    announce.changed(table)
