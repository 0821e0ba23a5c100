"""The reviews of finished games, as their readers may see them. Nothing is searched here."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from engine.bots import judge
from tables.base import tokens
from tables.models import Game, Review, Seat
from tables.play.facts import watched

WHY = {
    "bots": _("Only bots played this game."),
    "instant": _("An instant win decided this game."),
    "exchange": _("Cards changed hands before this game."),
    "rules": _("The judge has not been tested for these rules."),
    "failed": _("The judge could not work this game out."),
    "seats": _("The judge has not been tested for this number of players."),
}
"""Why a game is not judged, in words, by `Review.why`."""


def review_of(game: Game) -> Review:
    """Return the game's review, or one that waits; an older judge's stays until then."""
    found = Review.objects.filter(game=game).first()
    if found is None or (is_old(found) and not found.body):
        return Review(game=game, judge=judge.NAME, version=judge.VERSION)
    return found


def is_old(review: Review) -> bool:
    """Return whether another judge than the present one made a review."""
    return (review.judge, review.version) != (judge.NAME, judge.VERSION)


def seen_review(game: Game, *, user: Any = None, token: str = "") -> dict[str, Any] | None:
    """Return the review for a reader; None while the game is not over for that reader."""
    seat = seat_held(game, user=user, token=token)
    if not is_over_for(game, seat):
        return None
    return seen(review_of(game), visible_seats(game, seat))


def seen(review: Review, seats: list[int]) -> dict[str, Any]:
    """Return a review as one may see it who may read the decisions of these seats.

    `values` are the chances of all seats by step, in opponents beaten; the replay shows all hands
    too. `decisions` and `terms` are those of `seats`; the others' terms are None. They are empty
    until the review is made; `why` says why it never is.
    """
    body = review.body or {}
    return {
        "state": review.state,
        "why": review.why,
        "judge": body.get("judge", ""),
        "seats": seats,
        "values": body.get("values", []),
        "decisions": [one for one in body.get("decisions", []) if one["seat"] in seats],
        "terms": [one if no in seats else None for no, one in enumerate(body.get("terms", []))],
        "model_error": body.get("model_error"),
    }


def seat_held(game: Game, *, user: Any = None, token: str = "") -> int | None:
    """Return the number of the seat that this person played in the game, or None."""
    by_token = tokens.hash_of(token) if token else None
    holders = Seat.objects.in_bulk(game.holders)
    for no, key in enumerate(game.holders):
        holder = holders.get(key)
        if holder is None or holder.is_bot:
            continue
        if by_token and holder.token_hash == by_token:
            return no
        if user is not None and holder.user_id == user.pk:
            return no
    return None


def is_over_for(game: Game, seat: int | None) -> bool:
    """Return whether the game is over, and for a spectator so long ago that the delay is over.

    Nobody looks again at cards that others still play.
    """
    if game.over_at is None or not game.is_told:
        return False
    if seat is not None or not game.table.watch_delay:
        return True
    return game.over_at <= watched.seen_until(game.table, None)


def visible_seats(game: Game, seat: int | None) -> list[int]:
    """Return the seats whose decisions one may read: at tables for anyone all, else the own."""
    if game.table.for_anyone:
        return list(range(len(game.holders)))
    return [] if seat is None else [seat]
