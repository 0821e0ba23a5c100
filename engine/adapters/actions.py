"""Numbers for all actions of the instant-win and play phases, the same in all rulesets.

=============  =====================================================================
0, 1, 2        pass; declare an instant win; decline it
3 to 210       one to four cards of a rank, by their number and the highest card
211 to 474     straights of 3 to 13 ranks, by length and the highest card
475 to 738     pair runs of 3 to 13 ranks, likewise
739 to 1050    runs of 2 to 13 quads, likewise
1051 to 1314   the straights once more, played as locks
=============  =====================================================================

Plays that differ only in lower cards share a number. It stands for the first of them in the order
of cards, which gives away the lowest suits. Exchanges have no numbers.
"""

from collections.abc import Iterator, Sequence

from ..rules.actions import SeatAction
from ..rules.cards import format_card
from ..rules.shapes import PAIR_RUN, QUAD, QUAD_RUN, SINGLE, STRAIGHT, kind, length

PASS, DECLARE, DECLINE = 0, 1, 2
_VERBS = {"pass": PASS, "declare": DECLARE, "decline": DECLINE}
_RUNS = ((STRAIGHT, 1, 3), (PAIR_RUN, 2, 3), (QUAD_RUN, 4, 2))
"""Each kind of run with its cards per rank and its fewest ranks."""


def _runs(least: int) -> Iterator[tuple[int, int]]:
    for ranks in range(least, 14):
        yield from ((ranks, card) for card in range(4 * (ranks - 1), 52))


_ALL = (
    *(("play", shape, card) for shape in range(SINGLE, QUAD + 1) for card in range(52)),
    *(("play", base + n, top) for base, _each, least in _RUNS for n, top in _runs(least)),
    *(("lock", STRAIGHT + n, top) for n, top in _runs(3)),
)
"""Verb, shape and highest card of every action that has cards, in order."""
_NUMBERS = {action: number for number, action in enumerate(_ALL, start=3)}
ACTIONS = 3 + len(_ALL)
"""The number of numbered actions."""


def number_of(action: SeatAction) -> int | None:
    """Return the number of an action, or None for an exchange.

    >>> from tien_len.rules.cards import parse_cards
    >>> number_of(SeatAction(0, "play", parse_cards("3S 3H")))
    58
    """
    if action.do not in ("play", "lock"):
        return _VERBS.get(action.do)
    return _NUMBERS.get((action.do, _shape(action.cards), action.cards[-1]))


def by_number(legal: Sequence[SeatAction]) -> dict[int, SeatAction]:
    """Return the legal actions by number, in rising order."""
    found: dict[int, SeatAction] = {}
    for action in sorted(legal, key=lambda action: action.cards):
        number = number_of(action)
        if number is not None:
            found.setdefault(number, action)
    return dict(sorted(found.items()))


def text_of(number: int) -> str:
    """Return a readable name for an action number.

    >>> text_of(58), text_of(211), text_of(1314)
    ('pair up to 3H', 'straight of 3 up to 5S', 'lock straight of 13 up to 2H')
    """
    if number < len(_VERBS):
        return list(_VERBS)[number]
    do, shape, top = _ALL[number - len(_VERBS)]
    name = kind(shape).replace("_", " ")
    if shape > QUAD:
        name += f" of {length(shape)}"
    return f"{'lock ' if do == 'lock' else ''}{name} up to {format_card(top)}"


def _shape(cards: tuple[int, ...]) -> int:
    """Return the shape of a combination; its cards are sorted low to high."""
    ranks = (cards[-1] >> 2) - (cards[0] >> 2) + 1
    if ranks == 1:
        return len(cards)
    each = len(cards) // ranks
    return next(base for base, count, _least in _RUNS if count == each) + ranks
