"""A move by one statement: it stores what the long way stores, or nothing at all."""

import datetime
import random
from typing import Any

import pytest
from django.db import connection

from engine.rules.actions import SeatAction
from engine.rules.game import legal_actions
from engine.rules.state import PLAY
from tables.base import announce
from tables.base.fifo_cache import forget_all
from tables.models import Action, Seat, Table
from tables.play.acts import fast_move, games, sweeps
from tables.play.facts import positions
from tables.play.facts.positions import Position
from tests.tables import live
from tests.tables.test_live_leaks import CASES
from tests.tables.test_live_races import at_once
from tests.tables.test_positions import row, told

pytestmark = pytest.mark.django_db(transaction=True)

THREE = SeatAction(0, "play", (0,))


def take(known: Position, action: SeatAction = THREE, **more: Any) -> Position | None:
    seat = known.seats[more.pop("no", action.seat)]
    asked = {"expected": known.table.version, "client_id": "one"} | more
    return fast_move.take(known, seat, action=action, **asked)


def nothing_happened(table: Table, before: Position) -> bool:
    return not Action.objects.exists() and positions.stamp_of(row(table)) == before.stamp


def test_a_move_is_one_statement(table, django_assert_num_queries):
    known = positions.of(row(table))
    with django_assert_num_queries(1):
        after = take(known)
    assert after is not None
    logged = Action.objects.get()
    assert (logged.version, logged.seq, logged.seat, logged.made_by) == (
        after.table.version,
        1,
        0,
        "player",
    )
    assert (logged.body, logged.client_id) == ({"seat": 0, "do": "play", "cards": "3S"}, "one")
    assert after.table.moved_version == after.table.version == known.table.version + 1


def test_the_server_plans_a_move_once(table):
    known = positions.of(row(table))
    for _ in range(4):
        take(known)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%WITH moved AS%'"
        )
        assert cursor.fetchone() == (1,)


@pytest.mark.parametrize(("rules", "players", "options"), CASES[:6])
def test_what_it_leaves_is_what_the_database_says(rules, players, options):
    """Whole games: everybody's move is taken so where it can be, and else the long way."""
    forget_all()
    table = live.open_table(rules, players, people=players, **options)
    rng = random.Random(f"turns {rules} {players}")
    live.deal(table)
    taken = 0
    for number in range(400):
        known = positions.of(row(table))
        if known.table.status != Table.Status.PLAYING:
            break
        game, replayed = known.on()
        if game.pause:
            live.hurry(table)
            continue
        action = rng.choice(legal_actions(replayed.state))
        move = {
            "expected": known.table.version,
            "client_id": f"move {number}",
            "action": action,
        }
        after = fast_move.take(known, known.seats[action.seat], **move)
        if after is None:
            games.act(table_id=table.pk, seat_id=known.seats[action.seat].pk, **move)
            assert known.on()[1].state.phase != PLAY or live.current(table).over_at
            continue
        taken += 1
        kept = told(after)
        forget_all()
        assert told(positions.of(row(table))) == kept
    assert taken > 10


def test_the_past_changes_nothing(table):
    known = positions.of(row(table))
    live.act(table, 0, "play", "3S")
    assert take(known, SeatAction(0, "play", (4,)), client_id="other") is None
    assert Action.objects.count() == 1


def test_the_same_move_again_is_not_stored_again(table):
    after = take(positions.of(row(table)))
    assert after is not None
    assert take(after, SeatAction(1, "play", (1,)), client_id="one") is not None  # Another chair's.
    known = positions.of(row(table))
    for no, card in ((2, 2), (3, 3)):
        known = take(known, SeatAction(no, "play", (card,)), client_id=f"chair {no}")
    assert take(known, SeatAction(0, "pass"), client_id="one") is None
    assert Action.objects.count() == 4


def test_what_the_game_does_not_allow_is_left_to_the_long_way(table):
    known = positions.of(row(table))
    assert take(known, SeatAction(0, "play", (4,))) is None
    assert take(known, SeatAction(1, "play", (1,))) is None
    assert take(known, THREE, no=1) is None
    assert take(known, expected=known.table.moved_version - 1) is None
    assert take(known, SeatAction(0, "trade", (0,), other=1, take=(1,))) is None
    assert nothing_happened(table, known)


def test_a_player_who_comes_back_gets_his_seat_back_the_long_way(table):
    Seat.objects.filter(table=table, no=0).update(autopilot=True)
    forget_all()
    known = positions.of(row(table))
    assert take(known) is None
    assert nothing_happened(table, known)


def test_time_beyond_that_of_a_move_comes_off_the_bank_the_long_way(table):
    long_ago = live.timezone.now() - datetime.timedelta(seconds=table.move_seconds + 5)
    Table.objects.update(turn_at=long_ago)
    known = positions.of(row(table))
    assert take(known) is None
    assert nothing_happened(table, known)


@pytest.mark.parametrize("clock", ["due_at", "turn_at"])
def test_a_move_decided_on_an_old_clock_is_left_to_the_long_way(table, clock):
    """A database that lost its newest moves counts the same versions again."""
    known = positions.of(row(table))
    Table.objects.update(**{clock: live.timezone.now() + datetime.timedelta(seconds=1)})
    assert take(known) is None
    assert not Action.objects.exists()


def test_of_two_moves_on_one_position_exactly_one_is_stored(table):
    known = positions.of(row(table))
    came = []
    at_once(*[lambda name=name: came.append(take(known, client_id=name)) for name in "abcd"])
    assert sum(position is not None for position in came) == 1
    assert Action.objects.count() == 1


def test_a_bot_that_is_next_has_its_time(table):
    Seat.objects.filter(table=table, no=1).update(bot="greedy", token_hash="")
    forget_all()
    after = take(positions.of(row(table)))
    assert after is not None
    assert after.table.due_at - after.table.turn_at < datetime.timedelta(seconds=10)
    assert not after.table.thinks  # This one plays at a glance.


def test_a_move_that_was_not_stored_is_never_found(table):
    known = positions.of(row(table))
    live.act(table, 0, "play", "3S")
    assert take(known, client_id="other") is None
    found = positions.known(table.key, announce.name_of(row(table)))
    assert found is not None
    assert [event.action for event in found.on()[1].state.log] == [THREE]
    assert found.stamp == positions.stamp_of(row(table))


def test_a_quick_bot_moves_by_one_statement_after_the_question_what_is_due(
    table, django_assert_num_queries
):
    Seat.objects.filter(table=table, no=0).update(bot="greedy", token_hash="")
    forget_all()
    Table.objects.update(due_at=live.timezone.now())
    positions.of(row(table))
    with django_assert_num_queries(2):
        assert sweeps.sweep() == 1
    assert Action.objects.values_list("made_by", "client_id").get() == ("bot", None)
    assert positions.of(row(table)).table.moved_version == row(table).version


@pytest.mark.parametrize("change", [{"bot": "sage"}, {"autopilot": True}, {}])
def test_only_a_bot_that_is_quick_moves_so(table, change):
    holder = {"token_hash": ""} if "bot" in change else {}
    Seat.objects.filter(table=table, no=0).update(**change, **holder)
    Table.objects.update(due_at=live.timezone.now())
    forget_all()
    known = positions.of(row(table))
    assert fast_move.take_for_bot(known) is None
    assert nothing_happened(table, known)


def test_the_house_bot_moves_for_who_sits_out_when_that_is_due(table):
    Seat.objects.filter(table=table, no=0).update(autopilot=True, away=True)
    forget_all()
    assert fast_move.take_for_bot(positions.of(row(table))) is None
    Table.objects.update(due_at=live.timezone.now())
    after = fast_move.take_for_bot(positions.of(row(table)))
    assert after is not None
    assert Action.objects.get().made_by == "bot"
