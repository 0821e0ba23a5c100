"""The deal that follows from a game's secret and the players' parts."""

from __future__ import annotations

from engine.records import deals
from engine.rules.cards import format_cards
from tables.base import rulesets
from tables.models import Game


def key_of(game: Game) -> str:
    """Return the key of the game's deal, from its secret and the revealed parts."""
    return deals.key_of(
        game.secret,
        table_key=game.table.key,
        game_no=game.no,
        links=game.links or [],
        parts=game.parts or [],
    )


def dealt_by(game: Game, key: str) -> list[str]:
    """Return the hands that this key deals, as texts by seat."""
    hands = deals.hands(
        rulesets.of(game.table),
        len(game.holders),
        key=key,
        table_key=game.table.key,
        game_no=game.no,
        first=game.dealt_first or 0,
    )
    return [format_cards(hand) for hand in hands]
