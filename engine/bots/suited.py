"""Choices where suits or colours must match: the hidden cards dealt, and games played by the rules.

Groups (`engine.bots.decompose`) know ranks alone: there a planner counts pairs that nobody may play
and fears answers that nobody may give. So in these rulesets the planner plays like the greedy bot,
and the bots that imagine games play these by the rules, card by card, with greedy players.
"""

from collections.abc import Sequence
from random import Random
from threading import get_ident

from ..core.games import POLICIES, games_on
from ..core.rules_data import fits
from ..core.store import current
from ..rules import trick
from ..rules.actions import SeatAction
from ..rules.cardset import pack
from ..rules.observation import Observation
from ..rules.payments import net
from ..rules.rule_tables import table
from ..rules.ruleset import Ruleset
from ..rules.state import OVER, State
from .belief import Reading
from .endgames import state_of
from .greedy import GreedyBot
from .money import Money

_GREEDY = GreedyBot(0)


def is_suited(ruleset: Ruleset) -> bool:
    """Return whether suits or colours matter in a ruleset's combinations or answers."""
    return table(ruleset).matched


def best_of(
    observation: Observation,
    reading: Reading,
    choices: Sequence[SeatAction],
    rounds: Sequence[tuple[int, int]],
    dice: Random,
) -> SeatAction:
    """Return the choice with the best mean result; each round keeps the best so far.

    `rounds` are numbers of choices and of deals. The first round has all choices.
    """
    worth = _worth(observation)
    sums = dict.fromkeys(choices, 0.0)
    left = list(choices)
    for number, (most, deals) in enumerate(rounds):
        left = left[: most if number else len(left)]
        for results in results_of(observation, reading, left, deals, dice):
            for action, (place, money) in zip(left, results, strict=True):
                sums[action] += worth * money - place
        left.sort(key=lambda action: -sums[action])
    return left[0]


def results_of(
    observation: Observation,
    reading: Reading,
    choices: Sequence[SeatAction],
    deals: int,
    dice: Random,
) -> list[list[tuple[int, int]]]:
    """Return, for each deal of the hidden cards, each choice's result: twice the place, and money.

    Money is what the seat wins from here on, in units.
    """
    seat = observation.seat
    assert seat is not None
    known = {card for cards in reading.known.values() for card in cards}
    pool = [card for card in reading.unseen if card not in known]
    found = []
    for _ in range(deals):
        dice.shuffle(pool)
        hands = [0] * observation.players
        hands[seat] = pack(observation.hand)
        at = 0
        for other in reading.opponents:
            own = reading.known.get(other, ())
            more = reading.counts[other] - len(own)
            hands[other] = pack(own) + pack(pool[at : at + more])
            at += more
        started = state_of(observation, hands)
        found.append([_result(started, action, seat) for action in choices])
    return found


def _result(started: State, action: SeatAction, seat: int) -> tuple[int, int]:
    state = started.copy()
    if action.do == "pass":
        trick.make_pass(state)
    else:
        trick.make_play(state, state.table.classify(pack(action.cards)), action.do == "lock")
    if state.phase != OVER:
        _play_out(state)
    before = 0
    for group in state.placings:
        if seat in group:
            place = 2 * before + len(group) + 1
        before += len(group)
    return place, net(state.players, state.payments)[seat]


def _play_out(state: State) -> None:
    """Play a game to its end with greedy players, on the core if it is there and fits."""
    core = current()
    if core and fits(state.ruleset):
        games = games_on(core, state.ruleset, state.players, get_ident())
        games.seat([POLICIES["greedy"]] * state.players, ())
        if games.play_out(state) is not None:
            return
    while state.phase != OVER:
        plays = trick.legal_plays(state)
        play = 0
        if plays and not (state.opening >= 0 and not state.top):
            play = _GREEDY.pick(plays, state.top, state.turn == state.top_by)
        if play:
            trick.make_play(state, play)
        elif trick.may_pass(state):
            trick.make_pass(state)
        else:
            trick.make_play(state, plays[0])


def _worth(observation: Observation) -> float:
    """Return the worth of a unit of money, in half places."""
    if observation.ruleset.betting in ("none", "points"):
        return 0
    return Money(observation.ruleset, observation.players).stake
