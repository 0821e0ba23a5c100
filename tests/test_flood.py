"""A stranger who takes all there is at once: a real server, its real limits, three networks."""

from __future__ import annotations

import http.client
import itertools
import socket
import statistics
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse

from accounts.models import SecurityMail, User
from config import bounds, held
from config.connections import ANSWER_SECONDS, BODY_SECONDS
from config.server import facts as server_facts
from engine.rules import ruleset
from league.models import Club, Result
from league.nights.domain import entry
from tables.chairs.acts import seats
from tables.live import tokens
from tables.models import Table, Tryout
from tables.runs import tryouts
from tests.factories import (
    browser_of,
    make_club,
    make_night,
    make_table,
    make_user,
    path_of,
    table_link,
)
from tests.league.news.mailbox import mailbox
from tests.served import TOKEN, Served, served

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("empty_cache"),
]


NETWORKS = ("127.1.0.1", "127.2.0.1", "127.3.0.1")
SLOW_BODIES, UNREAD, IDLE, STREAMS = 20, 100, 100, 40
"""Connections of each network."""
STREAMS_TAKEN, TRIES, MAILS = 20, 20, 12
VICTIM = "lan@club.example"
POOLS = 20
"""Connections to PostgreSQL and Valkey that the work of a full house may open and keep."""
SCRAPER = "m" * 32
LONG_FILE = f"{settings.STATIC_URL}rest_framework/css/bootstrap.min.css.map"
"""540 kB, which are not compressed."""


def figures(web: Served) -> dict[str, float]:
    text = web.ask("/metrics/", Authorization=f"Bearer {SCRAPER}").text
    lines = [line.rsplit(" ", 1) for line in text.splitlines() if line[:1] != "#"]
    return {name: float(value) for name, value in lines}


def holds(web: Served, kind: str) -> float:
    return figures(web)[f'tienlen_held_bytes{{kind="{kind}"}}']


def waiting_now() -> int:
    """Return how many quick tasks wait, of this test and of those before it."""
    broker = server_facts.broker()
    assert broker
    return broker.queues["quick"]


def temporary_bytes(web: Served) -> int:
    """Return the size of files that the process has open and that have no name any more."""
    found = 0
    for link in Path(f"/proc/{web.process.pid}/fd").iterdir():
        with suppress(FileNotFoundError):
            if "(deleted)" in str(link.readlink()):
                found += link.stat().st_size
    return found


def connections_of(web: Served) -> int:
    found = 0
    for link in Path(f"/proc/{web.process.pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # It was closed meanwhile.
            found += "socket:" in str(link.readlink())
    return found


class Stranger:
    """Somebody in one network, who takes all there is and leaves it as it is."""

    def __init__(self, web: Served, address: str, table: Table, club: Club) -> None:
        self.web, self.address, self.table, self.club = web, address, table, club
        self.slow: list[socket.socket] = []
        self.streams: list[socket.socket] = []
        self.lines: list[socket.socket] = []
        self.ends = threading.Event()
        self.thread = threading.Thread(target=self._send_slowly, daemon=True)

    def line(self, *, buffer: int = 0) -> socket.socket:
        line = socket.socket()
        if buffer:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        line.settimeout(10)
        line.bind((self.address, 0))
        line.connect(("127.0.0.1", self.web.port))
        self.lines.append(line)
        return line

    def take_all(self) -> None:
        stream = f"/live/tables/{self.table.key}/?token={tokens.make(self.table)}&release=any"
        for _ in range(STREAMS):
            self.streams.append(line := self.line())
            line.sendall(f"GET {stream} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        try_code = path_of(self.club, "bot_try")
        for _ in range(TRIES):
            self.ask(try_code, {"code": "class Mine:\n    def choose(self, view): pass"})
        for _ in range(MAILS):
            self.ask(reverse("account_reset_password"), {"email": VICTIM})
        for _ in range(IDLE):
            self.line()
        for _ in range(UNREAD):
            self.line(buffer=2048).sendall(
                f"GET {LONG_FILE} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
            )
        for _ in range(SLOW_BODIES):
            line = self.line()
            head = "POST /accounts/login/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2500000"
            try:
                line.sendall(head.encode() + b"\r\n\r\n" + b"x" * 2_000_000)
            except OSError:
                continue  # It was too much already.
            self.slow.append(line)
        self.thread.start()

    def ask(self, path: str, data: dict[str, object]) -> None:
        assert self.web.ask(path, data, source=self.address).status < 500

    def _send_slowly(self) -> None:
        while not self.ends.wait(1):
            for line in self.slow:
                with suppress(OSError):
                    line.send(b"x" * 1200)

    def look_away(self) -> None:
        for line in self.streams:
            line.close()

    def close(self) -> None:
        self.ends.set()
        for line in self.lines:
            line.close()


def speed_of(asks: Callable[[], object], times: int) -> float:
    spent = []
    for _ in range(times):
        began = time.monotonic()
        asks()
        spent.append(time.monotonic() - began)
    return statistics.median(spent)


def soon(condition: Callable[[], bool], *, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.5)
    return True


@pytest.mark.long
def test_all_that_strangers_take_is_bounded_and_let_go_while_a_night_goes_on():
    User.objects.create_user(VICTIM, "mot-hai-ba-bon")
    sitting = make_table(make_night(games_per_round=40))
    club = make_club(is_public=True)
    table = seats.open_table(ruleset=ruleset.preset("thirteen"), players=4)
    there = table_link(sitting)
    order = entry.write_order([[place.entrant_id] for place in sitting.seated])
    numbers = itertools.count(1)

    def ordinary() -> None:
        page = web.ask("/")
        game = {"game_no": next(numbers), "order": order, "specials": "", "client_id": uuid.uuid4()}
        entered = web.ask(there, game, Accept="application/json")
        assert (page.status, entered.status) == (200, 200), entered.text

    with mailbox() as mails, served(
        METRICS_TOKEN=SCRAPER, TABLES_STREAMS_PER_ADDRESS=str(STREAMS_TAKEN),
        TIENLEN_BOT_UPLOADS="1", EMAIL_URL=f"smtp://127.0.0.1:{mails.port}",
    ) as web:  # fmt: skip
        ordinary()
        calm = speed_of(ordinary, 5)
        files, queued = temporary_bytes(web), waiting_now()
        memory, before = figures(web)["process_resident_memory_bytes"], connections_of(web)
        strangers = [Stranger(web, address, table, club) for address in NETWORKS]
        try:
            taking = [threading.Thread(target=one.take_all) for one in strangers]
            for thread in taking:
                thread.start()
            ordinary()  # While they come.
            for thread in taking:
                thread.join()
            busy = speed_of(ordinary, 5)
            assert busy < 2 * calm + 0.5
            for kind, budget in (("bodies", held.BODIES), ("answers", held.ANSWERS)):
                assert budget.most / 3 < holds(web, kind) <= budget.most, kind
            assert temporary_bytes(web) == files
            streams = figures(web)['tienlen_streams{kind="pages"}']
            assert 0 < streams <= STREAMS_TAKEN * len(NETWORKS)
            # The queue is asked before it is joined: as many more as come at once.
            assert 0 < Tryout.objects.count() <= tryouts.MOST_WAITING + len(NETWORKS)
            assert waiting_now() - queued <= tryouts.MOST_WAITING + len(NETWORKS)
            assert 0 < SecurityMail.objects.filter(kind="reset").count() <= 3
            assert mails.got == [], "no request sends one"
            most = held.BODIES.most + held.ANSWERS.most
            grown = figures(web)["process_resident_memory_bytes"] - memory
            assert grown < 2 * most, f"{grown / 1e6:.0f} MB"
            for one in strangers:
                one.ends.set()
                one.look_away()
            # The connections are still there: the server lets go of them.
            assert soon(lambda: holds(web, "bodies") == 0, seconds=3 * BODY_SECONDS)
            assert soon(lambda: holds(web, "answers") == 0, seconds=2 * ANSWER_SECONDS)
            assert soon(lambda: connections_of(web) <= before + POOLS, seconds=ANSWER_SECONDS)
        finally:
            for one in strangers:
                one.close()
    assert Result.objects.filter(sitting=sitting).count() == next(numbers) - 1


class Upload:
    """A file on its way to an address that takes files."""

    def __init__(self, web: Served, session: str, *, size: int, path: str = "") -> None:
        self.line = http.client.HTTPConnection("127.0.0.1", web.port, timeout=30)
        self.boundary = uuid.uuid4().hex
        head = (
            f'--{self.boundary}\r\nContent-Disposition: form-data; name="file"; '
            'filename="club.zip"\r\nContent-Type: application/zip\r\n\r\n'
        ).encode()
        end = f"\r\n--{self.boundary}--\r\n".encode()
        self.line.putrequest("POST", path or reverse("league:club_import"), skip_host=True)
        for name, value in {
            "Host": "localhost",
            "Cookie": f"csrftoken={TOKEN}; {settings.SESSION_COOKIE_NAME}={session}",
            "X-CSRFToken": TOKEN,
            "Content-Type": f"multipart/form-data; boundary={self.boundary}",
            "Content-Length": str(len(head) + size + len(end)),
        }.items():
            self.line.putheader(name, value)
        self.line.endheaders(head)
        self.rest, self.end = size, end

    def send(self, size: int) -> Upload:
        self.line.send(b"x" * size)
        self.rest -= size
        return self

    def finish(self) -> tuple[int, str]:
        self.line.send(b"x" * self.rest + self.end)
        answer = self.line.getresponse()
        text = answer.read().decode()
        self.line.close()
        return answer.status, text


def session_of(user: User) -> str:
    return browser_of(user).cookies[settings.SESSION_COOKIE_NAME].value


@pytest.fixture(scope="module")
def web(django_db_setup: None) -> Iterator[Served]:
    with served(METRICS_TOKEN=SCRAPER) as web:
        yield web


def test_large_files_are_taken_from_accounts_where_files_go_one_at_a_time(web):
    lan, mai = session_of(make_user()), session_of(make_user())
    large = 5_000_000
    for session, path in (("", ""), ("wrong", ""), (lan, reverse("account_login"))):
        status, text = Upload(web, session, size=large, path=path).finish()
        assert (status, text.count(".")) == (413, 1 if path == "" else 2), text
    status, text = Upload(web, lan, size=bounds.MOST_UPLOADED).finish()
    assert (status, text[:17]) == (413, "This is too large")

    first = Upload(web, lan, size=large).send(large - 1000)
    assert soon(lambda: holds(web, "uploads") > large, seconds=10)
    status, text = Upload(web, lan, size=large).finish()
    assert (status, text[:18]) == (429, "Another large file")
    other = Upload(web, mai, size=large).send(100)
    assert soon(lambda: holds(web, "uploads") > 2 * large, seconds=10)
    assert other.finish()[0] == 302
    assert first.finish()[0] == 302
    assert holds(web, "uploads") == 0
    assert Upload(web, lan, size=large).finish()[0] in (
        302,
        422,
    )  # Its page says what is wrong.


def test_the_room_for_large_files_is_bounded(web):
    sessions = [session_of(make_user()) for _ in range(2)]
    size = held.UPLOADS.most // 2 - 1_000_000
    first = Upload(web, sessions[0], size=size).send(100)
    assert soon(lambda: holds(web, "uploads") > size, seconds=10)
    status, text = Upload(web, sessions[1], size=5_000_000).finish()
    assert (status, text) == (
        503, "The server is receiving too much at once. Try again in a minute.",
    )  # fmt: skip
    first.line.close()
    assert soon(lambda: holds(web, "uploads") == 0, seconds=10)
