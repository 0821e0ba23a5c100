"""Two at once at a table for a stake: every game is posted exactly once, and to whom it belongs."""

import pytest

from league.models import ClubSeat, Posting, Season, Transfer
from league.money.acts import postings
from league.online.acts import stake_tables
from league.proof.facts import verify
from league.seasons.acts import seasons
from tables.chairs.acts import seats
from tables.models import Seat, Table
from tables.refusals import TableRefusal
from tests.factories import owner_of
from tests.league.online.stake_tables import play_game, table_of_four
from tests.league.online.test_live_races import at_once
from tests.tables import live as tables

pytestmark = pytest.mark.django_db(transaction=True)


def is_sound(live) -> bool:
    return list(verify.everything(live.season.club)) == []


def test_two_finish_signals_and_the_sweep_at_once_post_a_game_once():
    live, _people = table_of_four()
    game = play_game(live)
    take = lambda: stake_tables.take_games(table_id=live.table_id)  # noqa: E731
    assert sum(at_once(take, take, take, stake_tables.sweep)) == 1
    paid = [p for p in game.outcome["payments"] if p["amount"]]
    assert (Posting.objects.count(), Transfer.objects.count()) == (1, len(paid))
    assert is_sound(live)


def test_ending_a_table_while_its_game_comes_in_posts_it_once():
    live, people = table_of_four()
    play_game(live)
    by = owner_of(people[0])
    at_once(
        lambda: stake_tables.take_games(table_id=live.table_id),
        lambda: stake_tables.end_table(live=live, by=by, now=True),
    )
    live.refresh_from_db()
    assert (Posting.objects.count(), live.ended_at is not None) == (1, True)
    assert is_sound(live)


def test_a_season_is_not_closed_between_a_game_and_its_posting():
    live, people = table_of_four()
    play_game(live)
    by = owner_of(people[0])

    def end_and_close() -> str:
        stake_tables.end_table(live=live, by=by, now=True)
        return seasons.set_status(season=live.season, status="closed", by=by).status

    came = at_once(lambda: stake_tables.take_games(table_id=live.table_id), end_and_close)
    assert came[1] == "closed"
    assert (Posting.objects.count(), Season.objects.get().status) == (1, "closed")


def test_a_table_is_not_opened_in_a_season_that_is_being_closed():
    live, people = table_of_four(sit=False)
    by = owner_of(people[0])
    stake_tables.end_table(live=live, by=by, now=True)
    at_once(
        lambda: stake_tables.open_table(
            season=live.season, by=people[1].user, ruleset=tables.ruleset.preset("mien-nam"),
            players=4, stake=5, move_seconds=40,
        ),
        lambda: seasons.set_status(season=live.season, status="closed", by=by),
    )  # fmt: skip
    closed = Season.objects.get().status == "closed"
    assert closed != live.season.tables.filter(ended_at=None).exists()


def test_two_take_back_a_game_and_one_does():
    live, people = table_of_four()
    play_game(live)
    stake_tables.sweep()
    by, posting = owner_of(people[0]), Posting.objects.get()
    keys = ["6e9f0f8e-1f53-4b52-8f0c-0c5b0a1c2d3e", "7e9f0f8e-1f53-4b52-8f0c-0c5b0a1c2d3e"]
    back = [
        lambda key=key: postings.reverse(posting=posting, by=by, client_id=key).kind for key in keys
    ]
    assert sorted(at_once(*back)) == ["game", "stale"]
    assert is_sound(live)


def test_two_want_the_last_chair_and_one_gets_it():
    live, people = table_of_four(sit=False)

    def sit(no: int, player) -> str:
        try:
            return seats.sit(table_id=live.table_id, no=no, name="", user=player.user)[0].name
        except TableRefusal as refused:
            return refused.code

    sit(1, people[1])
    came = at_once(lambda: sit(2, people[2]), lambda: sit(2, people[3]))
    assert "chair_taken" in came
    assert Seat.objects.filter(left_at=None).count() == ClubSeat.objects.count() == 3
    assert Table.objects.get().status == Table.Status.WAITING
