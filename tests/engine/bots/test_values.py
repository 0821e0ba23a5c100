"""What actions are worth: exact where the end is known, with an honest error elsewhere."""

from itertools import takewhile
from math import isclose
from random import Random
from statistics import stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bots import endgames, make
from engine.bots.belief import read
from engine.bots.money import Ledger, split
from engine.bots.search import Dream
from engine.bots.values import mean_and_error, values
from engine.rules.deal import deal
from engine.rules.game import State, apply, legal_actions, observe, start
from engine.rules.rule_tables import table
from engine.rules.ruleset import preset, with_options
from engine.rules.state import OVER, PLAY
from tests.engine.walk import VARIANTS, begin, tables, walk
from tests.plugins.chance import examples

TABLES = tables()


def decisions(of, seed, most=3):
    """Some positions of a random game in which there is something to play."""
    found = []
    for state, legal in walk(begin(of, Random(seed)), Random(seed)):
        if state.phase == PLAY and len(legal) > 1 and state.opening < 0:
            found.append((state.copy(), legal))
    return Random(seed).sample(found, min(most, len(found)))


def place_of(state: State, seat: int) -> int:
    return 1 + sum(map(len, takewhile(lambda group: seat not in group, state.placings)))


def best_place(state: State, seat: int, known: dict) -> int:
    """The place of a seat when both play as well as can be, by the engine's verbs alone."""
    if state.phase == OVER:
        return place_of(state, seat)
    key = (tuple(state.hands), state.turn, state.top, state.top_by, state.locked, state.passed)
    if key not in known:
        places = [best_place(apply(state.copy(), a), seat, known) for a in legal_actions(state)]
        known[key] = (min if state.turn == seat else max)(places)
    return known[key]


def test_values_agree_with_exact_endgames():
    """Two of four are left with few cards: who plays on without betting gets what he can get."""
    compared = 0
    for key, options in [*VARIANTS[:9], ("tien-len", {"pass_locks": False})]:
        plain = {"betting": "none", "game_ends": "one_left"}
        ruleset = with_options(preset(key), {**plain, **options})
        for seed in range(6):
            for state, legal in walk(start(ruleset, deal(ruleset, 4, Random(seed))), Random(seed)):
                cards = sum(hand.bit_count() for hand in state.hands)
                if state.phase != PLAY or state.out.bit_count() != 2 or cards > 7 or not legal:
                    continue
                known: dict = {}
                seat = state.turn
                for value in make("sage", 1).values(observe(state, seat), legal):
                    after = apply(state.copy(), value.action)
                    assert (value.place, value.games) == (best_place(after, seat, known), 0)
                    assert value.place_error == value.money_error == value.money == 0
                    compared += 1
    assert compared > 200


def test_what_takes_too_long_is_imagined(monkeypatch):
    ruleset = preset("tien-len")
    for state, legal in walk(start(ruleset, deal(ruleset, 4, Random(1))), Random(1)):
        cards = sum(hand.bit_count() for hand in state.hands)
        if state.out.bit_count() == 2 and cards <= endgames.MOST_CARDS and len(legal) > 1:
            break
    seen = observe(state, state.turn)
    assert endgames.best_replies(seen, legal, read(seen)) is not None
    monkeypatch.setattr(endgames, "_MOST_POSITIONS", 0)
    assert endgames.best_replies(seen, legal, read(seen)) is None


@settings(max_examples=examples(40), deadline=None)
@given(TABLES, st.integers(0, 2**32))
def test_every_action_of_every_ruleset_has_a_value(of, seed):
    for state, legal in decisions(of, seed, 2):
        seen = observe(state, state.turn)
        found = values(seen, legal, 20, Random(7))
        assert [value.action for value in found] == legal
        for value in found:
            assert 1 <= value.place <= of[1]
            assert value.games != 1
            last = [action for action in legal if len(action.cards) == len(seen.hand)]
            if value.action in last:
                shared = table(of[0]).first_out_ends and state.out
                assert shared or value.place == state.out.bit_count() + 1
                assert value.place_error == 0
        assert found == values(seen, legal, 20, Random(7))


def test_there_is_none_outside_of_tricks():
    ruleset = preset("mien-bac")
    state = begin((ruleset, 4), Random(2))
    seen = observe(state, state.turn)
    assert make("sage", 1).values(seen, [legal_actions(state)[0]._replace(do="give")]) == []


def test_asking_changes_no_choice_and_hidden_cards_no_value():
    ruleset = preset("killa")
    for state, legal in decisions((ruleset, 4), 5):
        asked, silent = make("sage", 3), make("sage", 3)
        before = asked.values(observe(state, state.turn), legal)
        assert asked.choose(observe(state, state.turn), legal) == silent.choose(
            observe(state, state.turn), legal
        )
        twin = state.copy()
        others = [seat for seat in range(4) if seat != state.turn and state.hands[seat]]
        if len(others) > 1 and len({state.hands[s].bit_count() for s in others[:2]}) == 1:
            one, two = others[:2]
            twin.hands[one], twin.hands[two] = twin.hands[two], twin.hands[one]
        assert make("sage", 3).values(observe(twin, state.turn), legal) == before


def test_the_error_of_a_difference_is_that_of_its_pairs():
    """Opponents beaten by a pass and by two kings in the same eight deals, worked out by hand."""
    passed, kings = (3, 1, 2, 0, 2, 3, 1, 0), (3, 0, 1, 1, 1, 2, 0, 0)
    mean, error = mean_and_error([a - b for a, b in zip(passed, kings, strict=True)])
    assert (mean / 3, error / 3) == pytest.approx((0.1667, 0.0891), abs=0.00005)
    alone = [mean_and_error(row)[1] / 3 for row in (passed, kings)]
    assert alone == pytest.approx([0.1409, 0.1260], abs=0.00005)  # What says too much of a pair.


def test_values_are_told_by_their_difference_to_the_best_in_the_same_deals(monkeypatch):
    """The results of each deal are noted as they come and put together anew."""
    seen, legal = next(
        (observe(state, state.turn), legal)
        for state, legal in decisions((preset("thirteen"), 4), 8, 30)
        if len(legal) > 9 and not state.out
    )
    noted: dict = {}
    play_out = Dream.results_of

    def noting(dream, candidates, deals):
        found = play_out(dream, candidates, deals)
        for candidate, results in zip(candidates, found, strict=True):
            noted.setdefault(candidate.action, []).extend(results)
        return found

    monkeypatch.setattr(Dream, "results_of", noting)
    found = {value.action: value for value in values(seen, legal, 600, Random(3))}
    best = min(found.values(), key=lambda value: (value.place, -value.money))
    assert best.place_error == best.money_error == 0
    assert best.place == sum(result.place for result in noted[best.action]) / best.games / 2
    for action, results in noted.items():
        pairs = list(zip(results, noted[best.action], strict=False))
        gaps = [(own.place - other.place) / 2 for own, other in pairs]
        assert found[action].place - best.place == pytest.approx(sum(gaps) / len(gaps))
        if len(set(gaps)) > 1:
            assert found[action].place_error == pytest.approx(stdev(gaps) / len(gaps) ** 0.5)
    assert len({value.games for value in found.values()}) == 2  # Eight had more deals than others.


def test_a_larger_budget_has_smaller_errors_that_hold():
    """Of the differences between two budgets nearly all are within three of their errors."""
    seen, legal = next(
        (observe(state, state.turn), legal)
        for state, legal in decisions((preset("mien-nam"), 4), 8, 30)
        if len(legal) > 3 and not state.out
    )
    small, large = (values(seen, legal, games, Random(games)) for games in (400, 3000))
    assert sum(v.games for v in large) > 5 * sum(v.games for v in small)
    best = min(range(len(legal)), key=lambda at: large[at].place)
    for a, b in zip(small, large, strict=True):
        assert b.place_error < a.place_error or 0 in (a.place_error, b.place_error)
        gaps = a.place - small[best].place, b.place - large[best].place
        assert abs(gaps[0] - gaps[1]) <= 4 * (a.place_error + b.place_error)


@pytest.mark.parametrize("key", ["tien-len", "killa", "mien-nam", "dem-la"])
def test_a_ledger_tells_places_and_money_apart(key):
    ledger = Ledger(preset(key), 4)
    ends = [split(place) for place in ledger.places]
    assert [place / 2 for place, _ in ends] in ([1, 2, 3, 4], [1, 3, 3, 3])
    total = sum(ledger.places[0:3]) - 5 * ledger.chop
    assert split(total)[1] == sum(money for _, money in ends[:3]) - 5 * ledger.chop
    assert isclose(ledger.stake, 1 if preset(key).betting == "mien_nam" else 2)
