"""A night at real phones while the web process is killed again and again: nothing lost or doubled.

Every request is sent again until it is answered, with the key it had. About every fourth kills the
process that serves it: before it is sent, while it is worked on, or when it is saved and not yet
answered. What others asked at that moment dies with it.
"""

import http.client
import json
import os
import random
import subprocess
import sys
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from itertools import chain
from typing import Any
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.urls import reverse

from engine.rules.specials import Special
from league.base.domain import stored_specials
from league.models import Audit, Result, Sitting
from league.nights.domain import entry
from tests import factories
from tests.factories import browser_of, make_night, owner_of, path_of, secret_of
from tests.league.nights.played import check, some_outcome
from tests.scripts import SCRIPT

pytestmark = pytest.mark.django_db(transaction=True)

GAMES = 2
# How probable it is that a request is the last one of the process that serves it.
KILLED_BEFORE, KILLED_IN_THE_MIDDLE, KILLED_AFTER = 0.06, 0.2, 0.3
TOKEN = "c" * 32
GIVE_UP_SECONDS = 120


class Server:
    """The web process of `tests.league.nights.killable`, and what was done to it."""

    def __init__(self) -> None:
        self.told: Counter[str] = Counter()
        self.lock = threading.Lock()
        environment = os.environ | {
            "TEST_DATABASE": connection.settings_dict["NAME"],
            "DJANGO_SETTINGS_MODULE": "tests.settings",
        }
        self.process = subprocess.Popen(
            [sys.executable, "-c", START],
            cwd=settings.BASE_DIR,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline())

    def kill(self) -> None:
        assert self.process.stdin is not None
        with self.lock:
            self.process.stdin.write("kill\n")
            self.process.stdin.flush()
            self.told["kills"] += 1

    def count(self, what: str) -> None:
        with self.lock:
            self.told[what] += 1

    def stop(self) -> None:
        self.process.communicate(timeout=GIVE_UP_SECONDS)


START = "import django; django.setup(); from tests.league.nights.killable import main; main()"


@pytest.fixture
def server() -> Iterator[Server]:
    running = Server()
    yield running
    running.stop()


@dataclass(frozen=True)
class Answer:
    status: int
    location: str
    body: bytes

    @property
    def state(self) -> dict[str, Any]:
        return dict(json.loads(self.body))


class Phone:
    """Somebody's browser: it sends what it has to say until it is answered."""

    def __init__(self, server: Server, dice: random.Random, session: str = "") -> None:
        self.server, self.dice, self.session = server, dice, session

    def get(self, path: str) -> Answer:
        return self._ask("GET", path, None, None)

    def post(
        self, path: str, *, is_saved: Callable[[], bool] | None = None, **data: object
    ) -> Answer:
        """`is_saved` looks whether an answer that was lost had been earned already."""
        return self._ask("POST", path, urlencode(data), is_saved)

    def _ask(self, method: str, path: str, body: str | None, is_saved: Any) -> Answer:
        self.server.count("requests")
        chance = self.dice.random()
        if chance < KILLED_BEFORE:
            self.server.kill()
        cut = None
        if KILLED_BEFORE < chance < KILLED_IN_THE_MIDDLE:
            cut = partial(time.sleep, self.dice.random() * 0.06)
        elif KILLED_IN_THE_MIDDLE < chance < KILLED_AFTER and is_saved is not None:
            cut = partial(self._wait_until, is_saved, self.server.told["kills"])
        give_up = time.monotonic() + GIVE_UP_SECONDS
        while time.monotonic() < give_up:
            try:
                answer = self._send(method, path, body, cut)
                if answer.status != HTTPStatus.SERVICE_UNAVAILABLE:
                    return answer
                cut = None  # It is too busy, has done nothing, and asks to try again.
                self.server.count("told to try again")
            except (OSError, http.client.HTTPException):
                cut = None
                self.server.count("answers lost")
                if is_saved is not None and is_saved():
                    self.server.count("saved, and the answer lost")
        raise AssertionError("the server never answered")

    def _wait_until(self, is_saved: Callable[[], bool], kills: int) -> None:
        """Until it is saved, or another phone's kill hit the server before."""
        while not is_saved() and self.server.told["kills"] == kills:
            time.sleep(0.005)

    def _send(self, method: str, path: str, body: str | None, cut: Any) -> Answer:
        cookies = f"csrftoken={TOKEN}; {settings.SESSION_COOKIE_NAME}={self.session}"
        headers = {"Cookie": cookies, "X-CSRFToken": TOKEN, "Host": "localhost"}
        if "/~table/" in path:
            headers |= SCRIPT
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        asking = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30)
        try:
            asking.request(method, path, body, headers)
            if cut is not None:
                cut()  # Until the server is somewhere in the middle of it, or has saved it.
                self.server.kill()
                raise ConnectionError
            got = asking.getresponse()
            return Answer(got.status, got.headers.get("Location", ""), got.read())
        finally:
            asking.close()


@dataclass(frozen=True)
class Saved:
    """A game as it was entered last, `versions` times in all."""

    client_id: uuid.UUID
    groups: list[list[int]]
    specials: list[Special]
    versions: int = 1


class Night:
    """An organiser, tables with so many `phones` at a time, and people who come and go."""

    def __init__(self, server: Server, players: int, late: int, seed: int, phones: int) -> None:
        self.server, self.dice, self.phones = server, random.Random(seed), phones
        self.event = make_night(players, rules="mien-nam", stake=1, games_per_round=GAMES)
        self.club = self.event.season.club
        client = browser_of(owner_of(self.club))
        session = client.cookies[settings.SESSION_COOKIE_NAME].value
        self.organiser = Phone(server, random.Random(seed + 1), session)
        self.saved: dict[tuple[int, int], Saved] = {}
        self.guests = 0
        people = [entrant.player_id for entrant in self.event.entrants.order_by("pk")]
        self.late = people[-late:]
        self.mark("not here yet", self.late)

    def address(self, name: str, *more: int) -> str:
        return path_of(self.club, name, self.event.pk, *more)

    def mark(self, presence: str, people: list[int]) -> None:
        for player in people:
            sent = self.organiser.post(self.address("check_in"), presence=presence, player=player)
            assert sent.status == 302

    def play_round(self, number: int) -> None:
        self.mark("here", [self.late.pop() for _ in range(min(2, len(self.late)))])
        if number > 1:
            here = self.event.entrants.filter(presence="here").order_by("pk")
            self.mark("left", [self.dice.choice(list(here)).player_id])
        assert self.organiser.post(self.address("draw")).status == 302
        seen = self.event.rounds.get(number=number).version
        assert self.organiser.post(self.address("release", number), version=seen).status == 302
        round_ = self.event.rounds.get(number=number, status="released")
        tables = [
            (sitting, secret_of(sitting), [p.entrant_id for p in sitting.seated])
            for sitting in round_.sittings.all()
        ]
        dice = [random.Random(self.dice.random()) for _ in tables]
        with ThreadPoolExecutor(self.phones) as people:
            list(people.map(lambda one: self.play_table(number, *one[0], one[1]),
                            zip(tables, dice, strict=True)))  # fmt: skip
        for sitting, _secret, _people in tables:
            self.correct_some(number, sitting)

    def play_table(
        self, number: int, sitting: Sitting, secret: str, players: list[int], dice: random.Random
    ) -> None:
        here = reverse("league:link_table", args=[secret])
        phone = Phone(self.server, dice)
        for game_no in range(1, GAMES + 1):
            groups, specials = some_outcome(dice, players)
            key = uuid.UUID(int=dice.getrandbits(128), version=4)
            answer = phone.post(
                here,
                is_saved=lambda key=key: self.is_saved(key),
                game_no=game_no,
                order=entry.write_order(groups),
                specials=entry.write_specials(specials),
                client_id=key,
            )
            assert (answer.status, answer.state["next"]) == (200, game_no + 1), answer.body[:300]
            self.saved[sitting.pk, game_no] = Saved(key, groups, specials)
            if game_no < GAMES and self.somebody_comes_or_goes(number, sitting, players, dice):
                answer = phone.get(here)
            players = answer.state["players"]
        connection.close()

    def is_saved(self, key: uuid.UUID) -> bool:
        return Result.objects.filter(client_id=key).exists()

    def somebody_comes_or_goes(
        self, number: int, sitting: Sitting, players: list[int], dice: random.Random
    ) -> bool:
        chance = dice.random()
        if chance > 0.4:
            return False
        organiser = Phone(self.server, dice, self.organiser.session)
        leaves = dice.choice(players) if chance < 0.3 else ""
        comes = "" if chance < 0.1 else self.guest(organiser)
        path = self.address("chairs", number, sitting.table_no)
        assert organiser.post(path, leaves=leaves, comes=comes).status == 302
        return True

    def guest(self, organiser: Phone) -> int:
        with self.server.lock:
            self.guests += 1
            name = f"Guest {self.guests}"
        assert organiser.post(self.address("guest"), name=name).status == 302
        return int(self.event.entrants.get(player__name=name).pk)

    def correct_some(self, number: int, sitting: Sitting) -> None:
        for game_no in range(1, GAMES + 1):
            if self.dice.random() > 0.15:
                continue
            before = self.saved[sitting.pk, game_no]
            groups, specials = some_outcome(self.dice, list(chain(*before.groups)))
            after = Saved(
                uuid.UUID(int=self.dice.getrandbits(128), version=4), groups, specials,
                before.versions + 1,
            )  # fmt: skip
            answer = self.organiser.post(
                self.address("game", number, sitting.table_no, game_no),
                is_saved=lambda after=after: self.is_saved(after.client_id),
                version=before.versions,
                order=entry.write_order(groups),
                specials=entry.write_specials(specials),
                client_id=after.client_id,
                reason="wrong",
            )
            assert answer.status == 302, answer.body[-2000:]
            self.saved[sitting.pk, game_no] = after

    def close(self) -> None:
        answer = self.organiser.post(self.address("event_status"), status="closed")
        self.event.refresh_from_db()
        assert self.event.status == "closed", (answer.status, answer.body[-2000:])


def play(night: Night, rounds: int) -> None:
    for number in range(1, rounds + 1):
        night.play_round(number)
    night.close()


def check_night(night: Night, rounds: int) -> None:
    """Everything that was entered is there once, as it was entered last, and all adds up."""
    stored = {
        (result.sitting_id, result.game_no): result
        for result in Result.objects.filter(current=True).prefetch_related("placings")
    }
    assert stored.keys() == night.saved.keys()
    for where, saved in night.saved.items():
        result = stored[where]
        groups: dict[int, set[int]] = {}
        for placing in result.placings.all():
            groups.setdefault(placing.rank, set()).add(placing.entrant_id)
        assert list(map(set, saved.groups)) == [groups[rank] for rank in sorted(groups)]
        assert result.specials == stored_specials.to_json(saved.specials)
        assert (result.client_id, result.version) == (saved.client_id, saved.versions)
    versions = sum(saved.versions for saved in night.saved.values())
    assert Result.objects.count() == versions
    written = Audit.objects.filter(action__in=["result.recorded", "result.corrected"])
    assert written.count() == versions
    assert list(night.event.rounds.values_list("number", "status")) == [
        (number, "released") for number in range(1, rounds + 1)
    ]
    names = night.club.players.filter(name__startswith="Guest ").count()
    assert names == night.guests
    check(night.event, games=GAMES)
    call_command("verify")


@pytest.mark.always
def test_a_night_survives_a_web_process_that_is_killed_again_and_again(server):
    night = Night(server, players=5, late=1, seed=7, phones=1)
    play(night, rounds=2)
    check_night(night, rounds=2)
    assert server.told["kills"] >= 5
    assert server.told["saved, and the answer lost"] >= 1


@pytest.mark.long
def test_ninety_seven_players_over_six_rounds_of_kills(server, monkeypatch, capsys):
    monkeypatch.setattr(factories, "NAMES", [f"Player {number:02}" for number in range(97)])
    started, load = time.monotonic(), os.getloadavg()[0]
    night = Night(server, players=97, late=9, seed=1, phones=4)
    play(night, rounds=6)
    seconds = time.monotonic() - started
    check_night(night, rounds=6)
    corrected = Counter(saved.versions for saved in night.saved.values())
    with capsys.disabled():
        print(f"\n97 players, 6 rounds, {seconds:.0f} s, load average {load:.1f} at the start:")
        rows = dict(server.told) | {
            "games entered": len(night.saved),
            "corrections": sum((versions - 1) * n for versions, n in corrected.items()),
            "people who walked in": night.guests,
        }
        for what, count in rows.items():
            print(f"| {what} | {count} |")
