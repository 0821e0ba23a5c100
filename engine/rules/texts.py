"""Refusals of what people write, as templates: English here, other languages at the edge."""

from __future__ import annotations

from typing import Self


def mark(text: str) -> str:
    """Return the text itself. Imported as `_`, so that `makemessages` collects the sentence."""
    return text


class InputError(ValueError):
    """What was written is wrong.

    `at` is the place in it (``hands: seat 0``), `template` filled with `params` says what is
    wrong, and `str()` is both in one line.
    """

    def __init__(self, template: str, /, *, at: str = "", **params: object) -> None:
        self.at, self.template, self.params = at, template, params
        super().__init__(f"{at}: {self.text}" if at else self.text)

    @property
    def text(self) -> str:
        """What is wrong, in English and without the place."""
        return self.template % self.params if self.params else self.template

    @classmethod
    def of(cls, error: InputError, at: str = "") -> Self:
        """Return the same refusal as one of this type, its place inside `at`."""
        place = f"{at}: {error.at}" if at and error.at else at or error.at
        return cls(error.template, at=place, **error.params)
