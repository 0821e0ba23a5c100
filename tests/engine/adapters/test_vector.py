"""Games side by side on the kernels go as the readable engine says, in numbers for learners."""

from importlib.util import find_spec
from random import Random

import pytest

from engine.adapters import actions, observations
from engine.adapters.rewards import rewards
from engine.core.kernels import abreast, layout
from engine.core.rows import ACT, AGAIN, LOOK, Rows
from engine.rules.cardset import unpack
from engine.rules.errors import EngineError
from engine.rules.game import apply, legal_actions, observe, outcome, start
from engine.rules.ruleset import preset, preset_keys
from engine.rules.state import OVER
from tests.engine.core.cores import CORES, FORMS
from tests.shares import share


def sheet_of(form, key, players, games=1, bots=()):
    rows = Rows(CORES[form](), preset(key), players, bots)
    rows.seat((), [7, 8, 9, 10, 11, 12, 13, 14][:players])
    rows.seed_deck(players)
    sheet = rows.sheet(games)
    rows.go(sheet, rows._core.array([0] * games), AGAIN | LOOK)
    return rows, sheet


def state_of(key, players, row):
    """The game that a row holds, anew in the readable engine."""
    words = [int(word) for word in row[abreast.ROW_DEALT : abreast.ROW_DEALT + 2 * players]]
    hands = [unpack(high << 56 | low) for low, high in zip(words[::2], words[1::2], strict=True)]
    return start(preset(key), hands)


def legal_of(sheet, game):
    count = sheet.rows[abreast.ROW_SIZE * game + abreast.ROW_COUNT]
    at = abreast.LEGAL_SIZE * game
    last = at + abreast.LEGAL * count
    return sorted(int(number) for number in sheet.legal[at : last : abreast.LEGAL])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("key", share(preset_keys(), 2))
def test_a_game_of_numbers_is_the_readable_engines_game(form, key):
    dice = Random(key)
    for players in {preset(key).min_players, preset(key).max_players}:
        rows, sheet = sheet_of(form, key, players)
        state = state_of(key, players, sheet.rows)
        while state.phase != OVER:
            found = actions.by_number(legal_actions(state))
            assert legal_of(sheet, 0) == list(found)
            assert [int(mask) for mask in sheet.masks[:]] == [
                int(number in found) for number in range(actions.ACTIONS)
            ]
            seen = observations.encode(observe(state, state.turn))
            assert [int(number) for number in sheet.seen[:]] == seen
            number = dice.choice(list(found))
            state = apply(state, found[number])
            rows.go(sheet, rows._core.array([number]), ACT | LOOK)
        result = outcome(state)
        last = rows.last_state([int(number) for number in sheet.rows[:]])
        assert rewards(outcome(last), "money") == rewards(result, "money")
        places = sheet.rows[abreast.ROW_PLACE : abreast.ROW_PLACE + players]
        for place, group in zip((1, 1 + len(result.placings[0])), result.placings, strict=False):
            assert {int(places[seat]) for seat in group} == {place}
        worth = sheet.rows[abreast.ROW_WORTH : abreast.ROW_WORTH + players]
        for seat, reward in enumerate(rewards(result, "places")):
            assert int(worth[seat]) / (players - 1) == pytest.approx(reward)
        for seat in range(players):
            rows.go(sheet, rows._core.array([seat]), LOOK)
            assert [int(number) for number in sheet.seen[:]] == observations.encode(
                observe(state, seat)
            )


@pytest.mark.parametrize("form", FORMS)
def test_what_is_not_legal_changes_no_game_and_a_copy_goes_its_own_way(form):
    rows, sheet = sheet_of(form, "killa", 4, 2)
    before, twin = list(sheet.rows), sheet.copy()
    wrong = [legal_of(sheet, 0)[0], actions.PASS]
    with pytest.raises(EngineError, match="action 0 is not legal in game 1"):
        rows.go(sheet, rows._core.array(wrong), ACT | LOOK)
    rows.go(twin, rows._core.array([legal_of(twin, game)[0] for game in (0, 1)]), ACT | LOOK)
    counts = [abreast.ROW_COUNT, abreast.ROW_SIZE + abreast.ROW_COUNT]
    choices = [abreast.ROW_CHOICE, abreast.ROW_SIZE + abreast.ROW_CHOICE]
    changed = [at for at, number in enumerate(before) if sheet.rows[at] != number]
    assert set(changed) <= {*counts, *choices}
    assert twin.rows[layout.TURN] != before[layout.TURN]


@pytest.mark.parametrize("form", FORMS)
def test_bots_of_the_house_play_until_the_learner_is_asked(form):
    rows, sheet = sheet_of(form, "tien-len", 4, 1, ("random", "greedy", None, "lowest"))
    ended = 0
    for _ in range(60):
        assert sheet.rows[layout.TURN] == 2
        rows.go(sheet, rows._core.array([legal_of(sheet, 0)[0]]), ACT | AGAIN | LOOK)
        ended += sheet.rows[abreast.ROW_DONE] == 1
    assert ended > 1


@pytest.fixture
def compiled(monkeypatch):
    """The core may be used, as in a worker: other tests play without it."""
    from engine.core import store

    monkeypatch.delenv("TIENLEN_CORE")
    monkeypatch.setattr(store, "_used", [])


@pytest.mark.long
@pytest.mark.usefixtures("compiled")
@pytest.mark.skipif(not find_spec("numba"), reason="numba is not installed")
def test_the_environment_of_arrays():
    import numpy

    from engine import VectorGames

    dice = numpy.random.default_rng(1)
    for reward in ("places", "money"):
        games = VectorGames("mien-nam", 4, 16, seed=3, reward=reward)
        ended = 0
        for _ in range(200):
            assert games.masks.sum(1).tolist() == games.counts.tolist()
            rewards_, done = games.step(games.random_actions(dice))
            assert numpy.allclose(rewards_.sum(1), 0, atol=1e-5)
            assert done.tolist() == rewards_.any(1).tolist() or reward == "money"
            ended += int(done.sum())
        assert ended > 16
        kept, seen = games.save(), games.observations.copy()
        games.step(games.random_actions(dice))
        games.load(kept)
        assert (games.observations == seen).all()
        games.load(numpy.repeat(kept[:1], 16, 0))
        assert (games.observations == seen[0]).all()
        assert (games.masks.sum(1) == games.counts).all()
    with pytest.raises(EngineError, match="numbers, one for each game"):
        games.step([0])
    for bots in (("greedy",) * 4, (None, "master", None, None)):
        with pytest.raises(EngineError, match="bots must name"):
            VectorGames(bots=bots)


@pytest.mark.long
@pytest.mark.usefixtures("compiled")
@pytest.mark.skipif(not find_spec("numba"), reason="numba is not installed")
def test_one_learner_plays_against_bots_of_the_house():
    pytest.importorskip("gymnasium")
    from engine.adapters.gym import env

    game = env("killa", ("greedy", "lowest"), "money")
    seen, _info = game.reset(seed=1)
    first, ended = seen["observation"], 0
    while ended < 5:
        number = int(seen["action_mask"].nonzero()[0][-1])
        seen, _reward, done, truncated, _info = game.step(number)
        ended += done
        assert not truncated
    assert (game.reset(seed=1)[0]["observation"] == first).all()
