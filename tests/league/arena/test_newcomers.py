"""What newcomers write in their first hour, each in at most sixty lines, against a server."""

import runpy
import sys
from importlib import import_module
from pathlib import Path

import pytest
from django.conf import settings as installed

import engine
from engine import bots
from league.base.acts import tokens
from league.models import BotLeague, Event
from tables.bots.acts import checks
from tables.models import Upload
from tables.runs import trials
from tests.factories import make_season, owner_of, path_of

EXAMPLES = Path(installed.BASE_DIR) / "docs" / "examples"
SLOW = ("dreamer", "sage", "master")


@pytest.fixture
def club(live_server, monkeypatch):
    """A club of Thirteen, with its address and a token of its owner in the environment."""
    club = make_season(rules="thirteen").club
    _token, secret = tokens.create_token(user=owner_of(club), name="x")
    monkeypatch.setenv("TOKEN", secret)
    monkeypatch.setenv("CLUB", live_server.url + path_of(club, "api:club")[:-1])
    return club


def program(name: str) -> dict:
    """The names of a program that its last lines have not begun."""
    return runpy.run_path(str(EXAMPLES / f"{name}.py"))


@pytest.mark.parametrize("name", ["night", "league", "push_bot", "train_loop"])
def test_each_is_short(name):
    assert len((EXAMPLES / f"{name}.py").read_text().splitlines()) <= 60


@pytest.mark.django_db(transaction=True)
def test_a_night(club, capsys):
    program("night")["main"](["An", "Bình", "Chi", "Dũng"])
    night = Event.objects.get()
    assert (night.status, night.rounds.count()) == ("closed", 2)
    assert len(capsys.readouterr().out.splitlines()) == 4


@pytest.fixture
def quick_bots():
    """The ladder without its slow bots; afterwards all are there again, in their order."""
    every = dict(bots.BOTS)
    for name in SLOW:
        del bots.BOTS[name]
    yield
    bots.BOTS.clear()
    bots.BOTS.update(every)


@pytest.mark.django_db(transaction=True)
def test_a_league(club, quick_bots, workers, capsys):
    program("league")["main"]("Our bots", rules="thirteen", deals=1, pause=0.2)
    told = capsys.readouterr().out
    assert "Division 1\n1 " in told
    assert "%" in told
    assert BotLeague.objects.get().matchdays.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_push(club, workers, settings, monkeypatch, capsys):
    settings.BOT_UPLOADS = True
    monkeypatch.setattr(trials, "DEALS", 1)
    monkeypatch.setattr(checks, "_check_on", lambda upload: "")
    monkeypatch.setitem(sys.modules, "tien_len", engine)
    monkeypatch.setitem(sys.modules, "tien_len.cli", import_module("engine.cli"))
    monkeypatch.setattr(sys, "argv", ["push_bot.py", "mine"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(EXAMPLES / "push_bot.py"), run_name="__main__")
    told = capsys.readouterr().out
    assert ended.value.code == 0
    assert "mine-1: may play" in told
    assert "mine-1: 2 games against greedy" in told
    assert "no ladder yet" in told
    assert Upload.objects.get().state == "sound"
