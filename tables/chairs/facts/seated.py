"""Who sits at a table, and who may sit down."""

from typing import Any

from django.db.models import Q

from tables import hosts
from tables.base import words
from tables.base.lookup import or_raise
from tables.base.tokens import hash_of
from tables.models import BotAccount, Seat, Table
from tables.refusals import TableRefusal


def by_number(table: Table) -> dict[int, Seat]:
    return {seat.no: seat for seat in table.seats.filter(left_at=None)}


def occupied(table: Table, seat_id: int, **more: Any) -> Seat:
    """Return the occupied seat with this key; raise `TableRefusal` if its player has left."""
    return or_raise(
        table.seats.filter(pk=seat_id, left_at=None, **more).first(),
        TableRefusal("not_seated", status=403),
    )


def empty_chairs(table: Table) -> list[int]:
    taken = set(table.seats.filter(left_at=None).values_list("no", flat=True))
    return [no for no in range(table.players) if no not in taken]


def free_chairs(table: Table) -> list[int]:
    """Return the numbers of the seats that a newcomer may take: empty ones, then bots'."""
    bots = table.seats.filter(left_at=None).exclude(bot="").order_by("no")
    return [*empty_chairs(table), *bots.values_list("no", flat=True)]


def free_name(table: Table, name: str) -> str:
    """Return the name, numbered if it looks like another name at the table."""
    there = table.seats.filter(left_at=None).values_list("name", flat=True)
    taken = {words.shape(one) for one in there}
    others = (f"{name[:36]} {n}" for n in range(2, 99))
    return next(one for one in (name, *others) if words.shape(one) not in taken)


def host(table: Table) -> Seat | None:
    """Return the table's host: the person seated longest, at first its opener."""
    return table.seats.filter(left_at=None, bot="").order_by("seated_at", "pk").first()


def check_host(table: Table, seat_id: int) -> None:
    """Raise `TableRefusal` if the seat is not the host's."""
    first = host(table)
    if first is None or first.pk != seat_id:
        raise TableRefusal("not_host")


def name_of_program(name: str) -> str:
    """Return the name, marked as a program's."""
    return f"{name[:34]} (bot)"


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


def why_no_member(table: Table, user: Any) -> str:
    """Return why the visitor may not sit at a members-only table; "" for who may."""
    try:
        name_of_member(table, user)
    except TableRefusal as refused:
        return refused.text
    return ""
