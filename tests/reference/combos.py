"""Combinations by definition, and every one that a hand holds by trying its subsets."""

from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

from tests.reference import cards as c


class Combo(NamedTuple):
    kind: str
    length: int
    cards: tuple[int, ...]

    @property
    def top(self) -> int:
        return self.cards[-1]

    @property
    def only_twos(self) -> bool:
        return all(c.rank(card) == c.TWO for card in self.cards)

    @property
    def one_suit(self) -> bool:
        return len({c.suit(card) for card in self.cards}) == 1

    @property
    def name(self) -> str:
        """How the chop table calls it: 2, 22, 222, 2222, PR3, Q, QR2, or its kind."""
        if self.kind == "pair_run":
            return f"PR{self.length}"
        if self.kind == "quad_run":
            return f"QR{self.length}"
        if self.kind == "quad":
            return "Q"
        if self.only_twos:
            return "2" * len(self.cards)
        return self.kind

    @property
    def is_long(self) -> bool:
        """Whether it is a bomb where long straights are."""
        return self.kind == "straight" and self.length >= 5

    @property
    def is_bomb(self) -> bool:
        return self.kind in ("pair_run", "quad", "quad_run")


class Shapes(NamedTuple):
    """The part of a ruleset that says what is a combination."""

    twos_top_straights: bool
    twos_top_pair_runs: bool
    quad_runs: bool
    longest_pair_run: int
    pairs_match: str = "any"
    straights_match: str = "any"
    pair_runs_match: str = "any"


def classify(cards: tuple[int, ...], shapes: Shapes) -> Combo | None:
    """The combination that the sorted cards make, or None."""
    combo = by_ranks(cards, shapes)
    return combo if combo and matches(combo, shapes) else None


def red(card: int) -> bool:
    return c.suit(card) in (2, 3)


def matches(combo: Combo, shapes: Shapes) -> bool:
    """Whether colours and suits are those that the ruleset wants in a combination."""
    reds = {red(card) for card in combo.cards}
    if combo.kind == "straight":
        return shapes.straights_match == "any" or combo.one_suit
    if combo.kind == "pair":
        return shapes.pairs_match == "any" or combo.only_twos or len(reds) == 1
    if combo.kind == "pair_run":
        if shapes.pair_runs_match == "colour" and len(reds) > 1:
            return False
        ranks = {c.rank(card) for card in combo.cards} - {c.TWO}
        pairs = [{red(card) for card in combo.cards if c.rank(card) == rank} for rank in ranks]
        return shapes.pairs_match == "any" or all(len(pair) == 1 for pair in pairs)
    return True


def by_ranks(cards: tuple[int, ...], shapes: Shapes) -> Combo | None:
    """The combination that the ranks of the sorted cards make, or None."""
    held = c.counts(cards)
    ranks = sorted(held)
    if len(set(held.values())) != 1 or ranks[-1] - ranks[0] != len(ranks) - 1:
        return None
    each, length, twos = held[ranks[0]], len(ranks), c.TWO in held
    if length == 1 and each <= 4:
        return Combo(("single", "pair", "triple", "quad")[each - 1], 1, cards)
    if each == 1 and length >= 3 and (not twos or shapes.twos_top_straights):
        return Combo("straight", length, cards)
    if each == 2 and 3 <= length <= shapes.longest_pair_run:
        return Combo("pair_run", length, cards) if not twos or shapes.twos_top_pair_runs else None
    if each == 4 and length >= 2 and shapes.quad_runs:
        return Combo("quad_run", length, cards) if not twos or shapes.twos_top_pair_runs else None
    return None


def even_subsets(hand: tuple[int, ...]):
    """Every subset that skips no rank and takes equally many of each: all others make nothing."""
    by_rank = [[card for card in hand if c.rank(card) == r] for r in range(13)]
    for each in (1, 2, 3, 4):
        choices = [set(combinations(group, each)) for group in by_rank]
        for low in range(13):
            for high in range(low, 13):
                if not choices[high]:
                    break
                for parts in product(*choices[low : high + 1]):
                    yield tuple(card for part in parts for card in part)


@lru_cache(maxsize=20_000)
def combos_in(hand: tuple[int, ...], shapes: Shapes) -> tuple[Combo, ...]:
    """Every combination in the sorted hand; with two decks equal cards make one choice."""
    found = (classify(cards, shapes) for cards in even_subsets(hand))
    return tuple(sorted(combo for combo in found if combo))
