"""Lessons that teach the game: short texts with cards to tap, checked by the engine."""

from league.learn.domain.lessons.course import KEYS, course, taught
from league.learn.domain.lessons.exercise import (
    Answer,
    Exercise,
    Lesson,
    MoveError,
    PlayedCards,
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
    "PlayedCards",
    "MoveError",
    "Question",
    "course",
    "format_moves",
    "parse_moves",
    "play_through",
    "taught",
]
