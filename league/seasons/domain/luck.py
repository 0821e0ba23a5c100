"""Luck in a season: what each hand was worth before the first play, taken out of its result.

Results and worths are shares of the opponents beaten, from 0 to 1. The worths of a table average
one half. Where the lead is drawn by lot, too, the adjusted results are right on average, however
good the worths are. Where the winner leads the next game, stronger players lead more often, and
that part of their skill counts as luck (docs/review.md).
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from engine.statistics.intervals import Estimate
from league.base.domain.grouped import grouped
from league.base.domain.keys import Key

FIRST_FACTOR, GAMES_TRUSTED = 0.6, 200
"""The factor without any games, and the games from which on it is the regression's alone."""


@dataclass(frozen=True, slots=True)
class HandPlayed:
    """A player's hand in a game of `size` players: its result and what it was worth.

    `spread` is what the season gave for all opponents of that game, in points.
    """

    player: Key
    night: Key
    game: Key
    size: int
    result: float
    worth: float
    spread: float = 0.0


@dataclass(frozen=True, slots=True)
class Luck:
    """A player's luck: in opponents beaten, and in points; `as_lucky` of 100 fair seasons have it.

    `adjusted` is the mean share of opponents beaten without luck, with its error over nights.
    """

    player: Key
    games: int
    luck: float
    points: float
    as_lucky: int
    adjusted: Estimate


def factors(hands: Iterable[HandPlayed]) -> dict[Key, float]:
    """Return by game how much of a worth came true in all the other games."""
    products: defaultdict[Key, float] = defaultdict(float)
    squares: defaultdict[Key, float] = defaultdict(float)
    for hand in hands:
        products[hand.game] += (hand.result - 0.5) * (hand.worth - 0.5)
        squares[hand.game] += (hand.worth - 0.5) ** 2
    trust = min(1.0, len(squares) / GAMES_TRUSTED)
    product, square = sum(products.values()), sum(squares.values())

    def without(game: Key) -> float:
        left = square - squares[game]
        return (product - products[game]) / left if left > 1e-9 else FIRST_FACTOR

    return {game: FIRST_FACTOR + trust * (without(game) - FIRST_FACTOR) for game in squares}


def lucks(hands: Sequence[HandPlayed]) -> dict[Key, Luck]:
    by_game = factors(hands)
    tables: defaultdict[Key, list[float]] = defaultdict(list)
    own: defaultdict[Key, list[HandPlayed]] = defaultdict(list)
    for hand in hands:
        tables[hand.game].append((by_game[hand.game] * (hand.worth - 0.5)) ** 2)
        own[hand.player].append(hand)
    fair = {game: math.fsum(squares) / len(squares) for game, squares in tables.items()}
    return {player: _luck(player, played, by_game, fair) for player, played in own.items()}


def _luck(
    player: Key, hands: Sequence[HandPlayed], by_game: dict[Key, float], fair: dict[Key, float]
) -> Luck:
    shares = [by_game[hand.game] * (hand.worth - 0.5) for hand in hands]
    places = [share * (hand.size - 1) for share, hand in zip(shares, hands, strict=True)]
    luck = math.fsum(places)
    error = math.sqrt(sum(fair[hand.game] * (hand.size - 1) ** 2 for hand in hands))
    beyond = 1 - NormalDist().cdf(abs(luck) / error) if error else 0.5
    nights = grouped(
        (hand.night, hand.result - share) for share, hand in zip(shares, hands, strict=True)
    )
    return Luck(
        player,
        len(hands),
        luck,
        math.fsum(share * hand.spread for share, hand in zip(shares, hands, strict=True)),
        round(100 * beyond),
        over_nights(list(nights.values())),
    )


def over_nights(nights: Sequence[Sequence[float]]) -> Estimate:
    """Return the mean of all games; its error takes the games of a night as one."""
    games = sum(map(len, nights))
    mean = math.fsum(map(math.fsum, nights)) / games
    count = len(nights)
    if count < 2:
        return Estimate(mean, math.inf, count)
    squares = sum((math.fsum(night) - mean * len(night)) ** 2 for night in nights)
    return Estimate(mean, math.sqrt(count / (count - 1) * squares) / games, count)
