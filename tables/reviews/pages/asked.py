"""A decision as its seat saw it, and what a choice there was worth: *try again* and puzzles."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from engine.bots.puzzles import is_same
from engine.rules import game as engine_game
from engine.rules.actions import SeatAction, action_from_json
from engine.rules.observation import Observation
from tables.base.card_text import codes, spoken
from tables.base.faces import Face, faces
from tables.numbers import rounded
from tables.reviews.facts.choices import is_right, state_before, value_of

AXIS = 88.0
STRANGERS = (Face("buffalo", 8), Face("monkey", 8), Face("goat", 8))


@dataclass(frozen=True)
class Rival:
    """Another seat as the deciding one saw it."""

    name: str
    face: Face
    cards: int | None
    note: str


@dataclass(frozen=True)
class AskedPosition:
    """The position before a decision; `out` are the cards played so far."""

    rivals: list[Rival]
    hand: list[str]
    to_beat: list[str]
    out: list[str]
    sentence: str
    may_pass: bool


@dataclass(frozen=True)
class JudgedOption:
    """A choice with its expected place; `x` is where that stands on an axis of 96 units.

    `share` is the percentage of solvers who chose it, None where nobody was asked.
    """

    cards: list[str]
    place: float
    x: float
    best: bool
    played: bool
    chosen: bool
    share: int | None = None


@dataclass(frozen=True)
class Tried:
    """A choice that was tried: how good it is, in a title and a sentence."""

    right: bool
    title: str
    sentence: str


def asked_at(
    record: Mapping[str, Any],
    step: int,
    known: Mapping[str, Face] | None = None,
    *,
    nameless: bool = False,
) -> AskedPosition:
    """Return the position before a step as the seat in turn saw it; a puzzle is `nameless`."""
    state = state_before(record, step)
    seen = engine_game.observe(state, state.turn)
    others = [(state.turn + by) % seen.players for by in range(seen.players - 1, 0, -1)]
    if nameless:
        names = dict(zip(others, _sides(len(others)), strict=True))
        face_of = dict(zip(others, STRANGERS * 3, strict=False))
    else:
        names = dict(enumerate(map(str, record["players"])))
        face_of = dict(enumerate(faces(names.values(), known)))
    rivals = [Rival(names[no], face_of[no], seen.counts[no], _note(seen, no)) for no in others]
    out = sorted(card for entry in seen.history for card in entry.action.cards)
    return AskedPosition(
        rivals,
        codes(seen.hand),
        codes(seen.to_beat),
        codes(tuple(out)),
        _sentence(seen),
        any(action.do == "pass" for action in engine_game.legal_actions(state)),
    )


def _sides(others: int) -> list[str]:
    """Return where the others sit, from one's left on."""
    if others != 3:
        return [_("Player %(n)s") % {"n": no + 1} for no in range(others)]
    return [_("On the left"), _("Opposite"), _("On the right")]


def _note(seen: Observation, seat: int) -> str:
    if any(seat in group for group in seen.placings):
        return _("out of cards")
    if seat == seen.to_beat_by:
        return _("to beat")
    if seat in seen.locked_out:
        return pgettext("seat", "passed")
    if not any(entry.action.seat == seat and entry.action.cards for entry in seen.history):
        return _("no card played yet")
    return ""


def _sentence(seen: Observation) -> str:
    cards = len(seen.hand)
    if not seen.to_beat:
        text = ngettext("You have %(n)s card and lead.", "You have %(n)s cards and lead.", cards)
    else:
        text = ngettext("You have %(n)s card.", "You have %(n)s cards.", cards)
    return text % {"n": cards}


def options(
    decision: Mapping[str, Any],
    players: int,
    chosen: SeatAction | None = None,
    shares: Sequence[int] | None = None,
) -> list[JudgedOption]:
    """Return the judge's choices of a decision, the best first."""
    played, best = (action_from_json(decision[key]) for key in ("played", "best"))
    found = []
    for at, (body, value) in enumerate(decision["top"]):
        action, place = action_from_json(body), players - value
        found.append(
            JudgedOption(
                codes(action.cards),
                place,
                round(4 + AXIS * (place - 1) / (players - 1), 1),
                is_same(action, best),
                is_same(action, played),
                chosen is not None and is_same(action, chosen),
                shares[at] if shares else None,
            )
        )
    return sorted(found, key=lambda option: (not option.best, option.place))


def tried(decision: Mapping[str, Any], chosen: SeatAction) -> Tried:
    """Return how good a choice is, against the judge's best move."""
    best = action_from_json(decision["best"])
    value, said = value_of(decision, chosen), {"best": move_words(best)}
    if is_same(best, chosen):
        return Tried(True, _("Right!"), _("The judge would choose the same."))
    if is_right(decision, chosen):
        text = _("The judge prefers %(best)s, by too little to tell.") % said
        return Tried(True, _("As good as the best"), text)
    if value is None:
        return Tried(False, _("Not quite"), _("The judge prefers %(best)s.") % said)
    lost = said | {"places": rounded(decision["q"] - value, 2)}
    text = _("%(best)s is better by %(places)s places.") % lost
    return Tried(False, _("Not quite"), text)


def move_words(action: SeatAction) -> str:
    """Return a move in words: its cards, or the word for a pass."""
    return spoken(action.cards) or _("passing")


def why(decision: Mapping[str, Any], hand: Sequence[int]) -> str:
    """Return with which cards the best move goes on, and with which the played one did."""
    best, played = (action_from_json(decision[key]) for key in ("best", "played"))
    left = {
        name: spoken(tuple(card for card in hand if card not in action.cards))
        for name, action in (("best", best), ("played", played))
    }
    said = {"best": move_words(best), "played": move_words(played)}
    if not best.cards:
        text = _("Pass and keep %(kept)s: here it costs more than it wins.")
        return text % {"kept": said["played"]}
    if not played.cards:
        return _("Play %(best)s rather than pass.") % said
    if not left["best"]:
        return _("%(best)s were your last cards.") % said
    words = said | {"rest": left["best"], "was": left["played"] or "–"}
    return _("%(best)s leaves you %(rest)s; %(played)s left %(was)s.") % words
