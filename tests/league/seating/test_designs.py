import json

import pytest

from league.seating.constructions import (
    DATA,
    constructions,
    longest,
    recorded_rounds,
    starter_rounds,
)
from league.seating.designs import lines, resolvable_design, transversal
from league.seating.galois import field, prime_power, prime_powers
from tests.league.seating.helpers import PROMISED, everybody_once, meetings, repeats


@pytest.mark.parametrize("order", [2, 3, 4, 5, 8, 9, 16, 25, 27, 49])
def test_field_has_inverses_and_distributes(order):
    f = field(order)
    assert sorted(f.powers) == list(range(1, order))
    for a in range(order):
        assert len({f.add(a, b) for b in range(order)}) == order
        for b in range(order):
            assert f.multiply(a, f.add(b, 1)) == f.add(f.multiply(a, b), a)


def test_prime_powers_are_recognised():
    assert [n for n in range(2, 30) if prime_power(n)] == [
        2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23, 25, 27, 29
    ]  # fmt: skip
    assert prime_powers(360) == [8, 9, 5]


def test_there_is_no_field_with_six_elements():
    with pytest.raises(ValueError, match="no field with 6"):
        field(6)


@pytest.mark.parametrize(
    ("size", "group", "length"), [(5, 5, 6), (6, 7, 7), (8, 8, 9), (3, 4, 4), (7, 77, 77)]
)
def test_lines_of_fields_seat_nobody_together_twice_at_tables_of_any_size(size, group, length):
    rounds = lines(size, group)
    assert len(rounds) == length
    assert everybody_once(rounds, size * group)
    assert repeats(rounds) == 0


def test_lines_need_a_field_for_every_class():
    assert lines(5, 6) == []


@pytest.mark.parametrize("players", [16, 28, 40, 52, 76, 88, 148])
def test_resolvable_design_lets_everybody_meet_once(players):
    rounds = resolvable_design(players)
    assert len(rounds) == (players - 1) // 3
    assert everybody_once(rounds, players)
    assert set(meetings(rounds).values()) == {1}
    assert len(meetings(rounds)) == players * (players - 1) // 2


@pytest.mark.parametrize("players", [20, 32, 64, 100])
def test_formula_says_where_it_does_not_apply(players):
    assert resolvable_design(players) == []


@pytest.mark.parametrize("group", [4, 5, 14, 15, 16, 18, 20, 22, 25, 30, 33])
def test_transversal_design_never_lets_class_mates_meet(group):
    rounds = transversal(group, 12)
    assert len(rounds) == min(12, group)
    assert everybody_once(rounds, 4 * group)
    assert repeats(rounds) == 0
    assert all({p // group for p in table} == {0, 1, 2, 3} for t in rounds for table in t)


def test_stored_record_is_ten_rounds_for_32_players():
    rounds = recorded_rounds(32)
    assert (len(rounds), repeats(rounds), everybody_once(rounds, 32)) == (10, 0, True)
    assert recorded_rounds(36) == []


def test_stored_record_names_its_source_and_licence():
    record = json.loads((DATA / "record-32x10.json").read_text())
    assert "Dagstuhl-tables" in record["source"]
    assert record["licence"].startswith("Unlicense")


def test_every_stored_starter_develops_without_a_repeat():
    stored = json.loads((DATA / "starters.json").read_text())
    for players, starter in stored.items():
        rounds = starter_rounds(int(players))
        assert len(rounds) == starter["modulus"]
        assert everybody_once(rounds, int(players))
        assert repeats(rounds) == 0
    assert starter_rounds(21) == []


@pytest.mark.parametrize(("players", "rounds"), PROMISED.items())
def test_longest_construction_reaches_the_promised_rounds(players, rounds):
    assert len(longest(players)[1]) == rounds


def test_constructions_have_enough_rounds_or_are_not_offered():
    assert all(len(rounds) >= 9 for _, rounds in constructions(32, 9))
    assert list(constructions(32, 11)) == []
    assert list(constructions(30, 3)) == []
