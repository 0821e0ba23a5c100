"""`tien-len push`: one command from a file to the ladder, against a server that answers."""

import threading

import pytest
from django.db import close_old_connections, connection

from engine import cli
from league.base.acts import tokens
from tables.bots.acts import checks
from tables.models import Run, Upload
from tables.runs import runs, trials
from tests.factories import make_member, make_season

pytestmark = pytest.mark.django_db(transaction=True)

BOT = """
class Bot:
    def __init__(self, seed): pass
    def choose(self, observation, legal): return legal[0]
"""


@pytest.fixture
def author(live_server, settings, monkeypatch):
    """The club's address, with the token of one of its members in the environment."""
    settings.BOT_UPLOADS = True
    monkeypatch.setattr(trials, "DEALS", 1)
    club = make_season(rules="thirteen").club
    member = make_member(club, "player")
    _token, secret = tokens.create_token(user=member, name="push", scopes=["read", "arena"])
    monkeypatch.setenv("TOKEN", secret)
    return f"{live_server.url}/api/v1/clubs/{club.slug}"


@pytest.fixture
def workers(author):
    """What the server's workers do, beside it: checks and test matches."""
    over = threading.Event()

    def work():
        while not over.wait(0.05):
            checks.check_next()
            for run in Run.objects.filter(finished_at__isnull=True):
                while runs.play_next(run.pk):
                    runs.finish_if_done(run_id=run.pk)
            close_old_connections()
        connection.close()

    thread = threading.Thread(target=work)
    thread.start()
    yield
    over.set()
    thread.join()


def push(tmp_path, text, club, *more):
    (tmp_path / "bot.py").write_text(text)
    return cli.main(["push", str(tmp_path), "--name", "mine", "--club", club, *more])


def test_a_bot_is_sent_checked_tested_and_looked_up_on_the_ladder(
    author, workers, tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr(checks, "_check_on", lambda upload: "")
    assert push(tmp_path, BOT, author) == 0
    told = capsys.readouterr().out
    assert "mine-1: may play" in told
    assert "mine-1: 2 games against greedy" in told
    assert "no ladder yet" in told


def test_a_bot_that_fails_its_check_is_told_why(author, workers, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(checks, "_check_on", lambda upload: "It has no idea.")
    assert push(tmp_path, BOT, author) == 1
    assert "It has no idea." in capsys.readouterr().out


def test_what_is_refused_or_takes_too_long_is_said_in_a_sentence(author, tmp_path, capsys):
    assert push(tmp_path, BOT, author, "--entry-point", "other:Bot") == 2
    assert "names no Python file" in capsys.readouterr().err
    assert not Upload.objects.exists()
    assert push(tmp_path, BOT, author, "--wait", "0") == 2
    assert "too long" in capsys.readouterr().err
    assert push(tmp_path, BOT, "club") == 2
    assert "--club" in capsys.readouterr().err
