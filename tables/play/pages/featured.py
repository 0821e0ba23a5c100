"""The games that the lobby shows: their public state some seconds ago."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from engine.rules import game as engine_game
from engine.rules.state import OVER
from tables.base.faces import Face, faces
from tables.base.fifo_cache import FifoCache
from tables.models import Action, Game, Seat
from tables.people.pages.lobby import LobbyTable
from tables.play.facts import positions
from tables.play.facts.replayed import as_dealt
from tables.play.pages import moves

DELAY = datetime.timedelta(seconds=20)
"""Delay of the shown game, long enough that it does not help the players at its table."""
MOST = 4
RENEWED = 3
"""Seconds for which a shown game is cached, and the most that are shown (`MOST`)."""


@dataclass(frozen=True)
class FeaturedChair:
    """A player in the game, with the number of cards if it is public."""

    name: str
    face: Face
    is_bot: bool
    cards: int | None


@dataclass(frozen=True)
class FeaturedGame:
    """A game in the lobby: its seats and the trick on the table."""

    chairs: list[FeaturedChair]
    trick: list[moves.Move]


_cached: FifoCache[tuple[str, int], FeaturedGame | None] = FifoCache(20)


def featured(tables: Sequence[LobbyTable]) -> list[tuple[LobbyTable, FeaturedGame]]:
    """Return the games with the most spectators; ties go to rated games, then to more people."""
    playing = [table for table in tables if table.playing]
    playing.sort(key=lambda table: (table.watchers, table.rated, len(table.people)), reverse=True)
    now = timezone.now()
    at = int(now.timestamp()) // RENEWED
    best = {table.key: table for table in playing[:MOST]}
    new = [key for key in best if _cached.get((key, at)) is None]
    for key, game in _as_they_were(new, now - DELAY).items() if new else ():
        _cached.put((key, at), game)
    return [(table, game) for key, table in best.items() if (game := _cached.get((key, at)))]


def _as_they_were(keys: Sequence[str], then: datetime.datetime) -> dict[str, FeaturedGame | None]:
    """Return the public state of the tables' games at that time; None before play."""
    running = Game.objects.filter(table__key__in=keys, over_at=None, dealt_at__lte=then)
    games = [game for game in running.select_related("table") if not game.pause]
    log: dict[int, list[dict[str, Any]]] = defaultdict(list)
    done = Action.objects.filter(game__in=games, at__lte=then).order_by("seq")
    for game_id, body in done.values_list("game", "body"):
        log[game_id].append(body)
    seats = Seat.objects.in_bulk([pk for game in games for pk in game.holders])
    shown = {game.table.key: _shown(game, log[game.pk], seats) for game in games}
    return dict.fromkeys(keys) | shown


def _shown(game: Game, log: list[dict[str, Any]], seats: Mapping[int, Seat]) -> FeaturedGame | None:
    replayed = as_dealt(game).follow(log)
    if not replayed.tricks or replayed.state.phase == OVER:
        return None
    holders = [seats[pk] for pk in game.holders]
    names = [seat.name for seat in holders]
    counts = engine_game.observe(replayed.state, None).counts
    shown = faces(names, positions.of(game.table).faces)
    return FeaturedGame(
        chairs=[
            FeaturedChair(seat.name, face, seat.is_bot, cards)
            for seat, face, cards in zip(holders, shown, counts, strict=True)
        ],
        trick=moves.tricks(replayed, names)[-1],
    )
