"""Seats, hands, chops and leads: what a block says of them, against games counted one by one."""

from random import Random

import pytest

from engine.records.record import play_through
from engine.rules.cards import parse_cards
from engine.rules.cardset import pack
from engine.rules.ruleset import preset
from engine.sim.effects import hand_points
from engine.sim.faults import Conditions
from engine.sim.simulation import play_block, play_one, seats
from engine.statistics import Moments, Ratio

FIELD = ["greedy", "random", "lowest", "planner"]


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("3S 4C 5D", 0),
        ("AS", 1),
        ("2S 2H", 4),
        ("7S 7C 7D 7H", 2),
        ("2S 2C 2D 2H", 8),
        ("5S 5C 6S 6C 7S 7C", 2),
        ("5S 5C 6S 6C 8S 8C", 0),
        ("QS QC KS KC AS AC", 4),
        ("KS KC AS AC 2S 2C", 6),
        ("3S 3C 4S 4C 5S 5C 7S 7C 8S 8C 9S 9C", 4),
    ],
)
def test_points_of_a_hand(cards, points):
    assert hand_points(pack(parse_cards(cards))) == points


def played(field=FIELD, key="mien-nam", deals=25, **conditions):
    return play_block(preset(key), field, "fx", 0, deals, conditions=Conditions(**conditions))


def games(deals=25, key="mien-nam"):
    """The last states of the same games, from their records, and who sat where."""
    for number in range(deals):
        for game in range(4):
            state = play_through(play_one(preset(key), FIELD, "fx", number, game))
            yield number, state, seats(FIELD, "fx", number, game)


def score_of(state, seat):
    below = len(state.dealt)
    for group in state.placings:
        below -= len(group)
        if seat in group:
            return 2 * below + len(group) - 1
    raise AssertionError(seat)


def sums(effects, what):
    return Moments.from_json(effects[what]).sums


def test_chops_and_instant_wins_are_those_of_the_games():
    effects = played().tally["effects"]
    made, suffered, instant = [0] * 4, [0] * 4, [0] * 4
    for _, state, seating in games():
        for chop in state.chops:
            made[seating[chop.by]] += 1
            suffered[seating[chop.of]] += 1
        for seat in state.instant_winners:
            instant[seating[seat]] += 1
    assert (list(sums(effects, "chops")), list(sums(effects, "chopped"))) == (made, suffered)
    assert list(sums(effects, "instant")) == instant
    assert sum(made) > 0


@pytest.mark.long
def test_instant_wins_are_counted_where_they_happen():
    effects = played(key="family", deals=150, field=["greedy"] * 4).tally["effects"]
    found = sum(
        len(play_through(play_one(preset("family"), ["greedy"] * 4, "fx", n, g)).instant_winners)
        for n in range(150)
        for g in range(4)
    )
    assert sum(sums(effects, "instant")) == found > 0


def test_seats_count_from_who_leads_first():
    effects = played().tally["effects"]
    scores = [0] * 4
    for _, state, _ in games():
        for seat in range(4):
            scores[(seat - state.leader) % 4] += score_of(state, seat)
    assert list(sums(effects, "positions")) == scores


def test_hands_are_those_that_were_dealt():
    effects = played(deals=6).tally["effects"]
    expected = [Ratio() for _ in range(9)]
    by_deal: dict[int, dict[int, list[int]]] = {}
    for number, state, _ in games(deals=6):
        for seat, hand in enumerate(state.dealt):
            of = by_deal.setdefault(number, {}).setdefault(min(hand_points(hand), 8), [0, 0])
            of[0] += 1
            of[1] += score_of(state, seat)
    for hands in by_deal.values():
        for points, (count, score) in hands.items():
            expected[points] += Ratio.of(count, score)
    assert [Ratio(*row) for row in effects["hands"]] == expected


@pytest.mark.parametrize("key", ["thirteen", "tien-len", "killa"])
def test_leads_are_counted_alike_turn_by_turn_and_at_full_speed(key):
    field = ["greedy", "random", "lowest", "greedy"]
    quick, slow = (played(field, key, keep=keep).tally["effects"] for keep in (False, True))
    assert sums(quick, "leads")[0] > 100
    assert {**quick, "thinking": 0} == {**slow, "thinking": 0}


def test_blocks_add_up():
    whole = play_block(preset("killa"), FIELD, "fx", 0, 6).tally["effects"]
    parts = [
        play_block(preset("killa"), FIELD, "fx", first, 3).tally["effects"] for first in (0, 3)
    ]
    for what in ("positions", "chops", "chopped", "instant", "leads"):
        one, other = (Moments.from_json(part[what]) for part in parts)
        assert one + other == Moments.from_json(whole[what])
    added = [
        Ratio(*one) + Ratio(*other)
        for one, other in zip(*(part["hands"] for part in parts), strict=True)
    ]
    assert added == [Ratio(*row) for row in whole["hands"]]


def test_thinking_is_timed_by_the_clock_that_is_given_and_changes_nothing():
    ticks = iter(range(10**9))
    timed = played(deals=3, clock=lambda: 0.001 * next(ticks))
    decisions, total, longest, buckets = timed.tally["effects"]["thinking"][0]
    assert decisions > 20
    assert (total, longest) == (pytest.approx(1000 * decisions, abs=1), 1000)
    assert buckets == [(39, decisions)]  # 4 log2 of 1,000 microseconds.
    assert timed.digest == played(deals=3).digest
    assert played(deals=3).tally["effects"]["thinking"] == [[0, 0, 0, []]] * 4


def ratio_of(rows):
    total = Ratio()
    for count, score in rows:
        if count:
            total += Ratio.of(count, score)
    return total.estimate()


def test_a_ratio_with_equal_counts_is_the_mean_over_deals():
    rng = Random("equal")
    rows = [(4, rng.randrange(25)) for _ in range(50)]
    mean = Moments.of([[score] for _, score in rows], 1).mean(0, 4)
    found = ratio_of(rows)
    assert (found.mean, found.error) == (pytest.approx(mean.mean), pytest.approx(mean.error))


def test_a_ratio_of_nothing_or_one_deal_has_no_interval():
    assert ratio_of([]).deals == 0
    assert ratio_of([(2, 3)]).mean == 1.5
    assert ratio_of([(2, 3)]).error == float("inf")
    assert ratio_of([(1, 3), (2, 6)]).error == 0


def test_intervals_of_ratios_hold_the_truth_95_times_in_100():
    """Counts of 0 to 3 for each deal, and scores that share the deal's luck; the truth is 2.5."""
    rng = Random("ratio")
    held, rounds = 0, 1000
    for _ in range(rounds):
        rows = []
        for _ in range(60):
            count, luck = rng.randrange(4), rng.choice((0, 1))
            rows.append((count, sum(luck + rng.randrange(5) for _ in range(count))))
        found = ratio_of(rows)
        held += found.low <= 2.5 <= found.high
    assert 930 <= held <= 970
