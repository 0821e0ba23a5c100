"""Chops in words: the plays that beat 2s and bombs out of the usual order."""

from collections.abc import Iterator

from engine.rules.cards import TWO
from engine.rules.rule_tables import table
from engine.rules.ruleset import TARGETS, Ruleset, long_straights, with_options
from engine.rules.shapes import (
    PAIR,
    PAIR_RUN,
    QUAD,
    QUAD_RUN,
    SINGLE,
    STRAIGHT,
    TRIPLE,
    parse_shape,
)
from engine.rules.texts import mark as _
from league.base.domain.rule_text.terms import TWOS, combination, pair_runs
from league.base.domain.rule_text.words import Value, Words, any_of, row_of, words

_TWOS_SHAPES = {"one_two": SINGLE, "two_twos": PAIR, "three_twos": TRIPLE, "four_twos": QUAD}
_BEYOND = {
    "pair_runs_beat_singles": _("Three or more consecutive pairs beat any single card."),
    "quads_beat_singles": _("Four of a kind beats any single card."),
    "triples_beat_aces": _("A triple beats a single ace."),
    "quads_beat_pair_runs": _("Four of a kind beats consecutive pairs of any length."),
    "quad_run_beats_four_twos": _("Two consecutive fours of a kind beat one to four 2s."),
}


def rows(rules: Ruleset) -> dict[str, tuple[str, ...]]:
    """Return the names (`PR4`, `Q`, `QR2`) of the chops that the engine accepts, by target.

    Chops of the rules in `_BEYOND` are left out; `sentences` has one sentence for each rule.
    """
    alone = with_options(rules, dict.fromkeys(_BEYOND, False))
    chops = table(alone).chops
    found = {target: chops.get(_code(target), ()) for target in TARGETS}
    return {target: tuple(_names(target, shapes)) for target, shapes in found.items() if shapes}


def sentences(rules: Ruleset) -> Iterator[Words]:
    """Yield a sentence on the chops of each target, then those on general rules."""
    chops = rows(rules)
    for target, names in chops.items():
        yield words(
            _("On %(target)s: %(chops)s."), target=combination(target), chops=named(rules, names)
        )
    quads_beat_twos = rules.quad_run_beats_four_twos and rules.quad_runs
    safe: list[Value] = [words(text) for target, text in TWOS.items() if target not in chops]
    if safe and not quads_beat_twos:
        yield words(_("No chop beats %(twos)s."), twos=any_of(safe))
    for field, text in _BEYOND.items():
        if getattr(rules, field) and (quads_beat_twos or field != "quad_run_beats_four_twos"):
            yield words(text)
    if long_straights(rules):
        yield words(
            _(
                "A longer straight of five cards or more beats a shorter one in any suit, and of "
                "two as long the one with the higher top card."
            )
        )
    yield from _by_locked_out(rules)


def _by_locked_out(rules: Ruleset) -> Iterator[Words]:
    allowed = table(rules).locked_out
    for name in rules.locked_out_chops:
        on = [target for target in TARGETS if parse_shape(name) in allowed.get(_code(target), ())]
        if on:
            yield words(
                _("A player who has passed may still chop %(targets)s with %(chop)s."),
                chop=combination(name),
                targets=any_of([combination(target) for target in on]),
            )


def _code(target: str) -> int:
    """Return the code (`engine.rules.shapes`) of one play of that target."""
    if target in _TWOS_SHAPES:
        return _TWOS_SHAPES[target] << 6 | 4 * TWO
    return (STRAIGHT + 5 if target == "S5+" else parse_shape(target)) << 6


def _names(target: str, shapes: tuple[int, ...]) -> Iterator[str]:
    """Yield the names of shapes; long straights have one, by the shortest of them."""
    straights = [shape - STRAIGHT for shape in shapes if STRAIGHT < shape < PAIR_RUN]
    if straights and target != "S5+":
        yield f"S{straights[0]}+"
    yield from (_name(shape) for shape in shapes if not STRAIGHT < shape < PAIR_RUN)


def _name(shape: int) -> str:
    if shape > QUAD_RUN:
        return f"QR{shape - QUAD_RUN}"
    return f"PR{shape - PAIR_RUN}" if shape > PAIR_RUN else "Q"


def named(rules: Ruleset, names: tuple[str, ...]) -> Value:
    """Return the chops in words; four or more lengths up to the longest become "3 or more"."""
    lengths = [int(name[2:]) for name in names if name.startswith("PR")]
    upward = [n for n in lengths if lengths[-(rules.longest_pair_run - n + 1) :][0] == n]
    found: list[Value] = [combination(name) for name in names if not name.startswith("PR")]
    if lengths and lengths[-1] == rules.longest_pair_run and len(upward) >= 4:
        found.append(combination(f"PR{upward[0]}+"))
        lengths = [n for n in lengths if n < upward[0]]
    if lengths:
        found.append(pair_runs(lengths))
    return row_of(found)
