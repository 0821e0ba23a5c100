"""Bots think while nobody waits for the table, and their thoughts tell nothing by timing."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections
from django.utils import timezone

from tables.bots.facts import autopilot
from tables.chairs.acts import seats
from tables.models import Action, Game, Table
from tables.play.acts import games, sweeps, thinking
from tests.tables import live
from tests.tables.live import HANDS

BOT_LEADS = [HANDS[1], HANDS[0], *HANDS[2:]]


def with_bot(bot: str = "sage") -> Table:
    """A table where a bot leads and a person sits in chair 0."""
    table = live.open_table(people=4)
    table.bot = bot
    for no in (1, 2, 3):
        seats.get_up(live.chair(table, no))
        seats.seat_bot(table, no)
    live.set_hands(table, BOT_LEADS)
    table.refresh_from_db()
    return table


@pytest.mark.django_db
def test_a_slow_bot_thinks_before_its_move_is_due_and_plays_that_when_it_is():
    table = with_bot()
    assert (table.thinks, sweeps.sweep()) == (True, 0)
    assert thinking.think_next()
    assert not thinking.think_next()
    thought = Game.objects.get(pk=live.current(table).pk).thought
    assert Action.objects.count() == 0
    live.hurry(table)
    assert Action.objects.get().body == thought["action"]


@pytest.mark.django_db
def test_a_bot_that_had_no_time_to_think_does_so_when_it_is_due():
    live.hurry(with_bot())
    assert Action.objects.get().made_by == "bot"


@pytest.mark.django_db
def test_a_thought_of_another_moment_is_worth_nothing():
    table = with_bot()
    game = live.current(table)
    Game.objects.filter(pk=game.pk).update(thought={"seq": 7, "action": {"seat": 1, "do": "pass"}})
    live.hurry(table)
    assert Action.objects.get().body["do"] == "play"


@pytest.mark.django_db
def test_a_bot_that_fails_is_played_for_and_the_table_goes_on(monkeypatch):
    def broken(state, bot, seed=None):
        raise RuntimeError("no idea")

    monkeypatch.setattr(autopilot, "bot_action", broken)
    live.hurry(with_bot())
    assert Action.objects.get().body["cards"] == "3S"


@pytest.mark.django_db(transaction=True)
def test_the_table_is_free_for_others_while_a_bot_thinks(monkeypatch):
    """Somebody says that he leaves while the bot thinks; the move comes all the same."""
    table = with_bot()
    thinks, go_on = threading.Event(), threading.Event()
    choose = autopilot.bot_action

    def slowly(state, bot, seed=None):
        thinks.set()
        assert go_on.wait(30)
        return choose(state, bot, seed)

    monkeypatch.setattr(autopilot, "bot_action", slowly)
    Table.objects.filter(pk=table.pk).update(due_at=timezone.now())

    def sweep() -> None:
        try:
            sweeps.sweep()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as other:
        moving = other.submit(sweep)
        assert thinks.wait(30)
        seats.leave(seat_id=live.chair(table, 0).pk)
        assert live.chair(table, 0).leaving
        go_on.set()
        moving.result(timeout=30)
    assert Action.objects.get().made_by == "bot"


@pytest.mark.django_db
def test_who_sits_out_is_played_for_by_a_bot_until_he_is_back():
    table = live.dealt(people=4, hands=HANDS)
    seat = live.chair(table, 0)
    games.sit_out(seat_id=seat.pk)
    live.hurry(table)
    assert Action.objects.get().made_by == "bot"
    seat.refresh_from_db()
    assert (seat.away, seat.autopilot, seat.left_at) == (True, True, None)
    games.stay(seat_id=seat.pk)
    seat.refresh_from_db()
    assert (seat.away, seat.autopilot) == (False, False)


@pytest.mark.django_db
def test_who_plays_a_card_does_not_sit_out_any_more():
    table = live.dealt(people=4, hands=HANDS)
    games.sit_out(seat_id=live.chair(table, 0).pk)
    live.act(table, 0, "play", "3S")
    assert not live.chair(table, 0).away


@pytest.mark.django_db
def test_a_table_where_all_sit_out_ends_after_its_game():
    table = live.dealt(people=2)
    for no in (0, 1):
        games.sit_out(seat_id=live.chair(table, no).pk)
    live.hurry_to_its_end(table)
    assert live.current(table).outcome["finished"]
