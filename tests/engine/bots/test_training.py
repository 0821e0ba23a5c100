"""The program that trains the master: it plays by the rules, and its steps go downhill."""

import sys
from argparse import Namespace
from random import Random

import pytest

from engine.core.kernels import layout
from engine.core.kernels.mind_layout import INPUTS, MIND_FIRST
from engine.core.mind import Mind
from tests.lab import ROOM

np = pytest.importorskip("numpy")


@pytest.fixture
def train_bot(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOM))
    program = __import__("train_bot")
    for name, small in (("AT_ONCE", 2), ("BATCH", 16), ("ENOUGH", 16), ("RING", 512)):
        monkeypatch.setattr(program, name, small)
    # Plain Python adds number by number: the games are the same with a small network.
    monkeypatch.setattr(program, "MIND_FIRST", 8)
    monkeypatch.setattr(program, "SHAPES", program.shapes(8))
    yield program
    for name in ("train_bot", "lessons"):
        sys.modules.pop(name, None)


def lessons_of(train_bot, seed, games):
    school = train_bot.School(train_bot.plain(), Random(seed))
    net = train_bot.fresh(np.random.default_rng(1))
    end = school.play(net, net, games)
    return school, end


def test_lessons_are_what_the_seats_saw_and_how_they_ended(train_bot):
    school, end = lessons_of(train_bot, 4, 2)
    again, same = lessons_of(train_bot, 4, 2)
    assert end == same > 30
    for row in range(end):
        count = school.book.counts[row]
        assert 20 < count <= 192
        assert (school.book.inputs[row] == again.book.inputs[row]).all()
        assert (school.goals[row] == again.goals[row]).all()
        # Who is first is also among the first two and three.
        assert 0 <= school.goals[row, 0] <= 1


def test_what_nobody_strayed_from_ends_as_the_game_did(train_bot, monkeypatch):
    monkeypatch.setattr(train_bot, "KEEP", 1.0)
    monkeypatch.setattr(train_bot, "NOISE", (0.0,))
    school, end = lessons_of(train_bot, 6, 1)
    work = school._work
    order = [work[layout.ENDED + i] for i in range(work[layout.FINISHED])]
    for row in range(end):
        seat = school.book.seats[row]
        place = order.index(seat) if seat in order else 9
        assert list(school.goals[row]) == [place <= k for k in range(3)]


@pytest.mark.long
def test_machine_code_plays_the_same_lessons(train_bot, monkeypatch):
    """A network without an opinion takes the first choice: nothing hangs on rounding."""
    pytest.importorskip("numba")
    monkeypatch.setattr(train_bot, "NOISE", (0.0,))
    blank = train_bot.Net(*[0 * weights for weights in train_bot.fresh(np.random.default_rng(1))])
    books = []
    for kernels in (train_bot.plain(), train_bot.fast()):
        school = train_bot.School(kernels, Random(8))
        end = school.play(blank, blank, 2)
        books.append((school.book.inputs[:end].tolist(), school.goals[:end].tolist()))
    assert books[0] == books[1]


def filled(train_bot, dice, count):
    learner = train_bot.Learner(train_bot.plain(), train_bot.fresh(dice), dice)
    inputs = np.zeros((count, train_bot.MOST_INPUTS), np.int16)
    counts = np.full(count, 40)
    for row in inputs:
        row[:40] = dice.choice(INPUTS, 40, replace=False)
    first, second = (inputs < 150).any(1), (inputs[:, :20] % 2).sum(1) > 10
    goals = np.stack([first & second, first, first | second], 1).astype(np.float32)
    learner.add(inputs, counts, goals)
    return learner


def test_a_gradient_is_the_slope_of_the_loss(train_bot):
    learner = filled(train_bot, np.random.default_rng(2), 16)
    chosen = np.arange(16)
    learner.slopes(chosen)
    found = [slopes.copy() for slopes in learner._slopes]
    for weights, slopes in zip(learner.net, found, strict=True):
        at = np.unravel_index(np.argmax(np.abs(slopes)), weights.shape)
        losses = []
        for step in (1e-2, -1e-2):
            weights[at] += step
            losses.append(learner.slopes(chosen))
            weights[at] -= step
        assert slopes[at] == pytest.approx((losses[0] - losses[1]) / 2e-2, rel=0.1)


def test_it_learns_what_it_is_shown(train_bot):
    learner = filled(train_bot, np.random.default_rng(3), 60)
    losses = [learner.learn(1e-2) for _ in range(40)]
    assert np.mean(losses[-5:]) < 0.7 * np.mean(losses[:5])


def test_what_it_writes_is_a_network_of_the_bot(train_bot, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(train_bot, "MIND_FIRST", MIND_FIRST)
    monkeypatch.setattr(train_bot, "SHAPES", train_bot.shapes(MIND_FIRST))
    path = tmp_path / "new.net"
    net = train_bot.fresh(np.random.default_rng(5))
    train_bot.save(path, net)
    mind = Mind(path)
    rounded = train_bot.Net(*[np.rint(64 * weights) / 64 for weights in net])
    first = np.zeros((5, MIND_FIRST), np.float32)
    chosen = np.arange(5)
    train_bot.plain().gather(rounded, np.arange(5)[:, None], np.ones(5, np.int64), chosen, first)
    second = np.maximum(first @ rounded.w2.T + rounded.b2, 0)
    told = second @ rounded.w3.T + rounded.b3
    for number in range(5):
        opinions = np.array(mind.opinions(mind.sum_of([number]))) / 64**3
        assert opinions == pytest.approx(told[number], abs=1e-4)
    again = train_bot.Net(**np.load(path.with_suffix(".npz")))
    assert all((a == b).all() for a, b in zip(again, net, strict=True))


def test_a_training_is_repeatable_and_goes_on(train_bot, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(train_bot, "as_bytes", lambda net: net.w1.tobytes())
    written = []
    for name in ("one.net", "two.net"):
        path = tmp_path / name
        options = Namespace(file=path, games=4, minutes=None, seed=5, go_on=None)
        assert train_bot.train(options, train_bot.plain()) == 0
        written.append(path.read_bytes())
    assert written[0] == written[1]
    options.go_on = path.with_suffix(".npz")
    assert train_bot.train(options, train_bot.plain()) == 0
    assert " 0 steps" not in capsys.readouterr().out
    assert path.read_bytes() != written[1]
