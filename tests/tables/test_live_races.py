"""Two at once at one table: exactly one move counts, and nothing is lost."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from engine.rules.actions import SeatAction
from engine.rules.errors import IllegalAction
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
    table = live.open_table(people=4)
    live.set_hands(table, HANDS)
    table.refresh_from_db()
    return table


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
    table = dealt()
    assert at_once(*[move(table, 0, 0, "same")] * 8) == ["done"] * 8
    assert Action.objects.count() == 1


def test_a_move_and_its_time_out_at_once_make_one_action():
    table = dealt()
    Table.objects.filter(pk=table.pk).update(due_at=live.timezone.now())
    results = at_once(move(table, 0, 0, "late"), sweeps.sweep)
    assert results in (["done", "done"], ["done", "stale"])
    assert Action.objects.count() == 1


def test_two_sweeps_at_once_move_a_bot_once():
    table = live.open_table(people=1)
    live.set_hands(table, [HANDS[1], HANDS[0], *HANDS[2:]])
    Table.objects.filter(pk=table.pk).update(due_at=live.timezone.now())
    at_once(sweeps.sweep, sweeps.sweep, sweeps.sweep)
    assert Action.objects.count() == 1


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
    table = dealt()
    game = live.current(table)
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
