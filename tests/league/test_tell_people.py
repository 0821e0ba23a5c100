"""The command by which a breach is told to whom it concerns."""

from io import StringIO

import pytest
from django.core import mail
from django.core.management import CommandError, call_command

from accounts.mail import NotSent
from league.clubs.acts import players
from league.management.commands import tell_people
from tests.factories import make_club, make_member, make_user, owner_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    club = make_club(owner=make_user("chu@club.example"))
    make_member(club, "scorer")
    players.add_player(club=club, name="Lan Không Máy", by=owner_of(club))
    players.add_player(club=club, name="máy", by=owner_of(club), bot="greedy")
    return club


@pytest.fixture
def text(tmp_path):
    file = tmp_path / "text"
    file.write_text("Dữ liệu bị lộ\n\nHôm qua có người đọc tên của bạn.", "utf-8")
    return file


def told(*args):
    out = StringIO()
    call_command("tell_people", *args, stdout=out)
    return out.getvalue().splitlines()


def test_it_lists_accounts_and_who_tells_those_without_one(club):
    stranger = make_user("xa@other.example")
    lines = told()
    assert {"chu@club.example", stranger.email} < set(lines)
    listed = lines.index(f"Without an account in {club.slug}, told by chu@club.example:")
    assert lines[listed + 1 :] == ["  Lan Không Máy"]
    assert stranger.email not in told("--club", club.slug)
    assert len(told("--club", club.slug)) == 4
    with pytest.raises(CommandError, match="No club is called nowhere"):
        told("--club", "nowhere")
    assert mail.outbox == []


def test_it_writes_to_them_and_says_who_was_not_reached(club, text, settings, monkeypatch):
    with pytest.raises(CommandError, match="has no mail"):
        told("--send", str(text))
    settings.HAS_MAIL = True
    assert told("--club", club.slug, "--send", str(text))[-1] == "Written to 2 accounts."
    assert {one.to[0] for one in mail.outbox} > {"chu@club.example"}
    assert mail.outbox[0].subject == "Dữ liệu bị lộ"
    assert "Hôm qua có người đọc tên của bạn." in mail.outbox[0].body

    def refuse(*args):
        raise NotSent("unreachable")

    monkeypatch.setattr(tell_people, "send", refuse)
    with pytest.raises(CommandError, match=r"chu@club\.example: The mail server can't be reached"):
        told("--only", "chu@club.example", "--send", str(text))


def test_a_text_without_a_title_or_without_words_is_not_sent(club, text, settings):
    settings.HAS_MAIL = True
    text.write_text("Chỉ có một dòng")
    with pytest.raises(CommandError, match="title in its first line"):
        told("--send", str(text))
    assert mail.outbox == []


def test_an_email_of_nobody_is_said_before_anything_is_written(club, text, settings):
    settings.HAS_MAIL = True
    with pytest.raises(CommandError, match=r"No account listed has chu@club\.exmaple\."):
        told("--only", "chu@club.exmaple", "--send", str(text))
    assert mail.outbox == []
    assert told("--only", "Chu@Club.Example", "--send", str(text))[-1] == "Written to 1 accounts."


@pytest.mark.parametrize("content", [None, b"\xff\xfeD\x00"])
def test_a_text_that_cannot_be_read_is_refused_in_words(club, text, settings, content):
    settings.HAS_MAIL = True
    text.unlink() if content is None else text.write_bytes(content)
    with pytest.raises(CommandError, match="cannot be read"):
        told("--send", str(text))
