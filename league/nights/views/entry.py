"""Reading a game's entry form: tap by tap without a script, or as a whole."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError

from engine.rules.specials import Special
from league.base.views.base import incomplete_form
from league.nights.domain import entry
from league.nights.domain.entry import Entry, EntryError
from tables.numbers import whole_number


def tapped(players: list[int], sent: Mapping[str, str], *, first_out: bool = False) -> Entry:
    """Return the entry after the last tap; invalid values count as no tap.

    Taps are plain links, so the form needs no script. `first_out` is set where the game ends with
    the first player out.
    """
    state = so_far(players, sent, first_out=first_out)
    if (tap := whole_number(sent.get("tap"))) is not None:
        state = state.tap(tap)
    if "share" in sent:
        state = state.share_rest()
    if (number := whole_number(sent.get("remove"))) is not None:
        state = state.remove(number)
    if "add" in sent and (special := _chosen(state, sent)) is not None:
        state = state.add(special)
    return state


def so_far(players: list[int], sent: Mapping[str, str], *, first_out: bool = False) -> Entry:
    """Return the entry in a form's fields; places that name players from elsewhere are dropped."""
    try:
        groups = entry.read_order(sent.get("order", ""))
        specials = entry.read_specials(sent.get("specials", ""))
    except EntryError:
        return Entry(tuple(players), first_out=first_out)
    named = [player for group in groups for player in group]
    if len(set(named)) != len(named) or not set(named) <= set(players):
        groups = []
    return Entry(tuple(players), tuple(map(tuple, groups)), tuple(specials), first_out)


def whole(sent: Mapping[str, str]) -> dict[str, Any]:
    """Return a complete form's values as the services take them.

    ValidationError for an invalid form.
    """
    try:
        return {
            "groups": entry.read_order(sent.get("order", "")),
            "specials": entry.read_specials(sent.get("specials", "")),
            "client_id": uuid.UUID(sent.get("client_id", "")),
        }
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


def _chosen(state: Entry, sent: Mapping[str, str]) -> Special | None:
    """Return the special that the form's choices describe; None while one is missing."""
    kind, what = sent.get("kind", ""), sent.get("what", "")[:8]
    by, of = whole_number(sent.get("by")), whole_number(sent.get("of"))
    if kind in ("chop", "chain"):
        return _chop(state, kind, by, of, what)
    if kind in ("left", "cards", "cong") and of is not None:
        return _held(kind, of, what, sent.get("count", "")[:8])
    if kind == "finish" and state.groups and what:
        return Special("finish", by=state.groups[0][0], what=what)
    return Special("instant_win", by=by) if kind == "win" and by in state.players else None


def _held(kind: str, of: int, what: str, count: str) -> Special | None:
    if kind == "cong":
        return Special("cong", of=of)
    if kind == "left":
        return Special("left", of=of, what=what) if what else None
    return Special("cards", of=of, what=count) if count else None


def _chop(state: Entry, kind: str, by: int | None, of: int | None, what: str) -> Special | None:
    chained = kind == "chain"
    if chained:
        of = state.specials[-1].by if state.specials else None
    complete = by is not None and what and (of is not None or (chained and state.specials))
    return Special("chop", by, of, what, chained=chained) if complete else None
