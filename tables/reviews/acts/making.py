"""Reviews are made by workers: of people's games, the newest first, never in a request."""

from __future__ import annotations

import math
import time
from typing import Any

from django.core.cache import cache
from django.utils import timezone

from engine.bots import judge
from engine.core import store
from engine.rules.actions import action_from_json
from tables.models import Game, Review, Seat
from tables.play.facts.replayed import as_dealt
from tables.reviews.facts import reviews
from tables.signals import review_wanted

SHARE = 0.2
"""The share of one processor that reviews take, apart from those that someone waits for."""
REST, LONGEST = "reviews-rest", 300
"""Set in the cache while reviews rest, or while one is made; it lasts so many seconds at most."""
EFFORT = judge.FULL
ASKED_SECONDS = 60
"""Seconds after which a question without an answer may be sent again."""
LOOKED_AT = 500
"""The sweep looks for forgotten games among so many; older ones are made when asked for."""


def ask(*, game: Game) -> None:
    """Have a game reviewed at once, for someone who looks at it; a worker does it."""
    found = reviews.review_of(game)
    waits = found.state == Review.State.WAITING or reviews.is_old(found)
    if waits and game.over_at and cache.add(f"review-asked:{game.pk}", 1, ASKED_SECONDS):
        review_wanted.send(sender=None, game_id=game.pk)


def make_next(game_id: int | None = None) -> bool:
    """Make the review of the newest game that waits for one; return whether one was made.

    The game given is noted first. Nothing is made while reviews rest.
    """
    if not cache.add(REST, 1, LONGEST):
        return False
    began = time.process_time()
    try:
        note([game_id] if game_id else forgotten())
        review = Review.objects.filter(state=Review.State.WAITING).order_by("-game_id").first()
        return review is not None and make(review.game_id)
    finally:
        spent = time.process_time() - began
        cache.set(REST, 1, math.ceil(spent / SHARE))


def forgotten() -> list[int]:
    """Return the newest finished games without a review."""
    newest = Game.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    over = Game.objects.filter(pk__gt=newest - LOOKED_AT, over_at__isnull=False, review=None)
    return list(over.values_list("pk", flat=True))


def note(game_ids: list[int]) -> None:
    """Let finished games wait for their reviews."""
    over = Game.objects.filter(pk__in=game_ids, over_at__isnull=False)
    Review.objects.bulk_create(
        [
            Review(game_id=key, judge=judge.NAME, version=judge.VERSION)
            for key in over.values_list("pk", flat=True)
        ],
        ignore_conflicts=True,
    )


def make(game_id: int) -> bool:
    """Make a finished game's review; all who make it come to the same.

    Return whether there is one now: without the compiled core it would take minutes.
    """
    games = Game.objects.select_related("table__ruleset", "review")
    game = games.filter(pk=game_id, over_at__isnull=False).first()
    if game is None:
        return False
    review = getattr(game, "review", None)
    if review and review.made_at and not reviews.is_old(review):
        return True
    log = list(game.actions.order_by("seq").values_list("body", "made_by"))
    started, actions = as_dealt(game).state, [action_from_json(body) for body, _by in log]
    people = Seat.objects.filter(pk__in=game.holders, bot="").in_bulk()
    seats = [no for no, key in enumerate(game.holders) if key in people]
    why = judge.why_not(started, actions) if seats else "bots"
    if why:
        keep(game=game, why=why)
        return True
    if not is_ready():
        return False
    try:
        body = judge.review(started, actions, seats, f"{game.table.key} {game.no}", EFFORT)
    except Exception:
        keep(game=game, why="failed")  # Or the newest games would wait behind this one for ever.
        raise
    # What the autopilot played nobody decided.
    body["decisions"] = [one for one in body["decisions"] if log[one["step"]][1] == "player"]
    keep(game=game, body=body)
    return True


def is_ready() -> bool:
    """Return whether this process can search fast enough."""
    return store.current() is not None


def keep(*, game: Game, body: dict[str, Any] | None = None, why: str = "") -> Review:
    """Keep what the judge found in a game, or why it is not judged."""
    state = Review.State.NOT_JUDGED if why else Review.State.MADE
    found = {"judge": judge.NAME, "version": judge.VERSION, "state": state, "why": why}
    found |= {"made_at": timezone.now(), "body": body}
    review, _created = Review.objects.update_or_create(game=game, defaults=found)
    return review
