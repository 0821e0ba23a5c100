"""The administrators are told when something lasts that needs them, and when it is over."""

from __future__ import annotations

import datetime
import io
import json
import os
import smtplib
import socket
import ssl
import subprocess
import threading
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core import mail
from django.core.cache import cache
from django.core.management import call_command
from django.utils import timezone

from config import pulse
from config.server import alarms, facts
from launcher import alarms as supervised
from launcher import supervisor, upgrade
from launcher.locations import locations
from league.management.commands import tell_alarm
from league.models import Alarm, NewsItem, NewsWish, Verification
from league.news.acts import sending
from tests.factories import browser_of, make_user

MINUTE = datetime.timedelta(minutes=1)
QUICK = {"quick": None, "sim": None, "slow": None}
NOW = datetime.datetime(2015, 11, 22, 12, tzinfo=datetime.UTC)


@pytest.fixture(autouse=True)
def quiet_server(settings, tmp_path, monkeypatch):
    """A server without any trouble and with one administrator, who reads email."""
    settings.BACKUPS, settings.HAS_MAIL, settings.HEARTBEAT_URL = tmp_path, True, ""
    monkeypatch.setattr(facts, "disk", lambda: (60, 100))
    monkeypatch.setattr(facts, "kept_log", lambda: None)
    monkeypatch.setattr(facts, "work", lambda: dict.fromkeys("abcd", 0.0))
    monkeypatch.setattr(facts, "broker", lambda: facts.BrokerState("9", {"sim": 0}))
    monkeypatch.setattr(facts, "answers", lambda *_asked: True)
    settings.DATA_DIR = tmp_path
    cache.clear()


@pytest.fixture
def administrator(db):
    admin = make_user("chủ@example.com", is_superuser=True)
    admin.emailaddress_set.update_or_create(
        email=admin.email, defaults={"verified": True, "primary": True}
    )
    make_user("khách@example.com")
    return admin


def subjects() -> list[str]:
    """Send what is due; return the subjects of all emails so far."""
    sending.send_lane(sending.EMAIL, timezone.now() + MINUTE)
    assert {tuple(message.to) for message in mail.outbox} <= {("chủ@example.com",)}
    return [message.subject for message in mail.outbox]


def test_a_trouble_that_lasts_is_told_once_a_day_until_it_is_over(administrator, monkeypatch):
    alarms.look(NOW)
    assert not Alarm.objects.exists()

    monkeypatch.setattr(facts, "disk", lambda: (3_000_000_000, 100_000_000_000))
    alarms.look(NOW)
    alarms.look(NOW + MINUTE)
    assert subjects() == []
    alarms.look(NOW + 2 * MINUTE)
    alarms.look(NOW + 3 * MINUTE)
    assert subjects() == ["Máy chủ cần bạn"]
    assert "3.0 GB" in mail.outbox[0].body
    assert "/people/server/" in mail.outbox[0].body

    NewsItem.objects.update(key="an older minute")
    alarms.look(NOW + datetime.timedelta(days=1, minutes=2))
    assert len(subjects()) == 2

    monkeypatch.setattr(facts, "disk", lambda: (60, 100))
    alarms.look(NOW + datetime.timedelta(days=1, minutes=3))
    assert subjects()[2:] == ["Máy chủ đã ổn trở lại"]
    assert not Alarm.objects.exists()


def test_what_passes_within_two_minutes_is_told_to_nobody(administrator, monkeypatch):
    monkeypatch.setattr(facts, "work", lambda: {"tables": 30.0, "b": 0.0, "c": 0.0, "d": 0.0})
    alarms.look(NOW)
    monkeypatch.setattr(facts, "work", lambda: None)
    alarms.look(NOW + MINUTE)
    assert (subjects(), Alarm.objects.count()) == ([], 0)


def test_every_trouble_has_its_sentence(administrator, settings, monkeypatch, tmp_path):
    dump = tmp_path / "nightly-20150101-180000.dump"
    dump.write_bytes(b"PGDMP")
    os.utime(dump, (0, 0))
    (tmp_path / "proof.json").write_text(
        '{"file": "x", "at": "2015-01-02T00:00:00+00:00", "seconds": 1, "problem": "it is cut"}'
    )
    Verification.objects.create(day="2015-01-02", started_at=NOW, finished_at=NOW, count=3)
    monkeypatch.setattr(facts, "disk", lambda: (1, 100))
    monkeypatch.setattr(facts, "work", lambda: {"tables": 30.0, "lease": 900.0, "c": 0.0, "d": 0.0})
    monkeypatch.setattr(facts, "broker", lambda: facts.BrokerState("9", {"sim": 101}))
    NewsWish.objects.create(user=administrator, language="en")
    alarms.look(NOW)
    alarms.look(NOW + 2 * MINUTE)
    assert subjects() == ["The server needs you"] * 7
    text = "\n".join(message.body for message in mail.outbox)
    for part in ("of 1970-01-01", "as a test: it is cut", "found 3 differences", "0.0 GB",
                 "30 s", "900 s", "sim 101"):  # fmt: skip
        assert part in text


def test_a_missing_backup_and_an_old_proof_are_troubles(settings, tmp_path):
    old = (NOW - datetime.timedelta(days=30)).timestamp()
    os.utime(tmp_path, (old, old))
    assert alarms._of_backups(NOW) == {"no_backup": "2015-10-23"}
    (tmp_path / "nightly-20151122-020000.dump").write_bytes(b"PGDMP")
    (tmp_path / "proof.json").write_text(
        '{"file": "x", "at": "2015-11-02T00:00:00+00:00", "seconds": 1, "problem": ""}'
    )
    assert alarms._of_backups(NOW) == {"old_proof": "2015-11-02"}
    settings.BACKUPS = tmp_path / "elsewhere"
    assert alarms._of_backups(NOW) == {}


def test_a_backup_that_cannot_be_looked_at_ends_no_watch(tmp_path):
    (tmp_path / "lost.dump").symlink_to("lost.dump")
    dump = tmp_path / "nightly-20151101-020000.dump"
    dump.write_bytes(b"PGDMP")
    os.utime(dump, (0, 0))
    assert alarms._of_backups(NOW) == {"backup": "1970-01-01"}


def test_a_log_that_waits_for_its_folder_is_a_trouble(db, monkeypatch):
    at = datetime.datetime(2015, 11, 22, 10, 30, tzinfo=datetime.UTC)
    kept = facts.KeptLog(Path("/mnt/usb"), is_on_one_disk=False, is_held_up=False, until=at)
    monkeypatch.setattr(facts, "kept_log", lambda: kept)
    assert "log" not in alarms.troubles(NOW)
    monkeypatch.setattr(facts, "kept_log", lambda: replace(kept, is_held_up=True))
    assert alarms.troubles(NOW)["log"] == "2015-11-22 10:30 UTC"
    monkeypatch.setattr(facts, "kept_log", lambda: replace(kept, since=at, is_short=True))
    assert alarms.troubles(NOW)["week"] == "2015-11-22 10:30 UTC"
    monkeypatch.setattr(facts, "kept_log", lambda: replace(kept, since=None, is_short=True))
    assert alarms.troubles(NOW)["week"] == "—"


def test_only_administrators_are_asked_whether_they_want_it(administrator):
    client = browser_of(administrator)
    assert "Trouble with the server" in client.get("/people/me/").content.decode()
    other = browser_of(make_user("bạn@example.com"))
    page = other.get("/people/me/")
    assert page.status_code == 200
    assert "Trouble with the server" not in page.content.decode()


def test_the_heartbeat_is_given_after_each_look_and_its_silence_is_no_fault(
    administrator, settings, monkeypatch
):
    asked = []

    class Answer:
        def close(self) -> None: ...

    def urlopen(address: str, timeout: float) -> Answer:
        asked.append((address, timeout))
        if len(asked) > 1:
            raise OSError("unreachable")
        return Answer()

    monkeypatch.setattr("urllib.request.urlopen", urlopen)
    alarms.watch()
    settings.HEARTBEAT_URL = "https://heartbeat.example/abc"
    alarms.watch()
    alarms.watch()
    with monkeypatch.context() as full:
        full.setattr(upgrade, "has_room", lambda _places: False)
        alarms.watch()
    assert asked == [("https://heartbeat.example/abc", alarms.PING_SECONDS)] * 2


class Told:
    """What the supervisor runs, in this process and at once."""

    def __init__(self, command: list[str], **_more: object) -> None:
        call_command(*command[2:], stdout=io.StringIO())

    def poll(self) -> int:
        return 0


def test_the_supervisor_tells_of_a_full_disk_and_of_silence_without_the_database(
    administrator, settings, monkeypatch, tmp_path, django_db_blocker
):
    """An alarm was a row on the disk that was full: nobody was told."""
    NewsWish.objects.create(user=administrator, language="en")
    alarms.watch()
    assert (tmp_path / supervised.FILE).stat().st_mode & 0o077 == 0
    monkeypatch.setattr(supervised, "spawn", Told)
    free = [50_000_000_000]
    usage = SimpleNamespace(total=100_000_000_000)
    monkeypatch.setattr(
        "shutil.disk_usage", lambda _path: SimpleNamespace(**vars(usage), free=free[0])
    )
    teller = supervised.Teller(locations(tmp_path))
    clock = [time.monotonic()]

    def told(minutes: float, *, looks: bool = True, lost: int = 0) -> list[str]:
        """Return what is told within the minutes, while the server looks or is silent."""
        mail.outbox.clear()
        for _look in range(round(minutes * 2)):
            clock[0] += 30
            free[0] -= lost // 2
            if looks:
                os.utime(tmp_path / supervised.FILE, (clock[0], clock[0]))
            with django_db_blocker.block():
                teller.look(clock[0])
        return [message.body.splitlines()[0] for message in mail.outbox]

    assert told(60) == []
    free[0] = 20_000_000_000  # One large file is no pace, below a quarter either.
    assert told(5) == []
    assert told(24 * 60) == []
    (hours,) = told(200, lost=40_000_000)
    assert hours.startswith("At the pace of the last hour the disk is full within six hours: ")
    free[0] = 1_000_000
    assert told(30)[0] == (
        "The disk is full: 1 MB are free. Nothing can be saved until there is room."
    )
    assert told(30) == [], "once"
    free[0] = 60_000_000_000
    assert told(2) == ["The disk is full: 1 MB are free. Nothing can be saved until there is room."]
    assert mail.outbox[0].subject == "The server is well again"
    (silent,) = told(10, looks=False)
    assert silent.startswith("The server can't look for faults since ")
    assert told(10, looks=False) == []
    assert len(told(2)) == 1, "over"
    teller, free[0] = supervised.Teller(locations(tmp_path)), 24_000_000_000
    assert told(60) == []
    (days,) = told(14 * 60, lost=6_000_000)
    assert days.startswith("At the pace of the last day the disk is full within three days: ")


def test_an_alarm_reaches_all_others_where_one_address_is_refused(settings, monkeypatch, tmp_path):
    """It reached nobody after that one, and those before it again every half a minute."""
    receivers = {"gone@example.com": "en", "chủ@example.com": "vi"}
    (tmp_path / supervised.FILE).write_text(json.dumps(receivers))
    told = []

    def send_mail(_title: str, _text: str, _sender: None, to: list[str]) -> None:
        if to == ["gone@example.com"]:
            raise smtplib.SMTPRecipientsRefused({to[0]: (550, b"unknown")})
        told.append(to)

    monkeypatch.setattr(tell_alarm, "send_mail", send_mail)
    alarm = ("tell_alarm", "full", "on", "1", NOW.isoformat())
    call_command(*alarm, stdout=io.StringIO())
    assert told == [["chủ@example.com"]]
    (tmp_path / supervised.FILE).write_text(json.dumps({"gone@example.com": "en"}))
    with pytest.raises(smtplib.SMTPRecipientsRefused):
        call_command(*alarm, stdout=io.StringIO())


def test_a_supervisor_that_stood_still_after_its_first_look_goes_on(tmp_path, monkeypatch):
    (tmp_path / supervised.FILE).touch()
    usage = SimpleNamespace(total=100_000_000_000, free=20_000_000_000)
    monkeypatch.setattr("shutil.disk_usage", lambda _path: usage)
    teller = supervised.Teller(locations(tmp_path))
    for minutes in (0, 15):
        os.utime(tmp_path / supervised.FILE, (minutes, minutes))
        assert dict(teller._troubles(60.0 * minutes)) == {}


def test_a_part_that_ends_again_and_again_is_a_trouble_for_an_hour(tmp_path, monkeypatch):
    web = SimpleNamespace(name="web", log=tmp_path / "log" / "web.log")
    web.log.parent.mkdir()
    for _restart in range(3):
        assert facts.restarts() == []
        supervisor._note(web)
    assert facts.restarts() == ["web ×3"]
    later = time.time() + supervisor.NOTED_SECONDS
    monkeypatch.setattr(time, "time", lambda: later)
    assert facts.restarts() == []


def test_a_worker_that_lived_within_the_week_is_missed(db, monkeypatch):
    assert facts.away() == []
    pulse.say("worker")
    pulse.say("simulations")
    assert facts.away() == []
    later = time.time() + 121
    monkeypatch.setattr(time, "time", lambda: later)
    pulse.say("worker")
    assert alarms.troubles(NOW)["away"] == "simulations"


def test_a_worker_that_also_does_quick_work_is_not_missed_as_two():
    said: list[tuple[object, tuple[object, ...]]] = []
    parent = SimpleNamespace(
        hostname="simulations@host",
        timer=SimpleNamespace(call_repeatedly=lambda _every, do, args: said.append((do, args))),
        app=SimpleNamespace(amqp=SimpleNamespace(queues=SimpleNamespace(consume_from=QUICK))),
    )
    pulse.WorkerPulse(parent).start(parent)
    assert {name for do, (name, *_more) in said if do is pulse.say} == {"simulations", "quick"}


def test_a_site_that_answered_once_is_missed_and_one_that_never_did_is_not(
    db, settings, monkeypatch
):
    settings.SITE_ADDRESS = "http://club.example"
    monkeypatch.setattr(facts, "answers", lambda *_asked: False)
    alarms.look_from_outside(NOW)
    assert "site" not in alarms.troubles(NOW)
    monkeypatch.setattr(facts, "answers", lambda *_asked: True)
    alarms.look_from_outside(NOW)
    assert "site" not in alarms.troubles(NOW)
    monkeypatch.setattr(facts, "answers", lambda *_asked: False)
    alarms.look_from_outside(NOW)
    assert alarms.troubles(NOW)["site"] == "http://club.example"


@pytest.fixture
def served_with(tmp_path, monkeypatch):
    """A server on this machine that shows a certificate of so many days, which is trusted."""
    listening = socket.create_server(("127.0.0.1", 0))

    def serve(days: int, *, trusted: bool = True) -> str:
        key, cert = tmp_path / "key.pem", tmp_path / "cert.pem"
        command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key]
        command += ["-out", cert, "-days", str(days), "-subj", "/CN=127.0.0.1"]
        command += ["-addext", "subjectAltName=IP:127.0.0.1"]
        subprocess.run(command, check=True, capture_output=True)
        own = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        own.load_cert_chain(cert, key)
        if trusted:
            monkeypatch.setattr(facts, "TRUST", lambda: ssl.create_default_context(cafile=cert))

        def answer() -> None:
            with suppress(OSError), own.wrap_socket(listening.accept()[0], server_side=True):
                pass

        threading.Thread(target=answer, daemon=True).start()
        return f"https://127.0.0.1:{listening.getsockname()[1]}"

    yield serve
    listening.close()


def end_of(cert: Path) -> datetime.datetime:
    command = ["openssl", "x509", "-noout", "-enddate", "-in", cert]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    seconds = ssl.cert_time_to_seconds(told.strip().removeprefix("notAfter="))
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC)


@pytest.mark.parametrize(
    ("days", "trusted", "says"),
    [(60, True, ""), (5, True, "{ends:%Y-%m-%d}"), (60, False, "self-signed certificate")],
)
def test_a_certificate_near_its_end_is_told_two_weeks_before(
    db, settings, served_with, tmp_path, days, trusted, says
):
    settings.SITE_ADDRESS = served_with(days, trusted=trusted)
    says = says.format(ends=end_of(tmp_path / "cert.pem"))
    alarms.look_from_outside(timezone.now())
    assert alarms.troubles(NOW).get("certificate", "") == says
    settings.SITE_ADDRESS = "https://127.0.0.1:1"
    alarms.look_from_outside(timezone.now())  # Not twice a day, so not asked again.
    assert alarms.troubles(NOW).get("certificate", "") == says


def test_no_certificate_is_no_trouble():
    for address in ("http://club.example", "https://localhost", "https://127.0.0.1:1"):
        assert facts.ending_certificate(address, NOW, 1) == ""


@pytest.mark.parametrize("address", ["club.example", "https://club.example:eight", "https://[::"])
def test_an_address_that_is_none_is_told_as_one_that_does_not_answer(monkeypatch, address):
    """Else the watch itself failed, and nobody heard of anything."""
    monkeypatch.undo()
    assert not facts.answers(address, 1)
    assert facts.ending_certificate(address, NOW, 1) == ""
