"""The value of each legal action in places and money, by imagined games or exhaustive search."""

from collections.abc import Sequence
from math import sqrt
from random import Random
from typing import NamedTuple

from ..rules.actions import SeatAction
from ..rules.observation import Observation
from ..rules.rule_tables import table
from . import suited
from .belief import Reading, read
from .candidates import Candidate, weigh
from .decompose import Decomposer, decomposer
from .endgames import best_replies
from .money import Ledger
from .search import Dream, ImaginedResult, Style
from .suited import is_suited
from .weights import Weights, shipped_weights

_FINALISTS = 8
_FEWEST_DEALS = 2


class ActionValue(NamedTuple):
    """The value of an action to its seat.

    `place` is the mean place (1 is first) and `money` the mean money won from here on, in stakes.
    Each error is the standard error of the difference to the action with the best place, on the
    same deals; that action itself has none. `games` is the number of imagined games; 0 for an
    exhaustive search, which has no error either.
    """

    action: SeatAction
    place: float
    place_error: float
    money: float
    money_error: float
    games: int


def values(
    observation: Observation, legal: Sequence[SeatAction], games: int, dice: Random
) -> list[ActionValue]:
    """Return the value of each play, lock and pass, in the order of `legal`.

    About `games` games are imagined in all, but at least two for each action: half of them for all
    actions on the same deals, and half for the eight best so far. Plays of equal ranks with the
    same top card share their games. An end between two seats whose cards are known is searched
    exhaustively instead (`engine.bots.endgames`). Outside tricks, where there is no play to value,
    the list is empty.
    """
    if observation.opening or not any(action.do == "play" for action in legal):
        return []
    reading = read(observation)
    stake = 1 / Ledger(observation.ruleset, observation.players).stake
    exact = best_replies(observation, legal, reading)
    if exact is not None:
        found = zip(legal, exact, strict=True)
        return [
            ActionValue(action, place / 2, 0, money * stake, 0, 0)
            for action, (place, money) in found
        ]
    if is_suited(observation.ruleset):
        return _by_the_rules(observation, reading, legal, games, dice)
    weights = shipped_weights()
    plan = decomposer(table(observation.ruleset).generator, weights)
    candidates = {_key(c.action): c for c in _distinct(observation, legal, reading, plan, weights)}
    dream = Dream(observation, reading, weights, Style(()), dice)
    results = _imagine(dream, candidates, games)
    finalists = max(map(len, results.values()))
    best = min((found for found in results.values() if len(found) == finalists), key=_standing)
    return [_value(action, results[_key(action)], best, stake) for action in legal]


def _by_the_rules(
    observation: Observation,
    reading: Reading,
    legal: Sequence[SeatAction],
    games: int,
    dice: Random,
) -> list[ActionValue]:
    """Return the values where suits count, from games that are played by the rules."""
    deals = max(_FEWEST_DEALS, games // len(legal))
    played = suited.results_of(observation, reading, legal, deals, dice)
    results = [[ImaginedResult(*result) for result in own] for own in zip(*played, strict=True)]
    best = min(results, key=_standing)
    return [
        _value(action, own, best, 1 / observation.stake)
        for action, own in zip(legal, results, strict=True)
    ]


def _imagine(
    dream: Dream, candidates: dict[tuple[int, ...], Candidate], games: int
) -> dict[tuple[int, ...], list[ImaginedResult]]:
    keys = list(candidates)
    first = max(_FEWEST_DEALS, games // (2 * len(keys)))
    results = dict(zip(keys, dream.results_of(list(candidates.values()), first), strict=True))
    best = sorted(keys, key=lambda key: _standing(results[key]))[:_FINALISTS]
    more = (games - first * len(keys)) // len(best)
    if more > 0:
        again = dream.results_of([candidates[key] for key in best], more)
        for key, found in zip(best, again, strict=True):
            results[key] += found
    return results


def _standing(results: Sequence[ImaginedResult]) -> tuple[int, int]:
    """Return the sort key for results of the same deals, best first: by place, then by money."""
    return sum(result.place for result in results), -sum(result.money for result in results)


def _key(action: SeatAction) -> tuple[int, ...]:
    """Return a play's key in imagined games: its ranks and its top card."""
    return (*[card >> 2 for card in action.cards], *action.cards[-1:])


def _distinct(
    observation: Observation,
    legal: Sequence[SeatAction],
    reading: Reading,
    plan: Decomposer,
    weights: Weights,
) -> list[Candidate]:
    """Return a candidate for each key, with the planner's score."""
    by_ranks = {
        tuple([card >> 2 for card in c.action.cards]): c
        for c in weigh(observation, legal, reading, plan, weights)
    }
    found: dict[tuple[int, ...], Candidate] = {}
    for action in legal:
        if action.do in ("play", "pass") and _key(action) not in found:
            alike = by_ranks[tuple([card >> 2 for card in action.cards])]
            found[_key(action)] = alike._replace(action=action)
    return list(found.values())


def _value(
    action: SeatAction,
    results: Sequence[ImaginedResult],
    best: Sequence[ImaginedResult],
    stake: float,
) -> ActionValue:
    """Return an action's value, from its difference to the best action on the deals of both."""
    pairs = list(zip(results, best, strict=False))
    place, place_error = mean_and_error([own.place - other.place for own, other in pairs])
    money, money_error = mean_and_error([own.money - other.money for own, other in pairs])
    best_place, best_money = (sum(each) / len(best) for each in zip(*best, strict=True))
    return ActionValue(
        action, (best_place + place) / 2, place_error / 2,
        (best_money + money) * stake, money_error * stake, len(results),
    )  # fmt: skip


def mean_and_error(numbers: Sequence[float]) -> tuple[float, float]:
    """Return the mean and its standard error."""
    mean = sum(numbers) / len(numbers)
    squares = sum((number - mean) ** 2 for number in numbers)
    return mean, sqrt(squares / (len(numbers) - 1) / len(numbers))
