"""Generator of all plays of a hand, as integers: the hot path of the engine.

The generator ignores turns and tricks. Tables hold, for each rank and each set of cards of that
rank (one byte of a packed hand), all singles, pairs, triples and quads as finished plays. Runs
are found by searching the string of held ranks and multiplied out from the same tables.
"""

from functools import lru_cache
from itertools import product

from .cardset import BITS, BYTE_SIZE, CARD, MASK, RANK_BYTES
from .shapes import PAIR, PAIR_RUN, QUAD, QUAD_RUN, SINGLE, STRAIGHT, TRIPLE

# By rank, then by the rank's byte.
PlaysByRank = list[list[tuple[int, ...]]]
# Translation table for the rank bytes, bytes to find, start and end of the search.
Probe = tuple[bytes, bytes, int, int]
_GROUPS = (SINGLE, PAIR, TRIPLE, QUAD)
# The group that each rank contributes to a run.
_UNIT = {STRAIGHT: SINGLE, PAIR_RUN: PAIR, QUAD_RUN: QUAD}


def _empty() -> PlaysByRank:
    return [[()] * 256 for _ in range(13)]


GROUPS: dict[int, PlaysByRank] = {size: _empty() for size in _GROUPS}
ANY_GROUP: PlaysByRank = _empty()
# A run is a sum: one step for each rank below the top, and a crown for the top rank. A step
# holds the rank's cards and lengthens the shape by one; a crown adds the top card's code.
STEPS: dict[int, PlaysByRank] = {base: _empty() for base in _UNIT}
CROWNS: dict[int, PlaysByRank] = {base: _empty() for base in _UNIT}
_LONGER = 1 << (BITS + 6)
# For bytes.translate: maps a rank byte to \1 if the rank holds at least n cards.
HAS = {n: bytes(count >= n for count in BYTE_SIZE) for n in _GROUPS}
RUN = [b"\1" * n for n in range(14)]
_SHAPES = (
    *_GROUPS, *range(STRAIGHT + 3, STRAIGHT + 14), *range(PAIR_RUN + 3, PAIR_RUN + 14),
    *range(QUAD_RUN + 2, QUAD_RUN + 7),
)  # fmt: skip


def subsets(byte: int, size: int) -> list[tuple[int, int]]:
    """Return (highest suit, packed cards of rank 0) of every choice of `size` cards of a rank."""
    found = []
    for counts in product(*(range(((byte >> 2 * suit) & 3) + 1) for suit in range(4))):
        if sum(counts) == size:
            top = max(suit for suit in range(4) if counts[suit])
            found.append((top, sum(n * CARD[suit] for suit, n in enumerate(counts))))
    return sorted(found)


def _fill(byte: int) -> None:
    choices = {size: subsets(byte, size) for size in _GROUPS}
    for rank in range(13):
        for size in _GROUPS:
            plays = tuple(
                (size << 6 | 4 * rank + top) << BITS | packed << 8 * rank
                for top, packed in choices[size]
            )
            GROUPS[size][rank][byte] = plays
        ANY_GROUP[rank][byte] = sum((GROUPS[size][rank][byte] for size in _GROUPS), ())
        for base, unit in _UNIT.items():
            plays = GROUPS[unit][rank][byte]
            STEPS[base][rank][byte] = tuple(_LONGER | play & MASK for play in plays)
            lift = (base + 1 - unit) * _LONGER
            CROWNS[base][rank][byte] = tuple(play + lift for play in plays)


@lru_cache(maxsize=2)
def prepare(decks: int) -> None:
    """Fill the tables for hands from `decks` decks, once for each number of decks."""
    for suits in product(range(decks + 1), repeat=4):
        byte = sum(n << 2 * suit for suit, n in enumerate(suits))
        if byte and not ANY_GROUP[0][byte]:
            _fill(byte)


class Generator:
    """A generator of the plays of a hand under the combinations of one ruleset.

    `straight_end` and `pair_end` are one past the highest rank that runs may reach (12 without
    2s, 13 with); `longest` is the most pairs in a pair run.
    """

    __slots__ = ("longest", "pair_end", "probes", "quad_runs", "straight_end")

    def __init__(self, straight_end: int, pair_end: int, longest: int, quad_runs: bool) -> None:
        self.straight_end = straight_end
        self.pair_end = pair_end
        self.longest = longest
        self.quad_runs = quad_runs
        # By code: one search of a hand's ranks for plays of that shape, from that top rank on.
        self.probes = {
            shape << 6 | card: self._probe(shape, card >> 2)
            for shape in _SHAPES
            for card in range(52)
        }

    def _probe(self, shape: int, rank: int) -> Probe:
        if shape <= QUAD:
            return HAS[shape], RUN[1], rank, 13
        base, size = shape & ~15, shape & 15
        end = self.straight_end if base == STRAIGHT else self.pair_end
        return HAS[_UNIT[base]], RUN[size], max(rank + 1 - size, 0), end

    def all_plays(self, hand: int) -> list[int]:
        """Return every combination in a packed hand, each once."""
        held = hand.to_bytes(RANK_BYTES, "little")
        plays: list[int] = []
        for rank, byte in enumerate(held):
            if byte:
                plays += ANY_GROUP[rank][byte]
        fewest = len(plays)
        if fewest < 3:
            return plays
        present = held.translate(HAS[SINGLE])
        start = present.find(RUN[3], 0, self.straight_end)
        if start >= 0:
            plays += _runs(held, present, STRAIGHT, start, self.straight_end)
        if fewest < 6:  # Three pairs or two quads alone make more plays.
            return plays
        present = held.translate(HAS[PAIR])
        start = present.find(RUN[3], 0, self.pair_end)
        if start >= 0:
            runs = _runs(held, present, PAIR_RUN, start, self.pair_end)
            limit = (PAIR_RUN + self.longest + 1) * _LONGER
            plays += runs if self.longest == 13 else [run for run in runs if run < limit]
        if self.quad_runs and present.find(RUN[2], 0, self.pair_end) >= 0:
            plays += _quad_runs(held, held.translate(HAS[QUAD])[: self.pair_end])
        return plays

    def higher(self, hand: int, code: int) -> list[int]:
        """Return the plays of a hand with the shape of `code` and a higher top card."""
        has, run, start, end = self.probes[code]
        held = hand.to_bytes(RANK_BYTES, "little")
        ranks = held.translate(has)
        start = ranks.find(run, start, end)
        if start < 0:
            return []
        plays = _of_shape(code >> 6, held, ranks, start, end)
        limit = (code + 1) << BITS
        return plays if plays[0] >= limit else [play for play in plays if play >= limit]

    def of_shapes(self, hand: int, shapes: tuple[int, ...]) -> list[int]:
        held = hand.to_bytes(RANK_BYTES, "little")
        plays: list[int] = []
        for shape in shapes:
            has, run, start, end = self.probes[shape << 6]
            ranks = held.translate(has)
            start = ranks.find(run, start, end)
            if start >= 0:
                plays += _of_shape(shape, held, ranks, start, end)
        return plays


def _of_shape(shape: int, held: bytes, ranks: bytes, start: int, end: int) -> list[int]:
    """Return the plays of a shape, the lowest top card first.

    `ranks` marks the ranks with enough cards; the lowest play starts at `start`.
    """
    plays: list[int] = []
    if shape <= QUAD:
        table = GROUPS[shape]
        while start >= 0:
            plays += table[start][held[start]]
            start = ranks.find(1, start + 1)
        return plays
    base, run = shape & ~15, RUN[shape & 15]
    steps, crowns = STEPS[base], CROWNS[base]
    while start >= 0:
        last = start + len(run) - 1
        stems = [0]
        for rank in range(start, last):
            cards = steps[rank][held[rank]]
            stems = [stem + step for stem in stems for step in cards]
        plays += [crown + stem for crown in crowns[last][held[last]] for stem in stems]
        start = ranks.find(run, start + 1, end)
    return plays


def _runs(held: bytes, present: bytes, base: int, start: int, end: int) -> list[int]:
    """Return the runs of three or more ranks, by top rank.

    `present` marks the ranks usable below `end`; the first run starts at `start`.
    """
    plays: list[int] = []
    steps = STEPS[base]
    crowns = CROWNS[base]
    while start >= 0:
        stop = present.find(0, start, end)
        if stop < 0:
            stop = end
        # Partial runs that end at the rank below: single steps, and stems of two or more.
        ones = steps[start + 1][held[start + 1]]
        stems = [one + first for one in ones for first in steps[start][held[start]]]
        for rank in range(start + 2, stop):
            byte = held[rank]
            plays += [crown + stem for crown in crowns[rank][byte] for stem in stems]
            if rank + 1 < stop:
                stems += ones
                ones = steps[rank][byte]
                stems = [step + stem for step in ones for stem in stems]
        start = present.find(RUN[3], stop, end)
    return plays


def _quad_runs(held: bytes, present: bytes) -> list[int]:
    """Return the runs of two or more quads, by top rank."""
    plays: list[int] = []
    stems: list[int] = []
    for rank, here in enumerate(present):
        if not here:
            stems = []
            continue
        byte = held[rank]
        plays += [crown + stem for crown in CROWNS[QUAD_RUN][rank][byte] for stem in stems]
        stems = [step + stem for step in STEPS[QUAD_RUN][rank][byte] for stem in [*stems, 0]]
    return plays


def classify(packed: int, rules: Generator) -> int:
    """Return the play that these cards make, or 0 if they are no combination."""
    held = packed.to_bytes(RANK_BYTES, "little")
    ranks = [rank for rank in range(13) if held[rank]]
    if not ranks:
        return 0
    low, high = ranks[0], ranks[-1]
    top = (packed.bit_length() - 1) >> 1
    counts = {BYTE_SIZE[held[rank]] for rank in ranks}
    if len(counts) > 1 or high - low + 1 != len(ranks):
        return 0
    shape = _shape(counts.pop(), len(ranks), high, rules)
    return (shape << 6 | top) << BITS | packed if shape else 0


def _shape(count: int, ranks: int, high: int, rules: Generator) -> int:
    if ranks == 1:
        return count if count <= QUAD else 0
    if count == 1:
        return STRAIGHT + ranks if ranks >= 3 and high < rules.straight_end else 0
    if high >= rules.pair_end:
        return 0
    if count == 2:
        return PAIR_RUN + ranks if 3 <= ranks <= rules.longest else 0
    return QUAD_RUN + ranks if count == 4 and rules.quad_runs else 0


prepare(1)
