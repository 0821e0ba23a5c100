"""Nights whose chairs change hands, played online: live tables follow the queue, game by game."""

import contextlib
import random

import pytest
from django.core.exceptions import ValidationError
from django.db import transaction

from league.clubs.acts import players
from league.models import LiveTable, Result, Sitting
from league.nights.acts import clock, closing, seat_changes
from league.nights.facts import sittings
from league.nights.facts.online_tables import key_of_user, secret_of
from league.online.acts import results_in
from league.proof.facts import verify
from tables.models import Seat, Table
from tables.play.acts import games
from tables.play.facts import positions
from tables.refusals import TableRefusal
from tests.factories import correct, make_user, owner_of, play, stored
from tests.league.nights.test_seat_changes import leave
from tests.league.nights.waitlist_helpers import around, check_in, come, go, waiting
from tests.league.online.helpers import (
    deal,
    everybody_leaves,
    hurry_to_the_end,
    is_told_right,
    make_online_night,
    online,
    play_game,
    release,
    take_game,
)
from tests.refusals import refuses
from tests.tables import live as tables
from tests.worlds import made_once

pytestmark = pytest.mark.django_db


def queue_night(players=6, number=1, *, played="live", abandoned="count", rules="killa", **form):
    """A night where the loser leaves, released, with the first of its tables."""
    event = make_online_night(
        players, played=played, abandoned=abandoned, rules=rules, stake=5,
        format={"kind": "loser_leaves", "tables": number, **form},
    )  # fmt: skip
    return event, release(event).sittings.first()


@made_once
def four():
    return queue_night(4)


@made_once
def five():
    return queue_night(5)


@made_once
def sitting():
    """The table of a queue night of six, two of whom wait."""
    return queue_night(6)[1]


@pytest.fixture
def event(sitting):
    return sitting.round.event


def open_night(players=4, number=2, **details):
    event = make_online_night(players, format={"kind": "open", "tables": number}, **details)
    return event, list(release(event).sittings.all())


def at_live(sitting: Sitting) -> list[str]:
    """The names at the sitting's live table, in the order of its chairs."""
    seats = Seat.objects.filter(
        table__live_sitting__sitting=sitting, table__live_sitting__ended_at=None, left_at=None
    )
    return list(seats.order_by("no").values_list("name", flat=True))


def table_of(sitting: Sitting) -> Table:
    live_table = sitting.live_tables.get(ended_at=None)
    return Table.objects.select_related("arrangement").get(pk=live_table.table_id)


def play_live(sitting: Sitting) -> str:
    """The live table's next game and its result; the name of whoever was last."""
    game = play_game(sitting.live_tables.get(ended_at=None))
    assert results_in.take_games(table_id=game.table_id) == 1
    placings = Result.objects.get(live__game=game).placings.order_by("rank")
    return placings.last().entrant.player.name


def is_sound(event) -> bool:
    return list(verify.everything(event.season.club)) == []


# --- The loser leaves ---------------------------------------------------------------------------


def test_the_loser_gets_up_from_the_live_table_and_the_head_of_the_queue_sits_down(event, sitting):
    before, (head, second) = at_live(sitting), waiting(event)
    loser = play_live(sitting)
    expected = [head if name == loser else name for name in before]
    assert at_live(sitting) == around(sitting) == expected
    assert waiting(event) == [second, loser]
    table = table_of(sitting)
    assert (table.status, len(table.arrangement.ready)) == (Table.Status.WAITING, 3)
    assert is_sound(event)


def test_a_night_of_many_games_gives_everybody_his_games_and_each_game_its_four():
    event, sitting = queue_night(7, cap=3)
    key = table_of(sitting).key
    for number in range(1, 8):
        people = set(at_live(sitting))
        play_live(sitting)
        placings = sitting.results.get(game_no=number).placings.all()
        assert {p.entrant.player.name for p in placings} == people
        assert at_live(sitting) == around(sitting)
    assert table_of(sitting).key == key
    assert set(at_live(sitting)) | set(waiting(event)) == {
        e.player.name for e in event.entrants.filter(presence="here")
    }
    assert is_sound(event)


def test_before_the_result_is_in_nobody_can_deal_and_nobody_sits_down(event, sitting):
    before = at_live(sitting)
    play_game(online(event))
    come(event, "Zoe")
    assert at_live(sitting) == before
    with refuses("held"):
        games.deal_next(table_id=table_of(sitting).pk)
    assert results_in.sweep() == 1
    assert len(set(at_live(sitting)) - set(before)) == 1


def test_with_an_empty_queue_the_same_people_go_on(four):
    _event, sitting = four
    before = at_live(sitting)
    play_live(sitting)
    assert (at_live(sitting), table_of(sitting).status) == (before, Table.Status.BETWEEN)
    tables.hurry(table_of(sitting))
    assert table_of(sitting).status == Table.Status.PLAYING


def test_the_phone_that_has_a_personal_link_shows_the_chair_again_after_waiting(five):
    event, sitting = five
    loser = play_live(sitting)
    secret = secret_of(online(event), event.entrants.get(player__name=loser).pk)
    assert positions.of(table_of(sitting)).find(token=secret) is None
    while loser not in at_live(sitting):
        play_live(sitting)
    assert positions.of(table_of(sitting)).find(token=secret).name == loser


def test_an_account_that_sits_down_finds_its_table(five):
    event, sitting = five
    user = make_user("head@club.example")
    head = event.season.club.players.get(name=waiting(event)[0])
    players.take_player(player=head, user=user)
    assert key_of_user(event, user) == ""
    play_live(sitting)
    assert key_of_user(event, user) == table_of(sitting).key
    assert positions.of(table_of(sitting)).find(user=user).name == head.name


def test_who_leaves_between_games_makes_room_at_once(five):
    event, sitting = five
    play_live(sitting)
    gone, head = at_live(sitting)[0], waiting(event)[0]
    go(event, gone)
    assert at_live(sitting) == around(sitting)
    assert (gone in at_live(sitting), head in at_live(sitting)) == (False, True)


def test_who_leaves_during_a_game_plays_it_to_its_end_and_the_result_has_his_name(event, sitting):
    deal(online(event))
    people, (head, second) = at_live(sitting), waiting(event)
    go(event, people[1])
    assert at_live(sitting) == people
    assert waiting(event) == [second]
    last = play_live(sitting)
    placings = sitting.results.get().placings.all()
    assert {p.entrant.player.name for p in placings} == set(people)
    expected = [head, *([] if last == people[1] else [second])]
    assert at_live(sitting) == around(sitting)
    assert set(at_live(sitting)) - set(people) == set(expected)
    assert is_sound(event)


def test_who_sits_down_after_the_game_that_is_on_has_not_played_it():
    event, sitting = queue_night(9, cap=1)
    deal(online(event))
    head, *others = waiting(event)
    go(event, at_live(sitting)[1])
    play_live(sitting)
    assert set(at_live(sitting)) == {head, *others[:3]}


def test_a_table_shrinks_and_grows_with_its_people(four):
    event, sitting = four
    address = table_of(sitting).key
    play_live(sitting)
    go(event, at_live(sitting)[0])
    assert (len(at_live(sitting)), table_of(sitting).players) == (3, 3)
    play_live(sitting)
    come(event, "Zoe")
    assert (at_live(sitting), table_of(sitting).players) == (around(sitting), 4)
    play_live(sitting)
    assert table_of(sitting).key == address
    assert [r.placings.count() for r in sitting.results.order_by("game_no")] == [4, 3, 4]
    assert is_sound(event)


def test_a_table_of_too_few_waits_and_goes_on_when_somebody_comes():
    event, sitting = queue_night(4, rules="family")
    play_live(sitting)
    go(event, at_live(sitting)[0])
    table = table_of(sitting)
    assert (table.status, len(at_live(sitting))) == (Table.Status.WAITING, 3)
    come(event, "Zoe")
    assert table_of(sitting).key == table.key
    play_live(sitting)
    assert sitting.results.count() == 2


def test_a_table_that_waited_too_long_opens_anew_when_enough_have_come():
    event, sitting = queue_night(4, rules="family")
    go(event, at_live(sitting)[0])
    tables.hurry(table_of(sitting))
    results_in.sweep()
    assert not sitting.live_tables.filter(ended_at=None).exists()
    come(event, "Zoe")
    assert at_live(sitting) == around(sitting)
    play_live(sitting)
    assert is_sound(event)


def test_another_table_opens_online_by_itself_for_those_who_wait():
    event, _first = queue_night(8, number=1)
    added = seat_changes.add_table(event=event, by=owner_of(event))
    assert at_live(added) == around(added)
    assert len(at_live(added)) == 4


def test_two_tables_share_the_queue():
    event, first = queue_night(10, number=2)
    second = event.rounds.get().sittings.get(table_no=2)
    for sitting in (first, second, second, first):
        play_live(sitting)
        seated = [name for each in (first, second) for name in at_live(each)]
        assert len(set(seated)) == 8
        assert at_live(sitting) == around(sitting)
    assert is_sound(event)


# --- Corrections --------------------------------------------------------------------------------


def test_a_correction_before_the_next_deal_sends_off_the_right_one_at_the_live_table_too(
    event, sitting
):
    before, queue = at_live(sitting), waiting(event)
    loser = play_live(sitting)
    order = [name for name in before if name != loser]
    correct(sitting.results.get(), [loser, *order])
    assert at_live(sitting) == around(sitting)
    assert set(before) - set(at_live(sitting)) == {order[-1]}
    assert waiting(event) == [queue[1], order[-1]]


def test_a_correction_after_the_next_deal_moves_nobody(event, sitting):
    before = at_live(sitting)
    loser = play_live(sitting)
    deal(online(event))
    people, queue = at_live(sitting), waiting(event)
    correct(sitting.results.get(), [loser, *(name for name in before if name != loser)])
    assert (at_live(sitting), waiting(event)) == (people, queue)
    play_live(sitting)
    assert is_sound(event)


def test_a_game_that_does_not_count_brings_the_loser_back_to_the_live_table(event, sitting):
    people, queue = at_live(sitting), waiting(event)
    play_live(sitting)
    correct(sitting.results.get(), people, void=True)
    assert (at_live(sitting), waiting(event)) == (people, queue)


# --- Bots ---------------------------------------------------------------------------------------


def test_a_bot_waits_its_turn_like_everybody_and_nobody_waits_for_it(four):
    event, sitting = four
    results_in.add_bot(event=event, bot="greedy", by=owner_of(event))
    assert waiting(event) == ["greedy (bot)"]
    play_live(sitting)
    assert "greedy (bot)" in at_live(sitting)
    assert table_of(sitting).status == Table.Status.BETWEEN


def bots_at_the_table(event, sitting):
    """Bots in all four chairs, and who sat there in the queue behind them."""
    for _ in range(4):
        results_in.add_bot(event=event, bot="greedy", by=owner_of(event))
    for name in around(sitting):
        go(event, name)


def test_bots_alone_play_while_somebody_waits_and_one_of_them_makes_room(four):
    event, sitting = four
    people = around(sitting)
    bots_at_the_table(event, sitting)
    results_in.sweep()
    assert not sitting.live_tables.filter(ended_at=None).exists()  # They would play for nobody.
    check_in(event, people[0])
    results_in.open_table(sitting_id=sitting.pk, by=owner_of(event))
    for _ in range(300):
        tables.hurry(table_of(sitting))
        if results_in.sweep():
            break
    assert people[0] in at_live(sitting)


# --- Ends ---------------------------------------------------------------------------------------


def test_ended_after_its_game_a_table_goes_on_with_real_cards_and_the_queue_goes_on(event, sitting):
    by = owner_of(event)
    deal(online(event))
    results_in.end_table(sitting_id=sitting.pk, by=by)
    take_game(event)
    assert not sitting.live_tables.filter(ended_at=None).exists()
    play(sitting, around(sitting))
    go(event, around(sitting)[0])
    assert not sitting.live_tables.filter(ended_at=None).exists()
    results_in.open_table(sitting_id=sitting.pk, by=by)
    assert at_live(sitting) == around(sitting)
    play_live(sitting)
    assert list(sitting.results.order_by("game_no").values_list("source", flat=True)) == [
        "live", "entered", "live",
    ]  # fmt: skip


def test_a_void_game_leaves_no_trace_in_who_sits_where(event, sitting):
    deal(online(event))
    gone, head = at_live(sitting)[1], waiting(event)[0]
    go(event, gone)
    results_in.end_table(sitting_id=sitting.pk, by=owner_of(event), now=True)
    assert (gone in around(sitting), head in around(sitting)) == (False, True)
    play(sitting)
    assert is_sound(event)


@pytest.mark.parametrize(("abandoned", "games"), [("count", 1), ("void", 0), ("finish", 1)])
def test_an_abandoned_table_ends_and_does_not_open_again_by_itself(abandoned, games):
    event, sitting = queue_night(6, abandoned=abandoned)
    deal(online(event))
    everybody_leaves(online(event))
    hurry_to_the_end(table_of(sitting))
    results_in.sweep()
    assert sitting.results.count() == games
    assert sitting.live_tables.get().abandoned
    come(event, "Zoe")
    assert not sitting.live_tables.filter(ended_at=None).exists()


def test_the_last_game_call_and_the_end_of_the_night_end_the_live_table(event, sitting):
    deal(online(event))
    clock.call_last_game(round_=sitting.round, by=owner_of(event))
    table = table_of(sitting)
    take_game(event)
    assert (sitting.results.count(), stored(table).status) == (1, Table.Status.CLOSED)
    event, sitting = queue_night(6)
    play_live(sitting)
    closing.close_event(event=event, by=owner_of(event))
    assert set(sitting.live_tables.values_list("table__status", flat=True)) == {"closed"}


def test_with_mixed_tables_only_the_one_that_an_organiser_opens_follows_the_queue():
    event, first = queue_night(10, number=2, played="mixed")
    second = event.rounds.get().sittings.get(table_no=2)
    results_in.open_table(sitting_id=first.pk, by=owner_of(event))
    play_live(first)
    play(second)
    play_live(first)
    assert (at_live(first), at_live(second)) == (around(first), [])
    assert is_sound(event)


def test_an_organisers_choice_of_a_substitute_sits_down_online(event, sitting):
    gone, chosen = at_live(sitting)[2], waiting(event)[1]
    leave(sitting, gone, event.entrants.get(player__name=chosen))
    assert at_live(sitting)[2] == chosen
    assert at_live(sitting) == around(sitting)


# --- An open night ------------------------------------------------------------------------------


def test_an_open_nights_table_opens_online_as_soon_as_four_have_come():
    event, (one, two) = open_night(2)
    assert not LiveTable.objects.filter(sitting__round__event=event).exists()
    come(event, "Xuân", "Yến")
    assert at_live(one) == around(one)
    assert not two.live_tables.exists()
    play_live(one)
    assert (at_live(one), table_of(one).status) == (around(one), Table.Status.BETWEEN)


def test_after_the_call_of_the_last_game_nobody_who_comes_is_dealt_one():
    event, (one, two) = open_night(4)
    clock.call_last_game(round_=one.round, by=owner_of(event))
    come(event, "Xuân", "Yến", "Zoe", "Zung")
    assert len(around(two)) == 4
    assert not two.live_tables.exists()


def test_a_table_that_is_done_is_free_and_the_next_four_play_at_the_same_address():
    event, (one, _two) = open_night(4, games_per_round=1)
    first = at_live(one)
    address = table_of(one).key
    come(event, "Xuân", "Yến", "Zoe")
    play_live(one)
    assert set(at_live(one)) == {first[0], "Xuân", "Yến", "Zoe"}
    assert table_of(one).key == address
    play_live(one)
    assert is_sound(event)


def test_nobody_is_done_while_a_game_is_on_and_all_are_after_it():
    event, (one, _two) = open_night(4, counting="average")
    people = at_live(one)
    deal(online(event))
    with refuses("playing"):
        seat_changes.end_table(sitting_id=one.pk, by=None)
    play_live(one)
    seat_changes.end_table(sitting_id=one.pk, by=None)
    assert (at_live(one), waiting(event)) == ([], people)
    assert set(one.places.values_list("left_because", flat=True)) == {"done"}


def test_somebody_sits_down_at_a_running_table_between_games_and_gets_up_again():
    event, (one, _two) = open_night(3)
    by = owner_of(event)
    keys = [e.pk for e in event.entrants.filter(presence="here")]
    seat_changes.seat_table(event=event, entrants=keys, by=by)
    assert len(at_live(one)) == 3
    come(event, "Zoe")
    zoe = event.entrants.get(player__name="Zoe").pk
    seat_changes.join(sitting_id=one.pk, entrant_id=zoe, by=by)
    assert at_live(one) == around(one)
    assert "Zoe" in at_live(one)
    play_live(one)
    go(event, "Zoe")
    assert len(at_live(one)) == 3
    play_live(one)
    assert is_sound(event)


def test_news_that_is_cut_off_in_the_middle_changes_nothing_and_is_taken_again(event, sitting):
    before = at_live(sitting), waiting(event)
    game = play_game(online(event))
    with transaction.atomic():
        assert results_in.take_games(table_id=game.table_id) == 1
        transaction.set_rollback(True)
    assert (at_live(sitting), waiting(event), Result.objects.count()) == (*before, 0)
    assert table_of(sitting).arrangement.held
    assert results_in.sweep() == 1
    assert at_live(sitting) == around(sitting)


@pytest.mark.parametrize("form", [{"kind": "loser_leaves", "tables": 2, "cap": 2, "look": 2},
                                  {"kind": "open", "tables": 3}])  # fmt: skip
@pytest.mark.parametrize("seed", [3, pytest.param(4, marks=pytest.mark.long)])
def test_whatever_happens_live_tables_and_the_list_say_the_same(form, seed):
    dice = random.Random(seed)
    event = make_online_night(7, stake=1, rules="killa", format=form)
    release(event)
    for number in range(80):
        with contextlib.suppress(ValidationError):
            dice.choice(HAPPENS)(event, dice, number)
        for sitting in event.rounds.get().sittings.all():
            live_table = sitting.live_tables.filter(ended_at=None).first()
            if live_table and is_settled(live_table.table):
                assert at_live(sitting) == around(sitting)
                assert not set(at_live(sitting)) & set(waiting(event))
    results_in.sweep()
    assert set(LiveTable.objects.values_list("problem", flat=True)) <= {""}
    for result in Result.objects.filter(current=True, void=False):
        seated = sittings.places_at(result.sitting, result.game_no)
        assert {p.entrant_id for p in result.placings.all()} == {p.entrant_id for p in seated}
    told = [
        is_told_right(result) for result in Result.objects.filter(live__isnull=False, version=1)
    ]
    assert told == [True] * max(6, len(told))
    assert is_sound(event)


def is_settled(table):
    """Whether the table is between games and it was said who sits there."""
    return table.status in ("waiting", "between") and not table.arrangement.held


def _deal(event, dice, _number):
    for table in open_tables(event, dice):
        with contextlib.suppress(TableRefusal):
            games.deal_next(table_id=table.pk)


def _play(event, dice, _number):
    for table in open_tables(event, dice):
        if table.status == Table.Status.PLAYING:
            tables.play_quickly(table)


def _take(_event, _dice, _number):
    results_in.sweep()


def _somebody_comes(event, dice, number):
    away = [e.player.name for e in event.entrants.exclude(presence="here")]
    if away and dice.random() < 0.5:
        check_in(event, dice.choice(sorted(away)))
    else:
        come(event, f"Khách {number}")


def _somebody_goes(event, dice, _number):
    here = sorted(e.player.name for e in event.entrants.filter(presence="here"))
    if len(here) > 3:
        go(event, dice.choice(here))


def _correct(event, dice, _number):
    found = Result.objects.filter(current=True, sitting__round__event=event).order_by("pk").last()
    if found:
        names = [p.entrant.player.name for p in found.placings.order_by("seat")]
        dice.shuffle(names)
        correct(found, names, void=not names or dice.random() < 0.2)


def _end_a_table(event, dice, _number):
    sitting = dice.choice(list(event.rounds.get().sittings.order_by("table_no")))
    by = owner_of(event)
    if not sitting.live_tables.filter(ended_at=None).exists():
        results_in.open_table(sitting_id=sitting.pk, by=by)
    elif dice.random() < 0.5:
        seat_changes.end_table(sitting_id=sitting.pk, by=by)
    else:
        results_in.end_table(sitting_id=sitting.pk, by=by, now=dice.random() < 0.5)


def open_tables(event, dice):
    """Some of the tables that are open, as they are now."""
    found = Table.objects.filter(live_sitting__sitting__round__event=event, closed_at=None)
    return [table for table in found.order_by("pk") if dice.random() < 0.8]


HAPPENS = [_deal, _play, _take] * 6 + [_somebody_comes, _somebody_goes, _correct, _end_a_table]
