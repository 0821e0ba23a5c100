"""Bots' choices, made without the table's lock and before the move is due.

A bot's thinking time depends on its cards, the move's deadline only on chance. So a choice is
stored with the game until the deadline, and nobody can measure it. It is valid for one position in
the log only, and so needs no lock.
"""

import logging

from django.db import transaction

from engine.rules.actions import SeatAction, action_from_json, action_to_json
from engine.rules.state import State
from tables.bots.facts import autopilot
from tables.chairs.acts import seats
from tables.models import Game, Seat, Table
from tables.play.facts import positions
from tables.play.facts.replayed import ReplayedGame

log = logging.getLogger(__name__)


def bot_of(seat: Seat) -> str:
    """Return the bot that plays for a bot's seat, or for a player who sits out."""
    return seat.bot or seats.HOUSE_BOT


def choice(game: Game, replayed: ReplayedGame, seat: Seat) -> SeatAction | None:
    """Return the choice of the bot in turn; `None` while a slow bot has not chosen."""
    thought = game.thought
    if thought and thought["seq"] == replayed.seq:
        return action_from_json(thought["action"])
    bot = bot_of(seat)
    if bot not in autopilot.QUICK:
        return None
    return autopilot.bot_action(replayed.state, bot, seed_of(game))


def seed_of(game: Game) -> int | None:
    """Return the seed of the bots' chance: the same at all tables with these cards, else None."""
    return int(game.secret[:8], 16) if game.table.shared else None


def think_next() -> bool:
    """Think for the next slow bot; return False if none waits."""
    with transaction.atomic():
        waiting = Table.objects.select_for_update(no_key=True, skip_locked=True, of=("self",))
        table = waiting.filter(thinks=True).order_by("due_at").first()
        if table is None:
            return False
        Table.objects.filter(pk=table.pk).update(thinks=False)
    think(table.pk)
    return True


def think(table_id: int) -> None:
    """Think for the slow bot in turn at a table, unless it has chosen; holds no lock."""
    game = (
        Game.objects.select_related("table__ruleset")
        .filter(table_id=table_id, table__status=Table.Status.PLAYING)
        .filter(dealt_at__isnull=False, over_at=None)
        .first()
    )
    if game is None or game.table.turn_at is None:
        return
    replayed = positions.replay_of(game)
    seat = game.table.seats.filter(no=replayed.state.turn, left_at=None).first()
    if seat is None or not seat.is_bot or choice(game, replayed, seat) is not None:
        return
    thought = {
        "seq": replayed.seq,
        "action": action_to_json(_chosen(replayed.state, seat.bot, game)),
    }
    Game.objects.filter(pk=game.pk).update(thought=thought)


def _chosen(state: State, bot: str, game: Game) -> SeatAction:
    """Return the bot's choice.

    A failing bot plays as the autopilot does, so that no table hangs.
    """
    try:
        return autopilot.bot_action(state, bot, seed_of(game))
    except Exception:
        log.exception("The bot %s cannot play on", bot)
        return autopilot.cautious(state)
