"""The judge of decisions: what each move of a finished game gave away, and why it ended so.

It imagines games in which the network plays all seats, mostly in deals that explain the past
(docs/review.md has the figures that decided for it). Everything is in *opponents beaten*.
"""

from collections.abc import Collection, Mapping, Sequence
from math import sqrt
from operator import mul
from random import Random
from statistics import fmean
from typing import Any, NamedTuple
from zlib import crc32

from ..core.kernels.judged import J_ROW
from ..core.kernels.mind_layout import CERTAIN
from ..rules import game
from ..rules.actions import SeatAction, action_to_json
from ..rules.observation import Observation
from ..rules.ruleset import Ruleset, compare, preset
from ..rules.state import PLAY, State
from .belief import read
from .endgames import best_replies
from .imagination import Playing
from .master import MasterBot, distinct
from .money import Ledger, Money
from .monte_carlo import SageBot
from .search import Dream
from .weights import shipped_weights

NAME = "nets"
VERSION = 2
TESTED = {"mien-nam": (4,), "tien-len": (4,)}
"""The presets and numbers of players for which the judge's differences come true."""
MODEL_ERROR = 0.25
"""The error of one move beyond that of sampling: the judge's belief and its players are models."""
AS_GOOD, MISTAKE, BLUNDER = 0.15, 0.36, 0.75
"""Losses: as good as the best below the first, a mistake or a blunder from the others on."""
SURE = 2
"""A mistake is named where its loss is more than so many standard errors."""
_NEUTRAL = {
    "key", "name", "version", "document", "first_dealer", "money", "most_paid", "forfeit",
    "instant_wins", "instant_wins_declared", "instant_win_order", "instant_pairs",
    "instant_win_ties",
}  # fmt: skip
_NEAR, _FAR = 1, 3
_SHOWN, _FEWEST_DEALS, _BOMB = 5, 10, 4

Row = tuple[float, float]
"""What a choice came to in a deal: opponents beaten, and money in stakes."""


class Thoroughness(NamedTuple):
    """How many games the judge imagines.

    `first` for a decision, and `more` where a mistake may have to be named; `chances` from each
    position, with all hands known; `deals` to compare a choice with a free one.
    """

    first: int = 400
    more: int = 1000
    chances: int = 50
    deals: int = 25


FULL = Thoroughness()
EXPLAINED = MasterBot.style.belief
RANDOM = EXPLAINED._replace(share=0)


def why_not(started: State, actions: Sequence[SeatAction]) -> str:
    """Return why a finished game is not judged: instant, exchange, rules or seats; "" if it is."""
    state = started.copy()
    if not is_tested(state.ruleset):
        return "rules"
    if state.players not in TESTED[_tested_as(state.ruleset)]:
        return "seats"
    for action in actions:
        if action.do in ("ask", "give", "return", "trade"):
            return "exchange"
        if state.phase == PLAY:
            break
        game.apply(state, action)
    return "" if state.phase == PLAY and not state.placings else "instant"


def is_tested(ruleset: Ruleset) -> bool:
    """Return whether a ruleset differs from a tested one only in what decides no move."""
    return bool(_tested_as(ruleset))


def _tested_as(ruleset: Ruleset) -> str:
    for key in TESTED:
        if {name for name, _a, _b in compare(ruleset, preset(key))} <= _NEUTRAL:
            return key
    return ""


def review(
    started: State,
    actions: Sequence[SeatAction],
    seats: Collection[int],
    seed: str,
    effort: Thoroughness = FULL,
) -> dict[str, Any]:
    """Return the review of a finished game (docs/review.md), with the decisions of some seats.

    All chance follows from the seed. The game must be one that `why_not` has nothing against.
    """
    state = started.copy()
    values: list[list[float]] = []
    decisions: list[dict[str, Any]] = []
    expected: dict[int, float] = {}
    for step, action in enumerate(actions):
        dice = Random(f"{NAME} {VERSION} {seed} {step}")
        if state.phase == PLAY:
            legal = game.legal_actions(state)
            forced = values and len(legal) == 1  # So nothing has changed.
            values.append(values[-1] if forced else chances(state, effort.chances, seed, step))
            if action.seat in seats and len(distinct(legal)) > 1:
                seen = game.observe(state, action.seat)
                decision = {"step": step, "seat": action.seat}
                decisions.append(decision | decide(seen, legal, action, effort, dice))
                settings = _wavering(state, effort.deals, dice.getrandbits(32), step)
                expected[step] = expect(seen, action, settings, dice)
        game.apply(state, action)
    before = [values[0]] * (len(actions) - len(values))
    values = [*before, *values, beaten(state)]
    return {
        "judge": f"{NAME} {VERSION}",
        "values": values,
        "decisions": decisions,
        "terms": [
            terms(seat, values, actions, expected) if seat in seats else None
            for seat in range(state.players)
        ],
        "model_error": MODEL_ERROR,
    }


def beaten(state: State) -> list[float]:
    """Return how many opponents each seat has beaten for sure."""
    found, left = [0.0] * state.players, state.players
    for group in state.placings:
        left -= len(group)
        for seat in group:
            found[seat] = float(left)
    return found


def chances(state: State, games: int, seed: str, turns: int) -> list[float]:
    """Return how many opponents each seat will beat on average, all hands being known.

    Games of one seed that go the same way stay the same from turn to turn.
    """
    settings = _wavering(state, games, crc32(seed.encode()), turns)._replace(open_hands=1)
    seen = game.observe(state, state.turn)
    rows = _dream(seen, Random(seed)).judged([], RANDOM, settings, state.hands)
    means = [state.players - 1 - sum(rows[no::J_ROW]) / games for no in range(state.players)]
    return [sure or mean for sure, mean in zip(beaten(state), means, strict=True)]


def expect(seen: Observation, played: SeatAction, settings: Playing, dice: Random) -> float:
    """Return how many more opponents a move beats than a strong player's choice would have.

    Both meet the same deals, which the seat could expect.
    """
    rows = _dream(seen, dice).judged([played], EXPLAINED, settings)
    each = [sum(rows[at : at + seen.players - 1]) for at in range(0, len(rows), J_ROW)]
    return (sum(each[1::2]) - sum(each[::2])) / CERTAIN / settings.deals


def decide(
    seen: Observation,
    legal: Sequence[SeatAction],
    played: SeatAction,
    effort: Thoroughness,
    dice: Random,
) -> dict[str, Any]:
    """Return what a decision gave away, and the judge's best choices."""
    choices = [played if _ranks(each) == _ranks(played) else each for each in distinct(legal)]
    number, count = choices.index(played), len(choices)
    told: dict[str, Any] = {"legal": count, "chop": any(is_chop(each, seen) for each in choices)}
    exact = best_replies(seen, choices, read(seen))
    if exact is not None:
        stake = Ledger(seen.ruleset, seen.players).stake
        ends = [(seen.players - twice / 2, money / stake) for twice, money in exact]
        order = sorted(range(count), key=lambda k: (-ends[k][0], -ends[k][1], k != number))
        loss = ends[order[0]][0] - ends[number][0]
        told["at_stake"] = ends[order[0]][0] - fmean(end[0] for end in ends)
        return told | _told(choices, number, order, [ends], loss, 0.0)
    deals = max(_FEWEST_DEALS, effort.first // (2 * count))
    one, other = (results(seen, choices, deals, _NEAR, dice) for _ in range(2))
    loss, error, order = loss_of(one, other, number)
    told["at_stake"] = round(at_stake(one, other), 4)
    if loss + SURE * error > MISTAKE and effort.more:
        choices = [choices[k] for k in sorted({number, *order[: _SHOWN - 1]})]
        number = choices.index(played)
        deals = max(_FEWEST_DEALS, effort.more // (2 * len(choices)))
        one, other = (results(seen, choices, deals, _FAR, dice) for _ in range(2))
        loss, error, order = loss_of(one, other, number)
    return told | _told(choices, number, order, [*one, *other], loss, error)


def results(
    seen: Observation, choices: list[SeatAction], deals: int, far: int, dice: Random
) -> list[list[Row]]:
    """Return by deal what each choice came to; the network tells the end after `far` choices."""
    rows = _dream(seen, dice).judged(choices, EXPLAINED, Playing(deals, far))
    last, purse = seen.players - 1, Money(seen.ruleset, seen.players)
    worth = [money - 2 * (last - place) for place, money in enumerate(purse.places)]
    gains = [worth[place] - worth[place + 1] for place in range(last)]
    found = []
    for at in range(0, len(rows), J_ROW):
        sure = [chance / CERTAIN for chance in rows[at : at + last]]
        money = worth[last] + sum(map(mul, gains, sure)) + rows[at + 3] / 100
        found.append((sum(sure), money / purse.stake))
    return [found[at : at + len(choices)] for at in range(0, len(found), len(choices))]


def loss_of(
    one: Sequence[Sequence[Row]], other: Sequence[Sequence[Row]], played: int
) -> tuple[float, float, list[int]]:
    """Return what a choice gave away, its standard error, and all choices, best first.

    Each half of the deals picks a best choice that the other half compares with the played one: the
    best of a single sample would owe some of its lead to luck. Where a half picks the played
    choice, the error is that against the next best.
    """
    both = [*one, *other]
    order = sorted(range(len(one[0])), key=lambda k: (-_mean(both, k), k != played))
    second = order[order[0] == played]
    loss = variance = 0.0
    for picking, comparing in ((one, other), (other, one)):
        best = max(range(len(order)), key=lambda k: (_mean(picking, k), k == played))
        gaps = [row[best][0] - row[played][0] for row in comparing]
        loss += sum(gaps) / len(gaps) / 2
        if best == played:
            gaps = [row[second][0] - row[played][0] for row in both]
            variance += _variance(gaps) / len(gaps) * 2
        else:
            variance += _variance(gaps) / len(gaps)
    return loss, sqrt(variance) / 2, order


def at_stake(one: Sequence[Sequence[Row]], other: Sequence[Sequence[Row]]) -> float:
    """Return what a choice by lot would give away on average, from halves as in `loss_of`.

    One less what was given away of all that was at stake, of the sums of many decisions, is their
    accuracy: 1 for the judge and 0 for choices by lot.
    """
    choices, lead = range(len(one[0])), 0.0
    for picking, comparing in ((one, other), (other, one)):
        means = [_mean(comparing, k) for k in choices]
        lead += (means[max(choices, key=lambda k: _mean(picking, k))] - fmean(means)) / 2
    return lead


def is_chop(action: SeatAction, seen: Observation) -> bool:
    """Return whether an action beats a play of another number of cards."""
    return len(action.cards) >= _BOMB and len(seen.to_beat) not in (0, len(action.cards))


def word_of(loss: float, error: float, *, is_best: bool) -> str:
    """Return what a page says of a loss: best, close (to be told apart), mistake or blunder."""
    if loss >= MISTAKE and loss > SURE * error:
        return "blunder" if loss >= BLUNDER else "mistake"
    return "best" if is_best or (loss < AS_GOOD and loss + SURE * error < MISTAKE) else "close"


def terms(
    seat: int,
    values: Sequence[Sequence[float]],
    actions: Sequence[SeatAction],
    expected: Mapping[int, float],
) -> list[float]:
    """Return where a seat's result came from: four terms that sum to its result less the mean.

    These are the cards and the seat, what the others did, what the seat could not know, and its own
    decisions against a strong player's in its place.
    """
    mean = (len(values[0]) - 1) / 2
    found = [values[0][seat] - mean, 0.0, 0.0, 0.0]
    for step, action in enumerate(actions):
        change = values[step + 1][seat] - values[step][seat]
        own = expected.get(step, 0.0)
        found[2 if action.seat == seat else 1] += change - own * (action.seat == seat)
        found[3] += own * (action.seat == seat)
    return found


def _told(
    choices: list[SeatAction],
    number: int,
    order: list[int],
    rows: Sequence[Sequence[Row]],
    loss: float,
    error: float,
) -> dict[str, Any]:
    """Return a decision in the form of docs/review.md; `number` was played."""
    best, shown = order[0], order[:_SHOWN]
    if number not in shown:
        shown[-1] = number
    pays = any(money for row in rows for _places, money in row)
    return {
        "played": action_to_json(choices[number]),
        "best": action_to_json(choices[best]),
        "top": [[action_to_json(choices[k]), round(_mean(rows, k), 4)] for k in shown],
        "q": round(_mean(rows, best), 4),
        "q_played": round(_mean(rows, number), 4),
        "loss": round(loss, 4),
        "s": round(error, 4),
        "money": round(_mean(rows, best, 1) - _mean(rows, number, 1), 4) if pays else None,
        "word": word_of(loss, error, is_best=best == number),
    }


def _wavering(state: State, games: int, seed: int, turns: int) -> Playing:
    """Return how games are played in which all players waver, the next choice being free."""
    must = state.must_include if state.first else -2
    return Playing(games, free=1, seed=seed, turns=turns, must=must)


def _dream(seen: Observation, dice: Random) -> Dream:
    return Dream(seen, read(seen), shipped_weights(), SageBot.style, dice)


def _ranks(action: SeatAction) -> tuple[int, ...]:
    return tuple([card >> 2 for card in action.cards])


def _mean(rows: Sequence[Sequence[Row]], choice: int, what: int = 0) -> float:
    return sum(row[choice][what] for row in rows) / len(rows)


def _variance(numbers: Sequence[float]) -> float:
    if len(numbers) < 2:
        return 0.0
    mean = sum(numbers) / len(numbers)
    return sum((number - mean) ** 2 for number in numbers) / (len(numbers) - 1)
