"""A game of Tiến Lên: start, legal actions, apply, outcome and observations.

`apply` changes the given state and returns it; a refused action leaves it unchanged. Call
`state.copy()` first to keep the old state.
"""

from collections.abc import Sequence

from . import exchange, instant_wins, trick
from .actions import SeatAction
from .cardset import pack
from .deal_check import check_deal, check_inherited
from .errors import (
    GameOver,
    HasFinished,
    IllegalAction,
    LockedOut,
    MustLead,
    NoSuchSeat,
    NotYourTurn,
    StartError,
    WrongPhase,
)
from .exchange_steps import debtors, exchange_steps
from .inherited import Previous
from .lead import lowest_card_holder, usual_leader
from .observation import Observation, observe
from .outcome import Outcome, outcome
from .plays import prepare
from .rule_tables import table
from .ruleset import Ruleset
from .shapes import cards_of
from .state import EXCHANGE, INSTANT_WIN, OVER, PLAY, LogEntry, State

__all__ = [
    "SeatAction", "IllegalAction", "Observation", "Outcome", "Previous", "StartError", "State",
    "apply", "legal_actions", "observe", "outcome", "start",
]  # fmt: skip


def start(
    ruleset: Ruleset,
    hands: Sequence[Sequence[int]],
    *,
    previous: Previous | None = None,
    leader: int | None = None,
    stake: int = 1,
) -> State:
    """Return the state after the deal of `hands`, in the order of seats; raises StartError.

    `leader` overrides the usual leader and need not play the lowest card.

    >>> from tien_len.rules.cards import parse_cards
    >>> from tien_len.rules.ruleset import preset, with_options
    >>> rules = with_options(preset("thirteen"), {"cards_each": {"2": 3}})
    >>> state = start(rules, [parse_cards("3S 5H 2C"), parse_cards("4S 4C 9D")])
    >>> state.turn, state.phase
    (0, 'play')
    """
    check_deal(ruleset, hands)
    check_inherited(len(hands), previous, leader)
    prepare(ruleset.decks_for(len(hands)))
    dealt = tuple([pack(hand) for hand in hands])
    state = State(ruleset, table(ruleset), dealt, previous, leader, stake)
    state.steps = exchange_steps(ruleset, previous)
    state.debtors = debtors(state.steps)
    _go_on(state)
    return state


def legal_actions(state: State) -> list[SeatAction]:
    """Return every action of the seat to act, each once; trades are not listed.

    >>> from tien_len.rules.cards import parse_cards
    >>> from tien_len.rules.ruleset import preset, with_options
    >>> rules = with_options(preset("thirteen"), {"cards_each": {"2": 3}})
    >>> state = start(rules, [parse_cards("3S 5H 2C"), parse_cards("4S 4C 9D")], leader=1)
    >>> [action.cards for action in legal_actions(state)]
    [(4,), (5,), (4, 5), (26,)]
    """
    seat = state.turn
    if state.phase == OVER:
        return []
    if state.phase == EXCHANGE:
        return exchange.legal_exchange(state)
    if state.phase == INSTANT_WIN:
        return [SeatAction(seat, "declare"), SeatAction(seat, "decline")]
    plays = trick.legal_plays(state)
    actions = [SeatAction(seat, "play", cards_of(play)) for play in plays]
    actions += [SeatAction(seat, "lock", cards_of(play)) for play in trick.lockable(state, plays)]
    if trick.may_pass(state):
        actions.append(SeatAction(seat, "pass"))
    return actions


def apply(state: State, action: SeatAction) -> State:
    """Carry out an action and return the same state, changed; raises IllegalAction.

    >>> from tien_len.rules.cards import parse_cards
    >>> from tien_len.rules.ruleset import preset, with_options
    >>> rules = with_options(preset("thirteen"), {"cards_each": {"2": 3}})
    >>> state = start(rules, [parse_cards("3S 5H 2C"), parse_cards("4S 4C 9D")], leader=1)
    >>> state = apply(state, SeatAction(1, "play", parse_cards("4S 4C")))
    >>> state = apply(state, SeatAction(0, "pass"))
    >>> outcome(apply(state, SeatAction(1, "play", parse_cards("9D")))).placings
    ((1,), (0,))
    """
    _check_turn(state, action)
    if action.do == "trade":
        exchange.check_trade(state, action)
        exchange.make_trade(state, action)
        if state.phase != EXCHANGE:
            # Automatic declarations are decided again after a trade.
            state.placings = []
            state.out = 0
            state.instant_winners = ()
            _go_on(state)
        return state
    if state.phase == PLAY:
        _apply_play(state, action)
    elif state.phase == INSTANT_WIN:
        state.trading = False
        state.log.append(LogEntry(action, frozenset((action.seat,))))
        if not instant_wins.answer(state, action.do == "declare"):
            _begin_play(state)
    else:
        exchange.check_exchange(state, action)
        exchange.make_exchange(state, action)
        _go_on(state)
    return state


def _apply_play(state: State, action: SeatAction) -> None:
    if action.do == "pass":
        if not trick.may_pass(state):
            raise MustLead()
        state.trading = False
        state.log.append(LogEntry(action))
        trick.make_pass(state)
        return
    lock = action.do == "lock"
    play = trick.check_play(state, action.cards, lock)
    state.trading = False
    state.log.append(LogEntry(action))
    trick.make_play(state, play, lock)


_VERBS = {PLAY: ("play", "lock", "pass"), INSTANT_WIN: ("declare", "decline")}


def _check_turn(state: State, action: SeatAction) -> None:
    """Raise IllegalAction unless this seat may use this verb now."""
    seat = action.seat
    if state.phase == OVER:
        raise GameOver()
    if not 0 <= seat < state.players:
        raise NoSuchSeat(last=state.players - 1)
    if action.do == "trade":
        if not state.trading:
            raise WrongPhase(expected=_expected(state) + "; trades are not accepted now")
        return
    if seat != state.turn:
        if state.out >> seat & 1:
            raise HasFinished()
        if state.phase == PLAY and state.locked >> seat & 1:
            raise LockedOut(turn=state.turn)
        raise NotYourTurn(turn=state.turn)
    verbs = (state.steps[0].do,) if state.phase == EXCHANGE else _VERBS[state.phase]
    if action.do not in verbs:
        raise WrongPhase(expected=_expected(state))


def _expected(state: State) -> str:
    if state.phase == EXCHANGE:
        return exchange.expected(state)
    if state.phase == INSTANT_WIN:
        return "declare or decline"
    return "play or pass" if trick.may_pass(state) else "play"


def _go_on(state: State) -> None:
    """Advance through exchanges and instant wins to the next seat that must act."""
    if exchange.settle(state):
        return
    state.phase = PLAY
    state.leader, state.must_include = usual_leader(state)
    if not instant_wins.begin(state):
        _begin_play(state)


def _begin_play(state: State) -> None:
    """Apply the declared instant wins and start the first trick."""
    instant_wins.take_effect(state)
    if state.phase == OVER:
        return
    if state.instant_winners:
        if state.must_include >= 0 or state.ruleset.instant_win_lead == "lowest":
            state.leader, state.must_include = lowest_card_holder(state)
        elif state.out >> state.leader & 1:
            state.leader = state.next_in_play(state.leader)
    trick.begin_trick(state, state.leader)
    trick.begin_opening(state)
