"""The consequences of an action, for both paths that store it.

`tables.play.acts.games` stores it under the table's lock, `tables.play.acts.fast_move` by one
statement without a lock. This module neither queries the database nor changes rows.
"""

import datetime
from typing import NamedTuple

from django.utils import timezone

from engine.rules.actions import SeatAction, action_to_json
from engine.rules.ruleset import Ruleset
from engine.rules.state import EXCHANGE, OVER, State
from tables.models import Action, Game, Seat, Table
from tables.play.acts import clocks
from tables.play.acts.clocks import Wait
from tables.play.facts.replayed import ReplayedGame

TRADING = 30
"""Default seconds for trades before play (rules.md, section 7)."""


class Consequence(NamedTuple):
    """The consequences of an action: the log's line, and the table's next wait.

    `seat` is the acting seat after the action; `None` if it does not change.
    """

    line: Action
    seat: Seat | None
    wait: Wait

    @property
    def just_goes_on(self) -> bool:
        """Return whether the log and the table's row are all that changes."""
        return self.wait.what == "turn" and self.seat is None


def follow(
    table: Table,
    game: Game,
    replayed: ReplayedGame,
    chairs: dict[int, Seat],
    action: SeatAction,
    *,
    client_id: str | None = None,
    made_by: str = "player",
) -> Consequence:
    """Apply the action to the replayed and return its consequences, or raise `IllegalAction`."""
    seat = clocks.acted(table, replayed.state, chairs[action.seat], made_by)
    line = log_line(table, game, replayed, action, client_id=client_id, made_by=made_by)
    then = chairs if seat is None else {**chairs, seat.no: seat}
    return Consequence(line, seat, wait_after(table, game, replayed.state, then))


def log_line(
    table: Table,
    game: Game,
    replayed: ReplayedGame,
    action: SeatAction,
    *,
    client_id: str | None = None,
    made_by: str = "player",
) -> Action:
    """Apply the action to the replayed and return the log's next line, or raise `IllegalAction`.

    The caller saves the line.
    """
    replayed.apply(action)
    return Action(
        game=game,
        seq=replayed.seq,
        version=table.version + 1,
        seat=action.seat,
        body=action_to_json(action),
        client_id=client_id,
        made_by=made_by,
    )


def wait_after(table: Table, game: Game, state: State, chairs: dict[int, Seat]) -> Wait:
    """Return what the table waits for in this state of the game."""
    if state.phase == OVER:
        return Wait("over")
    if state.phase != EXCHANGE and not game.trade_until and not game.trade_closed:
        seconds = state.ruleset.trade_seconds or TRADING
        return Wait("trade", timezone.now() + datetime.timedelta(seconds=seconds))
    opens = game.window_until is None and has_window(state.ruleset, table.players)
    if state.phase != EXCHANGE and opens:
        return Wait("window", timezone.now() + clocks.window())
    return clocks.turn(table, state, chairs)


def has_window(ruleset: Ruleset, players: int) -> bool:
    """Return whether each seat gets the instant-win window; depends on the rules, not the cards."""
    asks = ruleset.plays_instant_wins() and ruleset.instant_wins_declared == "choice"
    return asks and (ruleset.cards_for(players) == 13 or ruleset.deal_all)
