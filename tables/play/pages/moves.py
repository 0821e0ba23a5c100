"""The public log of a game by tricks, and the sentence about its last event."""

from typing import NamedTuple

from django.utils.translation import gettext as _

from engine.rules.cards import RANKS
from engine.rules.shapes import cards_of
from engine.rules.state import LogEntry
from tables.base import card_text
from tables.base.card_text import codes, rank
from tables.play.facts.replayed import ReplayedGame


class Move(NamedTuple):
    """A play or a pass in a trick; `chop` marks a play that chops."""

    seat: int
    name: str
    cards: tuple[str, ...]
    passed: bool
    locks: bool
    chop: bool


def tricks(replayed: ReplayedGame, names: list[str]) -> list[list[Move]]:
    """Return every trick of the game, oldest first; the last one may be over."""
    chops = {(chop.by, cards_of(chop.play)) for chop in replayed.state.chops}
    ends = [*replayed.tricks[1:], len(replayed.state.log)]
    return [
        [
            Move(
                seat=event.action.seat,
                name=names[event.action.seat],
                cards=tuple(codes(event.action.cards)),
                passed=event.action.do == "pass",
                locks=event.action.do == "lock",
                chop=(event.action.seat, event.action.cards) in chops,
            )
            for event in replayed.state.log[start:end]
            if event.seen_by is None
        ]
        for start, end in zip(replayed.tricks, ends, strict=False)
    ]


def news(event: LogEntry | None, names: list[str]) -> str:
    """Return a sentence about a public event; "" for none."""
    if event is None:
        return ""
    action = event.action
    said = {"name": names[action.seat], "cards": card_text.listed(action.cards)}
    if action.do in ("play", "lock"):
        said["play"] = card_text.kind(codes(action.cards), highest=True)
        locked = _("the trick is locked")
        return _("%(name)s: %(play)s") % said + (f", {locked}" if action.do == "lock" else "")
    if action.do == "pass":
        return _("%(name)s passes") % said
    if action.do == "declare":
        return _("%(name)s has an instant win!") % said
    if action.do == "ask" and action.rank is not None:
        said["rank"] = rank(RANKS[action.rank])
        if event.refused:
            return _("%(name)s asks for %(rank)s: none") % said
        return _("%(name)s asks for %(rank)s and gets one") % said
    if action.do == "trade" and action.other is not None:
        said |= {"other": names[action.other], "take": card_text.listed(action.take) or "–"}
        said["cards"] = said["cards"] or "–"
        return _("%(name)s trades %(cards)s to %(other)s for %(take)s") % said
    return ""
