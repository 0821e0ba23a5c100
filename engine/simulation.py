"""Games between bots, the same on every machine: blocks of deals with a tally and a digest.

All dice come from one seed through HMAC: the deck of a deal, the order of the bots, and the
dice of each seat's bot. A bot's dice depend on the deal and the seat alone, so the same bot
meets the same luck in every rotation, and nothing about the deck can be learnt from them.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, cast

from engine.bots import BOTS, Bot, make
from engine.bots.base import Reflex
from engine.deal import deal
from engine.designs import DESIGNS, check_design, games_of_deal, seatings, table_size
from engine.errors import EngineError
from engine.game import State, apply, legal_actions, observe, outcome, start
from engine.outcome import Outcome
from engine.playout import play_out
from engine.records import record_of
from engine.ruleset import Ruleset
from engine.state import OVER, PLAY

__all__ = ["DESIGNS", "Block", "SimulationError", "check", "play_block", "play_one", "rotations"]
Seed = str | int


class SimulationError(EngineError, ValueError):
    """A simulation cannot be run as asked."""


@dataclass(frozen=True)
class Block:
    """What a run of deals came to.

    `tally` is made of JSON values: ``counts`` lists [bot, rank, seats sharing it, games];
    ``deal_scores`` has for each deal each bot's score, summed over the games of the deal, one
    game giving 2 for each opponent beaten and 1 for each tied with; ``deal_net`` each bot's
    money likewise, and ``net`` its sum. ``deal_orders`` has for each deal its games' bots by
    place, those who share one in brackets: ``"2031 03(12)"``. Bots go by their index in the list
    that was asked for. `digest` is the SHA-256 over the results of all games in order.
    """

    games: int
    deals: int
    tally: dict[str, Any]
    digest: str


def play_block(
    ruleset: Ruleset,
    bots: Sequence[str],
    seed: Seed,
    first_deal: int,
    deals: int,
    design: str = "rotations",
    *,
    after_deal: Callable[[], object] = lambda: None,
) -> Block:
    """Play `deals` deals from number `first_deal` on; engine.designs has the designs.

    `after_deal` is called after each deal: a sign of life.
    """
    check(ruleset, bots, design)
    counts: Counter[tuple[int, int, int]] = Counter()
    scores: list[list[int]] = []
    money: list[list[int]] = []
    orders: list[str] = []
    results = hashlib.sha256()
    for number in range(first_deal, first_deal + deals):
        scores.append([0] * len(bots))
        money.append([0] * len(bots))
        dealt = _deal(ruleset, table_size(len(bots), design), seed, number)
        games = []
        for rotation, seating in enumerate(_seatings(bots, seed, number, design)):
            result = outcome(_play(ruleset, bots, dealt, seating))
            _count(result, seating, counts, scores[-1], money[-1])
            games.append(_order(result, seating))
            line = [number, rotation, seating, result.placings, result.net]
            results.update(json.dumps(line, separators=(",", ":")).encode() + b"\n")
        orders.append(" ".join(games))
        after_deal()
    tally = {
        "counts": [[*key, count] for key, count in sorted(counts.items())],
        "deal_scores": scores,
        "deal_net": money,
        "deal_orders": orders,
        "net": [sum(column) for column in zip(*money, strict=True)] or [0] * len(bots),
    }
    played = deals * rotations(len(bots), design)
    return Block(games=played, deals=deals, tally=tally, digest=results.hexdigest())


def play_one(
    ruleset: Ruleset,
    bots: Sequence[str],
    seed: Seed,
    number: int,
    rotation: int = 0,
    design: str = "rotations",
) -> dict[str, Any]:
    """Return the record of one game of a run: the same game as in its block."""
    check(ruleset, bots, design)
    seating = seats(bots, seed, number, rotation, design)
    dealt = _deal(ruleset, len(seating), seed, number)
    state = _play(ruleset, bots, dealt, seating, logged=True)
    names = [bots[bot] for bot in seating]
    return {**record_of(state), "players": names}


def check(ruleset: Ruleset, bots: Sequence[str], design: str) -> None:
    """Raise SimulationError where these bots cannot play this ruleset in this design."""
    for name in bots:
        if name not in BOTS:
            raise SimulationError(f"there is no bot {name[:40]!r}: choose {', '.join(BOTS)}")
    try:
        check_design(ruleset, len(bots), design)
    except EngineError as error:
        raise SimulationError(str(error)) from None


def rotations(bots: int, design: str) -> int:
    """Return how many games a deal is played."""
    return games_of_deal(bots, design)


def seats(
    bots: Sequence[str], seed: Seed, number: int, rotation: int, design: str = "rotations"
) -> list[int]:
    """Return for each seat the index of the bot in it, in that game of the deal."""
    return _seatings(bots, seed, number, design)[rotation]


def _seatings(bots: Sequence[str], seed: Seed, number: int, design: str) -> list[list[int]]:
    return seatings(len(bots), design, _dice(seed, f"order|{number}"))


def _secret(seed: Seed, purpose: str) -> int:
    code = hmac.digest(str(seed).encode(), purpose.encode(), "sha256")
    return int.from_bytes(code[:16], "big")


def _dice(seed: Seed, purpose: str) -> Random:
    return Random(_secret(seed, purpose))


@dataclass(frozen=True)
class _Deal:
    """What all games of one deal share: the cards and the seed of each seat's bot."""

    hands: list[tuple[int, ...]]
    seeds: list[int]


def _deal(ruleset: Ruleset, players: int, seed: Seed, number: int) -> _Deal:
    return _Deal(
        hands=deal(ruleset, players, _dice(seed, f"deck|{number}")),
        seeds=[_secret(seed, f"bot|{number}|{seat}") for seat in range(players)],
    )


def _play(
    ruleset: Ruleset,
    bots: Sequence[str],
    dealt: _Deal,
    seating: list[int],
    *,
    logged: bool = False,
) -> State:
    state = start(ruleset, dealt.hands)
    players = [make(bots[bot], dealt.seeds[seat]) for seat, bot in enumerate(seating)]
    fast = not logged and state.table.plain
    picks = [getattr(player, "pick", None) for player in players]
    while state.phase != OVER:
        if fast and state.phase == PLAY and None not in picks:
            play_out(state, cast("list[Callable[[list[int], int, bool], int]]", picks))
        else:
            take_turn(state, players[state.turn])
    return state


def take_turn(state: State, bot: Bot | Reflex) -> None:
    """Let a bot act for the seat to act, from what that seat may see."""
    apply(state, bot.choose(observe(state, state.turn), legal_actions(state)))


def _count(
    result: Outcome,
    seating: list[int],
    counts: Counter[tuple[int, int, int]],
    scores: list[int],
    money: list[int],
) -> None:
    below_group = len(seating)
    rank = 1
    for group in result.placings:
        below_group -= len(group)
        for seat in group:
            bot = seating[seat]
            counts[bot, rank, len(group)] += 1
            scores[bot] += 2 * below_group + len(group) - 1
        rank += len(group)
    for seat, amount in enumerate(result.net):
        money[seating[seat]] += amount


def _order(result: Outcome, seating: list[int]) -> str:
    groups = ["".join(str(seating[seat]) for seat in group) for group in result.placings]
    return "".join(group if len(group) == 1 else f"({group})" for group in groups)
