"""Finished games of a table: their results, records, and proofs of the deal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from engine import records
from engine.records import deals
from engine.rules.cards import parse_cards
from engine.rules.specials import Special
from engine.rules.specials_of_game import specials_of
from tables.base import rulesets
from tables.models import Game, Seat
from tables.play.facts import positions, standings

MOST_LINKS = 513
"""The values of a browser's chain."""


class Happened(NamedTuple):
    """A finished game's result by seat, as on a score sheet: places, payments, specials."""

    placings: list[list[int]]
    payments: list[dict[str, Any]]
    specials: list[Special]


class DealProof(NamedTuple):
    """The facts that repeat a deal, its hands by name, and who contributed to it.

    For deals of several tables `mixers` are nameless: one for each player of the round with a part.
    """

    facts: dict[str, Any]
    hands: list[tuple[str, list[str]]]
    mixers: list[str]


def happened(game: Game) -> Happened:
    """Return a finished game's result, with the engine's own payments."""
    assert game.outcome is not None
    specials = specials_of(positions.replay_of(game).state)
    return Happened(game.outcome["placings"], game.outcome["payments"], specials)


def record(game: Game) -> dict[str, Any]:
    """Return the game in the notation of docs/records.md, with names, date and secret."""
    state = positions.replay_of(game).state
    assert game.dealt_at is not None
    return records.record_of(state, game.previous) | {
        "players": standings.holder_names(game),
        "date": game.dealt_at.date().isoformat(),
        "deal": {
            "method": deals.MIXED if any(game.parts or ()) else deals.METHOD,
            "table": game.deal_key,
            "game": game.deal_no,
            "secret": game.secret,
            "commitment": game.commitment,
            "links": game.links or [],
            "parts": game.parts or [],
            "drawn": _is_drawn(game),
            "dealer": game.dealer,
            "first": game.dealt_first,
            "standalone": game.table.shared is not None,
        },
    }


def proof(game: Game) -> DealProof:
    """Return the facts from which the reader's browser repeats the deal, and the hands dealt."""
    ruleset = rulesets.thaw(game.table.ruleset)
    players = len(game.holders)
    decks = ruleset.decks_for(players)
    used = 52 * decks if ruleset.deal_all else ruleset.cards_for(players) * players
    names = standings.holder_names(game)
    facts = {
        "secret": game.secret,
        "commitment": game.commitment,
        "table": game.deal_key,
        "game": game.deal_no,
        "links": game.links or [],
        "parts": game.parts or [],
        "drawn": _is_drawn(game),
        "standalone": game.table.shared is not None,
        "dealer": game.dealer,
        "winner": game.previous["placings"][0][0]
        if game.previous and ruleset.first_card_to_winner
        else None,
        "players": players,
        "decks": decks,
        "used": used,
        "first": game.dealt_first,
        "hands": [parse_cards(text) for text in game.dealt or ()],
    }
    hands = [(name, text.split()) for name, text in zip(names, game.dealt or (), strict=True)]
    return DealProof(facts, hands, _mixers(game, names))


def _mixers(game: Game, names: Sequence[str]) -> list[str]:
    """Return the players with a part; not those on the seat of someone who gave one and left."""
    parts = {part for part in game.parts or () if part}
    if game.table.shared is not None:
        return [""] * len(parts)
    links = dict(Seat.objects.filter(pk__in=game.holders).values_list("pk", "link"))
    pairs = zip(names, game.holders, strict=True)
    return [name for name, holder in pairs if parts & set(_chain(links.get(holder, "")))]


def _chain(link: str) -> Iterator[str]:
    """Yield a seat's link and the earlier ones: each was the part that became the next link."""
    for _deal in range(MOST_LINKS if link else 0):
        yield link
        link = deals.fingerprint(link)


def _is_drawn(game: Game) -> bool:
    """Return whether the deal also drew the first dealer."""
    return game.no == 1 and not game.table.is_reserved
