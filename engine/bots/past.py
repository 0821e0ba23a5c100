"""The seats' decisions in a game so far, and what they saw at the time."""

from typing import NamedTuple

from ..core.kernels.mind_layout import HABITS, N_LET_PAIR, N_SINGLES, NOTHING
from ..rules import trick
from ..rules.cardset import DECK, pack, size
from ..rules.observation import Observation
from ..rules.rule_tables import table
from ..rules.state import PLAY, State
from .belief import Reading


class Decision(NamedTuple):
    """A seat's play, or pass (0), the table at the time, and the cards it has played since.

    `added` are the cards that the seat has played from this decision on, `least` the fewest cards
    of another seat, `must` the card that the first play had to contain or -1; `unplayed` and
    `added` are packed cards, `locked` seats as bits.
    """

    seat: int
    top: int
    top_by: int
    locked: int
    unplayed: int
    added: int
    play: int
    least: int
    must: int


def past_of(observation: Observation, reading: Reading) -> list[Decision]:
    """Return the others' decisions, oldest first, from the history and the counts of cards alone.

    The engine replays the tricks with hands that fit the observation.
    """
    events = [e.action for e in observation.history if e.action.do in ("play", "pass")]
    state = _beginning(observation, reading, [a.seat for a in events][:1])
    unplayed = DECK * observation.ruleset.decks_for(observation.players)
    since = [0] * observation.players
    decisions: list[Decision] = []
    for action in events:
        play = state.table.classify(pack(action.cards)) if action.cards else 0
        if action.seat != observation.seat:
            others = [hand for seat, hand in enumerate(state.hands) if hand and seat != action.seat]
            decisions.append(
                Decision(
                    action.seat, state.top, state.top_by, state.locked, unplayed,
                    since[action.seat], play, min(map(size, others)),
                    min(action.cards) if state.first and action.cards else -1,
                )
            )  # fmt: skip
        if play:
            cards = pack(action.cards)
            unplayed -= cards
            since[action.seat] += cards
            trick.make_play(state, play)
        else:
            trick.make_pass(state)
    return [d._replace(added=since[d.seat] - d.added) for d in decisions]


def _beginning(observation: Observation, reading: Reading, leads: list[int]) -> State:
    """Return a starting state that the observed game may have had."""
    hands = [0] * observation.players
    for event in observation.history:
        if event.action.do == "play":
            hands[event.action.seat] += pack(event.action.cards)
    unseen = list(reading.unseen)
    for seat in reading.opponents:
        hands[seat] += pack([unseen.pop() for _ in range(reading.counts[seat])])
    assert observation.seat is not None
    hands[observation.seat] += pack(observation.hand)
    state = State(observation.ruleset, table(observation.ruleset), tuple(hands), None, None, 1)
    # A seat with an instant win never plays.
    for group in observation.placings:
        for seat in group:
            if not hands[seat]:
                state.placings.append((seat,))
                state.out |= 1 << seat
    state.phase = PLAY
    state.turn = state.leader = leads[0] if leads else observation.seat
    return state


def habits(observation: Observation) -> list[int]:
    """Return the seats' habits, laid out as in `kernels.mind_layout`."""
    found = [NOTHING] * N_SINGLES + [0] * (HABITS - N_SINGLES)
    cards: tuple[int, ...] = ()
    by = -1
    for event in observation.history:
        action = event.action
        if action.do in ("play", "lock"):
            cards, by = action.cards, action.seat
            if len(cards) == 1:
                found[N_SINGLES + by] |= 1 << (cards[0] >> 2)
        elif action.do == "pass" and action.seat != by and len(cards) in (1, 2):
            at = N_LET_PAIR * (len(cards) - 1) + action.seat
            found[at] = min(found[at], cards[-1] >> 2)
    return found


def passed_on_top(observation: Observation) -> int:
    """Return the seats that passed on the play to beat, as bits."""
    passed = 0
    for event in reversed(observation.history):
        if event.action.do != "pass":
            break
        passed |= 1 << event.action.seat
    return passed if observation.to_beat else 0
