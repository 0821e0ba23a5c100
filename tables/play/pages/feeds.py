"""A table as JSON for a program, limited to what its seat may know (docs/api.md).

It is built like the pages, from the public board and the engine's observation of the seat, so that
a program knows exactly what a person in its seat would know.
"""

from typing import Any, NamedTuple

from engine.records import wire
from engine.rules import game as engine_game
from engine.rules.actions import action_text
from engine.rules.cards import format_cards
from engine.rules.exchange import TooMany
from engine.rules.state import EXCHANGE, State
from tables.base import currencies
from tables.base.fifo_cache import FifoCache
from tables.models import Challenge, Game, Seat, Table
from tables.play.facts.positions import Position, Stamp
from tables.play.facts.replayed import ReplayedGame
from tables.play.pages import boards
from tables.play.pages.boards import Board, Plate
from tables.play.pages.options import options

JsonObject = dict[str, Any]
MOST_CACHED = 1000
ACTIONS = ("sit", "deal", "bots", "challenge", "leave", "stay")
"""The actions of programs besides moves; each is the last part of an address."""


class Public(NamedTuple):
    """The public part of a table's feed; the clock is not in `body` but comes from `board`."""

    stamp: Stamp
    body: JsonObject
    board: Board


_cached: FifoCache[int, Public] = FifoCache(MOST_CACHED)


def feed(position: Position, seat: Seat | None) -> JsonObject:
    """Return the table as this seat may see it now; `seat` is None for a spectator."""
    shared = public(position)
    return shared.body | own(position, seat) | {"milliseconds": shared.board.milliseconds}


def public(position: Position) -> Public:
    """Return the public part of a table's feed, cached for all answers and streams."""
    if position.late:
        return Public(position.stamp, *_public(position))
    cached = _cached.get(position.table.pk)
    if cached is None or cached.stamp != position.stamp:
        cached = Public(position.stamp, *_public(position))
        _cached.put(position.table.pk, cached)
    return cached


def _public(position: Position) -> tuple[JsonObject, Board]:
    table, board = position.table, boards.board(position)
    body = {
        "key": table.key,
        "version": table.version,
        "status": table.status,
        "rules": {"name": board.rules.name, "digest": table.ruleset_id},
        "stake": table.stake,
        "unit": currencies.sign(table.unit),
        "currency": currencies.code(table.unit),
        "exponent": currencies.exponent(table.unit),
        "games": table.terms.games if table.terms else None,
        "clock": {"move_seconds": table.move_seconds, "bank_seconds": table.bank_seconds},
        "game": board.game_no or None,
        "chairs": [_chair(plate, position.seats.get(plate.no)) for plate in board.plates],
        "last": _last(position.last),
    }
    return body, board


def own(position: Position, seat: Seat | None) -> JsonObject:
    """Return the part of the feed for this seat alone; `seat` is None for a spectator."""
    found = options(position.table, public(position).board, seat)
    return {
        "seat": seat.no if seat else None,
        "notice": found.notice.code if found.notice else None,
        "actions": [name for name in found.names if name in ACTIONS],
        "now": _now(*position.on(), seat) if position.replayed else None,
    }


def own_tables(user: Any) -> JsonObject:
    """Return the tables where an account sits, and the open challenges to its bot."""
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
    """Return the public facts of a seat."""
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


def _now(game: Game, replayed: ReplayedGame, seat: Seat | None) -> JsonObject:
    """Return the game in progress: the seat's observation and its legal actions.

    While players may trade or declare an instant win, it has only the seat's hand and questions:
    the engine's phase would reveal that someone holds an instant win.
    """
    seen = engine_game.observe(replayed.state, seat.no if seat else None)
    if pause := game.pause:
        return {"phase": pause, "hand": format_cards(seen.hand)} | _asked(
            game, replayed, seat, pause
        )
    acts = seat is not None and seen.turn == seat.no
    turn = wire.turn(seen, [])
    del turn["type"]
    return turn | {
        "acts": acts,
        "turn": seen.turn,
        "legal": _legal(replayed.state) if acts else [],
        "request": _request(replayed.state) if seen.phase == EXCHANGE else None,
    }


def _asked(game: Game, replayed: ReplayedGame, seat: Seat | None, pause: str) -> JsonObject:
    """Return the question to a seat before play."""
    if seat is None:
        return {}
    if pause == "trade":
        mine = [offer for offer in game.offers if seat.no in (offer["seat"], offer["to"])]
        return {"offers": mine, "ready": seat.no in game.done_trading}
    return {
        "wins_at_once": replayed.may_declare(seat.no),
        "declares": game.answers.get(str(seat.no)),
    }


def _legal(state: State) -> list[str] | None:
    """Return the acting seat's legal actions as texts; None if there are too many to list."""
    try:
        return [action_text(action) for action in engine_game.legal_actions(state)]
    except TooMany:
        return None


def _request(state: State) -> JsonObject:
    step = state.steps[0]
    return {"do": step.do, "seat": step.seat, "other": step.other, "number": step.number}


def _last(game: Game | None) -> JsonObject | None:
    """Return the result of the last finished game."""
    if game is None or game.outcome is None:
        return None
    fields = ("placings", "net", "payments", "hands")
    return {"game": game.no} | {name: game.outcome[name] for name in fields}
