"""No byte that a program gets over the API depends on cards that its seat may not know.

The same two worlds as in test_live_leaks: one public log, other hidden cards.
"""

import json
import random
import re
from functools import partial
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction

from engine.rules.outcome import outcome
from tables.base.fifo_cache import forget_all
from tables.live import feed_stream
from tables.models import Game, Seat, Table
from tables.play.acts import games
from tables.play.facts import positions
from tests.shares import share
from tests.tables import live
from tests.tables.live import FOUR_TWOS
from tests.tables.test_live_leaks import (
    BY_CHANCE,
    CASES,
    compare,
    not_his,
)
from tests.tables.test_play_api import Program

pytestmark = pytest.mark.django_db
VARYING = re.compile(r'"milliseconds": ?\d+')


def programs_at(table: Table) -> dict[int | None, Program]:
    """A program for each chair, and one that only watches."""
    found: dict[int | None, Program] = {None: Program()}
    for no in range(table.players):
        found[no] = Program()
        Seat.objects.filter(table=table, no=no, left_at=None).update(
            user=found[no].user, token_hash=""
        )
    return found


def received(table: Table, program: Program, seat: int | None) -> dict[str, Any]:
    """Every byte that the program can get: answers, refusals, headers, lines of its stream."""
    forget_all()
    cache.clear()
    found = {}
    for name in ("table", "stream", "hints", "rules"):
        found[name] = said(program.get(name, table.key))
    line = feed_stream.read(table.key, listeners(table, program))[program.user]
    found["line"] = VARYING.sub('"milliseconds": 0', line.now().decode())
    version = Table.objects.get(pk=table.pk).version
    tries = ["3S 5H"]
    if seat is None or not_his(live.current(table), seat):
        tries += ["pass", "2H", "ask 2"]
    for number, action in enumerate(tries):
        with transaction.atomic():  # A try that is legal after all must not change the game.
            answer = program.post(
                "moves", table.key, action=action, version=version, client_id=f"probe-{number}"
            )
            transaction.set_rollback(True)
        found[f"refused {action}"] = said(answer)
    return found


def listeners(table: Table, program: Program) -> frozenset[Any]:
    """The accounts whose lines are made together: everybody who sits there, and this one."""
    there = Seat.objects.filter(table=table, left_at=None, user__isnull=False)
    return frozenset([program.user, *(seat.user for seat in there.select_related("user"))])


def said(answer: Any) -> tuple[int, str, dict[str, str]]:
    headers = {k: v for k, v in answer.headers.items() if k not in BY_CHANCE}
    return answer.status_code, VARYING.sub('"milliseconds": 0', answer.content.decode()), headers


@pytest.mark.parametrize(("rules", "players", "options"), share(CASES, 1, of=2))
def test_no_program_gets_a_byte_that_depends_on_cards_it_may_not_know(rules, players, options):
    rng = random.Random(f"api leak {rules} {players}")
    compared = 0
    while compared < 2:
        table = live.open_table(rules, players, people=players, **options)
        programs = programs_at(table)
        live.deal(table)
        for moves in (0, 3, 9):
            game = live.play_on(table, moves=moves)
            if game.over_at:
                break
            viewer = rng.choice([None, *range(players)])
            look = partial(received, table, programs[viewer], viewer)
            compared += compare(game, viewer, look, rng)


def test_in_the_window_a_program_learns_nothing_of_the_instant_wins_of_others():
    table = live.open_table("tien-len", 4, people=4)
    programs = programs_at(table)
    game = live.set_hands(table, FOUR_TWOS)
    swap = {"2S": "8D", "2C": "QD", "2D": "4D", "2H": "5H"}
    plain = " ".join(swap.get(card, card) for card in FOUR_TWOS[0].split())
    other = [plain, *FOUR_TWOS[1:3], "3H 7H 8H 9H TH JH QH KH AH 2S 2C 2D 2H"]
    worlds = []
    for hands in (FOUR_TWOS, other):
        Game.objects.filter(pk=game.pk).update(dealt=hands)
        worlds.append([received(table, programs[seat], seat) for seat in (1, 2, None)])
    assert worlds[0] == worlds[1]
    assert json.loads(worlds[0][0]["table"][1])["now"]["phase"] == "window"


def test_an_answer_in_the_window_shows_in_nobody_elses_bytes():
    table = live.open_table("tien-len", 4, people=4)
    programs = programs_at(table)
    live.set_hands(table, FOUR_TWOS)
    before = [received(table, programs[seat], seat) for seat in (1, None)]
    answered = programs[0].post("answer", table.key, declare=False)
    assert answered.json()["now"]["declares"] is False
    assert [received(table, programs[seat], seat) for seat in (1, None)] == before


def test_the_hand_of_a_seat_is_in_its_own_bytes_alone():
    table = live.open_table("penguin", 4, people=4)
    programs = programs_at(table)
    game = live.deal(table)
    assert outcome(positions.replay_of(game).state).finished is False
    for seat in range(4):
        now = json.loads(received(table, programs[seat], seat)["table"][1])["now"]
        assert sorted(now["hand"].split()) == sorted(game.dealt[seat].split())
    assert games.current(Table.objects.get(pk=table.pk)).pk == game.pk
