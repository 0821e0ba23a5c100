"""Tables compiled from a ruleset: its generator of plays and its chops."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from .cards import ACE, TWO
from .cardset import BITS
from .matching import following, follows, forms
from .plays import Generator, classify
from .ruleset import FIRST_GAME_WINS, Ruleset, long_straights
from .shapes import (
    PAIR,
    PAIR_RUN,
    QUAD,
    QUAD_RUN,
    SINGLE,
    STRAIGHT,
    TRIPLE,
    code_of,
    is_straight_flush,
    parse_shape,
    shape_of,
)

Chops = dict[int, tuple[int, ...]]
_PAIRS = PAIR << BITS + 6  # Plays below are single cards.
_TWOS = {"one_two": SINGLE, "two_twos": PAIR, "three_twos": TRIPLE, "four_twos": QUAD}
# tests/rules/pages/options.md, "out-of-turn": PR4 by a player who has passed; PR5 likewise.
_LOCKED_OUT_TARGETS = {
    "PR4": ("one_two", "two_twos", "PR3", "Q"),
    "PR5": ("two_twos", "PR3", "PR4", "Q"),
}


class RuleTables:
    """The legal answers of one ruleset, by the code of the play to beat.

    `chops` maps a code to the shapes that beat it besides higher plays of its own shape.
    `locked_out` maps it to the shapes that a seat which has passed may still play.
    """

    __slots__ = (
        "chops", "first_out_ends", "forward", "generator", "locked_out", "matched", "plain",
        "restricted", "ruleset", "unbeaten",
    )  # fmt: skip

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.generator = Generator(
            straight_end=13 if ruleset.twos_top_straights else 12,
            pair_end=13 if ruleset.twos_top_pair_runs else 12,
            longest=ruleset.longest_pair_run,
            quad_runs=ruleset.quad_runs,
        )
        self.forward = ruleset.forward and ruleset.pass_locks
        self.locked_out = _locked_out(ruleset) if ruleset.pass_locks else {}
        self.chops = _chops(ruleset)
        self.unbeaten = _unbeaten(ruleset)
        self.first_out_ends = ruleset.game_ends == "first_out"
        self.matched = _is_matched(ruleset)
        # Whether some plays may not be led, or not be the last.
        self.restricted = ruleset.last_play == "no_twos" or not ruleset.bombs_lead
        self.plain = _is_plain(ruleset)

    def leads(self, hand: int) -> list[int]:
        return self.generator.all_plays(hand)

    def answers(self, hand: int, top: int) -> list[int]:
        """Return the plays of a hand that beat the play `top`."""
        code = code_of(top)
        plays = [] if code in self.unbeaten else self.generator.higher(hand, code)
        shapes = self.chops.get(code)
        if shapes:
            plays += self.generator.of_shapes(hand, shapes)
        return plays

    def beats(self, play: int, top: int) -> bool:
        if shape_of(play) == shape_of(top):
            return code_of(play) > code_of(top) and code_of(top) not in self.unbeaten
        return shape_of(play) in self.chops.get(code_of(top), ())

    def of_shape(self, hand: int, shape: int) -> list[int]:
        return self.generator.of_shapes(hand, (shape,))

    def locked_out_answers(self, hand: int, top: int) -> list[int]:
        """Return the chops that a seat which has passed may play on `top`."""
        return self.generator.of_shapes(hand, self.locked_out.get(code_of(top), ()))

    def classify(self, packed: int) -> int:
        """Return the play that cards make, or 0 if this ruleset has no such combination."""
        return classify(packed, self.generator)

    def straight_flushes(self, plays: list[int]) -> list[int]:
        return [play for play in plays if is_straight_flush(play)]


class MatchedTables(RuleTables):
    """The tables of a ruleset whose colours or suits must match (`engine.rules.matching`)."""

    __slots__ = ()

    def leads(self, hand: int) -> list[int]:
        return self._formed(super().leads(hand))

    def answers(self, hand: int, top: int) -> list[int]:
        return following(self.ruleset, self._formed(super().answers(hand, top)), top)

    def beats(self, play: int, top: int) -> bool:
        return super().beats(play, top) and follows(self.ruleset, play, top)

    def of_shape(self, hand: int, shape: int) -> list[int]:
        return self._formed(super().of_shape(hand, shape))

    def locked_out_answers(self, hand: int, top: int) -> list[int]:
        return self._formed(super().locked_out_answers(hand, top))

    def classify(self, packed: int) -> int:
        play = super().classify(packed)
        return play if play and forms(self.ruleset, play) else 0

    def _formed(self, plays: list[int]) -> list[int]:
        return [play for play in plays if play < _PAIRS or forms(self.ruleset, play)]


@lru_cache(maxsize=256)
def table(ruleset: Ruleset) -> RuleTables:
    """Return the tables of a ruleset; equal rulesets share them."""
    return MatchedTables(ruleset) if _is_matched(ruleset) else RuleTables(ruleset)


def _is_matched(ruleset: Ruleset) -> bool:
    matches = (ruleset.pairs_match, ruleset.straights_match, ruleset.pair_runs_match)
    return ruleset.answers_match or any(match != "any" for match in matches)


def _is_plain(ruleset: Ruleset) -> bool:
    """Return whether a ruleset's games are those that the network has learnt from.

    Without openings out of turn, locks, matching suits, limits on leads or last plays, doubled wins
    and three of the instant wins.
    """
    turns = not ruleset.pair_run_opens and ruleset.straight_flush_locks == "never"
    plays = ruleset.last_play == "any" and ruleset.bombs_lead and not _is_matched(ruleset)
    wins = {*FIRST_GAME_WINS, "two_bombs"}.isdisjoint(ruleset.instant_wins)
    doubles = ruleset.winner_doubles or ruleset.three_spades_last
    return turns and plays and wins and not doubles


def _shapes(names: tuple[str, ...]) -> Iterator[int]:
    for name in names:
        if name == "PR3+":
            yield from range(PAIR_RUN + 3, PAIR_RUN + 14)
        elif name.startswith("S"):
            yield from range(STRAIGHT + int(name[1]), STRAIGHT + 14)
        else:
            yield parse_shape(name)


def _codes(target: str, ruleset: Ruleset) -> list[int]:
    """Return the codes of all plays that a target of the chop table stands for.

    Four 2s are an ordinary quad unless the ruleset has a row for them.
    """
    if target in _TWOS:
        return [_TWOS[target] << 6 | 4 * TWO + suit for suit in range(4)]
    if target == "S5+":
        return [shape << 6 | card for shape in _shapes((target,)) for card in range(52)]
    shape = parse_shape(target)
    apart = shape == QUAD and "four_twos" in dict(ruleset.chops)
    return [shape << 6 | card for card in range(48 if apart else 52)]


def _add(chops: dict[int, set[int]], codes: list[int], shapes: Iterator[int]) -> None:
    added = set(shapes)
    for code in codes:
        # Higher plays of the same shape need no entry: they always beat.
        chops.setdefault(code, set()).update(added - {code >> 6})


def _chops(ruleset: Ruleset) -> Chops:
    found: dict[int, set[int]] = {}
    for target, names in ruleset.chops:
        _add(found, _codes(target, ruleset), _shapes(names))
    if long_straights(ruleset):
        for length in range(5, 13):
            codes = [STRAIGHT + length << 6 | card for card in range(52)]
            _add(found, codes, iter(range(STRAIGHT + length + 1, STRAIGHT + 14)))
    singles = [SINGLE << 6 | card for card in range(52)]
    if ruleset.pair_runs_beat_singles:
        _add(found, singles, _shapes(("PR3+",)))
    if ruleset.quads_beat_singles:
        _add(found, singles, iter([QUAD]))
    if ruleset.triples_beat_aces:
        _add(found, [SINGLE << 6 | 4 * ACE + suit for suit in range(4)], iter([TRIPLE]))
    if ruleset.quads_beat_pair_runs:
        for shape in range(PAIR_RUN + 3, PAIR_RUN + 14):
            _add(found, [shape << 6 | card for card in range(52)], iter([QUAD]))
    if ruleset.quad_run_beats_four_twos:
        for target in _TWOS:
            _add(found, _codes(target, ruleset), iter([QUAD_RUN + 2]))
    for code, shapes in _locked_out(ruleset).items():
        # A chop allowed to seats that have passed is allowed to the others too.
        found.setdefault(code, set()).update(shapes)
    if ruleset.pair_run_opens:
        for code in _codes("one_two", ruleset):
            found.get(code, set()).discard(PAIR_RUN + 3)
    kept = {code: _playable(ruleset, shapes) for code, shapes in found.items()}
    return {code: shapes for code, shapes in kept.items() if shapes}


def _unbeaten(ruleset: Ruleset) -> frozenset[int]:
    """Return the codes that no higher play of their own shape beats.

    With two decks there are several sets of four 2s; an empty row for them means that nothing
    beats any of them.
    """
    row = dict(ruleset.chops).get("four_twos")
    return frozenset(_codes("four_twos", ruleset)) if row == () else frozenset()


def _playable(ruleset: Ruleset, shapes: set[int]) -> tuple[int, ...]:
    """Return the shapes that are combinations of the ruleset, sorted."""
    longest = PAIR_RUN + ruleset.longest_pair_run
    return tuple(
        shape
        for shape in sorted(shapes)
        if shape <= longest or (shape > QUAD_RUN and ruleset.quad_runs)
    )


def _locked_out(ruleset: Ruleset) -> Chops:
    found: dict[int, set[int]] = {}
    for chop in ruleset.locked_out_chops:
        for target in _LOCKED_OUT_TARGETS[chop]:
            _add(found, _codes(target, ruleset), _shapes((chop,)))
    # A row without a chop stays: the target decides who is asked, not what a seat could hold.
    return {code: _playable(ruleset, shapes) for code, shapes in found.items()}
