"""Nights that are played online, for tests."""

from typing import Any

from league.models import Event, LivePlan, LiveTable, Result, Round
from league.nights.acts import draws
from league.online.acts import results_in
from tables.base.fifo_cache import forget_all
from tables.models import Game, Seat, Table
from tables.play.acts import games
from tables.play.facts import positions
from tests.factories import make_night, owner_of
from tests.tables import live as tables


def make_online_night(
    players: int = 4,
    *,
    played: str = "live",
    abandoned: str = LivePlan.Abandoned.COUNT,
    **details: Any,
) -> Event:
    """A night whose tables play online."""
    event = make_night(players, **details)
    results_in.set_plan(
        event=event, by=owner_of(event), played=played, move_seconds=40,
        abandoned=abandoned,
    )  # fmt: skip
    return event


def release(event: Event) -> Round:
    """A round drawn by the same seed each time, and released."""
    forget_all()
    by = owner_of(event)
    return draws.release_round(
        round_=draws.draw_round(event=event, by=by, seed=1, anyway=True), by=by
    )


def online(event: Event) -> LiveTable:
    """The only live table that is open in the event."""
    return LiveTable.objects.select_related("table", "sitting__round").get(
        sitting__round__event=event, ended_at=None
    )


def deal(live_table: LiveTable) -> Game:
    """Everybody is here: the next game is dealt."""
    games.deal_next(table_id=live_table.table_id)
    return tables.current(live_table.table)


def play_game(live_table: LiveTable) -> Game:
    """The table's next game, or the one that is on, played to its end in one go."""
    if Table.objects.get(pk=live_table.table_id).status != Table.Status.PLAYING:
        deal(live_table)
    return tables.play_quickly(live_table.table)


def take_game(event: Event) -> None:
    """The open table's next game is played, and counts for the night."""
    play_game(online(event))
    results_in.sweep()


def step(table: Table) -> None:
    """The move of the seat to act: its player's, or what happens by itself for a bot."""
    game = tables.current(table)
    replayed = positions.replay_of(game)
    seat = table.seats.filter(no=replayed.state.turn, left_at=None).first()
    if game.is_window_open or seat is None or seat.is_bot:
        tables.hurry(table)
    else:
        tables.step(table, game)


def hurry_to_the_end(table: Table) -> None:
    """Five moves or waits of each game by the sweep, and the rest of it in one go."""
    for turn in range(1, 100):
        table.refresh_from_db()
        if table.status == Table.Status.CLOSED:
            return
        if turn % 6 == 0 and table.status == Table.Status.PLAYING:
            tables.play_quickly(table)
        else:
            tables.hurry(table)
    raise AssertionError("The table does not end.")


def everybody_leaves(live_table: LiveTable) -> None:
    """All people are played for from now on."""
    Seat.objects.filter(table=live_table.table_id, bot="", left_at=None).update(autopilot=True)


def is_told_right(result: Result) -> bool:
    """Whether the result of a live game names those who sat in its chairs, each with his place."""
    game = result.live.game
    names = dict(Seat.objects.filter(pk__in=game.holders).values_list("pk", "name"))
    told = result.placings.values_list("rank", "entrant__player__name")
    rank, played = 1, set()
    for group in game.outcome["placings"]:
        played |= {(rank, names[game.holders[chair]]) for chair in group}
        rank += len(group)
    return set(told) == played
