"""Lessons that teach the game: short texts with cards to tap, checked by the engine."""

from league.domain.lessons.course import KEYS, course
from league.domain.lessons.exercise import (
    Answer,
    Exercise,
    Lesson,
    Move,
    MoveError,
    Question,
    format_moves,
    parse_moves,
    play_through,
)

__all__ = [
    "Answer",
    "Exercise",
    "KEYS",
    "Lesson",
    "Move",
    "MoveError",
    "Question",
    "course",
    "format_moves",
    "parse_moves",
    "play_through",
]
