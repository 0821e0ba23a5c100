"""Errors in input as message templates: English here, translated by callers."""

from __future__ import annotations

from typing import Self


def mark(text: str) -> str:
    """Return the text unchanged; imported as `_`, so that `makemessages` collects it."""
    return text


class InputError(ValueError):
    """An error in input.

    `at` is its place (``hands: seat 0``), `template` filled with `params` its message, and `str()`
    both in one line.
    """

    def __init__(self, template: str, /, *, at: str = "", **params: object) -> None:
        self.at, self.template, self.params = at, template, params
        super().__init__(f"{at}: {self.text}" if at else self.text)

    @property
    def text(self) -> str:
        """The message in English, without the place."""
        return self.template % self.params if self.params else self.template

    @classmethod
    def of(cls, error: InputError, at: str = "") -> Self:
        """Return the error as one of this class, its place prefixed with `at`."""
        place = f"{at}: {error.at}" if at and error.at else at or error.at
        return cls(error.template, at=place, **error.params)
