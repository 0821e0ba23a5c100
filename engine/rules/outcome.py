"""The outcome of a game, finished or not, as a value."""

from typing import Any, NamedTuple

from .cards import TWO, format_cards
from .cardset import unpack
from .inherited import PastChop, Previous
from .payments import net
from .shapes import cards_of
from .state import OVER, Chop, Payment, State


class Outcome(NamedTuple):
    """The result of a game, partial while the game goes on.

    `placings` are groups of seats, first place first; `net` is each seat's money, its sum zero;
    `hands` are the cards left; `dealer_next` is None while the game goes on.
    """

    finished: bool
    placings: tuple[tuple[int, ...], ...]
    net: tuple[int, ...]
    payments: tuple[Payment, ...]
    chops: tuple[Chop, ...]
    hands: tuple[tuple[int, ...], ...]
    dealer_next: int | None


def outcome(state: State) -> Outcome:
    """Return the outcome of a state, with the payments settled so far."""
    finished = state.phase == OVER
    return Outcome(
        finished=finished,
        placings=tuple(state.placings),
        net=tuple(net(state.players, state.payments)),
        payments=tuple(state.payments),
        chops=tuple(state.chops),
        hands=tuple(unpack(hand) for hand in state.hands),
        dealer_next=max(state.placings[-1]) if finished else None,
    )


def outcome_to_json(result: Outcome) -> dict[str, Any]:
    """Return the object that `replay` prints."""
    return {
        "finished": result.finished,
        "placings": [list(group) for group in result.placings],
        "net": list(result.net),
        "payments": [
            {"from": p.sender, "to": p.receiver, "amount": p.amount, "reason": p.reason}
            for p in result.payments
        ],
        "chops": [chop_to_json(chop) for chop in result.chops],
        "hands": [format_cards(hand) for hand in result.hands],
        "dealer_next": result.dealer_next,
    }


def chop_to_json(chop: Chop) -> dict[str, Any]:
    return {
        "by": chop.by,
        "of": chop.of,
        "cards": format_cards(cards_of(chop.play)),
        "on": format_cards(cards_of(chop.on)),
        "level": chop.level,
    }


def as_previous(result: Outcome, gone: frozenset[int] = frozenset()) -> Previous:
    """Return a finished game as the next one's `previous`; `gone` seats have new players."""
    return Previous(
        placings=result.placings,
        chops=tuple(past_chop(c.by, c.of, c.level, cards_of(c.on)) for c in result.chops),
        twos_left=tuple(sum(card >> 2 == TWO for card in hand) for hand in result.hands),
        gone=gone,
    )


def previous_to_json(result: Outcome, gone: frozenset[int] = frozenset()) -> dict[str, Any]:
    """Return the `previous` of the next game's record."""
    whole = outcome_to_json(result)
    inherited = {name: whole[name] for name in ("placings", "chops", "hands")}
    return {**inherited, "gone": sorted(gone)}


def past_chop(by: int, of: int, level: int, on: tuple[int, ...]) -> PastChop:
    """Return a chop with the number of 2s that it was played on, which debts depend on."""
    only_twos = all(card >> 2 == TWO for card in on)
    return PastChop(by, of, level, len(on) if only_twos else 0)
