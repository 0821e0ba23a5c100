"""Time at a table: bots move, clocks run out, autopilots give way, nothing hangs."""

import datetime
import random

import pytest
from django.db import OperationalError
from django.utils import timezone

from engine.rules import ruleset
from engine.rules.state import PLAY
from tables import tasks
from tables.base.fifo_cache import forget_all
from tables.chairs.acts import seats
from tables.models import Action, Seat, Table
from tables.play.acts import clocks, games, sweeps
from tables.play.facts import positions
from tests.engine.walk import VARIANTS, begin, walk
from tests.factories import stored
from tests.tables import live
from tests.tables.live import HANDS

pytestmark = pytest.mark.django_db


def dealt(people: int = 4, **options: object) -> Table:
    return live.dealt(people=people, **options, hands=HANDS)


def seconds_left(table: Table) -> float:
    table.refresh_from_db()
    return (table.due_at - timezone.now()).total_seconds()


def let_pass(table: Table, seconds: float) -> None:
    """Moves the turn's beginning and its end so far into the past."""
    table.refresh_from_db()
    back = datetime.timedelta(seconds=seconds)
    Table.objects.filter(pk=table.pk).update(
        due_at=table.due_at - back, turn_at=table.turn_at - back
    )


def test_a_person_has_the_time_of_a_move_and_the_bank():
    assert 98 < seconds_left(dealt()) <= 100


def test_a_bot_thinks_by_chance_and_never_by_its_cards(settings):
    settings.TABLES_BOT_SECONDS = (2.0, 3.0)
    table = live.dealt(people=1, hands=[HANDS[1], HANDS[0], *HANDS[2:]])
    assert 1 < seconds_left(table) <= 3


def test_what_is_not_due_is_left_alone():
    dealt()
    assert sweeps.sweep() == 0
    assert Action.objects.count() == 0


def test_when_time_runs_out_the_autopilot_plays_until_the_player_is_back():
    table = dealt()
    live.hurry(table)
    assert Action.objects.get().made_by == "autopilot"
    assert live.chair(table, 0).autopilot
    for no, card in ((1, "3C"), (2, "3D"), (3, "3H")):
        live.act(table, no, "play", card)
    assert seconds_left(table) < 5
    live.act(table, 0, "play", "4S")
    assert not live.chair(table, 0).autopilot


def test_who_comes_back_in_his_own_turn_has_time_to_move():
    table = dealt()
    Seat.objects.filter(table=table, no=0).update(autopilot=True, bank_ms=0)
    Table.objects.filter(pk=table.pk).update(due_at=timezone.now())
    games.stay(seat_id=live.chair(table, 0).pk)
    assert 39 < seconds_left(table) <= 40


def test_what_a_move_takes_beyond_its_time_comes_from_the_bank():
    table = dealt()
    let_pass(table, 50)
    live.act(table, 0, "play", "3S")
    assert 49_000 < live.chair(table, 0).bank_ms <= 50_000


def test_a_clock_that_nobody_watched_is_credited_once():
    table = dealt()
    let_pass(table, 200)
    sweeps.sweep()
    assert Action.objects.count() == 0
    assert 13 < seconds_left(table) <= 15
    let_pass(table, 200)
    sweeps.sweep()
    assert Action.objects.get().made_by == "autopilot"


def test_a_locked_out_seat_is_asked_equally_long_whatever_it_holds():
    """In the Southern game four pairs chop out of turn: those who have passed are asked too."""
    hands = [
        "2S 3S 3D 5S 7S 9S JS KS 6C 8C TC QC AC",
        "3C 5C 7C 9C JC KC 2C 8D 6S 8S TS QS AS",
        "4C 4D 4H 5D 5H 6D 6H 7D 7H 9D JD KD AD",
        "3H 4S 8H 9H TH TD JH QH QD KH AH 2D 2H",
    ]
    table = live.dealt("mien-nam", people=4, hands=hands)
    live.act(table, 0, "play", "3S")
    live.act(table, 1, "play", "3C")
    live.act(table, 2, "pass")
    live.act(table, 3, "play", "2H")
    live.act(table, 0, "pass")
    live.act(table, 1, "pass")
    assert clocks.is_aside(positions.replay_of(live.current(table)).state)
    assert 4 < seconds_left(table) <= 6
    live.hurry(table)
    assert not live.chair(table, 2).autopilot


def test_the_window_lasts_equally_long_for_every_deal(settings):
    settings.TABLES_WINDOW_SECONDS = 7.0
    for _ in range(3):
        game = live.deal(live.open_table("killa", people=4))
        lasts = game.window_until - game.dealt_at
        assert 6.9 < lasts.total_seconds() < 7.5


def test_a_declared_instant_win_takes_effect_when_the_window_closes():
    table = live.dealt("tien-len", people=4, hands=live.FOUR_TWOS)
    games.answer(table_id=table.pk, seat_id=live.chair(table, 0).pk, declare=True)
    assert Action.objects.count() == 0
    live.hurry(table)
    assert positions.replay_of(live.current(table)).state.placings == [(0,)]


def test_a_player_without_an_instant_win_cannot_declare_one():
    table = live.dealt("tien-len", people=4, hands=HANDS)
    assert not positions.replay_of(live.current(table)).may_declare(1)


def test_a_debt_of_go_fish_is_asked_for_and_returned():
    table = live.open_table("family", people=4)
    live.set_hands(table, HANDS, previous=live.DEBT)
    live.act(table, 0, "ask", rank=12)
    live.act(table, 0, "return", "3S")
    state = positions.replay_of(live.current(table)).state
    assert live.engine_game.observe(state, 3).hand[0] == 0
    table.refresh_from_db()
    assert live.current(table).is_window_open


def test_games_follow_each_other_while_somebody_is_there():
    table = live.dealt(people=2)
    live.play_quickly(table)
    live.hurry(table)
    assert live.current(table).no == 2


def test_a_table_where_everybody_is_away_closes_after_its_game():
    table = live.dealt(people=2)
    live.hurry_to_its_end(table)
    assert live.current(table).outcome["finished"]
    assert table.due_at is None


def test_a_table_where_nobody_deals_closes_by_itself():
    table = seats.open_table(ruleset=live.ruleset.preset("penguin"), players=4)
    live.hurry(table)
    assert stored(table).status == Table.Status.CLOSED


def test_one_table_that_cannot_go_on_does_not_stop_the_others():
    broken, sound = live.open_table(people=1), live.open_table(people=1)
    for table in (broken, sound):
        live.set_hands(table, [HANDS[1], HANDS[0], *HANDS[2:]])
    broken.games.filter(dealt_at__isnull=False).update(dealt=["3S"] * 4)
    forget_all()
    Table.objects.update(due_at=timezone.now())
    sweeps.sweep()
    assert live.current(sound).actions.count() == 1


def test_the_workers_task_does_what_is_due_and_ends():
    live.dealt(people=1, hands=[HANDS[1], HANDS[0], *HANDS[2:]])
    Table.objects.update(due_at=timezone.now())
    tasks.sweep_tables()
    assert Action.objects.filter(made_by="bot").count() >= 1


def set_clock_back(monkeypatch, **difference: float) -> None:
    """The machine's clock, as services read it, is so much earlier from now on."""
    real = timezone.now
    monkeypatch.setattr(timezone, "now", lambda: real() - datetime.timedelta(**difference))


def test_a_turn_keeps_its_time_when_the_clock_goes_back(monkeypatch):
    table = dealt()
    before = seconds_left(table)
    set_clock_back(monkeypatch, hours=1)
    assert seconds_left(table) > 3600
    sweeps.sweep_for(0)
    assert before - 5 < seconds_left(table) <= before + 5
    assert table.turn_at <= timezone.now()
    assert Action.objects.count() == 0


def test_a_bot_moves_soon_after_the_clock_has_gone_back(monkeypatch, settings):
    table = live.dealt(people=1, hands=[HANDS[1], HANDS[0], *HANDS[2:]])
    settings.TABLES_BOT_SECONDS = (2.0, 3.0)
    set_clock_back(monkeypatch, hours=1)
    assert seconds_left(table) > 3000
    sweeps.sweep_for(0)
    assert seconds_left(table) <= 5


def test_pauses_and_windows_begin_again_when_the_clock_goes_back(monkeypatch):
    window = live.open_table("tien-len", people=4)
    games.deal_next(table_id=window.pk)
    between = dealt()
    Table.objects.filter(pk=between.pk).update(
        status="between", turn_at=None, due_at=timezone.now() + games.PAUSE
    )
    waiting = seats.open_table(ruleset=ruleset.preset("penguin"), players=4)
    set_clock_back(monkeypatch, hours=1)
    sweeps.sweep_for(0)
    assert 0 < seconds_left(window) <= games.PAUSE.total_seconds()
    assert 0 < seconds_left(between) <= games.PAUSE.total_seconds()
    assert 0 < seconds_left(waiting) <= seats.IDLE.total_seconds()


def test_nothing_is_moved_while_the_clock_is_right():
    tables = [dealt(), live.open_table("tien-len", people=4), live.open_table(people=2)]
    games.deal_next(table_id=tables[1].pk)
    assert sweeps.follow_the_clock() == 0


@pytest.mark.parametrize(
    ("error", "seconds"), [(OperationalError("the server went away"), 0), (ValueError("odd"), 30)]
)
def test_a_table_waits_only_where_the_fault_is_its_own(monkeypatch, error, seconds):
    """When the database goes away in a sweep, the next sweep goes on as if nothing had been."""
    table = dealt()
    due = timezone.now() - datetime.timedelta(seconds=1)
    Table.objects.filter(pk=table.pk).update(due_at=due)

    def fail(table_id: int) -> bool:
        raise error

    monkeypatch.setattr(sweeps, "_lock_and_tick", fail)
    assert sweeps.sweep() == 0
    table.refresh_from_db()
    waits = (table.due_at - due).total_seconds()
    assert waits == 0 if not seconds else waits > seconds - 1


FORCED = (
    ["3S 6S TS 2H", "4S 7S JS QS", "5S 8S KS AS", "9C 9D 9H 2D"],
    "0 3S, 1 4S, 2 5S, 3, 0 2H, 1, 2, 0 6S, 1 7S, 2 8S, 3 2D, 0, 1, 2",
)
"""Hands, and moves after which seat 3 leads and seat 0 has one card."""


@pytest.mark.parametrize("who", ["person", "bot", "away"])
def test_a_pass_that_everyone_sees_is_forced_is_as_quick_for_all(who, settings):
    settings.TABLES_BOT_SECONDS = (3.0, 4.0)
    hands, moves = FORCED
    table = live.dealt(people=4, cards_each={"4": 4}, hands=hands)
    for move in moves.split(", "):
        seat, _, card = move.partition(" ")
        live.act(table, int(seat), "play" if card else "pass", card)
    if who == "away":
        games.sit_out(seat_id=live.chair(table, 0).pk)
    if who == "bot":
        Seat.objects.filter(pk=live.chair(table, 0).pk).update(bot="greedy", token_hash="")
        forget_all()
    live.act(table, 3, "play", "9C 9D 9H")
    assert 0.5 < seconds_left(table) <= 1
    live.hurry(table)
    seat = live.chair(table, 0)
    assert live.current(table).actions.latest("seq").body["do"] == "pass"
    assert seat.autopilot == (who == "away")
    assert who == "bot" or seat.bank_ms == 60_000


def test_a_forced_pass_is_the_only_legal_action():
    """In whatever rules: what everyone can see must be so for whatever cards."""
    seen = 0
    for seed, (key, options) in enumerate(VARIANTS * 2):
        rules = ruleset.with_options(ruleset.preset(key), options)
        rng = random.Random(seed)
        for state, legal in walk(begin((rules, rules.max_players), rng), rng):
            if state.phase == PLAY and clocks.is_forced(state):
                seen += 1
                assert [one.do for one in legal] == ["pass"]
    assert seen > 50


def test_at_a_fast_table_bots_take_half_the_time(settings):
    settings.TABLES_BOT_SECONDS = (2.0, 3.0)
    table = live.open_table(people=1)
    Table.objects.filter(pk=table.pk).update(move_seconds=10)
    table.refresh_from_db()
    assert 1.0 <= clocks.thinking(table).total_seconds() <= 1.5


def test_bots_end_a_game_quickly_that_its_only_person_left():
    table = live.dealt(people=1, hands=HANDS)
    seats.leave(seat_id=live.chair(table, 0).pk)
    assert live.chair(table, 0).away, "The page says so, and not that the time ran out."
    assert seconds_left(table) <= 0
    for _ in range(300):
        if live.current(table).over_at:
            break
        assert seconds_left(table) <= 0
        assert sweeps.sweep() == 1
    assert stored(table).status == Table.Status.CLOSED
