"""Bots over the network in runs: batches, lost lines, late and silent bots, hidden cards."""

import datetime
import os
import shutil
import subprocess
import sys
import time
from io import StringIO
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.test import Client
from django.utils import timezone

from engine.rules import ruleset
from league.base.acts import tokens
from tables.api import work
from tables.bots.acts import uploads
from tables.models import KeptGames, RemoteGame, Run, Unit, Upload
from tables.runs import proof, remote, run_records, runs
from tests.factories import make_user, stored

pytestmark = pytest.mark.django_db
WORK = "/api/v1/tables/work/"


class Author:
    """Somebody with a bot over the network, and the machine it runs on."""

    def __init__(self, base: str = "mine", pool: str = "here") -> None:
        self.user = make_user()
        self.bot = uploads.add_remote(pool=pool, author=self.user, base=base)
        self.secret = tokens.create_token(user=self.user, name="x", scopes=["arena"])[1]
        self._open = Client(headers={"Authorization": f"Bearer {self.secret}"})

    def work(self, answers: dict[str, str] | None = None, **more: Any) -> dict[str, Any]:
        body = {"bot": self.bot.name, "answers": [
            {"position": position, "action": action} for position, action in (answers or {}).items()
        ]}  # fmt: skip
        answer = self._open.post(WORK, body | more, content_type="application/json")
        assert answer.status_code == 200, answer.content
        return answer.json()

    def play(self, run: Run) -> int:
        """Play until the run is over; returns the most positions that came at a time."""
        answers: dict[str, str] = {}
        most = 0
        for _ in range(200):
            visit(run)
            told = self.work(answers, most=200, client="desk")
            assert {one["result"] for one in told["answers"]} <= {"taken"}
            answers = {one["position"]: one["turn"]["legal"][-1] for one in told["positions"]}
            if not answers and not Unit.objects.filter(run=run, state="waiting").exists():
                return most
            most = max(most, len(answers))
        raise AssertionError("The run does not end.")


@pytest.fixture
def author():
    return Author()


def start(author, *others: str, deals: int = 4, **more: Any) -> Run:
    return runs.start_run(
        ruleset=ruleset.preset("tien-len"), bots=[author.bot.name, *others], deals=deals,
        design="single", seed="remote", **more,
    )  # fmt: skip


def visit(run: Run) -> None:
    while runs.play_next(run.pk):
        runs.finish_if_done(run_id=run.pk)


def results(told: dict[str, Any]) -> list[str]:
    return [one["result"] for one in told["answers"]]


def later(monkeypatch, seconds: float) -> None:
    moved = timezone.now() + datetime.timedelta(seconds=seconds)
    monkeypatch.setattr(timezone, "now", lambda: moved)
    Run.objects.update(remote_swept_at=moved)  # The server was there all the time.


def test_a_run_is_played_in_batches_by_a_program_anywhere(author):
    run = start(author, "greedy", "random", "lowest", deals=6, deals_per_unit=3)
    together = author.play(run)
    run.refresh_from_db()
    assert (run.status, run.outside, runs.progress(run).games) == ("done", True, 6)
    assert together == 6
    assert not RemoteGame.objects.exists()
    assert set(Unit.objects.values_list("replay", "faults")) == {("never", 0)}
    assert KeptGames.objects.count() == 2
    record = run_records.game(run, deal=0, rotation=0)
    assert record is not None
    assert sorted(record["players"]) == ["greedy", "lowest", "mine-1", "random"]
    assert len(set(run.units.values_list("digest", flat=True))) == 2


def test_a_position_is_what_its_seat_may_know_and_nothing_else(author):
    run = start(author, "greedy", "random", "lowest")
    visit(run)
    told = author.work()
    assert len(told["positions"]) == 4
    assert list(told["rules"]) == [run.ruleset_id]
    assert run.seed not in str(told)
    for position in told["positions"]:
        game = RemoteGame.objects.get(pk=position["position"].split("-")[0])
        turn = position["turn"]
        played = {card for event in turn["history"] for card in event.get("cards", "").split()}
        hand, shown = set(turn["hand"].split()), set()
        for text in turn["legal"]:
            shown |= set(text.split()) & {
                rank + suit for rank in "3456789TJQKA2" for suit in "SCDH"
            }
        assert len(hand) == turn["counts"][position["seat"]] == 13
        assert shown <= hand
        assert not played & hand
        assert "hands" not in game.question
        key, at = position["position"].split("-")
        assert int(at) == len(turn["history"]), "the key tells nothing that is hidden"
        others = {f"{key}-{number}": "pass" for number in range(60) if number != int(at)}
        assert set(results(author.work(others, most=0))) == {"over"}, "nor does it tell if asked"
        assert set(position) == {
            "position", "seconds", "rules", "players", "seat", "stake", "turn",
        }  # fmt: skip


def test_the_proof_asks_no_bot_again_that_is_not_ours(author):
    run = start(author, "lowest")
    author.play(run)
    assert Run.objects.get(pk=run.pk).finished_at or runs.finish_if_done(run_id=run.pk)
    assert not proof.finished_units().exists()
    told = StringIO()
    call_command("verify", stdout=told)
    assert told.getvalue().startswith("No differences")


def test_a_lost_line_costs_nothing(author):
    run = start(author, "greedy", "random", "lowest", deals=2)
    visit(run)
    first = author.work(client="desk")["positions"]
    again = author.work(client="desk")["positions"]
    assert [one["position"] for one in again] == [one["position"] for one in first]
    assert again[0]["seconds"] <= first[0]["seconds"]
    assert author.work(client="laptop")["positions"] == []
    key, legal = first[0]["position"], first[0]["turn"]["legal"]
    other = next((text for text in legal if text != legal[0]), "pass")
    assert results(author.work({key: legal[0]}, most=0)) == ["taken"]
    assert results(author.work({key: legal[0]}, most=0)) == ["known"]
    assert results(author.work({key: other}, most=0)) == ["other"]
    visit(run)
    assert results(author.work({key: legal[0]}, most=0)) == ["known"]
    assert results(author.work({key: other}, most=0)) == ["other"]
    assert results(author.work({"999999-1": "pass", "nonsense": "pass"}, most=0)) == [
        "over",
        "over",
    ]
    author.play(run)
    assert results(author.work({key: legal[0]}, most=0)) == ["over"]
    assert set(Unit.objects.values_list("faults", flat=True)) == {0}


def test_two_machines_share_the_work_and_one_takes_over(author, monkeypatch):
    visit(start(author, "greedy", "random", "lowest"))
    desk = author.work(client="desk", most=2)["positions"]
    laptop = author.work(client="laptop", most=9)["positions"]
    assert (len(desk), len(laptop)) == (2, 2)
    later(monkeypatch, remote.BUDGET.total_seconds() / 3 + 1)
    taken = author.work(client="laptop", most=9)["positions"]
    assert {one["position"] for one in desk} <= {one["position"] for one in taken}


def test_an_answer_arriving_during_a_visit_is_not_forgotten(author, monkeypatch):
    run = start(author, "greedy", "random", "lowest", deals=2, deals_per_unit=2)
    visit(run)
    one, two = author.work()["positions"]
    author.work({one["position"]: one["turn"]["legal"][0]}, most=0)
    played = remote._play_on

    def meanwhile(*args):
        author.work({two["position"]: two["turn"]["legal"][0]}, most=0)
        return played(*args)

    with monkeypatch.context() as patch:
        patch.setattr(remote, "_play_on", meanwhile)
        assert runs.play_next(run.pk)
    assert run.units.get().state == "waiting"


def test_illegal_late_and_silent_bots_are_at_fault_and_the_others_play_on(author, monkeypatch):
    run = start(author, "greedy", "random", "lowest", deals=3, deals_per_unit=1)
    visit(run)
    illegal, late, _silent = author.work(most=1)["positions"] + [None, None]
    assert results(author.work({illegal["position"]: "2S 2C 2D 2H 3S"}, most=0)) == ["illegal"]
    [late] = author.work(most=1)["positions"]
    later(monkeypatch, remote.BUDGET.total_seconds() + 1)
    assert results(author.work({late["position"]: late["turn"]["legal"][0]}, most=0)) == ["late"]
    runs.sweep()
    visit(run)
    assert sorted(run.units.values_list("state", "faults")) == [
        ("asking", 0), ("done", 1), ("done", 1),
    ]  # fmt: skip
    later(monkeypatch, remote.PATIENCE.total_seconds() + 1)
    author.work(most=0)  # Who asks for nothing is silent.
    runs.sweep()
    visit(run)
    run.refresh_from_db()
    assert run.status == "done"
    kinds = [
        (note[1], note[4].split(" ")[1])
        for tally in run.units.order_by("index").values_list("tally", flat=True)
        for note in tally["notes"]
    ]
    assert kinds == [("illegal", "chose"), ("slow", "gave"), ("slow", "asked")]
    counts = [tally["counts"] for tally in run.units.values_list("tally", flat=True)]
    assert all([0, 4, 1, 1] in each for each in counts), "it is last, whoever plays on for it"


def test_a_pause_costs_a_bot_no_time(author, monkeypatch):
    run = start(author, "greedy", "random", "lowest", deals=1)
    visit(run)
    [given] = author.work()["positions"]
    runs.pause_run(run_id=run.pk)
    later(monkeypatch, 3600)
    runs.sweep()
    assert author.work()["positions"] == []
    runs.resume_run(run_id=run.pk)
    runs.sweep()
    [again] = author.work()["positions"]
    assert (again["position"], again["seconds"]) == (given["position"], 30.0)
    runs.cancel_run(run_id=run.pk)
    assert results(author.work({given["position"]: given["turn"]["legal"][0]})) == ["over"]
    assert not RemoteGame.objects.exists()


def test_no_deals_are_added_once_its_author_can_read_the_seed(author):
    run = start(author, "greedy", "random", "lowest", deals=2)
    runs.extend_run(run_id=run.pk, deals=1)
    author.play(run)
    run.refresh_from_db()
    assert (run.status, run.revealed_seed) == ("done", run.seed)
    with pytest.raises(ValueError, match="cannot be extended"):
        runs.extend_run(run_id=run.pk, deals=1)


def test_only_its_author_plays_for_a_bot_and_never_two_seats(author):
    other = Author("other")
    visit(start(author, other.bot.name))
    positions = {one["position"] for one in author.work()["positions"]}
    assert not positions & {one["position"] for one in other.work()["positions"]}
    assert results(other.work(dict.fromkeys(positions, "pass"), most=0)) == ["over"] * len(
        positions
    )
    other.bot = author.bot
    answer = other._open.post(WORK, {"bot": author.bot.name}, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (404, "no_such_bot")
    second = uploads.add_remote(pool="here", author=author.user, base="second")
    with pytest.raises(ValueError, match="another bot at this table"):
        start(author, second.name)
    with pytest.raises(ValueError, match="no deal may come twice"):
        runs.start_run(
            ruleset=ruleset.preset("tien-len"), bots=[author.bot.name, "greedy"], deals=1,
        )  # fmt: skip


def test_a_worker_lost_between_the_last_answer_and_its_result_loses_nothing(author, monkeypatch):
    run = start(author, "lowest", deals=1)
    monkeypatch.setattr(runs, "submit", lambda **_result: None)
    author.play(run)
    unit = run.units.get()
    assert (unit.state, unit.remote_games.filter(over=False).exists()) == ("leased", False)
    monkeypatch.undo()
    Unit.objects.update(lease_until=timezone.now() - datetime.timedelta(seconds=1))
    runs.sweep()
    visit(run)
    assert run.units.get().faults == 0
    assert Upload.objects.get().seen_at is not None
    assert stored(run).status == "done"


def test_a_server_that_was_away_costs_a_bot_no_time(author, monkeypatch):
    run = start(author, "greedy", "random", "lowest", deals=2)
    visit(run)
    [taken] = author.work(most=1)["positions"]
    with monkeypatch.context() as patch:
        moved = timezone.now() + datetime.timedelta(hours=1)
        patch.setattr(timezone, "now", lambda: moved)
        visit(run)
        runs.sweep()
        visit(run)
        again = author.work(most=9)["positions"]
    assert [one["seconds"] for one in again] == [30.0, 30.0]
    assert taken["position"] in {one["position"] for one in again}


def test_a_position_that_its_bot_leaves_to_others_ends_as_well(author, monkeypatch):
    run = start(author, "greedy", "random", "lowest", deals=2, deals_per_unit=1)
    visit(run)
    later(monkeypatch, 29 * 60)
    assert len(author.work(most=1)["positions"]) == 1
    later(monkeypatch, 2 * 60)
    runs.sweep()
    visit(run)
    notes = [note for unit in run.units.all() for note in unit.tally["notes"]]
    assert sorted(note[4].split(" ")[1] for note in notes) == ["gave", "left"]


@pytest.mark.django_db(transaction=True)
def test_the_examples_play_a_run_against_each_other(live_server, monkeypatch):
    asked, answer = count(), work.Work.dispatch

    def shaky(*args: Any, **named: Any) -> HttpResponseBase:
        answered = answer(*args, **named)
        return answered if next(asked) >= 2 else HttpResponse("<p>Half a page")

    monkeypatch.setattr(work.Work, "dispatch", shaky)
    monkeypatch.setattr(work, "SOON", 0.02)
    examples = Path(__file__).parents[3] / "docs" / "examples"
    authors = {"python": Author("python")}
    if shutil.which("node"):
        authors["node"] = Author("node")
    names = [author.bot.name for author in authors.values()]
    run = runs.start_run(
        ruleset=ruleset.preset("thirteen"), bots=[*names, "lowest"], deals=1, design="single",
    )  # fmt: skip
    visit(run)
    programs = []
    try:
        for name, author in authors.items():
            file = "remote_bot.py" if name == "python" else "remote_bot.js"
            command = [sys.executable if name == "python" else name, str(examples / file)]
            command += [live_server.url, "--work", author.bot.name]
            env = {"TOKEN": author.secret, "PATH": os.environ["PATH"]}
            programs.append(subprocess.Popen(command, env=env))
        for _ in range(6000):
            visit(run)
            run.refresh_from_db()
            if run.status == "done":
                break
            time.sleep(0.02)
        assert [program.poll() for program in programs] == [None] * len(programs)
    finally:
        for program in programs:
            program.kill()
            program.wait()
    assert run.status == "done"
    assert run.units.get().faults == 0
