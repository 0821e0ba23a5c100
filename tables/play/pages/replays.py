"""A finished game, step by step, with all hands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext_lazy as _

from engine import records
from engine.records import read
from engine.rules import game
from engine.rules.cards import RANKS, format_card
from engine.rules.game import State
from tables.base.card_text import codes, rank
from tables.base.faces import Face, faces
from tables.base.placings import ranks
from tables.play.facts.replayed import names_of
from tables.refusals import PAYMENTS

DID = {
    "pass": _("passes"),
    "play": _("plays"),
    "lock": _("plays and locks the trick"),
    "declare": _("declares an instant win"),
    "decline": _("declares nothing and plays on"),
    "ask": _("asks for %(rank)s"),
    "trade": _("trades cards with %(other)s"),
    "return": _("returns cards"),
    "give": _("gives cards"),
}


@dataclass(frozen=True)
class SeatView:
    """A seat at one step: face, hand, whether it acts or is locked out, its place once out."""

    no: int
    name: str
    face: Face
    hand: list[str]
    acts: bool
    place: int | None
    locked_out: bool


@dataclass(frozen=True)
class StepView:
    """One action, as the list beside the board shows it."""

    number: int
    name: str
    do: str
    cards: list[str]
    other: str = ""
    take: list[str] = field(default_factory=list)
    rank: str = ""

    @property
    def says(self) -> str:
        """The action in words, to stand after the name."""
        return str(DID[self.do]) % {"rank": self.rank, "other": self.other}


def replay_page(
    record: dict[str, Any],
    step: int | None,
    known: Mapping[str, Face] | None = None,
    *,
    plays: bool = False,
) -> dict[str, Any]:
    """Return the board after `step` actions (None: at the start), all actions and the final places.

    `known` are the faces that the players have elsewhere, by name. Where it `plays`, the next step
    follows until the last; `play_from` is where playing begins.

    Raise `engine.rules.errors.RecordError` if the record is invalid.
    """
    actions = read.actions_of(record)
    names = names_of(record)
    at = min(step or 0, len(actions))
    state = read.start_of(record)
    for number, action in enumerate(actions[:at], start=1):
        records.step(state, action, number)
    steps = [
        StepView(
            number,
            names[action.seat],
            action.do,
            cards=codes(action.cards),
            other="" if action.other is None else names[action.other],
            take=codes(action.take),
            rank="" if action.rank is None else rank(RANKS[action.rank]),
        )
        for number, action in enumerate(actions, start=1)
    ]
    board = game.observe(state, None)
    end = records.replay(record)
    seats = _seats(state, names, known)
    return {
        "seats": seats,
        "to_beat": [format_card(card) for card in board.to_beat],
        "to_beat_by": names[board.to_beat_by] if board.to_beat_by is not None else "",
        "steps": steps,
        "step": at,
        "last": len(actions),
        "paused": not plays or at == len(actions),
        "play_from": at if at < len(actions) else 0,
        "current": steps[at - 1] if at else None,
        "mover": seats[actions[at - 1].seat] if at else None,
        "finished": end["finished"],
        "places": [[names[seat] for seat in group] for group in end["placings"]],
        "payments": [
            {
                **payment,
                "from": names[payment["from"]],
                "to": names[payment["to"]],
                "reason": str(PAYMENTS[payment["reason"]]),
            }
            for payment in end["payments"]
        ],
    }


def _seats(state: State, names: list[str], known: Mapping[str, Face] | None) -> list[SeatView]:
    board = game.observe(state, None)
    places = ranks(game.outcome(state).placings)
    return [
        SeatView(
            no=seat,
            name=name,
            face=face,
            hand=[format_card(card) for card in game.observe(state, seat).hand],
            acts=seat == board.turn,
            place=places.get(seat),
            locked_out=seat in board.locked_out,
        )
        for seat, (name, face) in enumerate(zip(names, faces(names, known), strict=True))
    ]
