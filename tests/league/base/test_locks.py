"""Which rows a change locks, and in which order: the season, the night, the club, what hangs there.

Whoever needs another row than one that is locked does not wait for it.
"""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext

from league.arena.acts import bots
from league.base.acts import locks
from league.clubs.acts import account_data, invitations, players
from league.models import Event, Season
from league.nights.acts import attendance, closing, events
from league.seasons.acts import seasons
from tests.factories import (
    make_member,
    make_night,
    make_season,
    make_table,
    make_tournament,
    make_user,
    names_at,
    owner_of,
    play,
)
from tests.league.base.test_races import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def beside(hold: Callable[[], Any], call: Callable[[], Any]) -> str:
    """What `call` came to while a transaction that has done `hold` is not over; or "waits"."""

    def impatient() -> None:
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                # The clock runs only while it waits for a lock.
                cursor.execute("SET LOCAL lock_timeout = '500ms'")
                call()
        except OperationalError as error:
            raise ValidationError(str(error), code="waits") from error

    with transaction.atomic():
        hold()
        return at_once(impatient)[0]


def locked_by(call: Callable[[], Any]) -> list[str]:
    """The tables of which a change locks rows, in the order of the first of each."""
    with CaptureQueriesContext(connection) as queries:
        call()
    statements = [
        query["sql"] for query in queries if re.search(r" FOR (NO KEY )?UPDATE", query["sql"])
    ]
    return list(dict.fromkeys(re.findall(r'FROM "(\w+)"', " ".join(statements))))


@pytest.mark.parametrize("is_one_season", [True, False])
def test_two_nights_do_not_wait_for_each_other_though_their_rules_are_the_same(is_one_season):
    one = make_night()
    other = make_night(season=one.season if is_one_season else None)
    assert one.ruleset_id == other.ruleset_id
    first, second = (partial(locks.event_to_change, night.pk) for night in (one, other))
    assert beside(first, second) == "done"


def test_two_changes_of_a_night_wait_for_each_other():
    change = partial(locks.event_to_change, make_night().pk)
    assert beside(change, change) == "waits"


def test_tables_of_a_night_do_not_wait_for_each_other_but_nobody_draws_or_closes_meanwhile():
    night = make_night(8)
    one, other = make_table(night).round.sittings.all()
    by = owner_of(night)
    version = Event.objects.get().version

    def hold():
        locks.table_to_play(one.pk)

    assert beside(hold, lambda: play(other)) == "done"
    assert Event.objects.get().version == version + 1
    for alone in (
        lambda: play(one),
        lambda: attendance.set_presence(event=night, player_ids=[], presence="here", by=by),
    ):
        assert beside(hold, alone) == "waits"
    assert beside(lambda: locks.event_to_change(night.pk), lambda: play(one)) == "waits"


def test_where_games_move_people_between_tables_these_wait():
    night = make_night(9, format={"kind": "loser_leaves", "tables": 2})
    one, other = make_table(night).round.sittings.all()
    assert beside(lambda: locks.table_to_play(one.pk), lambda: play(other)) == "waits"


@pytest.mark.parametrize("kind", ["loser_leaves", "open"])
def test_tables_that_stay_open_wait_only_for_a_game_that_moves_chairs(kind):
    night = make_night(8, format={"kind": kind, "tables": 2}, games_per_round=3)
    one, other = make_table(night).round.sittings.all()
    by = owner_of(night)

    def comes():
        attendance.add_guest(event=night, name="Nga", by=by)

    def hold():
        locks.table_to_play(one.pk)

    assert beside(hold, comes) == "waits"
    assert beside(hold, lambda: play(other)) == "done"
    if kind == "open":
        play(other)
    else:
        came: list[str] = []

        def comes_first(execute, sql, *rest):
            if "advisory_xact_lock_shared" in sql and not came:
                came.extend(at_once(comes))
            return execute(sql, *rest)

        with connection.execute_wrapper(comes_first):
            play(one)  # Nobody waited yet when it looked first.
        assert (came, "Nga" in names_at(one, 2)) == (["done"], True)
    # Now someone waits, or the next game is the table's last: that moves chairs.
    assert beside(hold, lambda: play(other)) == "waits"


def test_a_game_that_moves_chairs_only_after_the_first_look_is_alone_in_the_night():
    night = make_night(6, format={"kind": "loser_leaves"})
    sitting, looks = make_table(night), iter([False, True])
    with transaction.atomic(), connection.cursor() as cursor:
        locks.table_to_play(sitting.pk, lambda _event: next(looks))
        cursor.execute(
            "SELECT mode FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"
        )
        assert cursor.fetchall() == [("ExclusiveLock",)]


def test_a_game_for_a_stake_is_saved_while_its_season_and_its_club_are_locked():
    season = make_season(rules="killa")
    sitting = make_table(make_night(season=season, stake=3))

    def hold():
        locks.season_to_change(season.pk)
        players.add_player(club=season.club, name="Nga", by=owner_of(season))

    assert beside(hold, lambda: play(sitting)) == "done"


def test_a_night_is_not_opened_again_while_its_season_is_being_closed():
    season = make_season()
    night, by = make_night(season=season), owner_of(season)
    closing.close_event(event=night, by=by)

    def close():
        seasons.set_status(season=season, status=Season.Status.CLOSED, by=by)

    again = beside(close, lambda: closing.reopen_event(event=night, by=by))
    assert (again, Event.objects.get().status) == ("waits", "closed")


def test_the_season_is_locked_before_its_night():
    season = make_season(rules="thirteen")
    night, by = make_night(season=season), owner_of(season)
    assert locked_by(lambda: events.repeat_event(event=night, by=by))[0] == "league_season"
    closing.close_event(event=night, by=by)
    reopen = locked_by(lambda: closing.reopen_event(event=night, by=by))
    assert reopen == ["league_season", "league_event"]


def test_a_tournament_is_locked_before_its_run():
    season = make_season(rules="thirteen")
    by = owner_of(season)
    event = make_tournament(season, "lowest", "lowest", deals=2)
    extend = locked_by(lambda: bots.change_run(event=event, by=by, change="extend", deals=2))
    assert extend == ["league_season", "league_event", "tables_run"]


def test_the_club_is_locked_before_the_link_that_somebody_follows():
    club = make_season().club
    by = owner_of(club)
    an = players.add_player(club=club, name="An", by=by)
    made = locked_by(lambda: invitations.invite_player(player=an, by=by))
    secret = an.invitations.get().secret
    used = locked_by(lambda: invitations.accept(secret=secret, user=make_user()))
    assert (made[0], used[0]) == ("league_club", "league_club")


def test_two_owners_who_leave_at_once_do_not_leave_the_club_without_one():
    club = make_season().club
    one, other = owner_of(club), make_member(club, "owner")
    leave = [lambda user=user: account_data.erase_person(user=user) for user in (one, other)]
    assert beside(*leave) == "waits"
