"""People who are not at their table: noted as their pages close, and what others do for them."""

from __future__ import annotations

import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from tables import signals
from tables.base import tokens
from tables.base.columns import set_columns
from tables.base.lookup import or_raise
from tables.chairs.acts import seats
from tables.chat.acts import chat
from tables.models import Seat, Table
from tables.play.acts import clocks, games
from tables.play.facts import absent, positions
from tables.refusals import TableRefusal

GIVES = {"give": "claim", "give_second": "second_claim"}
"""The fields of the browsers that ask for a seat, by what hands it to them."""
UNSEEN, WORTH_IT = datetime.timedelta(seconds=20), datetime.timedelta(seconds=10)
"""How long a page is closed before its player is told of a turn, and the least time then left."""
PATIENCE = datetime.timedelta(minutes=1)
"""How long a table waits at least if its host says so."""


@transaction.atomic
def note(*, seat_id: int, here: bool) -> None:
    """Note whether a player has a page of the table open.

    A cut costs no time that the player was promised, and coming back adds none; it ends an
    autopilot that began during the cut, and other browsers' questions for it.
    """
    unknown = Seat.objects.filter(pk=seat_id, left_at=None, bot="", gone_at__isnull=not here)
    found = unknown.first()
    if found is None:
        return
    table = seats.lock(found.table_id)
    seat = unknown.first()
    if seat is None:
        return
    seat.gone_at = None if here else timezone.now()
    if is_back := here and seat.cut_off and not seat.away:
        seat.autopilot = False
    if here:
        seat.claim = seat.second_claim = ""
    seat.save(update_fields=["gone_at", "autopilot", *GIVES.values()])
    if here and not seat.autopilot and table.due_at and (state := games.in_turn(table, seat)):
        promised = clocks.deadline(table, state, seat)
        table.due_at = promised if is_back else max(table.due_at, promised)
    seats.touch(table)


def tell_unseen() -> None:
    """Send `turn_unseen` for accounts on turn that have had no page open for a while."""
    now = timezone.now()
    gone = Seat.objects.filter(
        gone_at__lte=now - UNSEEN,
        left_at=None,
        autopilot=False,
        user__isnull=False,
        user__bot_account=None,
        table__status=Table.Status.PLAYING,
        table__turn_at__isnull=False,
        table__due_at__gte=now + WORTH_IT,
    )
    for seat in gone.select_related("table"):
        if games.in_turn(seat.table, seat):
            signals.turn_unseen.send(None, seat=seat)


@transaction.atomic
def act_for(*, table_id: int, by: int, no: int, do: str) -> Table:
    """Do for an absent player what `absent.may_do` names; raise `TableRefusal` if `by` may not."""
    table = seats.lock(table_id)
    position = positions.of(table)
    helper = or_raise(position.seat(by), TableRefusal("not_seated", status=403))
    seat = or_raise(position.seats.get(no), TableRefusal("no_such_chair", status=404))
    if do not in absent.may_do(position, helper, seat):
        soon = do in absent.may_do(position, helper, seat, later=True)
        later = "a_minute" if do in GIVES else "host_or_later"
        raise TableRefusal(later if soon else "no_action")
    if do == "bot":
        return games.sit_out(seat_id=seat.pk)
    if do == "remove":
        return seats.leave(seat_id=seat.pk)
    if do in GIVES:
        game, asks = _game_of(table), getattr(seat, GIVES[do])
        _hand(seat, asks, "given", former=seat.token_hash, former_game=game)
        table.refresh_from_db()
        table.access_version += 1  # An open page of another browser must not see the hand.
    elif do == "wait":
        table.due_at = max(filter(None, (table.due_at, timezone.now() + PATIENCE)))
    else:
        table.due_at = timezone.now()
    seats.touch(table)
    return table


@transaction.atomic
def take_back(*, table_id: int, token: str) -> bool:
    """Take back, with the secret that held it before, a seat that was given away in this game."""
    table = seats.lock(table_id)
    own = table.seats.filter(left_at=None, former=tokens.hash_of(token))
    seat = own.filter(former_game=_game_of(table)).first()
    if seat is None:
        return False
    _hand(seat, seat.former, "taken", former="", former_game=None)
    table.refresh_from_db()
    table.access_version += 1
    seats.touch(table)
    return True


def _hand(seat: Seat, token_hash: str, said: str, **former: Any) -> None:
    """Let the browser with this secret hold the seat, and say so to everyone."""
    Seat.objects.filter(pk=seat.pk).update(
        token_hash=token_hash, claim="", second_claim="", gone_at=None, **former
    )
    games.stay(seat_id=seat.pk)
    chat.note(seat=seat, fact=said)


def _game_of(table: Table) -> int:
    return table.games.aggregate(last=Max("no"))["last"] or 0


@transaction.atomic
def claim(*, table_id: int, no: int) -> str:
    """Ask for one's seat from another browser; return the secret that will hold it.

    Its turn waits until the seat may be given. Only the seat of a guest who is offline, at a table
    of friends: others have an account, or the link to their seat. Two may ask, and both are shown.
    """
    table = seats.lock(table_id)
    seat = table.seats.filter(no=no, left_at=None, user=None, bot="").first()
    if seat is None or not seat.gone_at or not absent.is_of_friends(table):
        raise TableRefusal("no_such_chair", status=404)
    free = or_raise(
        next((field for field in GIVES.values() if not getattr(seat, field)), None),
        TableRefusal("two_ask"),
    )
    secret = tokens.new_token()
    set_columns(seat, **{free: tokens.hash_of(secret)})
    if table.due_at and games.in_turn(table, seat):
        table.due_at = max(table.due_at, seat.gone_at + absent.ALONE)
    seats.touch(table)
    return secret
