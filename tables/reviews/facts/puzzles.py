"""Puzzles: which decisions make one, who solved which, and which come again."""

import datetime
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from engine.rules.actions import action_from_json, action_text
from tables.models import Attempt, Game, Puzzle, Review, Seat

GAMES_LOOKED_AT, MOST_OWN, DAYS = 20, 5, 7
FIRST_CLOCK = datetime.timezone(datetime.timedelta(hours=14))
"""The one that each new day reaches first, that of the Line Islands."""


def days_begun(moment: datetime.datetime) -> list[datetime.date]:
    """Return the server's day at an aware moment, and the next one if it has begun somewhere."""
    clocks = (timezone.get_default_timezone(), FIRST_CLOCK)
    return sorted({moment.astimezone(clock).date() for clock in clocks})


def of_day(day: datetime.date) -> Puzzle | None:
    """Return the puzzle of the day, or the newest one before it."""
    found = Puzzle.objects.filter(state=Puzzle.State.READY, day__lte=day)
    return found.select_related("game__table__ruleset").order_by("-day").first()


def published(pk: int) -> Puzzle | None:
    """Return a puzzle of a day that has begun somewhere: its link is passed on over clocks."""
    last = days_begun(timezone.now())[-1]
    found = Puzzle.objects.filter(state=Puzzle.State.READY, day__lte=last)
    return found.select_related("game__table__ruleset").filter(pk=pk).first()


def attempt_at(user: Any, game: int, step: int) -> Attempt | None:
    """Return a person's attempt at a decision."""
    return Attempt.objects.filter(user=user, game=game, step=step).first()


@dataclass(frozen=True)
class Solvers:
    """How many people tried a puzzle, how many were right, and how often each move was chosen."""

    people: int
    right: int
    chosen: Counter[str]

    @property
    def percent(self) -> int:
        return round(100 * self.right / self.people) if self.people else 0

    def shares(self, decision: Mapping[str, Any]) -> list[int]:
        """Return the percentage of people for each of the judge's choices."""
        texts = [action_text(action_from_json(body)) for body, _value in decision["top"]]
        return [round(100 * self.chosen[text] / max(self.people, 1)) for text in texts]


def solvers_of(puzzle: Puzzle) -> Solvers:
    """Return who tried a puzzle, without its players."""
    found = Attempt.objects.filter(game=puzzle.game_id, step=puzzle.step)
    rows = list(found.values_list("chosen", "right"))
    return Solvers(len(rows), sum(right for _c, right in rows), Counter(c for c, _r in rows))


def week_of(user: Any, today: datetime.date) -> list[tuple[datetime.date, bool | None]]:
    """Return the last seven days: whether that day's puzzle was solved, None if not tried."""
    begin = today - datetime.timedelta(days=DAYS - 1)
    solved = dict(_solved(user, begin))
    days = [begin + datetime.timedelta(days=n) for n in range(DAYS)]
    return [(day, solved.get(day)) for day in days]


def streak_of(user: Any, today: datetime.date) -> int:
    """Return for how many days in a row the puzzle of the day was solved, until today."""
    solved = dict(_solved(user, today - datetime.timedelta(days=1000)))
    day = today if today in solved else today - datetime.timedelta(days=1)
    count = 0
    while solved.get(day):
        count, day = count + 1, day - datetime.timedelta(days=1)
    return count


def _solved(user: Any, since: datetime.date) -> list[tuple[datetime.date, bool]]:
    """Return the puzzles of days solved on their own day, by day."""
    found = Puzzle.objects.filter(day__gte=since).values_list("game", "step", "day")
    days = {(game, step): day for game, step, day in found if day}
    attempts = Attempt.objects.filter(user=user, on__gte=since)
    return [
        (on, right)
        for game, step, right, on in attempts.values_list("game", "step", "right", "on")
        if days.get((game, step)) == on
    ]


@dataclass(frozen=True)
class OwnMistake:
    """A mistake of one's own to try again: the decision, and how often it was right since."""

    game: Game
    decision: Mapping[str, Any]
    stage: int


def reviews_of(user: Any, most: int, games: Collection[int] | None = None) -> list[Review]:
    """Return the latest reviews of a person's games, without deals that others still play.

    With `games` they are those of these games alone.
    """
    found = Review.objects.filter(state=Review.State.MADE, game__table__seats__user=user).distinct()
    if games is not None:
        found = found.filter(game__in=games)
    with_deals = found.select_related("game__table__arrangement__shared")
    return [one for one in with_deals.order_by("-game")[:most] if one.game.is_told]


def mistakes_of(user: Any, today: datetime.date) -> list[OwnMistake]:
    """Return a person's mistakes that come again today, then the latest that were not tried yet."""
    own = set(Seat.objects.filter(user=user).values_list("pk", flat=True))
    tried = {(one.game_id, one.step): one for one in Attempt.objects.filter(user=user)}
    due = {key: one.stage for key, one in tried.items() if one.due and one.due <= today}
    again = reviews_of(user, MOST_OWN, {game for game, _step in due})
    found = [
        OwnMistake(review.game, decision, due[review.game_id, decision["step"]])
        for review in again
        for decision in _wrong(review, own)
        if (review.game_id, decision["step"]) in due
    ]
    found += [
        OwnMistake(review.game, decision, 0)
        for review in reviews_of(user, GAMES_LOOKED_AT)
        for decision in _wrong(review, own)
        if (review.game_id, decision["step"]) not in tried
    ]
    return found[:MOST_OWN]


def _wrong(review: Review, own: set[int]) -> Sequence[Mapping[str, Any]]:
    holders = review.game.holders
    return [
        decision
        for decision in (review.body or {}).get("decisions", [])
        if decision["word"] in ("mistake", "blunder") and holders[decision["seat"]] in own
    ]
