"""The deal that follows from a game's secret and the players' parts."""

from __future__ import annotations

from typing import Any

from engine.records import deals
from engine.rules.cards import format_cards
from engine.rules.ruleset import Ruleset
from tables.base import rulesets
from tables.models import Game, SharedDeals

HANDS = 4
"""The hands of a shared deal, and so the seats of each of its tables."""


def key_of(game: Game) -> str:
    """Return the key of the game's deal, from its secret and the revealed parts."""
    return deals.key_of(
        game.secret,
        table_key=game.deal_key,
        game_no=game.deal_no,
        links=game.links or [],
        parts=game.parts or [],
    )


def dealt_by(game: Game, key: str) -> list[str]:
    """Return the hands that this key deals, as texts by seat."""
    hands = deals.hands(
        rulesets.of(game.table),
        len(game.holders),
        key=key,
        table_key=game.deal_key,
        game_no=game.deal_no,
        first=game.dealt_first or 0,
    )
    return [format_cards(hand) for hand in hands]


def shared_hands(shared: SharedDeals, number: int, ruleset: Ruleset) -> list[str]:
    """Return the four hands of a shared deal as texts: hand 0 is dealt to first."""
    secret = deals.shared_secret(shared.secret, number)
    about: Any = {"table_key": shared.key, "game_no": number}
    links, parts = shared.links or [], shared.parts or []
    key = deals.key_of(secret, links=links, parts=parts, **about)
    return [format_cards(hand) for hand in deals.hands(ruleset, HANDS, key=key, first=0, **about)]
