"""What the judge says of a game, worked out by hand where that can be done."""

from math import isclose
from random import Random
from statistics import fmean
from types import SimpleNamespace

import pytest

from engine.bots import judge, make
from engine.bots.master import distinct
from engine.rules import game
from engine.rules.actions import SeatAction, action_to_json
from engine.rules.cards import parse_cards
from engine.rules.deal import deal
from engine.rules.ruleset import preset, with_options
from engine.rules.state import OVER, State
from engine.sim import bench_ladder

LITTLE = judge.Thoroughness(first=12, more=24, chances=2, deals=2)
SHORT = with_options(preset("mien-nam"), {"cards_each": {"4": 4}, "instant_wins": []})

# Three choices on the same eight deals, in opponents beaten: pass, 7♣, K♦K♠.
FIRST = [[3, 2, 3], [1, 1, 0], [2, 3, 1], [0, 2, 1]]
SECOND = [[2, 2, 1], [3, 1, 2], [1, 1, 0], [0, 1, 0]]


def rows(numbers: list[list[int]]) -> list[list[judge.Row]]:
    return [[(float(number), 0.0) for number in deal_] for deal_ in numbers]


def played(seed: int, rules=SHORT) -> tuple[State, list[SeatAction]]:
    """A game of house bots: as dealt, and its actions."""
    dice = Random(seed)
    state = game.start(rules, deal(rules, 4, dice))
    started, actions = state.copy(), []
    bots = [make(name, seed) for name in dice.sample(["planner", "greedy", "lowest", "random"], 4)]
    while state.phase != OVER:
        legal = game.legal_actions(state)
        actions.append(bots[state.turn].choose(game.observe(state, state.turn), legal))
        game.apply(state, actions[-1])
    return started, actions


def ended(started: State, actions: list[SeatAction]) -> list[float]:
    state = started.copy()
    for action in actions:
        game.apply(state, action)
    return judge.beaten(state)


def test_each_half_picks_a_best_choice_that_the_other_half_measures():
    loss, error, order = judge.loss_of(rows(FIRST), rows(SECOND), 2)
    # By the first half 7♣ is best, by the second half a pass: (2/4 + 1/4) / 2.
    assert loss == pytest.approx(3 * 0.1250)
    assert error == pytest.approx(3 * 0.1154, abs=2e-4)
    assert order == [1, 0, 2]
    assert judge.word_of(loss, error, is_best=False) == "close"  # Less than two errors.


def test_what_choices_by_lot_give_away_is_at_stake():
    """By the first half 7♣ is best, by the second a pass; each is compared in the other half."""
    stake = judge.at_stake(rows(FIRST), rows(SECOND))
    lost = [judge.loss_of(rows(FIRST), rows(SECOND), choice)[0] for choice in range(3)]
    assert stake == pytest.approx(fmean(lost))


@pytest.mark.parametrize(
    ("to_beat", "cards", "is_one"),
    [
        ("2S", "4S 4C 4D 4H", True),
        ("2S", "2H", False),
        ("", "4S 4C 4D 4H", False),
        ("3S 3C 3D 3H", "4S 4C 4D 4H", False),
        ("2S 2C", "", False),
    ],
)
def test_a_chop_beats_another_number_of_cards(to_beat, cards, is_one):
    seen = SimpleNamespace(to_beat=parse_cards(to_beat))
    assert judge.is_chop(SeatAction(0, "play", tuple(parse_cards(cards))), seen) == is_one


def test_a_choice_that_one_half_prefers_may_give_away_less_than_nothing():
    loss, error, _order = judge.loss_of(rows(FIRST), rows(SECOND), 0)
    assert loss == pytest.approx(3 * -0.0417, abs=2e-4)
    assert error > 0  # A half that picks the choice played has no error of its own.


def test_the_best_of_one_sample_would_blame_the_luckier_choice():
    both = [*rows(FIRST), *rows(SECOND)]
    means = [fmean(row[choice][0] for row in both) for choice in range(3)]
    assert max(means) - means[2] == pytest.approx(3 * 0.2083, abs=2e-4)
    assert max(means) - means[0] == pytest.approx(3 * 0.0417, abs=2e-4)


@pytest.mark.parametrize(
    ("loss", "error", "is_best", "word"),
    [
        (0.0, 0.1, True, "best"),
        (0.1, 0.05, False, "best"),
        (0.1, 0.2, False, "close"),
        (0.2, 0.01, False, "close"),
        (0.36, 0.17, False, "mistake"),
        (0.36, 0.18, False, "close"),
        (0.75, 0.3, False, "blunder"),
        (0.9, 0.5, False, "close"),
    ],
)
def test_a_mistake_is_named_from_what_the_judge_can_tell(loss, error, is_best, word):
    assert judge.word_of(loss, error, is_best=is_best) == word


def test_the_terms_of_a_game_by_hand():
    """Values of seat 0 in opponents beaten: V 1.8, 1.98, 1.74, 1.2, 1.65, 2.1, and 2 at the end."""
    acts = [SeatAction(seat, "pass") for seat in (0, 1, 0, 1, 0, 1)]
    values = [[value, 0.0, 0.0, 0.0] for value in (1.8, 1.98, 1.74, 1.2, 1.65, 2.1, 2.0)]
    expected = {0: -0.06, 2: -0.21, 4: 0.09}
    found = judge.terms(0, values, acts, expected)
    assert found == pytest.approx([0.3, 0.11, 0.27, -0.18])
    assert sum(found) == pytest.approx(0.5)


MANY = (pytest.mark.long, pytest.mark.limit(300, reason="a review takes three seconds"))


@pytest.mark.parametrize(
    "seeds", [range(3), pytest.param(range(3, 30), marks=MANY)], ids=["3", "30"]
)
def test_where_a_result_came_from_sums_to_the_result(seeds):
    for seed in seeds:
        started, actions = played(seed)
        found = judge.review(started, actions, range(4), f"game {seed}", LITTLE)
        ends = ended(started, actions)
        assert len(found["values"]) == len(actions) + 1, seed
        assert found["values"][-1] == ends, seed
        for seat, own in enumerate(found["terms"]):
            assert isclose(sum(own), ends[seat] - 1.5, abs_tol=1e-9), seed
        for values in found["values"]:  # Each place is somebody's.
            assert sum(values) == pytest.approx(6), seed
        assert any(found["decisions"]), seed


def test_all_who_review_a_game_come_to_the_same_digit():
    started, actions = played(5)
    found = judge.review(started, actions, [0, 2], "game", LITTLE)
    assert judge.review(started, actions, [0, 2], "game", LITTLE) == found
    alone = judge.review(started, actions, [2], "game", LITTLE)
    assert alone["values"] == found["values"]
    assert alone["decisions"] == [one for one in found["decisions"] if one["seat"] == 2]
    assert [own is None for own in alone["terms"]] == [True, True, False, True]


def test_a_decision_says_what_was_best_and_what_was_played():
    started, actions = played(7)
    found = judge.review(started, actions, range(4), "game", LITTLE)
    for one in found["decisions"]:
        assert one["played"] == action_to_json(actions[one["step"]])
        assert one["seat"] == actions[one["step"]].seat
        assert one["top"][0] == [one["best"], one["q"]]
        assert [one["played"], one["q_played"]] in one["top"]
        assert 2 <= len(one["top"]) <= min(5, one["legal"])
        assert one["money"] is not None
        assert one["at_stake"] > -0.5
        assert isinstance(one["chop"], bool)


def test_what_others_hold_changes_nothing_of_a_decision():
    """Two deals alike but for two hands that nobody has seen yet."""
    games = map(played, range(20))
    started, actions = next(
        (begun, log) for begun, log in games if len(distinct(game.legal_actions(begun))) > 1
    )
    hands = list(started.dealt)
    later = [seat for seat in range(4) if seat != actions[0].seat]
    hands[later[0]], hands[later[1]] = hands[later[1]], hands[later[0]]
    found = []
    for dealt in (started.dealt, hands):
        state = State(SHORT, started.table, tuple(dealt), None, None, 1)
        state.phase, state.turn = started.phase, started.turn
        state.leader, state.must_include = started.leader, started.must_include
        seen, legal = game.observe(state, state.turn), game.legal_actions(state)
        found.append(judge.decide(seen, legal, actions[0], LITTLE, Random(1)))
    assert found[0] == found[1]


@pytest.mark.parametrize(("key", "players"), bench_ladder.tables())
def test_rules_and_numbers_of_players_without_a_test_are_not_judged(key, players):
    """Advice is silent wherever no measurement says that the judge is good enough."""
    state = game.start(preset(key), deal(preset(key), players, Random(4)))
    begun, actions = state.copy(), []
    while state.phase not in ("play", "over"):
        actions.append(game.legal_actions(state)[-1])
        game.apply(state, actions[-1])
    tested = {("tien-len", 4), ("mien-nam", 4)}
    why = "seats" if key in ("tien-len", "mien-nam") else "rules"
    assert judge.why_not(begun, actions) == ("" if (key, players) in tested else why)


def test_what_decides_no_move_may_differ_from_the_tested_rules():
    stakes = with_options(preset("mien-nam"), {"money": {"loser": 3}})
    assert judge.is_tested(stakes)  # What is paid decides no rule of play.
    assert not judge.is_tested(with_options(preset("mien-nam"), {"pass_locks": False}))
    assert not judge.is_tested(SHORT)


def test_a_game_won_at_once_is_not_judged():
    rules = preset("mien-nam")
    texts = (
        "3S 5S 6S 7S 9S TS JS KS AS 2S 2C 2D 2H",
        "3C 4S 5C 6C 7C 8S 9C TC JC QS KC AC 4C",
        "3D 5D 6D 7D 8C 9D TD JD QC KD AD 4H 6H",
        "3H 7H 8H 9H TH JH QH KH AH 8D QD 4D 5H",
    )
    assert judge.why_not(game.start(rules, [parse_cards(text) for text in texts]), []) == "instant"
