"""Bots choose their moves while the table is free for others, and before the move is due.

How long a bot needs depends on its cards, and when its move is due on chance alone: so a thought
is kept with the game until then, and nobody can measure it. It belongs to one moment of the log
and is worth nothing at any other; so it is written without the table's lock.
"""

from __future__ import annotations

import logging

from django.db import transaction

from engine.rules.actions import SeatAction, action_from_json, action_to_json
from engine.rules.state import State
from tables.models import Game, Seat, Table
from tables.services import autopilot, replayed_state, seats
from tables.services.replayed_state import Fold

log = logging.getLogger(__name__)


def bot_of(seat: Seat) -> str:
    """Which bot plays for a seat that is a bot's, or whose player sits out."""
    return seat.bot or seats.HOUSE_BOT


def choice(game: Game, fold: Fold, seat: Seat) -> SeatAction | None:
    """Return what the bot to act has chosen; None while a slow one has not."""
    thought = game.thought
    if thought and thought["seq"] == fold.seq:
        return action_from_json(thought["action"])
    bot = bot_of(seat)
    return autopilot.bot_action(fold.state, bot) if bot in autopilot.QUICK else None


def think_next() -> bool:
    """Thinks for the next bot that has yet to; False when there is none."""
    with transaction.atomic():
        waiting = Table.objects.select_for_update(no_key=True, skip_locked=True, of=("self",))
        table = waiting.filter(thinks=True).order_by("due_at").first()
        if table is None:
            return False
        Table.objects.filter(pk=table.pk).update(thinks=False)
    think(table.pk)
    return True


def think(table_id: int) -> None:
    """Thinks for the slow bot to act at a table, where it has not yet; holds no lock."""
    game = (
        Game.objects.select_related("table__ruleset")
        .filter(table_id=table_id, table__status=Table.Status.PLAYING)
        .filter(dealt_at__isnull=False, over_at=None)
        .first()
    )
    if game is None or game.table.turn_at is None:
        return
    fold = replayed_state.load(game)
    seat = game.table.seats.filter(no=fold.state.turn, left_at=None).first()
    if seat is None or not seat.is_bot or choice(game, fold, seat) is not None:
        return
    thought = {"seq": fold.seq, "action": action_to_json(_chosen(fold.state, seat.bot))}
    Game.objects.filter(pk=game.pk).update(thought=thought)


def _chosen(state: State, bot: str) -> SeatAction:
    """Return the bot's choice.

    A bot that fails plays as the autopilot does, so that no table hangs.
    """
    try:
        return autopilot.bot_action(state, bot)
    except Exception:
        log.exception("The bot %s cannot play on", bot)
        return autopilot.cautious(state)
