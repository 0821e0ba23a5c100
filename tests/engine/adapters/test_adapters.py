"""Numbers for learners are frozen, and lead through every game; interfaces keep their form."""

import hashlib
from random import Random

import pytest

from engine.adapters import actions, numbered, observations
from engine.adapters.actions import ACTIONS, by_number, number_of, text_of
from engine.adapters.rewards import rewards
from engine.adapters.spiel import CHANCE, TERMINAL, SpielGame
from engine.rules.cards import parse_cards
from engine.rules.errors import EngineError
from engine.rules.game import SeatAction, observe, outcome
from engine.rules.ruleset import preset, preset_keys
from engine.rules.state import INSTANT_WIN, PLAY
from tests.engine.core.cores import CORES, FORMS
from tests.engine.walk import VARIANTS, begin, walk, with_options
from tests.shares import share


def test_numbers_and_fields_are_frozen():
    """A change here is another major version of the package."""
    meanings = "\n".join(text_of(number) for number in range(ACTIONS))
    assert hashlib.sha256(meanings.encode()).hexdigest()[:16] == "4a2a7c63cbe0234b"
    fields = [(name, place.start, place.stop) for name, place in observations.FIELDS.items()]
    assert hashlib.sha256(str(fields).encode()).hexdigest()[:16] == "e9b762f11c7abfbf"
    assert (ACTIONS, observations.SIZE) == (1315, 627)


def test_a_number_stands_for_the_lowest_of_its_plays():
    legal = [
        SeatAction(0, "play", parse_cards(text)) for text in ("3C 3H", "3S 3H", "3D 3H", "3S 3C")
    ]
    found = by_number([*legal, SeatAction(0, "pass"), SeatAction(0, "give", (5,))])
    assert list(found) == [0, 56, 58]
    assert found[58].cards == parse_cards("3S 3H")
    lock = SeatAction(0, "lock", parse_cards("3S 4S 5S"))
    assert number_of(lock) == number_of(lock._replace(do="play")) + 840


@pytest.mark.parametrize(("key", "options"), VARIANTS)
def test_every_decision_has_numbers_and_every_observation_its_length(key, options):
    ruleset = with_options(preset(key), options)
    for seed in range(2):
        players = (ruleset.min_players, ruleset.max_players)[seed]
        for state, legal in walk(begin((ruleset, players), Random(seed)), Random(seed)):
            if state.phase in (PLAY, INSTANT_WIN):
                found = by_number(legal)
                assert {number_of(action) for action in legal} == set(found)
                assert all(action in legal for action in found.values())
            seat = Random(seed).randrange(players)
            numbers = observations.encode(observe(state, seat))
            assert len(numbers) == observations.SIZE
            assert observations.LEAST <= min(numbers) <= max(numbers) <= observations.MOST
            hand = numbers[observations.FIELDS["hand"]]
            assert sum(hand) == len(observe(state, seat).hand)


@pytest.mark.parametrize("do", ["return", "give", "trade"])
@pytest.mark.parametrize("cards", ["3S", "2S 2H", "3S 4C", "3S 3C 9D"])
def test_cards_that_change_hands_have_no_number(do, cards):
    action = SeatAction(0, do, parse_cards(cards), other=1)
    assert number_of(action) is None
    assert by_number([action]) == {}


def test_an_observation_tells_nothing_hidden():
    """Two worlds that differ in the others' cards look alike."""
    state = begin((preset("killa"), 4), Random(5))
    twin = state.copy()
    others = [seat for seat in range(4) if seat != state.turn]
    one, two = others[:2]
    twin.hands[one], twin.hands[two] = twin.hands[two], twin.hands[one]
    seen = [observations.encode(observe(each, state.turn)) for each in (state, twin)]
    assert seen[0] == seen[1]


def test_rewards_of_places_add_up_to_nothing_whoever_shares():
    state = begin((preset("thirteen"), 5), Random(1))
    for placings in (((4,), (1,), (0,), (2,), (3,)), ((4,), (1, 0, 2, 3)), ((1, 2), (0, 3), (4,))):
        found = rewards(outcome(state)._replace(placings=placings))
        assert sum(found) == pytest.approx(0)
        assert found[placings[0][0]] == max(found) <= 1


@pytest.fixture(params=[*FORMS, "readable"])
def form(request, monkeypatch):
    """On the kernels or, where there is no core, on the readable engine."""
    core = CORES[request.param]() if request.param in CORES else None
    monkeypatch.setattr(numbered, "current", lambda: core)
    return request.param


def test_the_shapes_are_the_same_games_with_and_without_a_core(monkeypatch):
    """A hand that may win as dealt is asked first, and then the kernels play on."""
    game = SpielGame("killa", 4, "money")
    for seed in range(8):
        told = []
        for core in (None, CORES["plain"]()):
            monkeypatch.setattr(numbered, "current", lambda core=core: core)
            state, dice, lines = game.new_initial_state(), Random(seed), []
            while not state.is_terminal():
                state.apply_action(dice.choice(state.legal_actions()))
                lines.append(
                    [
                        (state.observation_string(seat), state.information_state_string(seat))
                        for seat in range(4)
                    ]
                )
            told.append((lines, state.returns(), state.history()))
        assert told[0] == told[1]


@pytest.mark.parametrize("key", share(preset_keys(), 2))
def test_a_game_in_openspiels_shape_is_walked_by_its_verbs(form, key):
    for players in (preset(key).min_players, preset(key).max_players):
        game = SpielGame(key, players, "money")
        state, dice = game.new_initial_state(), Random(players)
        assert state.current_player() == CHANCE
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                assert sum(chance for _, chance in outcomes) == pytest.approx(1)
                assert len(outcomes) <= game.max_chance_outcomes()
            legal = state.legal_actions()
            assert legal == sorted(set(legal)) != []
            assert max(legal) < game.num_distinct_actions()
            state.apply_action(dice.choice(legal))
        assert state.current_player() == TERMINAL
        assert state.legal_actions() == []
        assert sum(state.returns()) == 0
        again = game.new_initial_state()
        for action in state.history():
            again.apply_action(action)
        assert again.returns() == state.returns()
        assert again.information_state_string(0) == state.information_state_string(0)


def test_a_clone_and_a_refused_action_change_nothing(form):
    state = SpielGame("tien-len").new_initial_state()
    dice = Random(3)
    while state.is_chance_node():
        state.apply_action(dice.choice(state.legal_actions()))
    before = state.information_state_string()
    child = state.child(state.legal_actions()[0])
    assert len(child.history()) == len(state.history()) + 1 == 53
    with pytest.raises(EngineError, match="not legal"):
        state.apply_action(actions.PASS)
    assert state.information_state_string() == before
    assert len(state.observation_tensor(2)) == SpielGame().observation_tensor_shape()[0]
    with pytest.raises(EngineError, match="players"):
        SpielGame("killa", players=9)


def test_pettingzoos_own_test_of_environments():
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test

    from engine.adapters.aec import env

    api_test(env("mien-nam", reward="money"), num_cycles=300)
