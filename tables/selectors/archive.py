"""Finished games of a table: their record, their replay, and what proves the deal."""

from __future__ import annotations

from typing import Any, NamedTuple

from engine import records
from engine.rules.cards import parse_cards
from engine.rules.specials import Special
from engine.rules.specials_of_game import specials_of
from tables.models import Game
from tables.selectors import advice, replays
from tables.services import dealing, replayed_state, rulesets, standings


class Happened(NamedTuple):
    """A finished game as a score sheet has it, all by chair: places, payments, specials."""

    placings: list[list[int]]
    payments: list[dict[str, Any]]
    specials: list[Special]


def happened(game: Game) -> Happened:
    """Return what a game that is over came to, with the engine's own payments."""
    assert game.outcome is not None
    specials = specials_of(replayed_state.load(game).state)
    return Happened(game.outcome["placings"], game.outcome["payments"], specials)


def record(game: Game) -> dict[str, Any]:
    """Return the game in the notation of docs/records.md, with names, date and secret."""
    state = replayed_state.load(game).state
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


def replay_page(game: Game, step: int | None, bot: str = "") -> dict[str, Any]:
    """Return the replay after so many steps, with what this bot would do then."""
    kept = record(game)
    page = replays.replay_page(kept, step)
    asked = advice.advice(game, kept, page["step"], bot) if bot else None
    return page | {"advisers": advice.ADVISERS, "asked": bot, "advice": asked}


def proof(game: Game) -> dict[str, Any]:
    """Return what the reader's browser needs to deal the same cards again, and what was dealt."""
    ruleset = rulesets.thaw(game.table.ruleset)
    players = len(game.holders)
    decks = ruleset.decks_for(players)
    used = 52 * decks if ruleset.deal_all else ruleset.cards_for(players) * players
    names = standings.holder_names(game)
    dealt = [parse_cards(text) for text in game.dealt or ()]
    drawn = game.no == 1 and not game.table.is_reserved
    facts = {
        "secret": game.secret,
        "commitment": game.commitment,
        "label": f"{dealing.METHOD}:{game.table.key}:{game.no}",
        "dealerLabel": f"{dealing.METHOD}:{game.table.key}:dealer" if drawn else "",
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
