"""As an installation on the internet: settings, cookies, hosts, redirects, limits, large bodies."""

import os
import subprocess
import sys
from typing import Any

import pytest
from django.conf import settings as used
from django.test import Client
from django.urls import reverse

from accounts.models import User
from config import bounds, held
from config.bounds import BoundedBodies
from engine.rules import ruleset
from tables.chairs.acts import seats
from tables.live import stream
from tests.factories import make_user, sign_in
from tests.loops import run

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("empty_cache")]

EVIL = ["//evil.example/", "https://evil.example/", "/\\evil.example/", "javascript:alert(1)",
        "http:///evil.example", "\thttps://evil.example", "https:evil.example"]  # fmt: skip


@pytest.fixture
def behind_tls(settings):
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True
    settings.LANGUAGE_COOKIE_SECURE = settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_HSTS_SECONDS = 31_536_000


def test_check_deploy_finds_nothing(tmp_path):
    environment = {
        "PATH": os.environ["PATH"],
        "HTTPS": "1",
        "SECRET_KEY": "only-for-this-test-" + "aZ09-_x" * 8,
        "ALLOWED_HOSTS": "club.example",
        "DATABASE_URL": "postgres://nobody:nothing@localhost:1/none",
        "REDIS_URL": "redis://localhost:1/0",
        "TIENLEN_DATA": str(tmp_path),
    }
    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=used.BASE_DIR, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr[-2000:]) == (0, "")


def test_cookies_travel_by_tls_only_and_scripts_do_not_see_them(behind_tls):
    client = Client()
    User.objects.create_user("lan@club.example", "mot-hai-ba-bon")
    client.get(reverse("account_login"), secure=True)
    client.post(
        reverse("account_login"),
        {"login": "lan@club.example", "password": "mot-hai-ba-bon"},
        secure=True,
    )
    client.post(reverse("set_language"), {"language": "vi"}, secure=True)
    table = seats.open_table(ruleset=ruleset.preset("thirteen"), players=4)
    guest = Client()
    guest.post(reverse("tables:sit", args=[table.key]), {"no": "0", "name": "An"}, secure=True)
    cookies = {**client.cookies, **guest.cookies}
    assert {"sessionid", "csrftoken", "django_language", f"seat-{table.key}"} <= set(cookies)
    for name, cookie in cookies.items():
        flags = (bool(cookie["secure"]), cookie["samesite"])
        assert (name, *flags) == (name, True, "Lax")
        # Forms that scripts send carry the token, which they read from the page.
        assert (name, bool(cookie["httponly"])) == (name, name != "csrftoken")


def test_plain_http_is_sent_to_tls(behind_tls):
    answer = Client().get("/clubs/")
    assert (answer.status_code, answer["Location"]) == (301, "https://testserver/clubs/")
    assert "max-age=31536000" in Client().get("/clubs/", secure=True)["Strict-Transport-Security"]


@pytest.mark.parametrize(
    ("subdomains", "preload", "told"),
    [
        (False, False, "max-age=31536000"),
        (True, False, "max-age=31536000; includeSubDomains"),
        (True, True, "max-age=31536000; includeSubDomains; preload"),
    ],
)
def test_tls_is_promised_for_this_host_alone_unless_asked(
    behind_tls, settings, subdomains, preload, told
):
    assert (used.SECURE_HSTS_INCLUDE_SUBDOMAINS, used.SECURE_HSTS_PRELOAD) == (False, False)
    settings.SECURE_HSTS_INCLUDE_SUBDOMAINS = subdomains
    settings.SECURE_HSTS_PRELOAD = preload
    assert Client().get("/clubs/", secure=True)["Strict-Transport-Security"] == told
    assert stream.security_headers()[-1] == (b"strict-transport-security", told.encode())


@pytest.mark.parametrize("host", ["evil.example", "testserver.evil.example", "testserver@evil", ""])
def test_an_unknown_host_gets_nothing(host):
    client = Client(headers={"host": host})
    assert client.get("/").status_code == 400


def test_a_forwarded_host_decides_nothing():
    owner = User.objects.create_superuser("owner@club.example", "x")
    client = sign_in(owner, "x", x_forwarded_host="evil.example")
    page = client.post(reverse("accounts:password_link", args=[make_user().pk]))
    text = page.content.decode()
    assert "http://testserver/accounts/password/reset/key/" in text
    assert "evil.example" not in text


@pytest.mark.parametrize("there", EVIL)
def test_no_form_leads_away_from_the_site(there):
    User.objects.create_user("lan@club.example", "mot-hai-ba-bon")
    client = Client()
    sign_in = {"login": "lan@club.example", "password": "mot-hai-ba-bon", "next": there}
    answers = [client.post(f"{reverse('account_login')}?next={there}", sign_in)]
    answers.append(client.post(reverse("set_language"), {"language": "vi", "next": there}))
    page = client.get(reverse("account_reauthenticate"), {"next": there})
    assert "evil.example" not in page.content.decode().replace("&#x27;", "").split("<form")[0]
    again = {"password": "mot-hai-ba-bon", "next": there}
    answers.append(client.post(reverse("account_reauthenticate"), again))
    answers.append(client.post(reverse("account_logout"), {"next": there}))
    for answer in answers:
        assert answer.status_code == 302
        assert answer["Location"].startswith("/")
        assert not answer["Location"].startswith(("//", "/\\"))


def test_passwords_cannot_be_tried_for_long():
    User.objects.create_user("lan@club.example", "mot-hai-ba-bon")
    for number in range(5):
        Client().post(
            reverse("account_login"), {"login": "lan@club.example", "password": f"wrong-{number}"}
        )
    right = {"login": "lan@club.example", "password": "mot-hai-ba-bon"}
    page = Client(REMOTE_ADDR="10.9.9.9").post(reverse("account_login"), right)
    assert page.status_code == 200
    assert "Too many failed login attempts" in page.content.decode()


def test_accounts_cannot_be_made_by_the_hundred():
    statuses = []
    for number in range(25):
        form = {"email": f"new{number}@club.example", "password1": "mot-hai-ba-bon"}
        statuses.append(Client().post(reverse("account_signup"), form).status_code)
    assert statuses == [302] * 20 + [429] * 5


class Heard:
    """An application that reads its whole body, and what it was told and answered."""

    def __init__(self) -> None:
        self.read = 0
        self.sent: list[Any] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            self.read += len(message["body"])
            if not message["more_body"]:
                await send({"type": "http.response.start", "status": 200, "headers": []})
                return


def ask(headers: list[tuple[bytes, bytes]], chunks: list[bytes]) -> tuple[Heard, list[Any]]:
    app, sent, waiting = Heard(), [], list(chunks)

    async def receive() -> dict[str, Any]:
        body = waiting.pop(0)
        return {"type": "http.request", "body": body, "more_body": bool(waiting)}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/", "headers": headers,
             "client": ("127.0.0.1", 1)}  # fmt: skip
    run(BoundedBodies(app)(scope, receive, send))
    assert bounds.BODIES.held == 0
    return app, sent


@pytest.fixture
def most_of_100(monkeypatch):
    monkeypatch.setattr(bounds, "MOST_BYTES", 100)


@pytest.mark.usefixtures("most_of_100")
def test_a_body_that_says_it_is_too_long_is_not_read():
    app, sent = ask([(b"content-length", b"101"), (b"accept-language", b"vi")], [b"x"])
    assert (app.read, sent[0]["status"]) == (0, 413)
    assert "quá lớn" in sent[1]["body"].decode()


@pytest.mark.usefixtures("most_of_100")
def test_a_body_that_says_nothing_is_read_to_the_bound():
    app, sent = ask([], [b"x" * 60, b"x" * 60, b"x" * 60])
    assert (app.read, sent[0]["status"]) == (60, 413)


@pytest.mark.usefixtures("most_of_100")
def test_a_body_that_is_too_much_for_the_budget_is_refused(monkeypatch):
    monkeypatch.setattr(bounds, "BODIES", held.Budget(20))
    app, sent = ask([], [b"x" * 60, b"x"])
    assert (app.read, sent[0]["status"]) == (0, 503)
    assert b"Try again in a minute." in sent[1]["body"]


@pytest.mark.usefixtures("most_of_100")
def test_a_body_within_the_bound_arrives():
    app, sent = ask([(b"content-length", b"100")], [b"x" * 60, b"x" * 40])
    assert (app.read, sent[0]["status"]) == (100, 200)
