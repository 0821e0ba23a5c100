"""The program that trains the master: it plays by the rules, and its steps go downhill."""

import sys
from argparse import Namespace
from pathlib import Path
from random import Random

import pytest

from engine.bots.features import INPUTS
from engine.bots.network import Network

np = pytest.importorskip("numpy")


@pytest.fixture
def train_bot(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[3] / "script"))
    program = __import__("train_bot")
    for name, small in (("AT_ONCE", 4), ("BATCH", 32), ("ENOUGH", 32), ("RING", 1024)):
        monkeypatch.setattr(program, name, small)
    yield program
    sys.modules.pop("train_bot", None)


def test_lessons_are_what_the_seats_saw_and_how_they_ended(train_bot):
    net = train_bot.fresh(np.random.default_rng(1))
    lessons = train_bot.play(net, Random(4), 4)
    again = train_bot.play(net, Random(4), 4)
    assert len(lessons) == len(again) > 100
    for (inputs, goal), (same, equal) in zip(lessons, again, strict=True):
        assert (inputs == same).all()
        assert (goal == equal).all()
        assert set(inputs) <= {0, 1}
        # Who is first is also among the first two and three.
        assert 0 <= goal[0] <= 1
        assert 20 < inputs.sum() <= 192


def test_a_gradient_is_the_slope_of_the_loss(train_bot):
    dice = np.random.default_rng(2)
    net = {name: weights.astype(np.float64) for name, weights in train_bot.fresh(dice).items()}
    inputs = (dice.random((16, INPUTS)) < 0.1).astype(np.uint8)
    goals = dice.random((16, 3))
    found, _loss = train_bot.slopes(net, inputs, goals)
    for name, weights in net.items():
        at = np.unravel_index(np.argmax(np.abs(found[name])), weights.shape)
        losses = []
        for step in (1e-3, -1e-3):
            weights[at] += step
            losses.append(train_bot.slopes(net, inputs, goals)[1])
            weights[at] -= step
        assert found[name][at] == pytest.approx((losses[0] - losses[1]) / 2e-3, rel=0.02)


def test_it_learns_what_it_is_shown(train_bot):
    dice = np.random.default_rng(3)
    learner = train_bot.Learner(train_bot.fresh(dice), dice)
    for _ in range(200):
        inputs = (dice.random(INPUTS) < 0.1).astype(np.uint8)
        learner.add(inputs, np.array([inputs[0], inputs[1], inputs[0] | inputs[1]], np.float32))
    losses = [learner.learn(1e-3) for _ in range(30)]
    assert np.mean(losses[-5:]) < 0.7 * np.mean(losses[:5])


def test_what_it_writes_is_a_network_of_the_bot(train_bot, tmp_path, capsys):
    path = tmp_path / "new.net"
    options = Namespace(file=path, games=4, minutes=None, seed=5, go_on=None)
    assert train_bot.train(options) == 0
    network = Network(path, INPUTS)
    told = train_bot.judge(
        {name: np.rint(64 * w) / 64 for name, w in np.load(path.with_suffix(".npz")).items()},
        np.eye(INPUTS, dtype=np.uint8)[:5],
    )[2]
    for column, opinions in zip(network.columns, told, strict=False):
        chances = [1 / (1 + np.exp(-logit)) for logit in network.opinions(column)]
        assert chances == pytest.approx(list(opinions), abs=0.02)
    options.go_on = path.with_suffix(".npz")
    assert train_bot.train(options) == 0
    assert " 0 steps" not in capsys.readouterr().out
