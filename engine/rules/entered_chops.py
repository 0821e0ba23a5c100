"""Checks of the chops that a table with real cards enters.

`engine.rules.rule_tables` decides. An entered word stands for several combinations (`PR4` for four
pairs or more, `bomb` for any), so a chain is possible if some combinations allow it.
"""

from collections.abc import Sequence

from .cards import TWO
from .rule_tables import RuleTables, table
from .ruleset import Ruleset, long_straights
from .shapes import PAIR_RUN, QUAD, QUAD_RUN, STRAIGHT
from .southern_money import BOMBS
from .specials import TWOS, Special, SpecialError


def check_chops(ruleset: Ruleset, specials: Sequence[Special]) -> None:
    """Raise SpecialError unless every bomb of a chain can beat the play below it.

    `does_not_beat` has the number of the chop that names the bomb. `nothing_beats` means that no
    bomb of the ruleset can beat the chopped play.
    """
    rules = table(ruleset)
    held: frozenset[int] = frozenset()
    for number, special in enumerate(specials, start=1):
        if special.kind != "chop":
            continue
        meant = _shapes(rules, special.what)
        held = _winning(rules, held, meant) if special.chained else meant
        if not held:
            raise SpecialError("does_not_beat", number)
        if not _winning(rules, held, _bombs(rules)):
            raise SpecialError("nothing_beats", number)


def playable_on(ruleset: Ruleset, what: str) -> tuple[str, ...]:
    """Return the words of the bombs that a table may enter as played on `what`."""
    rules = table(ruleset)
    words = BOMBS if what in (*TWOS, *BOMBS) else ("bomb",)
    beaten = _shapes(rules, what)
    return tuple(word for word in words if _winning(rules, beaten, _shapes(rules, word)))


def _shapes(rules: RuleTables, what: str) -> frozenset[int]:
    """Return the shapes that a word stands for in this ruleset: 1 to 3 for 2s."""
    if what in BOMBS or what == "bomb":
        bombs = _bombs(rules)
        if what == "Q":
            return bombs & {QUAD}
        if what == "PR3":
            return bombs & {PAIR_RUN + 3}
        if what == "bomb":
            return bombs
        return frozenset(bomb for bomb in bombs if PAIR_RUN + 4 <= bomb < QUAD_RUN)
    return frozenset({len(what)})


def _bombs(rules: RuleTables) -> frozenset[int]:
    """Return the shapes of all bombs that the ruleset has."""
    runs = range(PAIR_RUN + 3, PAIR_RUN + rules.ruleset.longest_pair_run + 1)
    long = range(STRAIGHT + 5, STRAIGHT + 14) if long_straights(rules.ruleset) else ()
    quads = range(QUAD_RUN + 2, QUAD_RUN + 4) if rules.ruleset.quad_runs else ()
    return frozenset({QUAD, *runs, *quads, *long})


def _winning(rules: RuleTables, beaten: frozenset[int], bombs: frozenset[int]) -> frozenset[int]:
    """Return the bombs that may be played on any of the shapes."""
    return frozenset(bomb for bomb in bombs if any(_beats(rules, bomb, on) for on in beaten))


def _beats(rules: RuleTables, bomb: int, on: int) -> bool:
    """Return whether any bomb of one shape may be played on any play of the other."""
    if bomb == on:
        return True
    cards = range(4 * TWO, 4 * TWO + 4) if on < QUAD else range(4 * TWO)
    return any(bomb in rules.chops.get(on << 6 | card, ()) for card in cards)
