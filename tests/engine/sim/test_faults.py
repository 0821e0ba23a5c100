"""A bot that does wrong is replaced for the rest of the game, and nobody else notices."""

import runpy
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine import bots
from engine.records.record import replay
from engine.rules.actions import SeatAction
from engine.rules.outcome import Outcome
from engine.rules.ruleset import preset
from engine.rules.state import Payment
from engine.sim.designs import DESIGNS, table_size
from engine.sim.faults import BotFault, Conditions, OurFault, forfeit
from engine.sim.simulation import play_block, play_one

FIELD = ["odd", "greedy", "lowest", "random"]


class Steady:
    """Plays as `lowest` does, until its `wrong` comes."""

    version = 1
    after = 2

    def __init__(self, seed):
        self.inner, self.turns = bots.make("lowest", seed), 0

    def choose(self, observation, legal):
        self.turns += 1
        if self.turns > self.after:
            return self.wrong(observation, legal)
        return self.inner.choose(observation, legal)

    def wrong(self, observation, legal):
        return self.inner.choose(observation, legal)


class Cheats(Steady):
    def wrong(self, observation, legal):
        return SeatAction(observation.seat, "trade", (), other=0)


class Breaks(Steady):
    def wrong(self, observation, legal):
        raise ZeroDivisionError("no cards to divide by")


class CannotBegin(Steady):
    def __init__(self, seed):
        raise RuntimeError("no licence")


class Mute(Steady):
    def wrong(self, observation, legal):
        return None


@pytest.fixture
def enter(monkeypatch):
    """Offers a class as the bot `odd`."""

    def offer(made):
        monkeypatch.setitem(bots.BOTS, "odd", made)

    return offer


def block(field=FIELD, deals=2, **conditions):
    return play_block(preset("tien-len"), field, "f", 0, deals, conditions=Conditions(**conditions))


def faults(found):
    return found.tally["effects"]["faults"]


@pytest.mark.parametrize(
    ("made", "kind", "words"),
    [
        (Cheats, "illegal", "which is not among what it may do"),
        (Mute, "illegal", "It chose None"),
        (Breaks, "crashed", "ZeroDivisionError: no cards to divide by"),
        (CannotBegin, "crashed", "RuntimeError: no licence"),
    ],
)
def test_what_a_bot_did_wrong_is_counted_in_each_game_and_said(enter, made, kind, words):
    enter(made)
    found = block()
    assert faults(found) == [[0, kind, 8]]
    assert [note[:4] for note in found.tally["notes"]] == [
        [0, kind, deal, game] for deal, game in [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0)]
    ]
    assert words in found.tally["notes"][0][4]


def test_an_author_reads_the_frames_of_his_own_file_and_no_folder_of_ours(enter, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "def best(legal):\n    return {}[legal]\n\n\nclass Mine:\n"
        "    def __init__(self, seed):\n        pass\n\n"
        "    def choose(self, observation, legal):\n        return best(legal)\n"
    )
    made = {}
    exec(compile(file.read_text(), str(file), "exec"), made)
    enter(made["Mine"])
    text = block().tally["notes"][0][4]
    frames = [line.strip() for line in text.splitlines() if line.startswith("  File")]
    assert frames == ['File "mine.py", line 10, in choose', 'File "mine.py", line 2, in best']
    assert text.splitlines()[-1].startswith("KeyError: ")
    assert str(tmp_path) not in text


@pytest.mark.parametrize("made", [Cheats, Mute, Breaks, CannotBegin])
def test_the_others_play_on_as_if_the_substitute_had_sat_there(enter, made):
    """These bots play as `lowest` until they fail, and `lowest` plays on: nothing else changes."""
    enter(made)
    tally, sound = block(forfeits=False).tally, block(["lowest", *FIELD[1:]]).tally
    for what in ("counts", "deal_scores", "deal_net", "deal_orders"):
        assert tally[what] == sound[what]


def test_the_substitute_is_the_one_that_was_agreed(enter):
    enter(CannotBegin)
    tally = block(substitute="greedy", forfeits=False).tally
    sound = block(["greedy", *FIELD[1:]]).tally
    assert tally["deal_orders"] == sound["deal_orders"]


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("made", [Cheats, Mute, Breaks, CannotBegin])
def test_a_bot_at_fault_is_last_and_wins_no_money(enter, made, design):
    """A better bot plays on for it, and it may gain nothing by that."""
    enter(made)
    field = {"versus": ["odd", "greedy"], "tables": ["odd", *FIELD[1:], "random", "lowest"]}
    found = play_block(
        preset("mien-nam"), field.get(design, FIELD), "f", 0, 3, design,
        conditions=Conditions(substitute="planner"),
    )  # fmt: skip
    size = table_size(len(field.get(design, FIELD)), design)
    mine = [key for key in found.tally["counts"] if key[0] == 0]
    assert {tuple(key[1:3]) for key in mine} <= {(size, 1), (size - 1, 1)}
    assert {rank for _bot, rank, _tied, _games in mine} <= {size, size - 1}
    assert all(row[0] <= 0 for row in found.tally["deal_net"])
    assert all(sum(row) == 0 for row in found.tally["deal_net"])


@pytest.mark.parametrize("design", DESIGNS)
def test_an_honest_beginner_beats_who_raises_at_the_first_move(enter, design, monkeypatch):
    source = Path(__file__).parents[3] / "docs" / "examples" / "bots" / "miser.py"
    monkeypatch.setitem(bots.BOTS, "miser", runpy.run_path(str(source))["MiserBot"])
    enter(type("Raises", (Breaks,), {"after": 0}))
    field = {"versus": ["odd", "miser"], "tables": ["odd", "miser", *FIELD[1:]]}
    found = play_block(
        preset("tien-len"), field.get(design, ["odd", "miser", "greedy", "planner"]), "f", 0, 5,
        design, conditions=Conditions(substitute="planner"),
    )  # fmt: skip
    raises, miser = (sum(row[n] for row in found.tally["deal_scores"]) for n in (0, 1))
    assert raises < miser


def test_it_never_pays_to_crash_at_the_first_move(enter):
    """`lowest` beats a bot that crashes at once, in whose place a better one plays."""
    enter(CannotBegin)
    crashing = block(deals=30, substitute="planner")
    sound = block(["lowest", *FIELD[1:]], deals=30)
    mine = [sum(row[0] for row in each.tally["deal_scores"]) for each in (crashing, sound)]
    assert mine[0] == 0 < mine[1]


def test_money_goes_back_to_who_paid_it():
    """B is at fault after C paid it 3 and D paid it 2, and it had paid A 1."""
    paid = [Payment(1, 0, 1, "x"), Payment(2, 1, 3, "x"), Payment(3, 1, 2, "x")]
    result = Outcome(True, ((1,), (0,), (2,), (3,)), (1, 4, -3, -2), tuple(paid), (), (), 0)
    counted = forfeit(result, [1])
    assert counted.placings == ((0,), (2,), (3,), (1,))
    assert counted.net == (1, 0, -1, 0)


def test_of_two_at_fault_the_first_is_lowest():
    result = Outcome(True, ((0,), (1, 2), (3,)), (0, 0, 0, 0), (), (), (), 0)
    assert forfeit(result, [2, 0]).placings == ((1,), (3,), (0,), (2,))
    assert forfeit(result, []) is result


def test_a_verdict_is_part_of_the_digest(enter):
    enter(Cheats)
    cheated = block()
    enter(Breaks)
    assert cheated.digest != block().digest
    enter(Steady)
    assert faults(block()) == []
    assert block().digest == block(["lowest", *FIELD[1:]]).digest


def test_a_bot_cannot_change_what_others_may_do(enter):
    class Meddles(Steady):
        def wrong(self, observation, legal):
            legal.clear()

    enter(Meddles)
    assert faults(block()) == [[0, "crashed", 8]]


@pytest.mark.parametrize("error", [MemoryError(), OurFault("no process")])
def test_what_is_no_fault_of_the_bot_ends_the_block(enter, error):
    class Unlucky(Steady):
        def wrong(self, observation, legal):
            raise error

    enter(Unlucky)
    with pytest.raises(type(error)):
        block()


def test_a_bot_that_hangs_is_too_slow_where_somebody_looks(enter):
    asked = []

    @contextmanager
    def guard(name):
        assert name == "odd"
        asked.append(1)
        if len(asked) > 4:
            raise BotFault("slow", "It thought for an hour.")
        yield

    enter(Steady)
    assert faults(block(guard=guard, deals=1)) == [[0, "slow", 4]]


def test_the_thinking_of_a_substitute_is_not_that_of_the_bot(enter):
    enter(Breaks)
    ticks = iter(range(10**6))
    thinking = block(clock=lambda: next(ticks)).tally["effects"]["thinking"]
    games, decisions = 8, [count for count, *_ in thinking]
    assert 0 < decisions[0] <= Breaks.after * games
    assert min(decisions[1:]) > Breaks.after * games


def test_a_game_with_a_substitute_replays(enter):
    enter(Breaks)
    record = play_one(preset("tien-len"), FIELD, "f", 0)
    assert replay(record)["finished"]


def test_records_are_kept_where_they_are_asked_for():
    found = block(["greedy", *FIELD[1:]], keep=True)
    again = [play_one(preset("tien-len"), ["greedy", *FIELD[1:]], "f", 0, game) for game in (0, 1)]
    assert found.records[:2] == again
    assert len(found.records) == 8
    assert block(["greedy", *FIELD[1:]]).records == []
    assert found.digest == block(["greedy", *FIELD[1:]]).digest
