"""A table as a program gets it: what its seat may know, as JSON (docs/api.md).

Made from the public board and the engine's observation of the seat, as the pages are, so that a
program knows exactly what a person in its chair would know.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from engine.records import wire
from engine.rules import game as engine_game
from engine.rules.actions import action_text
from engine.rules.cards import format_cards
from engine.rules.exchange import TooMany
from engine.rules.state import EXCHANGE, State
from tables.fifo_cache import FifoCache
from tables.models import Challenge, Game, Seat, Table
from tables.selectors import boards
from tables.selectors.boards import Board, Plate
from tables.selectors.options import options
from tables.services import arrangement_terms, games, trades
from tables.services.replayed_state import Fold
from tables.services.table_state import Position, Stamp

JsonObject = dict[str, Any]
MOST_KEPT = 1000
ACTIONS = ("sit", "deal", "bots", "challenge", "leave", "stay")
"""What programs may do beside moves, under addresses of these names."""


class Public(NamedTuple):
    """What everyone may know of a table: `told` but for the clock, which the board has."""

    stamp: Stamp
    told: JsonObject
    board: Board


_kept: FifoCache[int, Public] = FifoCache(MOST_KEPT)


def feed(position: Position, seat: Seat | None) -> JsonObject:
    """Return the table as this seat, or None for a spectator, may know it now."""
    shared = public(position)
    return shared.told | own(position, seat) | {"milliseconds": shared.board.milliseconds}


def public(position: Position) -> Public:
    """Return what a table tells everyone alike: made once, for answers and for all streams."""
    if position.late:
        return Public(position.stamp, *_public(position))
    kept = _kept.get(position.table.pk)
    if kept is None or kept.stamp != position.stamp:
        kept = Public(position.stamp, *_public(position))
        _kept.put(position.table.pk, kept)
    return kept


def _public(position: Position) -> tuple[JsonObject, Board]:
    table, board = position.table, boards.board(position)
    agreed = arrangement_terms.of(table)
    told = {
        "key": table.key,
        "version": table.version,
        "status": table.status,
        "rules": {"name": board.rules.name, "digest": table.ruleset_id},
        "stake": arrangement_terms.stake_of(table),
        "unit": agreed.unit if agreed else "",
        "games": agreed.games if agreed else None,
        "clock": {"move_seconds": table.move_seconds, "bank_seconds": table.bank_seconds},
        "game": board.game_no or None,
        "chairs": [_chair(plate, position.seats.get(plate.no)) for plate in board.plates],
        "last": _last(position.last),
    }
    return told, board


def own(position: Position, seat: Seat | None) -> JsonObject:
    """Return what a table tells this seat, or None for a spectator, beside what all are told."""
    found = options(position.table, public(position).board, seat)
    return {
        "seat": seat.no if seat else None,
        "notice": found.notice.code if found.notice else None,
        "actions": [name for name in found.names if name in ACTIONS],
        "now": _now(*position.on(), seat) if position.fold else None,
    }


def own_tables(user: Any) -> JsonObject:
    """Where an account sits, and which challenges to its bot are open."""
    seats = Seat.objects.filter(user=user, left_at=None).exclude(table__status=Table.Status.CLOSED)
    challenges = Challenge.objects.filter(
        bot__user=user, answered_at=None, table__closed_at=None
    ).select_related("table__ruleset")
    return {
        "tables": [
            {
                "key": seat.table.key,
                "seat": seat.no,
                "status": seat.table.status,
                "version": seat.table.version,
                "rules": seat.table.ruleset.body["name"],
                "players": seat.table.players,
            }
            for seat in seats.select_related("table__ruleset").order_by("pk")
        ],
        "challenges": [
            {
                "id": challenge.pk,
                "key": challenge.table.key,
                "by": challenge.by,
                "rules": challenge.table.ruleset.body["name"],
                "players": challenge.table.players,
            }
            for challenge in challenges.order_by("pk")
        ],
    }


def _chair(plate: Plate, seat: Seat | None) -> JsonObject:
    """Return a chair as everyone sees it."""
    kind = "empty"
    if seat is not None:
        kind = "bot" if seat.is_bot else "program" if seat.is_program else "person"
    return {
        "seat": plate.no,
        "name": plate.name,
        "kind": kind,
        "autopilot": plate.autopilot,
        "cards": plate.cards,
        "passed": plate.passed,
        "place": plate.place,
        "deals": plate.deals,
        "acts": plate.acts,
    }


def _now(game: Game, fold: Fold, seat: Seat | None) -> JsonObject:
    """Return the game that is on: the seat's observation, and what it may do.

    While everyone has time to trade or to declare an instant win, nothing but the own hand: which
    phase the engine is in would tell that someone holds one.
    """
    seen = engine_game.observe(fold.state, seat.no if seat else None)
    if pause := games.pause(game):
        return {"phase": pause, "hand": format_cards(seen.hand)} | _asked(game, fold, seat, pause)
    acts = seat is not None and seen.turn == seat.no
    told = wire.turn(seen, [])
    del told["type"]
    return told | {
        "acts": acts,
        "turn": seen.turn,
        "legal": _legal(fold.state) if acts else [],
        "request": _request(fold.state) if seen.phase == EXCHANGE else None,
    }


def _asked(game: Game, fold: Fold, seat: Seat | None, pause: str) -> JsonObject:
    """Return what a seat alone is asked before play."""
    if seat is None:
        return {}
    if pause == "trade":
        mine = [offer for offer in trades.offers(game) if seat.no in (offer["seat"], offer["to"])]
        return {"offers": mine, "ready": seat.no in trades.done(game)}
    return {
        "wins_at_once": games.may_declare(fold, seat.no),
        "declares": game.answers.get(str(seat.no)),
    }


def _legal(state: State) -> list[str] | None:
    """Everything that the seat to act may do, as texts; None where it is too much to list."""
    try:
        return [action_text(action) for action in engine_game.legal_actions(state)]
    except TooMany:
        return None


def _request(state: State) -> JsonObject:
    step = state.steps[0]
    return {"do": step.do, "seat": step.seat, "other": step.other, "number": step.number}


def _last(game: Game | None) -> JsonObject | None:
    """How the last game ended."""
    if game is None or game.outcome is None:
        return None
    kept = ("placings", "net", "payments", "hands")
    return {"game": game.no} | {name: game.outcome[name] for name in kept}
