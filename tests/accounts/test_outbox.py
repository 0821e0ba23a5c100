"""What becomes of the emails of accounts and of news, by the moods of a mail server."""

import datetime
import re
import socket
from collections import Counter
from typing import Any

import pytest
import yaml
from allauth.account.models import EmailAddress
from celery import signals
from django.core import mail
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts import security_log, security_mail, smtp
from accounts.mail import PERHAPS, REFUSED, SENT
from accounts.models import SecurityMail, User
from launcher import programs
from launcher.locations import locations
from league import tasks
from league.models import NewsItem, NewsLane
from league.news.acts import outbox, sending
from tests.factories import browser_of, make_user, sign_in
from tests.league.news.mailbox import Mailbox, mailbox

pytestmark = pytest.mark.django_db

FORM = {"email": "mai@club.example", "password1": "mot-hai-ba-bon"}
SIGN_IN = {"login": FORM["email"], "password": FORM["password1"]}
SECOND = 0.01
"""A second of these mail servers: 12 s, 90 s and a minute pass as quickly."""


@pytest.fixture(autouse=True)
def with_mail(settings):
    settings.HAS_MAIL, settings.SITE_ADDRESS = True, "http://club.example:8000"
    settings.EMAIL_HOST, settings.EMAIL_USE_TLS, settings.EMAIL_USE_SSL = "127.0.0.1", False, False
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def clock(monkeypatch):
    """Shift the time by what is appended."""
    real, shifts = timezone.now, []
    monkeypatch.setattr(timezone, "now", lambda: real() + sum(shifts, datetime.timedelta()))
    return shifts


def hangs(server: Mailbox, seconds: float = 3600) -> None:
    server.seconds = seconds * SECOND


MOODS = {
    "accepts": (lambda server: None, "once"),
    "refuses the recipient": (
        lambda server: server.refusals.update({"": ["550 nobody"] * 999}),
        REFUSED,
    ),
    "greylists once": (lambda server: server.refusals.update({"": ["451 later"] * 6}), "once"),
    "is full": (lambda server: server.refusals.update({"": ["452 full"] * 9999}), "not taken"),
    "refuses the sender": (lambda server: setattr(server, "from_whom", "550 no"), "not taken"),
    "hangs before the data": (
        lambda server: setattr(server, "before_data", 120 * SECOND),
        "unreachable",
    ),
    "hangs after the data": (lambda server: hangs(server, 200), PERHAPS),
    "answers after 12 s": (lambda server: hangs(server, 12), "once"),
    "answers after 90 s": (lambda server: hangs(server, 90), PERHAPS),
    "closes in the middle": (lambda server: setattr(server, "cuts", True), PERHAPS),
    "is down for an hour": (lambda server: None, "once"),
}


def write_one_of_each() -> int:
    """Queue an email of every kind; return how many."""
    known, owner = make_user("lan@club.example"), make_user("chu@club.example")
    User.objects.filter(pk=owner.pk).update(is_superuser=True)
    for one in (known, owner):
        EmailAddress.objects.create(user=one, email=one.email, verified=True, primary=True)
    Client().post(reverse("account_signup"), FORM)
    Client().post(reverse("account_signup"), FORM | {"email": known.email})
    for email in (known.email, "nobody@club.example"):
        security_mail.ask("reset" if email == known.email else "unknown", email, None)
    SecurityMail.objects.filter(kind="reset").update(user=known)
    security_log.note(security_log.Kind.PASSWORD, known)
    security_mail.ask("test", owner.email, owner)
    outbox.trouble("disk", "on", "3", timezone.now())
    assert {one.kind for one in SecurityMail.objects.all()} == set(SecurityMail.Kind)
    return SecurityMail.objects.count() + NewsItem.objects.count()


def work() -> None:
    security_mail.send_due()
    now = timezone.now()
    sending.sweep(now)
    for lane in sending.due_lanes(now):
        sending.send_lane(lane, now)


@pytest.mark.parametrize("mood", MOODS)
def test_every_email_arrives_once_or_is_told_or_is_listed(mood, settings, monkeypatch, clock):
    """Greylisting was "Something broke", and 12 s were up to 288 copies."""
    settings.EMAIL_BACKEND, settings.EMAIL_TIMEOUT = "accounts.smtp.Backend", 30 * SECOND
    monkeypatch.setattr(smtp, "PATIENCE", 60 * SECOND)
    change, ends = MOODS[mood]
    written = write_one_of_each()
    with mailbox() as server:
        change(server)
        settings.EMAIL_PORT = server.port
        if mood == "is down for an hour":
            with socket.socket() as nobody:
                nobody.bind(("127.0.0.1", 0))
                settings.EMAIL_PORT = nobody.getsockname()[1]
                for _minute in range(0, 60, 10):
                    work()
                    clock.append(datetime.timedelta(minutes=10))
            settings.EMAIL_PORT = server.port
        days = [24 * 60] * 3
        pauses = {"not taken": [61] * 30 + days, "unreachable": [60, *days, 60]}
        for minutes in pauses.get(ends, [2, 5, 15, 60, 60]):
            for _each in range(written):
                work()
            clock.append(datetime.timedelta(minutes=minutes))
            NewsLane.objects.all().delete()
        work()
        got = Counter((to, str(one["Subject"])) for to, one in server.got)
    reasons = set(SecurityMail.objects.values_list("outcome", flat=True)) - {SENT}
    failed = set(NewsItem.objects.filter(state="failed").values_list("error", flat=True))
    assert not SecurityMail.objects.filter(outcome="").exists()
    assert not NewsItem.objects.filter(state__in=["waiting", "sending"]).exists()
    assert set(got.values()) <= {1}
    if ends == "once":
        assert (len(got), reasons, failed) == (written, set(), set())
    else:
        assert len(got) == (written if "after" in mood else 0)
        assert (reasons, failed) == ({ends}, {ends})
        assert not SecurityMail.objects.exclude(to="").exists()
    owner = User.objects.get(is_superuser=True)
    page = sign_in(owner).get(reverse("me")).content.decode()
    assert ("does not exist" in page) == (ends == REFUSED)
    page = sign_in(owner).get(reverse("server")).content.decode()
    assert ("Emails of accounts that were not sent" in page) == (ends != "once")


def links(text: str) -> list[str]:
    return re.findall(r"http://club\.example:8000(/\S+)", text)


def test_a_new_account_waits_for_no_mail_server(settings):
    """It was made, said that something broke, and could not sign in."""
    settings.EMAIL_BACKEND, settings.EMAIL_TIMEOUT = "accounts.smtp.Backend", 0.5
    with mailbox() as server:
        settings.EMAIL_PORT = server.port
        server.refusals[FORM["email"]] = ["451 greylisted"]
        page = Client().post(reverse("account_signup"), FORM, follow=True)
        assert "on its way to mai@club.example" in page.content.decode()
        assert security_mail.send_due() == 0
        page = Client().post(reverse("account_login"), SIGN_IN)
        assert "on its way to you again" in page.content.decode()
        assert security_mail.send_due() == 1
        ((_to, got),) = server.got
    client = Client()
    (link,) = links(got.get_content())
    assert client.post(link).status_code == 302
    client.post(reverse("account_login"), SIGN_IN)
    assert "_auth_user_id" in client.session


def test_no_row_holds_a_link_and_links_last_from_when_they_are_sent(clock):
    Client().post(reverse("account_signup"), FORM)
    assert "password" not in str(SecurityMail.objects.values().get())
    clock.append(datetime.timedelta(hours=20))
    security_mail.send_due()
    (link,) = links(mail.outbox[0].body)
    assert Client().get(link).status_code == 200


def test_what_has_become_pointless_is_not_sent():
    Client().post(reverse("account_signup"), FORM)
    EmailAddress.objects.update(verified=True)
    assert (security_mail.send_due(), len(mail.outbox)) == (0, 0)
    assert not SecurityMail.objects.exists()


def test_account_and_email_are_made_together(monkeypatch):
    def breaks(*args, **kwargs):
        raise RuntimeError

    monkeypatch.setattr("accounts.forms.security_mail.ask", breaks)
    with pytest.raises(RuntimeError):
        Client().post(reverse("account_signup"), FORM)
    assert not User.objects.exists()


def test_a_waiting_account_answers_as_a_known_one_does():
    """Someone signs up with another's email and then tries the password: is it known there?"""
    known = make_user("lan@club.example")
    EmailAddress.objects.create(user=known, email=known.email, verified=True, primary=True)
    answers = []
    for email in (known.email, FORM["email"]):
        Client().post(reverse("account_signup"), FORM | {"email": email})
        security_mail.send_due()
        cache.clear()
        tries = []
        for _time in range(7):
            client = Client()
            with CaptureQueriesContext(connection) as asked:
                page = client.post(reverse("account_login"), SIGN_IN | {"login": email})
            said = re.sub(r'"\w{64}"', "", page.content.decode().replace(email, "EMAIL"))
            tables = re.compile(r'(SELECT|INSERT|UPDATE).*?"(account\w+)".*')
            verbs = [found.groups() for one in asked if (found := tables.match(one["sql"]))]
            tries.append((page.status_code, said, verbs))
        answers.append(tries)
    assert answers[0] == answers[1]
    assert ("INSERT", "accounts_securitymail") in answers[0][0][2]
    assert "Too many" in answers[0][-1][1]


def test_the_link_is_sent_again_once_in_three_minutes():
    Client().post(reverse("account_signup"), FORM)
    for _time in range(3):
        security_mail.send_due()
        Client().post(reverse("account_login"), SIGN_IN)
    assert [one.to for one in mail.outbox] == [["mai@club.example"]] * 2


@pytest.mark.parametrize("way", ["signs up again", "asks on its page", "signs in"])
def test_asking_while_an_email_waits_makes_it_due_whatever_the_limit(way, settings):
    """Its limit of three minutes was used up by the email that had not left."""
    Client().post(reverse("account_signup"), FORM)
    user = User.objects.get()
    if way == "signs in":
        Client().post(reverse("account_login"), SIGN_IN)
    waiting = SecurityMail.objects.filter(kind="confirm", user=user)
    later = timezone.now() + datetime.timedelta(minutes=10)
    assert waiting.update(due_at=later) == 1
    if way == "signs up again":
        Client().post(reverse("account_signup"), FORM)
    elif way == "signs in":
        Client().post(reverse("account_login"), SIGN_IN)
    else:
        client = browser_of(user)
        client.post(reverse("account_email"), {"email": user.email, "action_send": ""})
    assert waiting.get().due_at < later
    security_mail.send_due()
    assert [one.subject for one in mail.outbox] == ["Confirm your email"]


def test_a_wrong_password_of_a_known_account_sends_nothing():
    known = make_user("lan@club.example")
    EmailAddress.objects.create(user=known, email=known.email, verified=True, primary=True)
    Client().post(reverse("account_login"), {"login": known.email, "password": "khong-phai-the"})
    assert (security_mail.send_due(), SecurityMail.objects.count()) == (0, 0)


def test_a_worker_that_dies_sends_no_email_twice(clock):
    Client().post(reverse("account_signup"), FORM)
    assert security_mail._claimed() is not None
    assert security_mail.send_due() == 0
    clock.append(datetime.timedelta(minutes=16))
    assert security_mail.send_due() == 0
    assert SecurityMail.objects.get().outcome == PERHAPS


def test_no_worker_of_tables_asks_a_mail_server(settings, monkeypatch):
    """Two slow emails held up results and autopilots; an older release's messages ask as well."""
    monkeypatch.setenv("EMAIL_URL", "smtp://club.example")
    compose = yaml.safe_load((settings.BASE_DIR / "docker-compose.yml").read_text())["services"]
    with socket.socket() as line:
        launched = programs.parts(locations(settings.BASE_DIR), line)
    for found in (
        {part.name: part.command for part in launched},
        {name: service.get("command") for name, service in compose.items()},
    ):
        (mails,) = [name for name, words in found.items() if "--queues=mail" in (words or "")]
        threads = f"--concurrency={programs.MAIL_THREADS}"
        assert {"--pool=threads", threads} < set(found[mails])
        assert "--queues=live,default" in found["worker"]
    assert threads in (settings.BASE_DIR / "docs/association.md").read_text(encoding="utf-8")
    assert settings.CELERY_TASK_ROUTES["league.send_mail"] == {"queue": "mail"}
    asked = []
    monkeypatch.setattr(tasks, "send", lambda task, *args: asked.append((task.name, *args)))
    settings.EMAIL_BACKEND, settings.EMAIL_TIMEOUT = "accounts.smtp.Backend", 5
    write_one_of_each()
    with mailbox() as server:
        settings.EMAIL_PORT = server.port
        for task in (tasks.send_security_mail, tasks.send_news, tasks.sweep_news):
            task.apply(throw=True)
        tasks.send_lane.apply(("email",), throw=True)
        assert (server.calls, set(asked)) == (0, {("league.send_mail",)})
        tasks.send_mail.apply(throw=True)
        assert server.calls > 0
    assert not SecurityMail.objects.exclude(outcome=SENT).exists()


def test_what_asks_for_emails_is_of_no_use_once_the_next_asks(settings):
    """While all threads hang at a mail server, each committed piece of news asks them again."""
    asked: list[tuple[str, bool]] = []

    def note(headers: dict[str, Any], **_more: object) -> None:
        asked.append((headers["task"], headers["expires"] is not None))

    write_one_of_each()
    signals.before_task_publish.connect(note)
    try:
        for task in (tasks.send_security_mail, tasks.send_news):
            task.apply(throw=True)
    finally:
        signals.before_task_publish.disconnect(note)
    assert asked == [("league.send_mail", True)] * 2
    beat = settings.CELERY_BEAT_SCHEDULE["send-mail"]
    assert tasks.send_mail.expires == beat["schedule"] == beat["options"]["expires"]


def test_what_is_being_sent_is_not_due_for_an_older_release(clock):
    """It knows no leases, and would send the email a second time."""
    Client().post(reverse("account_signup"), FORM)
    claimed = security_mail._claimed()
    assert claimed is not None
    assert SecurityMail.objects.filter(due_at__lte=timezone.now()).count() == 0
    assert SecurityMail.objects.get().due_at == claimed.lease_until


def test_an_email_waits_for_its_server_for_three_days(settings, clock):
    settings.EMAIL_BACKEND = "accounts.smtp.Backend"
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        settings.EMAIL_PORT = nobody.getsockname()[1]
        Client().post(reverse("account_signup"), FORM)
        for hours, outcome in ((0, ""), (70, ""), (3, "unreachable")):
            clock.append(datetime.timedelta(hours=hours))
            assert security_mail.send_due() == 0
            assert SecurityMail.objects.get().outcome == outcome


def test_after_a_late_yes_the_server_is_as_patiently_waited_for_as_before(settings):
    with mailbox() as server:
        backend = smtp.Backend("127.0.0.1", server.port, timeout=5, use_tls=False, use_ssl=False)
        backend.open()
        one = mail.EmailMessage("a", "b", "a@club.example", ["c@club.example"])
        assert backend.send_messages([one]) == 1
        assert backend.connection.sock.gettimeout() == 5
        backend.close()


def test_emails_say_where_they_are_from():
    Client().post(reverse("account_signup"), FORM, headers={"accept-language": "vi"})
    security_mail.send_due()
    (sent,) = mail.outbox
    assert sent.subject == "Xác nhận email của bạn"
    assert sent.body.endswith("-- \nTiến Lên League (club.example)")
    assert sent.extra_headers["Auto-Submitted"] == "auto-generated"
    assert "<accounts.club.example>" in sent.extra_headers["List-Id"]


@pytest.mark.parametrize(
    ("answer", "reason", "is_told"),
    [
        ("550 5.1.1 nobody", REFUSED, True),
        ("550 nobody", REFUSED, True),
        ("551 gone", REFUSED, True),
        ("553 odd", REFUSED, True),
        ("550 5.7.1 not from there", "not taken", False),
        ("552 5.2.2 full for ever", "not taken", False),
        ("554 no", "not taken", False),
        ("571 blocked", "not taken", False),
    ],
)
def test_only_an_unknown_address_is_said_not_to_exist(settings, answer, reason, is_told):
    """Rules of a mail server against us were told as a fault of the person's address."""
    user = make_user("lan@club.example")
    other = EmailAddress.objects.create(user=user, email="lan@work.example")
    settings.EMAIL_BACKEND, settings.EMAIL_TIMEOUT = "accounts.smtp.Backend", 5
    with mailbox() as server:
        settings.EMAIL_PORT = server.port
        server.refusals[other.email] = [answer]
        security_mail.ask("confirm", other.email, user)
        security_mail.send_due()
        security_log.note(security_log.Kind.PASSWORD, user, to=user.email)
        assert security_mail.send_due() == 1
    assert SecurityMail.objects.get().outcome == reason
    said = "the mail server said that lan@work.example does not exist"
    assert (said in browser_of(user).get(reverse("me")).content.decode()) == is_told
    other.delete()
    assert "does not exist" not in browser_of(user).get(reverse("me")).content.decode()


def test_an_address_that_works_again_is_not_complained_of():
    user = make_user("lan@club.example")
    User.objects.update(mail_refused_at=timezone.now())
    security_log.note(security_log.Kind.PASSWORD, user, to=user.email)
    security_mail.send_due()
    assert User.objects.get().mail_refused_at is None
