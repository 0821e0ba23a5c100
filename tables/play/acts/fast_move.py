"""The fast path of moves after which the game just goes on, stored by one SQL statement.

Nearly all moves take it. A process's cached position may be outdated, so nothing is locked or read
first: the statement changes the table's row only if it is still the known one, and stores the move
with it. `games.act` takes all other moves; `moves` decides for both what follows from a move.
"""

import json
from copy import copy
from dataclasses import replace

from django.db import connection
from django.utils import timezone

from engine.rules.actions import SeatAction
from engine.rules.errors import IllegalAction
from engine.rules.state import PLAY
from tables.base import announce
from tables.bots.facts import autopilot
from tables.models import Seat
from tables.play.acts import moves, thinking
from tables.play.facts import positions
from tables.play.facts.positions import Position

# A waiter re-reads the row's version after it gets the lock, so no version is moved on twice.
TAKE = """
    WITH moved AS (
        UPDATE tables_table
        SET version = %(next)s, moved_version = %(next)s,
            due_at = %(due_at)s, turn_at = %(turn_at)s, thinks = %(thinks)s
        WHERE id = %(table)s AND version = %(version)s
            AND due_at IS NOT DISTINCT FROM %(was_due_at)s
            AND turn_at IS NOT DISTINCT FROM %(was_turn_at)s
            AND NOT EXISTS (
                SELECT FROM tables_action JOIN tables_game ON tables_game.id = game_id
                WHERE table_id = %(table)s AND seat = %(seat)s AND client_id = %(client_id)s
            )
        RETURNING id
    ), logged AS (
        INSERT INTO tables_action (game_id, seq, version, seat, body, client_id, made_by, at)
        SELECT %(game)s, %(seq)s, %(next)s, %(seat)s, %(body)s, %(client_id)s, %(made_by)s, now()
        FROM moved
    )
    SELECT id FROM moved
"""


def take(
    known: Position, seat: Seat, *, expected: int, client_id: str, action: SeatAction
) -> Position | None:
    """Return the position after a legal move of the seat in turn, if the game just goes on.

    Return `None`, with nothing changed, if the move has other consequences or needs the slow path's
    checks, or if `known` is outdated. `expected` and `client_id` are as in `games.act`.
    """
    if not _is_played(known) or expected < known.table.moved_version or action.seat != seat.no:
        return None
    return _store(known, action, client_id, "player")


def take_for_bot(known: Position) -> Position | None:
    """Return the position after a due move of a quick bot.

    Return `None` as in `take`, and if no quick bot is in turn.
    """
    due = known.table.due_at
    if not _is_played(known) or due is None or due > timezone.now():
        return None
    state = known.on()[1].state
    seat = known.seats[state.turn]
    bot = thinking.bot_of(seat)
    if bot not in autopilot.QUICK or not (seat.is_bot or seat.away):
        return None
    action = autopilot.bot_action(state, bot, thinking.seed_of(known.on()[0]))
    return _store(known, action, None, "bot")


def _is_played(known: Position) -> bool:
    """Return whether a game runs and is in its play phase."""
    if known.game is None or known.replayed is None:
        return False
    return known.replayed.state.phase == PLAY and not known.game.pause


def _store(
    known: Position, action: SeatAction, client_id: str | None, made_by: str
) -> Position | None:
    game, replayed = known.on()
    replayed, table = replayed.twin(), copy(known.table)
    try:
        move = moves.follow(
            known.table, game, replayed, known.seats, action, client_id=client_id, made_by=made_by
        )
    except IllegalAction:
        return None
    if not move.just_goes_on:
        return None
    line = move.line
    move.wait.begin(table)
    table.version = table.moved_version = line.version
    values = {
        "table": table.pk,
        "version": known.table.version,
        "was_due_at": known.table.due_at,
        "was_turn_at": known.table.turn_at,
        "next": table.version,
        "due_at": table.due_at,
        "turn_at": table.turn_at,
        "thinks": table.thinks,
        "game": game.pk,
        "seq": line.seq,
        "seat": line.seat,
        "body": json.dumps(line.body),
        "client_id": line.client_id,
        "made_by": line.made_by,
    }
    position = replace(known, table=table, replayed=replayed)
    with connection.cursor() as cursor:
        cursor.execute(TAKE, values)
        if cursor.fetchone() is None:
            return None
    positions.store(position)
    announce.changed(table)
    return position
