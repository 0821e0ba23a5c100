"""The page of a puzzle: the position without names, the answer, one's streak and mistakes."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.utils.formats import date_format

from engine.rules import game as engine_game
from engine.rules.actions import SeatAction, action_from_json
from tables.base.card_text import codes
from tables.models import Game, Puzzle, Solver
from tables.play.facts import archive
from tables.reviews.facts import puzzles
from tables.reviews.facts.choices import chosen_at, state_before
from tables.reviews.facts.puzzles import Solvers
from tables.reviews.pages.asked import (
    AskedPosition,
    JudgedOption,
    Tried,
    asked_at,
    options,
    tried,
    why,
)

KEPT_SECONDS = 86_400


@dataclass(frozen=True)
class Day:
    """A day of the last week: `look` is right, wrong, today or none."""

    name: str
    look: str


@dataclass(frozen=True)
class Own:
    """One of the visitor's mistakes to try again."""

    game: Game
    step: int
    cards: list[str]
    stage: int


@dataclass(frozen=True)
class PuzzlePage:
    """A puzzle for one visitor; without an attempt yet, `tried` and the answer are None.

    Without a puzzle, only the visitor's own part is there.
    """

    week: list[Day]
    streak: int
    solver: Solver | None
    own: list[Own]
    puzzle: Puzzle | None = None
    asked: AskedPosition | None = None
    tried: Tried | None = None
    options: list[JudgedOption] | None = None
    why: str = ""
    solvers: Solvers | None = None

    @property
    def days(self) -> bool:
        """Whether a streak is shown: to those with an account."""
        return bool(self.week)


def hand_of_day(day: datetime.date) -> list[str]:
    """Return the cards of the day's puzzle, none without one; kept, as the lobby asks often."""
    found = puzzles.of_day(day)
    if found is None:
        return []
    key = f"puzzle-hand-{found.pk}"
    hand: list[str] = (
        cache.get(key) or asked_at(archive.record(found.game), found.step, nameless=True).hand
    )
    cache.set(key, hand, KEPT_SECONDS)
    return hand


def puzzle_page(
    puzzle: Puzzle,
    record: Mapping[str, Any],
    user: Any,
    chosen: SeatAction | None,
    today: datetime.date,
) -> PuzzlePage:
    """Return a puzzle's page; `chosen` is the visitor's choice, else an earlier one counts."""
    if chosen is None and user is not None:
        earlier = puzzles.attempt_at(user, puzzle.game_id, puzzle.step)
        if earlier is not None:
            do = "pass" if earlier.chosen == "pass" else "play"
            chosen = chosen_at(record, puzzle.step, do, earlier.chosen.split())
    page = without_puzzle(user, today)
    fields = vars(page) | {"puzzle": puzzle, "solvers": puzzles.solvers_of(puzzle)}
    fields["asked"] = asked_at(record, puzzle.step, nameless=True)
    if chosen is not None:
        state = state_before(record, puzzle.step)
        shares = fields["solvers"].shares(puzzle.decision)
        nobodys = puzzle.decision | {"played": puzzle.decision["best"]}
        fields |= {
            "tried": tried(puzzle.decision, chosen),
            "options": options(nobodys, state.players, chosen, shares),
            "why": why(puzzle.decision, engine_game.observe(state, state.turn).hand),
        }
    return PuzzlePage(**fields)


def without_puzzle(user: Any, today: datetime.date) -> PuzzlePage:
    """Return the visitor's own part: the last week, and the own mistakes to try again."""
    if user is None:
        return PuzzlePage([], 0, None, [])
    week = [
        Day(date_format(day, "D"), _look(right, is_today=day == today))
        for day, right in puzzles.week_of(user, today)
    ]
    own = [
        Own(
            one.game,
            one.decision["step"],
            codes(action_from_json(one.decision["played"]).cards),
            one.stage,
        )
        for one in puzzles.mistakes_of(user, today)
    ]
    streak = puzzles.streak_of(user, today)
    return PuzzlePage(week, streak, Solver.objects.filter(user=user).first(), own)


def _look(right: bool | None, *, is_today: bool) -> str:
    if right is None:
        return "today" if is_today else "none"
    return "right" if right else "wrong"
