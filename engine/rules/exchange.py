"""Exchanges of cards before play, by the steps of `engine.rules.exchange_steps`."""

from collections.abc import Iterator

from .actions import SeatAction
from .cards import TWO
from .cardset import distinct, highest, holds, missing, pack, size, unpack
from .errors import AlreadyRefused, NotInHand, NoTrade, OnlyTwos, WrongCount
from .inherited import ASK, GIVE, MOVE, RETURN, TWOS, Step
from .state import EXCHANGE, LogEntry, State

_TWOS_MASK = 0xFF << (8 * TWO)
# More choices of cards than this take too long to list.
MOST_LISTED = 500_000


class TooMany(ValueError):
    """More legal actions than can be listed."""


def settle(state: State) -> bool:
    """Carry out the automatic steps; return whether a seat has to act next."""
    while state.steps:
        step = state.steps[0]
        if step.do == MOVE:
            _move(state, step)
        elif step.do == GIVE and not state.hands[step.seat] & _TWOS_MASK:
            state.steps.pop(0)
        else:
            state.phase = EXCHANGE
            state.turn = step.seat
            return True
    return False


def expected(state: State) -> str:
    """Return the expected action of the seat to act, in words."""
    step = state.steps[0]
    if step.do == ASK:
        return f"ask seat {step.other} for a rank"
    verb = "give" if step.do == GIVE else "return"
    return f"{verb} {_count(state, step)} card(s) to seat {step.other}"


def legal_exchange(state: State) -> list[SeatAction]:
    """Return every legal action of the seat to act."""
    step = state.steps[0]
    if step.do == ASK:
        return [SeatAction(step.seat, ASK, rank=r) for r in range(13) if not state.refused >> r & 1]
    hand = state.hands[step.seat]
    if step.do == GIVE:
        hand &= _TWOS_MASK
    count = _count(state, step)
    cards = distinct(hand)
    # The copies of a card are interchangeable.
    copies = [hand >> 2 * card & 3 for card in cards]
    if _ways(copies, count) > MOST_LISTED:
        raise TooMany(f"there are more than {MOST_LISTED} ways to choose {count} cards")
    return [SeatAction(step.seat, step.do, choice) for choice in _pick(cards, copies, 0, count)]


def check_exchange(state: State, action: SeatAction) -> None:
    """Raise IllegalAction unless the seat to act may do this; the caller has checked the verb."""
    step = state.steps[0]
    if step.do == ASK:
        if action.rank is None or state.refused >> action.rank & 1:
            raise AlreadyRefused()
        return
    if len(action.cards) != _count(state, step):
        raise WrongCount(count=_count(state, step))
    check_held(state, step.seat, action.cards)
    if step.do == GIVE and any(card >> 2 != TWO for card in action.cards):
        raise OnlyTwos()


def make_exchange(state: State, action: SeatAction) -> None:
    """Carry out a checked action of an exchange."""
    step = state.steps[0]
    if step.do == ASK:
        _ask(state, step, action)
        return
    state.steps.pop(0)
    _give(state, step.seat, step.other, action.cards)
    state.log.append(LogEntry(action, frozenset((step.seat, step.other)), action.cards))
    if step.do == GIVE:
        state.steps.insert(0, Step(RETURN, step.other, step.seat, len(action.cards)))


def check_trade(state: State, action: SeatAction) -> None:
    """Raise IllegalAction unless the two seats may swap these cards."""
    other = action.other
    if other is None or other >= state.players or other == action.seat:
        raise NoTrade(why=f"there is no seat {other} to trade with")
    check_held(state, action.seat, action.cards)
    check_held(state, other, action.take, holder=other)
    check_trade_size(state, action.seat, other, len(action.cards), len(action.take))


def check_trade_size(state: State, seat: int, other: int, gives: int, takes: int) -> None:
    """Raise NoTrade unless `seat` may give `gives` cards to `other` for `takes` cards.

    The check depends on numbers of cards only, so it reveals no card.
    """
    if not gives and not takes:
        raise NoTrade(why="no card changes hands")
    rules = state.ruleset
    if rules.trade_equal:
        if gives != takes:
            raise NoTrade(why="equal numbers of cards must be swapped")
        return
    gained = takes - gives
    for trader, gain in ((seat, gained), (other, -gained)):
        after = size(state.hands[trader]) + gain
        dealt = size(state.dealt[trader])
        if dealt - after > rules.trade_net:
            raise NoTrade(
                why=f"seat {trader} would have given {dealt - after} cards more than taken"
            )
        if dealt == 13 and after > rules.trade_hand:
            raise NoTrade(why=f"seat {trader} would hold {after} cards")


def make_trade(state: State, action: SeatAction) -> None:
    """Swap the cards of a checked trade; all seats may read it in the log."""
    assert action.other is not None
    _give(state, action.seat, action.other, action.cards)
    _give(state, action.other, action.seat, action.take)
    state.moved |= 1 << action.seat | 1 << action.other
    state.log.append(LogEntry(action, None, action.cards))


def _count(state: State, step: Step) -> int:
    if step.do == GIVE:
        held = state.hands[step.seat] & _TWOS_MASK
        return min(step.number, size(held))
    return min(step.number, size(state.hands[step.seat]))


def check_held(state: State, seat: int, cards: tuple[int, ...], holder: int | None = None) -> None:
    too_often = tuple(card for card in set(cards) if cards.count(card) > 2)
    if too_often:
        raise NotInHand(missing=too_often, holder=holder)
    packed = pack(cards)
    if not holds(state.hands[seat], packed):
        raise NotInHand(missing=missing(state.hands[seat], packed), holder=holder)


def _give(state: State, giver: int, receiver: int, cards: tuple[int, ...]) -> None:
    packed = pack(cards)
    state.hands[giver] -= packed
    state.hands[receiver] += packed


def _move(state: State, step: Step) -> None:
    """Move the highest 2s or the highest cards from `step.other` to `step.seat`."""
    state.steps.pop(0)
    hand = state.hands[step.other]
    pool = unpack(hand & _TWOS_MASK if step.what == TWOS else hand)
    cards = pool[-step.number :]
    if not cards:
        return
    _give(state, step.other, step.seat, cards)
    moved = SeatAction(step.other, GIVE, cards, other=step.seat)
    state.log.append(LogEntry(moved, frozenset((step.seat, step.other)), cards, moved=True))
    if step.back:
        state.steps.insert(0, Step(RETURN, step.seat, step.other, len(cards)))


def _ask(state: State, step: Step, action: SeatAction) -> None:
    rank = action.rank
    assert rank is not None
    held = state.hands[step.other] & (0xFF << (8 * rank))
    if not held:
        state.refused |= 1 << rank
        state.log.append(LogEntry(action, refused=True))
        return
    card = highest(held)
    _give(state, step.other, step.seat, (card,))
    state.log.append(LogEntry(action))
    moved = SeatAction(step.other, GIVE, (card,), other=step.seat)
    state.log.append(LogEntry(moved, frozenset((step.seat, step.other)), (card,), moved=True))
    state.refused = 0
    state.moved |= 1 << step.seat | 1 << step.other
    state.steps[0] = Step(RETURN, step.seat, step.other)


def _ways(copies: list[int], count: int) -> int:
    ways = [1] + [0] * count
    for most in copies:
        ways = [sum(ways[max(0, n - most) : n + 1]) for n in range(count + 1)]
    return ways[count]


def _pick(
    cards: tuple[int, ...], copies: list[int], start: int, count: int
) -> Iterator[tuple[int, ...]]:
    if count == 0:
        yield ()
        return
    for at in range(start, len(cards)):
        for many in range(1, min(copies[at], count) + 1):
            for rest in _pick(cards, copies, at + 1, count - many):
                yield (cards[at],) * many + rest
