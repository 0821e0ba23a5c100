"""Two at once at one table: exactly one move counts, and nothing is lost."""

import threading
from collections.abc import Callable
from typing import Any
from unittest.mock import Mock

import pytest
from django.db import IntegrityError, transaction
from kombu.exceptions import OperationalError

from engine.rules.actions import SeatAction
from engine.rules.errors import IllegalAction
from tables import tasks
from tables.chairs.acts import seats
from tables.models import Action, Game, Seat, Table
from tables.play.acts import games, sweeps
from tables.refusals import TableRefusal
from tests.races import race
from tests.tables import live
from tests.tables.live import HANDS

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*calls: Callable[[], Any]) -> list[str]:
    """What each of the calls came to that ran at the same moment."""
    refused = (TableRefusal, IllegalAction)
    came = race(*calls, refused=refused)
    return sorted(each.code if isinstance(each, refused) else "done" for each in came)


def dealt() -> Table:
    return live.dealt(people=4, hands=HANDS)


def move(table: Table, no: int, card: int, client_id: str) -> Callable[[], int]:
    seat = live.chair(table, no).pk
    version = table.version
    return lambda: games.act(
        table_id=table.pk,
        seat_id=seat,
        expected=version,
        client_id=client_id,
        action=SeatAction(no, "play", (card,)),
    )


def test_of_two_different_moves_at_once_exactly_one_counts():
    table = dealt()
    results = at_once(move(table, 0, 0, "one"), move(table, 0, 0, "other"))
    assert results == ["done", "stale"]
    assert Action.objects.count() == 1


def test_one_move_posted_eight_times_at_once_counts_once_and_answers_everybody():
    assert at_once(*[move(dealt(), 0, 0, "same")] * 8) == ["done"] * 8
    assert Action.objects.count() == 1


def test_a_move_and_its_time_out_at_once_make_one_action():
    table = dealt()
    Table.objects.filter(pk=table.pk).update(due_at=live.timezone.now())
    results = at_once(move(table, 0, 0, "late"), sweeps.sweep)
    assert results in (["done", "done"], ["done", "stale"])
    assert Action.objects.count() == 1


def test_two_sweeps_at_once_move_a_bot_once():
    table = live.dealt(people=1, hands=[HANDS[1], HANDS[0], *HANDS[2:]])
    Table.objects.filter(pk=table.pk).update(due_at=live.timezone.now())
    at_once(sweeps.sweep, sweeps.sweep, sweeps.sweep)
    assert Action.objects.count() == 1


def bots_are_due(count: int) -> list[int]:
    """Tables at which a bot is to move now."""
    tables = [live.open_table(people=1) for _ in range(count)]
    for table in tables:
        live.set_hands(table, [HANDS[1], HANDS[0], *HANDS[2:]])
    Table.objects.update(due_at=live.timezone.now())
    return [table.pk for table in tables]


def test_processes_share_the_due_tables_by_key_and_none_does_all(monkeypatch):
    monkeypatch.setattr(sweeps, "SHARDS", 2)
    tables = bots_are_due(8)
    counts = race(lambda: sweeps.sweep(0), lambda: sweeps.sweep(1), refused=())
    assert counts == [sum(table % 2 == shard for table in tables) for shard in (0, 1)]
    moved = Action.objects.values_list("game__table", flat=True)
    assert sorted(moved) == sorted(tables)


def test_where_much_is_due_every_worker_gets_a_part_of_it(monkeypatch):
    """A part that is asked for twice, or that two do at once, is done once."""
    monkeypatch.setattr(sweeps, "MANY", 3)
    asked: list[int] = []
    monkeypatch.setattr(
        tasks.sweep_shard, "apply_async", lambda shard, expires: asked.append(*shard)
    )
    tables = bots_are_due(4)
    tasks.sweep_tables()
    assert Action.objects.count() == 0
    assert asked == list(range(sweeps.SHARDS))
    done = race(*[lambda: sum(map(sweeps.sweep, asked))] * 2, refused=())
    assert Action.objects.count() == len(tables) <= sum(done)


def test_without_a_broker_one_worker_sweeps_all(monkeypatch):
    monkeypatch.setattr(sweeps, "MANY", 1)
    monkeypatch.setattr(tasks.sweep_shard, "apply_async", Mock(side_effect=OperationalError))
    bots_are_due(2)
    tasks.sweep_tables()
    assert Action.objects.count() >= 2


def test_two_guests_at_once_do_not_share_a_chair():
    table = seats.open_table(ruleset=live.ruleset.preset("penguin"), players=4)
    sit = [
        lambda name=name: seats.sit(table_id=table.pk, no=2, name=name) for name in ("An", "Bình")
    ]
    assert at_once(*sit) == ["chair_taken", "done"]
    assert Seat.objects.filter(table=table, left_at=None).count() == 1


def test_two_clicks_on_deal_deal_one_game():
    table = live.open_table(people=1)
    version = Table.objects.get(pk=table.pk).version
    deal = [lambda: games.deal_next(table_id=table.pk, expected=version)] * 2
    at_once(*deal)
    assert Game.objects.filter(table=table, dealt_at__isnull=False).count() == 1


def test_without_the_lock_both_would_write_and_the_log_itself_refuses_one():
    """Shows the race that the lock prevents: both read the same log before either writes."""
    game = live.current(dealt())
    both_read = threading.Barrier(2)
    refused = []

    def careless() -> None:
        try:
            with transaction.atomic():
                seq = game.actions.count() + 1
                both_read.wait()
                Action.objects.create(game=game, seq=seq, version=1, seat=0, body={})
        except IntegrityError as error:
            refused.append("action_once_per_number" in str(error))

    at_once(careless, careless)
    assert (Action.objects.count(), refused) == (1, [True])
