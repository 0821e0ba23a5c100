"""`tien-len push` where it does not go well; `test_newcomers` has one that does."""

import pytest

from engine import cli
from league.base.acts import tokens
from tables.bots.acts import checks
from tables.models import Upload
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
    club = make_season(rules="thirteen").club
    member = make_member(club, "player")
    _token, secret = tokens.create_token(user=member, name="push", scopes=["read", "arena"])
    monkeypatch.setenv("TOKEN", secret)
    return f"{live_server.url}/api/v1/clubs/{club.slug}"


def push(tmp_path, text, club, *more):
    (tmp_path / "bot.py").write_text(text)
    return cli.main(["push", str(tmp_path), "--name", "mine", "--club", club, *more])


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
