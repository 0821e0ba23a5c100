"""Puzzles are found in the reviews of open games and checked with many more games; by workers."""

import datetime
import logging
from collections.abc import Iterable
from contextlib import suppress

from django.db import IntegrityError, transaction

from engine.bots import puzzles
from tables.models import Puzzle, Review
from tables.play.facts import archive
from tables.reviews.acts import making
from tables.reviews.facts.choices import state_before

log = logging.getLogger(__name__)

STOCK, LOOKED_AT = 30, 50


def plan(*, days: Iterable[datetime.date]) -> int:
    """Give each day its puzzle, and find and check others; return how many were checked."""
    checked = 0
    if Puzzle.objects.filter(state=Puzzle.State.READY, day=None).count() < STOCK:
        _find()
        checked = _check_next() if making.is_ready() else 0
    ready = Puzzle.objects.filter(state=Puzzle.State.READY)
    for day in days:
        following = ready.filter(day=None).order_by("pk").first()
        if following is not None and not ready.filter(day=day).exists():
            # Two planners at once: the day is unique, the second changes nothing.
            with suppress(IntegrityError), transaction.atomic():
                following.day = day
                following.save(update_fields=["day"])
    return checked


def _find() -> None:
    """Propose the best decision of each lately reviewed game whose replays are open to all."""
    reviews = Review.objects.filter(state=Review.State.MADE, game__table__for_anyone=True)
    for review in reviews.filter(game__puzzles=None).order_by("-game")[:LOOKED_AT]:
        best = puzzles.proposed((review.body or {}).get("decisions", []))
        if best:
            Puzzle.objects.get_or_create(
                game_id=review.game_id, step=best["step"], defaults={"decision": best}
            )


def _check_next() -> int:
    """Check the oldest proposed puzzle with 20,000 games, and whether the strong bots agree.

    One that cannot be checked is refused, or all others would wait behind it.
    """
    puzzle = (
        Puzzle.objects.filter(state=Puzzle.State.FOUND)
        .select_related("game__table__ruleset")
        .order_by("pk")
        .first()
    )
    if puzzle is None:
        return 0
    state = state_before(archive.record(puzzle.game), puzzle.step)
    try:
        found, refused = puzzles.check(state, puzzle.decision, f"{puzzle.game_id} {puzzle.step}")
    except Exception:
        log.exception("Puzzle %s cannot be checked", puzzle)
        found, refused = {}, "failed"
    puzzle.decision = puzzle.decision | found
    puzzle.state = Puzzle.State.REFUSED if refused else Puzzle.State.READY
    puzzle.save(update_fields=["decision", "state"])
    return 1
