"""People and bots at a table: games follow on games, and the log is the truth."""

import uuid

import pytest
from django.db import DatabaseError, transaction

from engine import records
from engine.rules import ruleset
from engine.rules.outcome import outcome, outcome_to_json
from tables.base.fifo_cache import forget_all
from tables.chairs.acts import arrangements, seats
from tables.chairs.acts.arrangements import Holder
from tables.models import Action, Table
from tables.people.acts import forgetting
from tables.play.acts import games
from tables.play.facts import positions
from tables.refusals import TableRefusal
from tests.factories import make_user, stored
from tests.shares import share
from tests.tables import live

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("rules", share(ruleset.preset_keys(), 1))
def test_a_game_is_played_to_its_end_by_every_preset(rules):
    """Its state is the fold of the log, and its record replays to the outcome."""
    table = live.dealt(rules, ruleset.preset(rules).max_players, people=2)
    game = live.play_on(table)
    assert game.outcome["finished"]
    assert stored(table).status == Table.Status.BETWEEN
    kept = outcome_to_json(outcome(positions.replay_of(game).state))
    forget_all()
    assert outcome_to_json(outcome(positions.replay_of(game).state)) == kept == game.outcome
    record = records.record_of(positions.replay_of(game).state, game.previous)
    assert records.replay(record) == game.outcome


def test_a_double_post_answers_the_same_and_acts_once():
    table = live.dealt(people=4, hands=live.HANDS)
    first = live.act(table, 0, "play", "3S", client_id="once")
    assert live.act(table, 0, "play", "3S", client_id="once") == first
    with pytest.raises(TableRefusal, match="key_reused"):
        live.act(table, 0, "pass", client_id="once")
    assert Action.objects.count() == 1


def test_somebody_leaving_after_the_game_does_not_make_a_move_stale():
    table = live.dealt(people=4, hands=live.HANDS)
    seen = Table.objects.get(pk=table.pk).version
    seats.leave(seat_id=live.chair(table, 3).pk)
    live.act(table, 0, "play", "3S", expected=seen)
    assert Action.objects.count() == 1


def test_the_log_only_grows():
    live.act(live.dealt(people=4, hands=live.HANDS), 0, "play", "3S")
    for change in (lambda: Action.objects.update(seat=1), lambda: Action.objects.all().delete()):
        with pytest.raises(DatabaseError, match="only grows"), transaction.atomic():
            change()


def test_the_loser_deals_and_the_winner_leads_the_next_game():
    table = live.dealt(people=4)
    first = live.play_quickly(table)
    second = live.deal(table)
    assert second.dealer == first.outcome["dealer_next"]
    assert positions.replay_of(second).state.turn == first.outcome["placings"][0][0]


@pytest.mark.parametrize("friend", ["", "Chi"])
def test_who_leaves_plays_to_the_end_and_a_friend_or_a_bot_sits_down_for_the_next_game(friend):
    table = live.dealt(people=2)
    seats.leave(seat_id=live.chair(table, 1).pk)
    assert live.play_quickly(table).holders[1] == table.seats.get(name="Guest 1").pk
    if friend:
        seats.sit(table_id=table.pk, no=1, name=friend)
    second = live.deal(table)
    heir = live.chair(table, 1)
    assert (heir.is_bot, heir.name == friend) == (not friend, bool(friend))
    assert second.previous["gone"] == [1]


def test_a_table_that_everybody_left_ends_its_game_and_closes():
    table = live.dealt(people=1)
    seats.leave(seat_id=live.chair(table, 0).pk)
    live.hurry_to_its_end(table)
    assert live.current(table).outcome["finished"]


def test_bots_alone_do_not_start_a_match():
    table = live.open_table(people=0)
    games.deal_next(table_id=table.pk)
    assert stored(table).status == Table.Status.CLOSED


def test_a_chair_has_one_holder_and_a_bot_makes_room():
    table = live.open_table(people=1)
    with pytest.raises(TableRefusal, match="chair_taken"):
        seats.sit(table_id=table.pk, no=0, name="Bình")
    seat, token = seats.sit(table_id=table.pk, no=1, name="Guest 0")
    assert seat.name == "Guest 0 2"
    table.refresh_from_db()
    position = positions.of(table)
    assert position.find(token=token) == seat
    assert position.find(token=str(uuid.uuid4())) is None


def test_nobody_sits_down_in_the_middle_of_a_game():
    table = live.dealt(people=1)
    with pytest.raises(TableRefusal, match="game_is_on"):
        seats.sit(table_id=table.pk, no=1, name="Bình")


def test_a_closed_table_is_opened_again_once_with_the_same_terms():
    table = seats.open_table(ruleset=ruleset.preset("thirteen"), players=5, move_seconds=90)
    with pytest.raises(TableRefusal, match="not_again"):
        seats.open_again(table_id=table.pk)
    live.close(table)
    again = seats.open_again(table_id=table.pk)
    assert seats.open_again(table_id=table.pk) == again
    assert (again.ruleset, again.players, again.move_seconds) == (table.ruleset, 5, 90)


def test_a_bot_plays_for_an_erased_account_at_a_table_that_has_not_begun():
    user = make_user()
    others = [Holder(name, secret=name) for name in ("Bình", "Chi", "Dũng")]
    table = arrangements.arrange_table(
        ruleset=ruleset.preset("penguin"), holders=[Holder("An", user=user), *others],
        move_seconds=40,
    )  # fmt: skip
    forgetting.forget_user(user=user)
    live.hurry(table)
    table.refresh_from_db()
    assert (table.status, live.chair(table, 0).is_bot) == (Table.Status.PLAYING, True)
