"""Exchange steps after a game with real cards, computed from its entered result."""

from collections.abc import Iterator, Sequence

from .exchange_steps import exchange_steps
from .inherited import PastChop, Previous, Step
from .payments import Placings
from .ruleset import Ruleset
from .specials import Special, twos_in


def steps_after(
    ruleset: Ruleset,
    placings: Placings,
    specials: Sequence[Special] = (),
    *,
    gone: Sequence[int] = (),
) -> list[Step]:
    """Return the exchange steps before the next game.

    `gone` are seats that have a new player.
    """
    left = [0] * (1 + max((seat for group in placings for seat in group), default=-1))
    for special in specials:
        if special.kind == "left" and special.of is not None and special.of < len(left):
            left[special.of] += twos_in(special.what)
    previous = Previous(
        placings=tuple(tuple(group) for group in placings),
        chops=tuple(_past(specials)),
        twos_left=tuple(left),
        gone=frozenset(gone),
    )
    return exchange_steps(ruleset, previous)


def _past(specials: Sequence[Special]) -> Iterator[PastChop]:
    """Yield the chops with their level in the chain and the 2s that each was played on."""
    level = 0
    for special in specials:
        if special.kind != "chop" or special.by is None or special.of is None:
            continue
        level = level + 1 if special.chained else 1
        yield PastChop(special.by, special.of, level, twos_in(special.what))
