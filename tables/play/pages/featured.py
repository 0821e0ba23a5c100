"""The games that the lobby shows: their public state some seconds ago."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone

from engine.rules import game as engine_game
from engine.rules.state import OVER
from tables.base.faces import Face, faces
from tables.base.fifo_cache import FifoCache
from tables.models import Game, Seat
from tables.people.pages.lobby import LobbyTable
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
    now, found = timezone.now(), []
    for table in playing[:MOST]:
        at = (table.key, int(now.timestamp()) // RENEWED)
        game = _cached.get(at) or _as_it_was(table.key, now - DELAY)
        _cached.put(at, game)
        if game:
            found.append((table, game))
    return found


def _as_it_was(key: str, then: datetime.datetime) -> FeaturedGame | None:
    """Return the public state of a table's game at that time; None before play."""
    game = Game.objects.filter(table__key=key, over_at=None, dealt_at__lte=then).first()
    if game is None or game.pause:
        return None
    replayed = as_dealt(game).follow(game.actions.filter(at__lte=then))
    if not replayed.tricks or replayed.state.phase == OVER:
        return None
    holders = Seat.objects.in_bulk(game.holders)
    seats = [holders[pk] for pk in game.holders]
    seen = engine_game.observe(replayed.state, None)
    return FeaturedGame(
        chairs=[
            FeaturedChair(seat.name, face, seat.is_bot, cards)
            for seat, face, cards in zip(
                seats, faces(seat.name for seat in seats), seen.counts, strict=True
            )
        ],
        trick=moves.tricks(replayed, [seat.name for seat in seats])[-1],
    )
