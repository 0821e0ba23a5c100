"""The reference's combinations, checked by hand and against the blind search."""

from __future__ import annotations

from random import Random

import pytest

from tests.reference import cards as c
from tests.reference.combos import Shapes, classify, combos_in, every_subset

PLAIN = Shapes(False, False, False, 13)
TWOS_HIGH = Shapes(True, True, True, 13)


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("3S", "single"),
        ("3S 3C", "pair"),
        ("3S 3C 3H", "triple"),
        ("3S 3C 3D 3H", "Q"),
        ("2S", "2"),
        ("2S 2H", "22"),
        ("3S 4C 5H", "straight"),
        ("3S 3C 4S 4C 5S 5C", "PR3"),
        ("3S 4C", None),
        ("3S 4C 6H", None),
        ("3S 3C 4S 4C", None),
        ("3S 3C 3D 4S 4C 4D", None),
        ("QS KS AS 2S", None),
        ("QS QC KS KC AS AC 2S 2C", None),
        ("3S 3C 3D 3H 4S 4C 4D 4H", None),
        ("2S 3S 4S", None),
        ("3S 3S 3C 3D 3H", None),
    ],
)
def test_a_combination_has_the_kind_of_its_definition(cards, name):
    combo = classify(c.parse(cards), PLAIN)
    assert (combo and combo.name) == (name and (name if name in ("2", "22") else combo.name))
    assert (combo is None) == (name is None)
    if combo and name.islower():
        assert combo.kind == name


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("QS KS AS 2S", "straight"),
        ("QS QC KS KC AS AC 2S 2C", "PR4"),
        ("AS AC AD AH 2S 2C 2D 2H", "QR2"),
    ],
)
def test_twos_top_runs_where_the_rules_say_so(cards, name):
    assert classify(c.parse(cards), TWOS_HIGH).name == name


def test_twos_never_start_a_run():
    assert classify(c.parse("3S 4S 2S"), TWOS_HIGH) is None


def test_family_knows_no_five_pairs():
    five_pairs = c.parse("3S 3C 4S 4C 5S 5C 6S 6C 7S 7C")
    assert classify(five_pairs, Shapes(False, False, False, 4)) is None


@pytest.mark.parametrize("copies", [1, 2])
@pytest.mark.parametrize("shapes", [PLAIN, TWOS_HIGH])
def test_leaving_out_uneven_subsets_loses_no_combination(copies, shapes):
    rng = Random(7)
    for lowest in (0, 24, 36):
        hand = tuple(sorted(rng.sample([*range(lowest, 52)] * copies, 11)))
        blind = {classify(cards, shapes) for cards in every_subset(hand)} - {None}
        assert list(combos_in(hand, shapes)) == sorted(blind)
