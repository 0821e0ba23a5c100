"""Puzzles are found in the reviews of open games and checked with many more games; by workers."""

import datetime
from contextlib import suppress
from random import Random

from django.db import IntegrityError, transaction

from engine import bots
from engine.bots import judge
from engine.rules import game as engine_game
from engine.rules.actions import action_from_json
from tables.models import Puzzle, Review
from tables.play.facts import archive
from tables.reviews.acts import making
from tables.reviews.facts import puzzles
from tables.reviews.facts.choices import is_same, state_before

EFFORT = judge.Thoroughness(first=400, more=20_000)
AGREE = ("sage", "master")
"""Bots that must choose a puzzle's best move as well."""
STOCK, LOOKED_AT, SEED = 30, 50, 1


def plan(*, today: datetime.date) -> int:
    """Give the day its puzzle, and find and check others; return how many were checked."""
    checked = 0
    if Puzzle.objects.filter(state=Puzzle.State.READY, day=None).count() < STOCK:
        _find()
        checked = _check_next() if making.is_ready() else 0
    ready = Puzzle.objects.filter(state=Puzzle.State.READY)
    if not ready.filter(day=today).exists():
        following = ready.filter(day=None).order_by("pk").first()
        if following is not None:
            # Two planners at once: the day is unique, the second changes nothing.
            with suppress(IntegrityError), transaction.atomic():
                following.day = today
                following.save(update_fields=["day"])
    return checked


def _find() -> None:
    """Propose the best decision of each lately reviewed game whose replays are open to all."""
    reviews = Review.objects.filter(state=Review.State.MADE, game__table__for_anyone=True)
    for review in reviews.filter(game__puzzles=None).order_by("-game")[:LOOKED_AT]:
        decisions = (review.body or {}).get("decisions", [])
        found = [one for one in decisions if puzzles.makes_a_puzzle(one)]
        if found:
            best = max(found, key=puzzles.lead)
            Puzzle.objects.get_or_create(
                game_id=review.game_id, step=best["step"], defaults={"decision": best}
            )


def _check_next() -> int:
    """Check the oldest proposed puzzle with 20,000 games, and whether the strong bots agree."""
    puzzle = (
        Puzzle.objects.filter(state=Puzzle.State.FOUND)
        .select_related("game__table__ruleset")
        .order_by("pk")
        .first()
    )
    if puzzle is None:
        return 0
    state = state_before(archive.record(puzzle.game), puzzle.step)
    legal, seen = engine_game.legal_actions(state), engine_game.observe(state, state.turn)
    best, second = (action_from_json(body) for body, _value in puzzle.decision["top"][:2])
    dice = Random(f"{puzzle.game_id} {puzzle.step}")
    # Judged as if the second best had been played: its loss is the lead of the best.
    found = judge.decide(seen, legal, second, EFFORT, dice)
    chosen = [bots.make(name, SEED).choose(seen, legal) for name in AGREE]
    agreed = all(is_same(best, one) for one in [action_from_json(found["best"]), *chosen])
    fits = agreed and found["loss"] >= puzzles.BETTER and puzzles.makes_a_puzzle(found)
    puzzle.decision = puzzle.decision | found
    puzzle.state = Puzzle.State.READY if fits else Puzzle.State.REFUSED
    puzzle.save(update_fields=["decision", "state"])
    return 1
