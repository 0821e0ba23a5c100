"""Reading a complete entry form, as our own pages send it."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from django.core.exceptions import ValidationError

from engine.rules.specials import Special
from league.base.views.base import incomplete_form
from league.nights.domain.entry import read_order, read_specials
from tables.numbers import whole_number


@dataclass(frozen=True)
class SentGame:
    """A game in a sent form; `number` is the game's, or the version that is corrected."""

    number: int
    groups: list[list[int]]
    specials: list[Special]
    client_id: uuid.UUID


def sent_game(sent: Mapping[str, str], *, number: str) -> SentGame:
    """Return the game that the form holds, with the number in field `number`.

    ValidationError for an invalid form.
    """
    try:
        return SentGame(
            number=count(sent.get(number, "")),
            groups=read_order(sent.get("order", "")),
            specials=read_specials(sent.get("specials", "")),
            client_id=uuid.UUID(sent.get("client_id", "")),
        )
    except ValueError as error:  # EntryError is a ValueError.
        raise incomplete_form() from error


def count(text: str) -> int:
    """Return the whole number in a field that our own pages fill in; else ValidationError."""
    number = whole_number(text)
    if number is None:
        raise incomplete_form()
    return number


def code_of(error: ValidationError) -> str:
    """Return the refusal's stable code, for scripts."""
    return str(getattr(error, "code", None) or "invalid")
