"""No request waits for a mail server, whatever its mood: measured beside none, and printed."""

import itertools
import socket
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from allauth.account.models import EmailAddress
from django.db import connections
from django.urls import reverse
from django.utils import timezone

from accounts.models import SecurityMail
from launcher.children import wait_until
from league import tasks
from league.nights.domain import entry
from tests.factories import make_table, make_user, table_link
from tests.league.news.mailbox import Mailbox, mailbox
from tests.served import TOKEN, Answer, Served, served
from tests.tables import live

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("empty_cache"),
]

LONG = 600.0
MOODS: dict[str, Callable[[Mailbox], object]] = {
    "hangs before the data": lambda server: setattr(server, "before_data", LONG),
    "hangs after the data": lambda server: setattr(server, "seconds", LONG),
}
PASSWORD = "mot-hai-ba-bon"

_numbers = itertools.count(1)


def answers(web: Served) -> dict[str, Answer]:
    """Do each of what could wait, once and by its own account, night and table."""
    new, known = (f"{name}{next(_numbers)}@club.example" for name in ("mai", "lan"))
    EmailAddress.objects.create(user=make_user(known), email=known, verified=True, primary=True)
    sitting = make_table()
    order = entry.write_order([[place.entrant_id] for place in sitting.seated])
    game = {"game_no": 1, "order": order, "specials": "", "client_id": uuid.uuid4()}
    table = live.dealt(people=4, hands=live.HANDS)
    seat = "; ".join(f"{one.key}={one.value}" for one in live.browser_of(table, 0).cookies.values())
    move = {"do": "play", "cards": "3S", "version": table.version}
    return {
        "sign-up": web.ask(reverse("account_signup"), {"email": new, "password1": PASSWORD}),
        "sign-in": web.ask(reverse("account_login"), {"login": new, "password": PASSWORD}),
        "reset": web.ask("/accounts/password/reset/", {"email": known}),
        "entry": web.ask(
            table_link(sitting), game, Accept="application/json"
        ),
        "move": web.ask(
            reverse("tables:act", args=[table.key]), move, Cookie=f"csrftoken={TOKEN}; {seat}",
            Accept="application/json",
        ),
    }  # fmt: skip


@contextmanager
def mail_process() -> Iterator[None]:
    """Send what is due beside the block, as the worker of queue `mail` does."""

    def work() -> None:
        try:
            tasks.send_mail.apply(throw=True)
        finally:
            connections.close_all()

    working = threading.Thread(target=work)
    working.start()
    yield
    working.join()


def show(mood: str, found: dict[str, Answer]) -> None:
    figures = "  ".join(f"{what} {1000 * answer.seconds:4.0f} ms" for what, answer in found.items())
    print(f"{mood:22} {figures}")


def test_all_is_answered_without_a_mail_server():
    with served() as web:
        answers(web)  # The first of each reads templates.
        found = answers(web)
    assert {answer.status < 400 for answer in found.values()} == {True}
    show("no mail", found)


@pytest.mark.parametrize("mood", MOODS)
def test_all_is_answered_while_the_mail_server_hangs(mood, settings):
    settings.HAS_MAIL, settings.EMAIL_BACKEND = True, "accounts.smtp.Backend"
    settings.EMAIL_HOST, settings.EMAIL_USE_TLS, settings.EMAIL_USE_SSL = "127.0.0.1", False, False
    with mailbox() as server, served(EMAIL_URL=f"smtp://127.0.0.1:{server.port}") as web:
        MOODS[mood](server)
        settings.EMAIL_PORT = server.port
        answers(web)
        assert server.calls == 0
        assert SecurityMail.objects.filter(kind__in=["confirm", "reset"]).count() == 2
        with mail_process():
            try:
                assert wait_until(lambda: server.held == 1, seconds=60)
                found = answers(web)
                assert {answer.status < 400 for answer in found.values()} == {True}
                assert (server.calls, server.held) == (1, 1), "it hangs, and nobody else asked it"
            finally:
                server.before_data = server.seconds = 0
                server.let_go.set()
    show(mood, found)


def test_all_is_answered_while_the_mail_server_is_down():
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        with served(EMAIL_URL=f"smtp://127.0.0.1:{nobody.getsockname()[1]}") as web:
            answers(web)
            found = answers(web)
    assert {answer.status < 400 for answer in found.values()} == {True}
    due = SecurityMail.objects.filter(due_at__lte=timezone.now(), kind__in=["confirm", "reset"])
    assert due.count() == 4, "nobody has tried to send one"
    show("down", found)
