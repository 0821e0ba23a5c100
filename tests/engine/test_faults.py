"""A bot that does wrong is replaced for the rest of the game, and nobody else notices."""

from __future__ import annotations

from contextlib import contextmanager

import pytest

from engine import bots
from engine.actions import Action
from engine.faults import BotFault, Conditions, OurFault
from engine.records import replay
from engine.ruleset import preset
from engine.simulation import play_block, play_one

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
        return Action(observation.seat, "trade", (), other=0)


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


@pytest.mark.parametrize("made", [Cheats, Mute, Breaks, CannotBegin])
def test_the_others_play_on_as_if_the_substitute_had_sat_there(enter, made):
    """These bots play as `lowest` until they fail, and `lowest` plays on: nothing else changes."""
    enter(made)
    tally, sound = block().tally, block(["lowest", *FIELD[1:]]).tally
    for what in ("counts", "deal_scores", "deal_net", "deal_orders"):
        assert tally[what] == sound[what]


def test_the_substitute_is_the_one_that_was_agreed(enter):
    enter(CannotBegin)
    tally, sound = block(substitute="greedy").tally, block(["greedy", *FIELD[1:]]).tally
    assert tally["deal_orders"] == sound["deal_orders"]


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
    def guard():
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
