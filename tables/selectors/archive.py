"""Finished games of a table: their record, their replay, and what proves the deal."""

from __future__ import annotations

from typing import Any

from engine import records
from engine.cards import parse_cards
from tables.models import Game
from tables.selectors import replays, standings
from tables.services import dealing, folds, rulesets


def record(game: Game) -> dict[str, Any]:
    """The game in the notation of docs/records.md, with names, date, and the deal's secret."""
    state = folds.load(game).state
    kept = records.record_of(state, game.previous)
    assert game.dealt_at is not None
    return kept | {
        "players": standings.holder_names(game),
        "date": game.dealt_at.date().isoformat(),
        "deal": {
            "method": dealing.METHOD,
            "table": game.table.key,
            "game": game.no,
            "secret": game.secret,
            "commitment": game.commitment,
            "dealer": game.dealer,
            "first": game.dealt_first,
        },
    }


def replay_page(game: Game, step: int | None) -> dict[str, Any]:
    """The replay after so many steps."""
    return replays.replay_page(record(game), step)


def proof(game: Game) -> dict[str, Any]:
    """What the reader's browser needs to deal the same cards again, and what was dealt."""
    ruleset = rulesets.thaw(game.table.ruleset)
    players = game.table.players
    decks = ruleset.decks_for(players)
    used = 52 * decks if ruleset.deal_all else ruleset.cards_for(players) * players
    names = standings.holder_names(game)
    dealt = [parse_cards(text) for text in game.dealt or ()]
    facts = {
        "secret": game.secret,
        "commitment": game.commitment,
        "label": f"{dealing.METHOD}:{game.table.key}:{game.no}",
        "dealerLabel": f"{dealing.METHOD}:{game.table.key}:dealer" if game.no == 1 else "",
        "dealer": game.dealer,
        "players": players,
        "decks": decks,
        "used": used,
        "first": game.dealt_first,
        "hands": dealt,
    }
    hands = [
        {"name": name, "cards": text.split()}
        for name, text in zip(names, game.dealt or (), strict=True)
    ]
    return {"facts": facts, "hands": hands}
