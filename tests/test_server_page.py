"""The page of the server's administrator: how everything is, and a report without secrets."""

import datetime
import json
import os
import re
import threading
from dataclasses import replace
from html import unescape
from pathlib import Path

import psycopg
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts import security_mail
from accounts.models import SecurityMail, User
from config import held, progress
from config.server import facts, report
from launcher import sealing
from launcher.children import wait_until
from league.models import Channel, Event, Verification
from tables.live.stream import conninfo
from tests.factories import browser_of, make_night, make_user, owner_of
from tests.league.news.mailbox import mailbox

QUERIES = 36


@pytest.fixture
def administrator(db) -> Client:
    return browser_of(make_user("chủ@example.com", is_superuser=True))


def rows(answer) -> dict[str, str]:
    """Each fact of the page, by its name, as text."""
    sections = answer.context["sections"]
    return {row.name: row.value for section in sections for row in section.rows}


def wrong(answer) -> set[str]:
    sections = answer.context["sections"]
    return {row.name for section in sections for row in section.rows if row.wrong}


@pytest.mark.django_db(transaction=True)
def test_the_administrator_sees_what_waits_and_what_is_too_old(administrator, settings, tmp_path):
    settings.BACKUPS = tmp_path
    quiet = administrator.get("/people/server/")
    assert "no-store" in quiet["Cache-Control"]
    assert rows(quiet)["PostgreSQL"].startswith("18")
    assert rows(quiet)["Program jail"] == (facts.jail() or "none: no program starts")
    assert rows(quiet)["Batches waiting"] == "0"
    assert "Nothing waits for a lock." in quiet.content.decode()
    assert "No backup can be seen from here." in quiet.content.decode()
    assert "chủ@example.com: signed in" in quiet.content.decode()

    dump = tmp_path / "nightly-20150101-180000.dump"
    dump.write_bytes(b"PGDMP" + 995 * b"x")
    long_ago = datetime.datetime(2015, 1, 1, 18, tzinfo=datetime.UTC).timestamp()
    os.utime(dump, (long_ago, long_ago))
    found = {"file": dump.name, "at": "2015-01-02T00:00:00+00:00", "seconds": 3.0}
    (tmp_path / "proof.json").write_text(json.dumps(found | {"problem": "verify found it wrong"}))
    Verification.objects.create(
        day="2015-01-02", started_at="2015-01-02T00:00Z", finished_at="2015-01-02T01:00Z", count=3
    )
    event = make_night()
    line = "SELECT 1 FROM league_event WHERE id = %s FOR UPDATE"
    with psycopg.connect(conninfo()) as holder, psycopg.connect(conninfo()) as waiter:
        holder.execute(line, [event.pk])
        waiting = threading.Thread(target=waiter.execute, args=[line, [event.pk]])
        waiting.start()
        try:
            assert wait_until(lambda: bool(facts.locks()), seconds=20)
            asked = progress.going_on("POST", "/clubs/t/very-secret/")
            with asked, CaptureQueriesContext(connection) as queries:
                busy = administrator.get("/people/server/")
        finally:
            holder.rollback()
            waiting.join()
    assert len(queries) == QUERIES
    assert rows(busy)["Last restored as a test"] == "verify found it wrong"
    assert rows(busy)["Encrypted"] == "no: set TIENLEN_BACKUP_KEY"
    dump.write_bytes(sealing.MAGIC + 992 * b"x")
    assert rows(administrator.get("/people/server/"))["Encrypted"] == "yes"
    assert {"Newest", "Last restored as a test", "Differences"} <= wrong(busy)
    held = [name for name in wrong(busy) if "waits for" in name]
    assert len(held) == 1
    assert "idle in transaction" in held[0]
    assert "very-secret" not in busy.content.decode()
    assert any("<str:secret>" in name or "no such" in name for name in rows(busy))
    assert Event.objects.filter(pk=event.pk).exists()


def test_the_page_says_what_clients_hold_and_marks_what_is_nearly_full(administrator, monkeypatch):
    calm = administrator.get("/people/server/")
    assert rows(calm)["Answers not read yet"] == "0\xa0bytes of 91.6\xa0MB"
    assert rows(calm)["Connections"].startswith("0 of ")
    budget = held.Budget(1_000_000)
    budget.hold(held.Sender("a"), 450_000)
    budget.hold(held.Sender("b"), 490_000)
    monkeypatch.setattr(held, "BODIES", budget)
    assert "Forms on their way" in wrong(administrator.get("/people/server/"))
    assert "Forms on their way" not in wrong(calm)


def test_lamps_say_what_is_lost_if_the_disk_dies_now(administrator, settings, monkeypatch):
    def data() -> tuple[str, str]:
        first, *others = administrator.get("/people/server/").context["lamps"]
        assert [first.name, *(lamp.name for lamp in others)] == [
            "Data",
            "Figures",
            "Work",
            "Alarms",
        ]
        return first.state, first.says[-1]

    # The tests' own database keeps no log, as one that a command has started.
    assert data() == ("wrong", "If this disk dies now, what came since — is lost.")
    at = datetime.datetime(2015, 11, 22, 10, 30, tzinfo=datetime.UTC)
    kept = facts.KeptLog(Path("/mnt/usb"), is_on_one_disk=False, is_held_up=False, until=at)
    monkeypatch.setattr(facts, "kept_log", lambda: kept)
    sentence = "If this disk dies now, at most the last minute is lost: the rest is in /mnt/usb."
    assert data() == ("well", sentence)
    monkeypatch.setattr(facts, "kept_log", lambda: replace(kept, is_on_one_disk=True))
    state, sentence = data()
    assert (state, "the backups stand on it too" in sentence) == ("ask", True)
    monkeypatch.setattr(facts, "kept_log", lambda: replace(kept, is_held_up=True))
    state, sentence = data()
    assert state == "wrong"
    assert re.search(r"what came since .*2015.* is lost", sentence)
    monkeypatch.setattr(facts, "kept_log", lambda: replace(kept, since=at))
    said = administrator.get("/people/server/").context["lamps"][0].says
    assert said[-2].startswith("Every moment from ")
    monkeypatch.setattr(facts, "kept_log", lambda: None)
    assert data()[0] == "well"


@pytest.mark.parametrize(
    ("has_mail", "says"),
    [
        (True, "Enter your email address and confirm it"),
        (False, "set up a mail server"),
    ],
)
def test_the_page_says_that_alarms_reach_nobody(administrator, settings, has_mail, says):
    """Of a fresh server none was queued: the owner made by the link has no confirmed address."""
    settings.HAS_MAIL = has_mail

    def alarms():
        answer = administrator.get("/people/server/")
        lamp = answer.context["lamps"][-1]
        has_link = bool(lamp.address) and f'href="{lamp.address}"' in answer.content.decode()
        return lamp.state, " ".join(lamp.says), has_link

    state, sentence, has_link = alarms()
    assert (state, has_link) == ("wrong", True)
    assert sentence.startswith("Alarms reach nobody. ")
    assert says in sentence
    owner = User.objects.get(is_superuser=True)
    if has_mail:
        made = {"verified": True, "primary": True}
        owner.emailaddress_set.update_or_create(email=owner.email, defaults=made)
    else:
        Channel.objects.create(user=owner, kind=Channel.Kind.TELEGRAM, address="1", lane="telegram")
    assert alarms() == ("well", "They reach an administrator.", False)


def test_the_page_answers_while_valkey_is_away(administrator, settings):
    settings.REDIS_URL = "unix:///nowhere.sock"
    assert "Valkey" in wrong(administrator.get("/people/server/"))


def test_a_system_without_a_jail_is_marked(administrator, monkeypatch):
    monkeypatch.setattr(facts, "jail", str)
    assert "Program jail" in wrong(administrator.get("/people/server/"))


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("", "test mail. The mail server took it."),
        ("550 5.1.1 nobody\0 here", "The mail server refuses this address. 550 5.1.1 nobody here"),
        ("554 5.7.1 not from you", "The mail server did not take it. 554 5.7.1 not from you"),
        ("451 4.7.1 in five minutes", "On its way. 451 4.7.1 in five minutes"),
        (None, "On its way. ConnectionRefusedError"),
    ],
)
def test_the_page_says_what_becomes_of_a_test_mail(administrator, settings, answer, says):
    """It waited for the mail server, and forgot its answer with the message."""

    def page(answered):
        return re.sub(r"\s+", " ", unescape(answered.content.decode()))

    settings.HAS_MAIL, settings.EMAIL_BACKEND = True, "accounts.smtp.Backend"
    settings.EMAIL_HOST, settings.EMAIL_USE_TLS, settings.EMAIL_USE_SSL = "127.0.0.1", False, False
    to = "chu@example.com"
    User.objects.update(email=to)
    with mailbox() as server:
        settings.EMAIL_PORT = server.port if answer is not None else 1
        server.refusals[""] = [answer] if answer else []
        asked = page(administrator.post("/people/server/mail/", follow=True))
        assert (f"A test mail is on its way to {to}." in asked, server.calls) == (True, 0)
        assert "test mail. On its way." in asked
        security_mail.send_due()
    assert says in page(administrator.get("/people/server/"))
    settings.EMAIL_PORT = 1
    administrator.post("/people/server/mail/")
    assert SecurityMail.objects.filter(kind="test", outcome="").count() == 1
    assert SecurityMail.objects.count() == 1


def test_licences_of_everything_are_there(administrator):
    page = administrator.get("/people/server/licences/").content.decode()
    assert "psycopg" in page
    assert "BSD" in page


LOG = """\
2015-11-20 18:00:01,123 INFO requests [0123456789abcdef] POST /clubs/t/<str:secret>/ 500 in 40 ms
2015-11-20 18:00:01,125 ERROR django.request [0123456789abcdef] Cô Ba has A♠ at /t/very-secret/
Traceback (most recent call last):
  File "/home/coba/tienlen/.venv/lib/python3.11/site-packages/django/core/base.py", line 7, in run
    name = "Cô Ba"
django.db.utils.IntegrityError: duplicate key value violates unique constraint
DETAIL:  Key (name)=(Cô Ba) already exists.
Cô Ba played 3♠
"""


def test_a_bug_report_has_places_and_figures_and_nothing_that_anybody_wrote(
    administrator, settings, tmp_path
):
    event = make_night()
    person = owner_of(event)
    settings.DATA_DIR = tmp_path
    (tmp_path / "log").mkdir()
    as_json = json.dumps({"time": "2015-11-20T18:00:02+00:00", "level": "ERROR", "logger": "x",
                          "work": "-", "message": "Cô Ba", "error": LOG})  # fmt: skip
    (tmp_path / "log" / "web.log").write_text(LOG + as_json + "\n{broken\n")
    answer = administrator.get("/people/server/report/")
    assert "attachment" in answer["Content-Disposition"]
    text = answer.content.decode()
    found = json.loads(text)
    told = "\n".join(found["logs"]["web"])
    assert "POST /clubs/t/<str:secret>/ 500 in 40 ms" in told
    assert "  django/core/base.py:7 run" in told
    assert told.count("django.db.utils.IntegrityError") == 2
    assert all(found[name] for name in ("programs", "tables", "migrations"))
    for secret in ("Ba", "♠", "coba", "very-secret", event.season.club.name, person.email,
                   settings.SECRET_KEY, "chủ@", str(tmp_path)):  # fmt: skip
        assert secret not in text, secret
    assert report.safe("nothing of ours") == ""
