"""Opening a table, sitting down and getting up."""

import datetime
import secrets
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from engine.bots import BOTS, is_outside
from engine.records import deals
from engine.rules.ruleset import Ruleset
from tables import hosts
from tables.base import announce, row_locks, rulesets, tokens, words
from tables.base.columns import set_columns
from tables.chairs.facts import seated
from tables.models import Arrangement, Game, Seat, Table
from tables.refusals import TableRefusal

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


def new_key() -> str:
    """Return the key of a new table, which nobody can guess."""
    return "".join(secrets.choice(LETTERS) for _ in range(10))


@transaction.atomic
def open_table(
    *,
    ruleset: Ruleset,
    players: int,
    move_seconds: int = 40,
    bank_seconds: int = 60,
    talk: str = Table.Talk.ALL,
    watch_delay: int = Table.WatchDelay.NONE,
    agreed: Mapping[str, Any] | None = None,
) -> Table:
    """Open a table with empty seats and a first game whose commitment is public.

    `agreed` are the fields of its `Arrangement`, if it has one.
    Raises `TableRefusal` if the ruleset does not allow this number of players, or if too many
    tables are open.
    """
    if not ruleset.min_players <= players <= ruleset.max_players:
        raise TableRefusal("players")
    if Table.objects.exclude(status=Table.Status.CLOSED).count() >= MOST_OPEN:
        raise TableRefusal("too_many_tables")
    table = Table.objects.create(
        key=new_key(),
        ruleset=rulesets.freeze(ruleset),
        players=players,
        move_seconds=move_seconds,
        bank_seconds=bank_seconds,
        talk=talk,
        watch_delay=watch_delay,
        due_at=timezone.now() + IDLE,
    )
    if agreed is not None:
        Arrangement.objects.create(table=table, **agreed)
    prepare_game(table, no=1)
    return table


@transaction.atomic
def open_again(*, table_id: int) -> Table:
    """Open the table that continues a closed one: the same rules, seats and clock.

    A second call returns the same table, and so does one for an older table of the same friends.
    """
    asked = Table.objects.get(pk=table_id)
    table = lock(asked.newest.pk)
    if table.status != Table.Status.CLOSED and table != asked:
        return table
    if table.again is None:
        if table.status != Table.Status.CLOSED or table.terms:
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
        again.watchers_talk = table.watchers_talk
        if not table.for_anyone:
            again.first = table.first or table
        again.save(update_fields=["bot", "for_anyone", "rated", "watchers_talk", "first"])
        touch(table)
    return table.again


def prepare_game(table: Table, *, no: int, previous: dict[str, Any] | None = None) -> Game:
    """Create the next game before its deal, with its secret fixed and its commitment public."""
    secret = secrets.token_hex(32)
    if (shared := table.shared) is not None:
        number = table.arrangement.shared_from + no - 1
        secret, previous = deals.shared_secret(shared.secret, number), None
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
    no: int | None,
    name: str,
    user: Any = None,
    device: str = "",
    network: str = "",
) -> tuple[Seat, str]:
    """Seat a player in an empty seat, or in a bot's between games.

    Without a number that is the first free one. Return the seat and a guest's secret, "" for an
    account. `device` is the secret of the player's browser, `network` the origin of the connection.
    Raises `TableRefusal` if the seat is taken or a game is running.
    """
    table = lock(table_id)
    seated.check_between(table)
    if table.is_reserved:
        raise TableRefusal("reserved")
    if table.is_for_members:
        name = seated.name_of_member(table, user)
    if no is None:
        no = next(iter(seated.free_chairs(table)), None)
    if no is None:
        raise TableRefusal("no_free_chair", status=409)
    if not 0 <= no < table.players:
        raise TableRefusal("no_such_chair", status=404)
    there = table.seats.filter(no=no, left_at=None).first()
    if there and not there.is_bot:
        raise TableRefusal("chair_taken", status=409)
    if user and table.seats.filter(user=user, left_at=None).exists():
        raise TableRefusal("sits_already")
    if table.rated:
        seated.check_rated(table, user, device, network)
    if there:
        get_up(there)
    token = "" if user else tokens.new_token()
    seat = Seat.objects.create(
        table=table,
        no=no,
        name=seated.free_name(table, words.plain(name, 40) or "?"),
        user=user,
        token_hash=tokens.hash_of(token) if token else "",
        device=tokens.hash_of(device) if device else "",
        network=network if table.rated else "",
        bank_ms=table.bank_seconds * 1000,
    )
    if table.is_for_members:
        hosts.host().note_player(seat)
    if user:
        announce.account(user.pk)
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
        seated.check_apart(table, seat.device, seat.network)
    if there := table.seats.filter(no=no, left_at=None).first():
        get_up(there)
    if seat.user_id:
        announce.account(seat.user_id)
    return Seat.objects.create(
        table=table,
        no=no,
        name=seated.free_name(table, seat.name),
        user_id=seat.user_id,
        token_hash="" if seat.user_id else tokens.hash_of(tokens.new_token()),
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
    seated.check_between(table)
    seated.check_bots(table)
    if by is not None:
        seated.check_host(table, by)
    if bot and bot not in BOTS:
        raise TableRefusal("no_such_bot", status=404)
    table.bot = bot or table.bot
    fill_chairs(table)
    await_people(table)
    touch(table)
    return table


def fill_chairs(table: Table) -> None:
    """Put a bot into every empty seat of a locked table, where bots may sit."""
    for no in seated.empty_chairs(table) if not table.is_for_members else ():
        seat_bot(table, no)


def await_people(table: Table) -> None:
    """Set when a table that waits for players deals or gives up waiting.

    After a game a members-only table with an empty seat waits again; at other tables a bot takes
    the seat.
    """
    if table.is_reserved or table.status == Table.Status.CLOSED:
        return
    lacks = bool(seated.empty_chairs(table))
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
    """Free the seat now, or after the running game; close a table without people.

    Bots finish the game that its only person leaves; several people who leave play to its end.
    """
    table = lock(Seat.objects.get(pk=seat_id).table_id)
    seat = table.seats.get(pk=seat_id)
    if seat.left_at or seat.is_bot:
        return table
    if table.status == Table.Status.PLAYING:
        set_columns(seat, leaving=True)
    else:
        get_up(seat)
        if table.is_reserved:  # Nobody else may take the seat, and without it nobody deals.
            seat_bot(table, seat.no)
        forget_pages(table)
        await_people(table)
    people = table.seats.filter(left_at=None, bot="")
    if table.status != Table.Status.PLAYING:
        if not people.filter(leaving=False).exists():
            close(table)
    elif people.count() == 1:
        people.update(autopilot=True, away=True)
        table.due_at = timezone.now()
    touch(table)
    return table


def close(table: Table) -> None:
    """End the match and free its seats."""
    now = timezone.now()
    table.status, table.closed_at = Table.Status.CLOSED, now
    table.due_at = table.turn_at = None
    table.thinks = False
    there = table.seats.filter(left_at=None)
    for user in there.exclude(user=None).values_list("user", flat=True):
        announce.account(user)
    there.update(left_at=now)
    table.seats.exclude(device="", network="").update(device="", network="")
    table.messages.all().delete()


def seat_bot(table: Table, no: int) -> Seat:
    """Put the table's bot into an empty seat; external programs play only in tournaments."""
    if is_outside(table.bot):
        raise TableRefusal("no_such_bot", status=404)
    name = seated.free_name(table, BOT_NAMES[no])
    return Seat.objects.create(table=table, no=no, name=name, bot=table.bot)


def get_up(seat: Seat) -> None:
    set_columns(seat, left_at=timezone.now(), device="", network="")
    if seat.user_id:
        announce.account(seat.user_id)


def forget_pages(table: Table) -> None:
    """Make pages re-check their access: a player who got up now watches, and may see less."""
    if table.watch_delay:
        table.access_version += 1


def lock(table_id: int) -> Table:
    """Return the table, locked until the transaction ends. Every change starts here."""
    return row_locks.take(Table.objects.select_related("arrangement__shared"), table_id)


def touch(table: Table) -> None:
    """Store the table under its next version and notify its clients."""
    table.version += 1
    table.save()
    announce.changed(table)
