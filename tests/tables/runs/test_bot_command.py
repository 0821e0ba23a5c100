"""``manage.py bot``: what its author is told of a bot."""

import random
import shlex
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from engine import bots
from engine.bots.plugins import GROUP, EntryPoint, Plugged
from engine.rules.actions import SeatAction
from tables.programs import checking, config
from tables.programs.program import Program
from tests.tables.runs.test_programs import SOUND, loop
from tests.tables.runs.test_runs import play_all, start


@pytest.fixture(autouse=True)
def few_tables(monkeypatch):
    """Two rulesets are enough here, one of them with exchanges; the bots as they were before."""
    monkeypatch.setattr(checking, "preset_keys", lambda: ["family", "killa"])
    before = dict(bots.BOTS)
    yield
    bots.BOTS.clear()
    bots.BOTS.update(before)


def bot(*arguments: str) -> str:
    """What the command says; its refusal is the last line."""
    out, err = StringIO(), StringIO()
    try:
        call_command("bot", *arguments, stdout=out, stderr=err)
    except CommandError as error:
        return f"{out.getvalue()}{err.getvalue()}refused: {error}"
    return out.getvalue() + err.getvalue()


def a_program(folder: Path, body: str) -> list[str]:
    """The words that try a Python program, which is written to the folder."""
    (folder / "mine.py").write_text(loop(body))
    folder.chmod(0o755)  # Where the worker is root, programs are nobody.
    command = f"{shlex.quote(sys.executable)} -S -E mine.py"
    return ["--program", command, "--folder", str(folder)]


class Sound:
    version = 4

    def __init__(self, seed):
        self.inner = bots.make("lowest", seed)

    def choose(self, observation, legal):
        return self.inner.choose(observation, legal)


class Illegal(Sound):
    def choose(self, observation, legal):
        return SeatAction(observation.seat, "trade", other=0)


class NoExchanges(Sound):
    """Breaks only where cards change hands."""

    def choose(self, observation, legal):
        if observation.phase == "exchange":
            raise NotImplementedError("what is it to give?")
        return super().choose(observation, legal)


class Whims(Sound):
    def choose(self, observation, legal):
        return legal[random.randrange(len(legal))]


def test_a_sound_bot_is_well_at_every_table():
    bots.BOTS["sound"] = Sound
    said = bot("check", "sound")
    assert "sound, version 4: 2 games in a row" in said
    assert said.count(" well\n") == 8
    assert "4 players  instant win        well" in said
    assert "ms on average" in said
    assert "All 8 tables went well." in said


def test_an_illegal_play_is_said_with_what_to_do():
    bots.BOTS["illegal"] = Illegal
    said = bot("check", "illegal")
    assert "game 1, seat 0: illegal: It chose SeatAction(" in said
    assert "and in 3 more seats" in said
    assert checking.HINTS["illegal"] in said
    assert "refused: Something is wrong at 8 of 8 tables." in said


def test_a_bot_that_knows_nothing_of_instant_wins_is_found():
    class PlaysOnly(Sound):
        def choose(self, observation, legal):
            plays = [action for action in legal if action.do in ("play", "pass")]
            return super().choose(observation, plays) if plays else plays[0]

    bots.BOTS["eager"] = PlaysOnly
    assert "instant win        wrong\n    game 1, seat " in bot("check", "eager")


def test_exchanges_are_tried_too():
    bots.BOTS["clumsy"] = NoExchanges
    said = bot("check", "clumsy")
    assert "asking for a rank  wrong\n    game 1, seat 0: crashed: " in said
    assert said.count("NotImplementedError: what is it to give?") == 1
    assert "game 1, seat 0: the same" in said
    assert checking.HINTS["crashed"] in said
    assert "refused: Something is wrong at 3 of 8 tables." in said


def test_chance_that_does_not_come_from_the_seed_is_found():
    bots.BOTS["whims"] = Whims
    assert "take all chance from random.Random(seed)" in bot("check", "whims")


def test_a_program_that_is_not_configured_yet_can_be_tried(tmp_path):
    said = bot("check", *a_program(tmp_path, SOUND), "--seconds", "10")
    assert "Programs are shut in by " in said
    assert "All 8 tables went well." in said


def test_a_program_that_would_see_our_data_is_not_started(tmp_path):
    command, program, _, _ = a_program(tmp_path, SOUND)
    said = bot("check", command, program, "--folder", str(settings.DATA_DIR.parent))
    assert "there lies the data of this installation" in said.rpartition("refused: ")[2]
    said = bot("check", *a_program(tmp_path, SOUND), "--seconds", "10", "--trusted")
    assert "It is trusted, not shut in." in said
    assert "All 8 tables went well." in said


def test_a_program_that_breaks_the_protocol_is_told_what_to_write(tmp_path):
    program = a_program(tmp_path, "print(turn['legal'][0], flush=True)")
    said = bot("check", *program, "--seconds", "10", "--games", "1")
    assert "protocol: Its answer is not JSON" in said
    assert 'each "turn" with one line' in said


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["check"], "Name one bot"),
        (["check", "greedy", "--program", "x"], "Name one bot"),
        (["check", "nobody"], "There is no bot 'nobody': choose random, lowest"),
        (["check", "--program", "'"], "No closing quotation"),
        (["check", "--program", "x", "--seconds", "99"], "from 0.01 to 10"),
        (["check", "--program", "/nothing/here"], "cannot be started"),
        (["check", "greedy", "--games", "0"], "at least one game"),
    ],
)
def test_what_cannot_be_checked_is_said_in_one_line(arguments, words):
    assert words in bot(*arguments).rpartition("refused: ")[2]


def test_a_class_that_cannot_be_loaded_is_said():
    bots.BOTS["broken"] = Plugged(EntryPoint("broken", "nothing_here:Bot", GROUP))
    assert "No module named 'nothing_here'" in bot("check", "broken")
    assert "cannot be loaded" in bot("list")


def test_the_list_has_every_bot_and_every_problem(monkeypatch):
    monkeypatch.setattr(config, "PROBLEMS", ["bots.toml: odd: version is missing"])
    bots.BOTS["sound"] = Sound
    said = bot("list")
    assert f"{'greedy':<20} ladder   1" in said
    assert f"{'sound':<20} class    4         trusted" in said
    assert "Programs are shut in by " in said
    assert "odd: version is missing" in said
    assert str(settings.BOTS_FILE) in said


def test_own_bots_are_measured_like_those_of_the_ladder(capsys):
    bots.BOTS["sound"], bots.BOTS["illegal"] = Sound, Illegal
    call_command("bot", "simulate", "--ruleset", "killa", "--bots", "sound,illegal", "--games", "6")
    said = capsys.readouterr().out
    assert said.startswith("killa: 6 games of 6 deals")
    assert "illegal: 6 games with the verdict illegal; lowest played on" in said
    assert "refused: there is no bot 'nobody'" in bot("simulate", "--bots", "nobody,greedy")


def test_the_examples_of_the_documentation_are_well(monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    folder = Path(settings.BASE_DIR) / "docs" / "examples" / "bots"
    config.register_all(folder / "bots.toml", needed=True)
    assert "All 8 tables went well." in bot("check", "miser")


@pytest.mark.django_db
def test_the_batches_of_a_tournament_are_replayed_and_compared():
    run = start(deals=4, per_unit=2)
    assert "refused: None of these batches is finished." in bot("recompute", str(run.pk))
    play_all(run)
    said = bot("recompute", str(run.pk))
    assert said.count(" the same\n") == 2
    assert "All came out the same." in said
    run.units.filter(index=1).update(digest="f" * 64)
    assert bot("recompute", str(run.pk), "--batch", "1").count("batch ") == 1
    said = bot("recompute", str(run.pk))
    assert "batch 2, deals 3 to 4: ffffffffffffffff… DIFFERENT, " in said
    assert "refused: 1 of 2 batches came out differently." in said


@pytest.mark.django_db
def test_batches_of_bots_that_changed_are_not_compared():
    run = play_all(start(deals=2))
    run.bots[0]["version"] = 99
    run.save()
    assert "refused: greedy is version" in bot("recompute", str(run.pk))


@pytest.mark.django_db
@pytest.mark.parametrize("key", ["nonsense", "00000000-0000-0000-0000-000000000000"])
def test_a_run_that_is_not_there_is_one_sentence(key):
    assert "refused: There is no run '" in bot("recompute", key)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (("--workers", "0"), "must be greater than 0"),
        (("--ruleset", "nope"), "'nope' is not known"),
        (("--players", "9"), "tien-len is for 2 to 4 players"),
    ],
)
def test_a_measurement_that_cannot_be_made_is_refused_in_one_sentence(wrong, words):
    said = bot("bench", "greedy", "random", *wrong)
    assert said.startswith("refused: ")
    assert words in said


def test_an_own_class_is_measured_against_another_bot(monkeypatch, capsys, tmp_path):
    monkeypatch.setitem(bots.BOTS, "mine", Sound)
    bot("bench", "mine", "greedy", "--deals", "2")
    assert "2 deals: first %" in capsys.readouterr().out
    monkeypatch.setitem(bots.BOTS, "far", Program("far", ("./nothing",), tmp_path, 1))
    assert "is a program" in bot("bench", "far", "greedy", "--deals", "2")
