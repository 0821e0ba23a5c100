"""Two at once at a table that plays online: every game comes in exactly once, and none is lost."""

import threading
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from league.models import LiveResult, LiveTable, Placing, Result
from league.nights.acts import attendance, results, seat_changes
from league.online.acts import results_in
from league.proof.facts import verify
from tests.factories import owner_of
from tests.league.nights.waitlist_helpers import around
from tests.league.online.helpers import (
    deal,
    is_told_right,
    make_online_night,
    online,
    play_game,
    release,
)
from tests.races import race

pytestmark = pytest.mark.django_db(transaction=True)
QUEUE = {"kind": "loser_leaves"}


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """What each of the calls returned that ran at the same moment, or why it was refused."""
    came = race(*calls, refused=(ValidationError,))
    return [each.code if isinstance(each, ValidationError) else each for each in came]


def night(**details: Any) -> LiveTable:
    event = make_online_night(4, rules="killa", stake=5, **details)
    release(event)
    return online(event)


def event_of(table: LiveTable):
    return table.sitting.round.event


def is_sound(table: LiveTable) -> bool:
    return list(verify.everything(event_of(table).season.club)) == []


def test_two_finish_signals_and_the_sweep_at_once_make_one_result():
    table = night()
    play_game(table)
    take = lambda: results_in.take_games(table_id=table.table_id)  # noqa: E731
    assert sum(at_once(take, take, take, results_in.sweep)) == 1
    assert (Result.objects.count(), LiveResult.objects.count(), Placing.objects.count()) == (
        1,
        1,
        4,
    )
    assert is_sound(table)


def test_a_hand_entered_while_the_game_comes_in_is_refused_and_nothing_is_doubled():
    table = night()
    play_game(table)
    groups = [[place.entrant_id] for place in table.sitting.places.all()]
    came = at_once(
        lambda: results_in.take_games(table_id=table.table_id),
        lambda: results.record(
            sitting_id=table.sitting_id, game_no=1, groups=groups, client_id=uuid.uuid4(), by=None
        ),
    )
    assert came == [1, "live"]
    assert list(Result.objects.values_list("game_no", "source")) == [(1, "live")]


def test_ending_a_table_while_its_game_comes_in_keeps_the_game_once():
    table = night()
    play_game(table)
    by = owner_of(event_of(table))
    groups = [[place.entrant_id] for place in table.sitting.places.all()]

    def end_and_enter() -> str:
        results_in.end_table(sitting_id=table.sitting_id, by=by, now=True)
        return results.record(
            sitting_id=table.sitting_id, game_no=2, groups=groups, client_id=uuid.uuid4(), by=by
        ).source

    came = at_once(lambda: results_in.take_games(table_id=table.table_id), end_and_enter)
    assert came[1] == "entered"
    assert list(Result.objects.order_by("game_no").values_list("game_no", "source")) == [
        (1, "live"),
        (2, "entered"),
    ]
    assert is_sound(table)


def test_a_substitute_chosen_while_the_game_ends_sits_from_one_game_on_in_both_lists():
    table = night()
    event = event_of(table)
    by = owner_of(event)
    late = attendance.add_guest(event=event, name="Thêm", by=by)
    deal(table)
    leaver = table.sitting.places.order_by("seat").first().entrant_id
    at_once(
        lambda: play_game(table),
        lambda: seat_changes.leave(
            sitting_id=table.sitting_id, entrant_id=leaver, by=by, substitute_id=late.pk
        ),
    )
    results_in.sweep()
    play_game(table)
    results_in.sweep()
    assert LiveTable.objects.get(pk=table.pk).problem == ""
    assert Result.objects.count() == 2
    assert Placing.objects.filter(entrant=late, result__game_no=2).exists()
    assert is_sound(table)


@pytest.mark.parametrize("leaves", [0, 3])
def test_somebody_who_leaves_while_cards_are_dealt_plays_that_game_or_none(leaves):
    event = make_online_night(6, rules="killa", stake=5, format=QUEUE)
    release(event)
    table = online(event)
    play_game(table)
    results_in.sweep()
    entrant = table.sitting.places.filter(to_game=None).order_by("seat")[leaves].entrant
    who = {"event": event, "player_ids": [entrant.player_id], "presence": "left", "by": None}
    at_once(lambda: deal(table), lambda: attendance.set_presence(**who))
    play_game(table)
    results_in.sweep()
    assert LiveTable.objects.get(pk=table.pk).problem == ""
    assert [is_told_right(result) for result in Result.objects.all()] == [True, True]
    assert is_sound(table)


def test_news_the_sweep_and_whoever_checks_in_move_everybody_once():
    event = make_online_night(6, rules="killa", stake=5, format=QUEUE)
    release(event)
    table = online(event)
    by = owner_of(event)
    for number in range(3):
        play_game(table)
        take = lambda: results_in.take_games(table_id=table.table_id)  # noqa: E731
        add = lambda name=f"Khách {number}": attendance.add_guest(event=event, name=name, by=by)  # noqa: E731
        at_once(take, results_in.sweep, add)
        seated = table.table.seats.filter(left_at=None).order_by("no")
        assert list(seated.values_list("name", flat=True)) == around(table.sitting)
    assert [is_told_right(result) for result in Result.objects.all()] == [True] * 3
    assert is_sound(table)


def test_two_organisers_open_the_same_table_once():
    event = make_online_night(4, played="")
    sitting = release(event).sittings.get()
    by = owner_of(event)
    open_it = lambda: results_in.open_table(sitting_id=sitting.pk, by=by).pk  # noqa: E731
    assert at_once(open_it, open_it).count("live") == 1
    assert sitting.live_tables.count() == 1


def test_without_the_lock_both_would_write_and_the_database_itself_refuses_one():
    """Shows the race that the lock prevents: both see the game untaken before either takes it."""
    table = night()
    game = play_game(table)
    both_looked = threading.Barrier(2)
    refused = []

    def careless(number: int) -> None:
        try:
            with transaction.atomic():
                assert not LiveResult.objects.filter(game=game).exists()
                both_looked.wait()
                result = Result.objects.create(
                    sitting=table.sitting, game_no=number, version=1, client_id=uuid.uuid4()
                )
                LiveResult.objects.create(result=result, game=game)
        except IntegrityError as error:
            refused.append("game_id" in str(error))

    at_once(lambda: careless(1), lambda: careless(2))
    assert (LiveResult.objects.count(), refused) == (1, [True])
