"""Attempts at puzzles and at one's own mistakes: the first choice counts, then they come again."""

import datetime
from typing import Any

from django.db import transaction
from openskill.models import PlackettLuce

from engine.rules.actions import SeatAction, action_text
from tables.base.columns import set_columns
from tables.models import Attempt, Puzzle, Solver

MODEL = PlackettLuce()
AGAIN = (3, 10, 30)
"""The days after which a decision comes again: each time that it was right, later."""


@transaction.atomic
def attempt(
    *,
    user: Any,
    game_id: int,
    step: int,
    chosen: SeatAction,
    right: bool,
    today: datetime.date,
    puzzle: Puzzle | None = None,
) -> Attempt:
    """Note a choice. The first one counts and rates; later ones only decide when it comes again."""
    soon = today + datetime.timedelta(days=AGAIN[0])
    first = {"chosen": action_text(chosen)[:40], "right": right, "on": today}
    # A puzzle that was solved at once need not come again; one's own mistake does.
    first["due"] = None if right and puzzle else soon
    found, is_new = Attempt.objects.select_for_update().get_or_create(
        user=user, game_id=game_id, step=step, defaults=first
    )
    if is_new:
        if puzzle is not None:
            _rate(user, puzzle, right=right)
    elif found.due and found.due <= today:
        stage = found.stage + 1 if right else 0
        ends = stage >= len(AGAIN)
        due = None if ends else today + datetime.timedelta(days=AGAIN[stage])
        set_columns(found, stage=stage, due=due)
    return found


def _rate(user: Any, puzzle: Puzzle, *, right: bool) -> None:
    """Rate a solver and a puzzle as a game that one of them won."""
    solver, _new = Solver.objects.select_for_update().get_or_create(user=user)
    against = Puzzle.objects.select_for_update().get(pk=puzzle.pk)
    teams = [[MODEL.rating(mu=one.mu, sigma=one.sigma)] for one in (solver, against)]
    rated = MODEL.rate(teams, ranks=[1.0, 2.0] if right else [2.0, 1.0])
    for model, one, [after] in zip((Solver, Puzzle), (solver, against), rated, strict=True):
        model._base_manager.filter(pk=one.pk).update(mu=after.mu, sigma=after.sigma)
