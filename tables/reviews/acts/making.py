"""Reviews are made by workers, never in a request."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from engine.bots import judge
from tables.models import Game, Review


def keep(*, game: Game, body: dict[str, Any] | None = None, why: str = "") -> Review:
    """Keep what the judge found in a game, or why it is not judged."""
    state = Review.State.NOT_JUDGED if why else Review.State.MADE
    found = {"judge": judge.NAME, "version": judge.VERSION, "state": state, "why": why}
    found |= {"made_at": timezone.now(), "body": body}
    review, _created = Review.objects.update_or_create(game=game, defaults=found)
    return review
