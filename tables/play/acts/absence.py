"""People who are not at their table: noted as their pages close, and what others do for them."""

from __future__ import annotations

import datetime

from django.db import transaction
from django.utils import timezone

from tables.base import tokens
from tables.chairs.acts import seats
from tables.models import Seat, Table
from tables.play.acts import clocks, games
from tables.play.facts import absent, positions
from tables.refusals import TableRefusal

PATIENCE = datetime.timedelta(minutes=1)
"""How much longer a table waits if its host says so."""


@transaction.atomic
def note(*, seat_id: int, here: bool) -> None:
    """Note whether a player has a page of the table open.

    A cut costs no time that the player was promised, and coming back adds none; it ends an
    autopilot that began during the cut.
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
    seat.save(update_fields=["gone_at", "autopilot"])
    if here and not seat.autopilot and table.due_at and (state := games.in_turn(table, seat)):
        promised = clocks.deadline(table, state, seat)
        table.due_at = promised if is_back else max(table.due_at, promised)
    seats.touch(table)


@transaction.atomic
def act_for(*, table_id: int, by: int, no: int, do: str) -> Table:
    """Do for an absent player what `absent.may_do` names; raise `TableRefusal` if `by` may not."""
    table = seats.lock(table_id)
    position = positions.of(table)
    helper, seat = position.seat(by), position.seats.get(no)
    if helper is None:
        raise TableRefusal("not_seated", status=403)
    if seat is None:
        raise TableRefusal("no_such_chair", status=404)
    if do not in absent.may_do(position, helper, seat):
        soon = do in absent.may_do(position, helper, seat, later=True)
        raise TableRefusal("host_or_later" if soon else "no_action")
    if do == "bot":
        return games.sit_out(seat_id=seat.pk)
    if do == "remove":
        return seats.leave(seat_id=seat.pk)
    if do == "give":
        Seat.objects.filter(pk=seat.pk).update(token_hash=seat.claim, claim="", gone_at=None)
        games.stay(seat_id=seat.pk)
        table.refresh_from_db()
    else:
        table.due_at = timezone.now() + (PATIENCE if do == "wait" else datetime.timedelta())
    seats.touch(table)
    return table


@transaction.atomic
def claim(*, table_id: int, no: int) -> str:
    """Ask for one's seat from another browser; return the secret that will hold it.

    Only the seat of a guest who is offline, at a table of friends: others have an account, or the
    link to their seat.
    """
    table = seats.lock(table_id)
    seat = table.seats.filter(no=no, left_at=None, user=None, bot="").first()
    if seat is None or not seat.gone_at or not absent.is_of_friends(table):
        raise TableRefusal("no_such_chair", status=404)
    secret = tokens.new_token()
    seat.claim = tokens.hash_of(secret)
    seat.save(update_fields=["claim"])
    seats.touch(table)
    return secret
