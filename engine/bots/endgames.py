"""Exhaustive search of the end of a game between the last two seats, whose cards are all known."""

from collections.abc import Sequence
from itertools import takewhile

from ..rules import trick
from ..rules.actions import SeatAction
from ..rules.cardset import pack
from ..rules.observation import Observation
from ..rules.rule_tables import table
from ..rules.state import OVER, PLAY, State
from .belief import Reading
from .money import Ledger, split

MOST_CARDS = 12
"""The most cards in both hands together that are searched."""
_MOST_POSITIONS = 3000

_Key = tuple[int, ...]


class _TooMany(Exception):
    """The search has reached its limit of positions."""


def best_replies(
    observation: Observation, legal: Sequence[SeatAction], reading: Reading
) -> list[tuple[int, int]] | None:
    """Return twice the place and the money of each action under the best play of both.

    None if more than one opponent is left, if not all of their cards are known, or if the search
    takes too long. Money is a ledger's (`engine.bots.money`): chops and places.
    """
    state = _state(observation, reading)
    if state is None:
        return None
    search = _Search(observation)
    try:
        return [split(search.after(state, action)) for action in legal]
    except _TooMany:
        return None


def _state(observation: Observation, reading: Reading) -> State | None:
    seat = observation.seat
    if seat is None or len(reading.opponents) != 1 or observation.opening:
        return None
    other = reading.opponents[0]
    if len(reading.unseen) != reading.counts[other]:
        return None
    if len(observation.hand) + len(reading.unseen) > MOST_CARDS:
        return None
    hands = [0] * observation.players
    hands[seat], hands[other] = pack(observation.hand), pack(reading.unseen)
    state = state_of(observation, hands)
    return None if state.first else state


def state_of(observation: Observation, hands: Sequence[int]) -> State:
    """Return the state of a trick that the seat to act sees, with these hands for all seats."""
    ruleset = observation.ruleset
    state = State(ruleset, table(ruleset), tuple(hands), None, None, 1)
    assert observation.seat is not None
    state.phase, state.turn = PLAY, observation.seat
    state.placings = list(observation.placings)
    state.out = sum(1 << each for group in observation.placings for each in group)
    state.locked = sum(1 << each for each in observation.locked_out)
    state.flush_lock = observation.trick_locked
    if observation.to_beat_by is not None:
        state.top = state.table.classify(pack(observation.to_beat))
        state.top_by = observation.to_beat_by
    if observation.must_include is not None:
        state.must_include = observation.must_include
    for event in reversed(observation.history):
        if event.action.do in ("play", "lock"):
            state.first = False
            state.played |= 1 << event.action.seat
        elif event.action.do == "pass" and state.first:
            state.passed |= 1 << event.action.seat
    if observation.chops and observation.chops[-1].play == state.top:
        state.level = observation.chops[-1].level
    return state


class _Search:
    """Every line of play between two seats, with each position searched once."""

    def __init__(self, observation: Observation) -> None:
        ruleset, players = observation.ruleset, observation.players
        self._seat = observation.seat
        self._ledger = Ledger(ruleset, players)
        self._known: dict[_Key, int] = {}

    def after(self, state: State, action: SeatAction) -> int:
        """Return the ledger's reward of an action of the seat to act under best play."""
        if action.do == "pass":
            return self._step(state, 0, lock=False)
        play = state.table.classify(pack(action.cards))
        return self._step(state, play, lock=action.do == "lock")

    def _step(self, state: State, play: int, *, lock: bool) -> int:
        twin = state.copy()
        chops = len(twin.chops)
        if play:
            trick.make_play(twin, play, lock)
        else:
            trick.make_pass(twin)
        net = sum((c.by == self._seat) - (c.of == self._seat) for c in twin.chops[chops:])
        return net * self._ledger.chop + self._best(twin)

    def _best(self, state: State) -> int:
        if state.phase == OVER:
            ahead = takewhile(lambda group: self._seat not in group, state.placings)
            return self._ledger.places[sum(map(len, ahead))]
        key = (
            *state.hands, state.turn, state.top, state.top_by,
            state.locked, state.passed, state.flush_lock,
        )  # fmt: skip
        found = self._known.get(key)
        if found is not None:
            return found
        if len(self._known) >= _MOST_POSITIONS:
            raise _TooMany
        plays = trick.legal_plays(state)
        lines = [self._step(state, play, lock=False) for play in plays]
        lines += [self._step(state, play, lock=True) for play in trick.lockable(state, plays)]
        if trick.may_pass(state):
            lines.append(self._step(state, 0, lock=False))
        choose = max if state.turn == self._seat else min
        best = self._known[key] = choose(lines, key=_worth)
        return best


def _worth(ledgered: int) -> int:
    """Return a ledger's reward to a player as one number: the money less twice the place."""
    place, money = split(ledgered)
    return money - place
