"""Actions of seats as frozen values, with their JSON form (docs/records.md)."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from .cards import RANKS, CardError, format_cards, parse_cards, parse_rank
from .texts import InputError
from .texts import mark as _

VERBS = ("play", "lock", "pass", "declare", "decline", "ask", "return", "give", "trade")
WITH_CARDS = ("play", "lock", "return", "give")
# No action moves more cards than a hand holds; a longer text is refused before it is parsed.
_LONGEST = 400


class SeatAction(NamedTuple):
    """One action of a seat; fields that its verb does not use keep their default.

    `cards` are sorted; in a trade the seat gives `cards` to `other` and takes `take` from it.
    """

    seat: int
    do: str
    cards: tuple[int, ...] = ()
    rank: int | None = None
    other: int | None = None
    take: tuple[int, ...] = ()


class ActionError(InputError):
    """A JSON value that is no action."""


def action_to_json(action: SeatAction) -> dict[str, Any]:
    """Return the JSON form; `action_from_json` is the inverse."""
    obj: dict[str, Any] = {"seat": action.seat, "do": action.do}
    if action.do in WITH_CARDS:
        obj["cards"] = format_cards(action.cards)
    elif action.do == "ask":
        assert action.rank is not None
        obj["rank"] = RANKS[action.rank]
    elif action.do == "trade":
        obj["with"] = action.other
        obj["give"] = format_cards(action.cards)
        obj["take"] = format_cards(action.take)
    return obj


def action_from_json(obj: object) -> SeatAction:
    """Return the action that a JSON object describes; raises ActionError."""
    if not isinstance(obj, Mapping):
        raise ActionError(_('an action must be an object with "seat" and "do"'))
    seat = _seat(obj, "seat")
    do = obj.get("do")
    if not isinstance(do, str) or do not in VERBS:
        names = ", ".join(VERBS)
        raise ActionError(_("must be one of %(names)s"), at=f"seat {seat}: do", names=names)
    try:
        if do in WITH_CARDS:
            return SeatAction(seat, do, _cards(obj, "cards"))
        if do == "ask":
            rank = obj.get("rank")
            return SeatAction(seat, do, rank=parse_rank(rank if isinstance(rank, str) else ""))
        if do == "trade":
            give, take = _cards(obj, "give"), _cards(obj, "take")
            return SeatAction(seat, do, give, other=_seat(obj, "with"), take=take)
    except CardError as error:
        raise ActionError.of(error, f"seat {seat}: {do}") from None
    return SeatAction(seat, do)


def action_text(action: SeatAction) -> str:
    """Return an action as `legal` prints it: ``pass``, ``3S 3C``, ``ask 7``."""
    if action.do == "play":
        return format_cards(action.cards)
    if action.do == "ask":
        assert action.rank is not None
        return f"ask {RANKS[action.rank]}"
    if action.do in WITH_CARDS:
        return f"{action.do} {format_cards(action.cards)}"
    return action.do


def _seat(obj: Mapping[str, object], name: str) -> int:
    seat = obj.get(name)
    if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < 8:
        raise ActionError(_("must be a seat number, counted from 0"), at=name)
    return seat


def _cards(obj: Mapping[str, object], name: str) -> tuple[int, ...]:
    text = obj.get(name)
    if not isinstance(text, str) or len(text) > _LONGEST:
        raise CardError(_('must be cards as text, such as "3S 3C"'), at=name)
    return parse_cards(text)
