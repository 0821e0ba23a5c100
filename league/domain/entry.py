"""A game as people enter it at the table: places by taps, specials with who and whom.

Players are any whole numbers. Both parts have a text form that fits a form field: places as
`5,7,8+9` (8 and 9 share), specials as `chop.5.7.R;chain.8.5.PR3;left.7.B;cong.9;win.5`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.specials import Special
from engine.texts import mark as _

LIMIT = 400
MOST_SPECIALS = 20
_WORDS = {"chop": ("chop", 3), "chain": ("chop", 3), "left": ("left", 2), "cong": ("cong", 1),
          "win": ("instant_win", 1)}  # fmt: skip

PROBLEMS = {
    "players": _("Choose who did it and whom it concerns, both from this table."),
    "not_offered": _("This is not paid for under these rules. Take it out."),
    "self": _("Nobody chops himself. Choose two players."),
    "chain": _(
        "A chop on a chop beats the bomb of the chop right before it in the list. Enter the chops"
        " in the order in which they happened."
    ),
    "not_last": _("Only the last, or who had played no card, pays for what is left in hand."),
    "cong_first": _("The first cannot have played no card."),
    "twice": _("The same player is listed twice."),
    "instant_win_alone": _("An instant win ends the game: nothing else is paid with it."),
    "instant_win_places": _("After an instant win the winner is first and all others share."),
    "shared": _("Places are not shared under these rules. Give each player a place."),
    "too_many_twos": _("A deck has two black and two red 2s; here are more."),
    "too_many_cards": _("A hand does not have so many cards."),
    "form": _("This form is incomplete. Reload the page."),
}
"""What is wrong with specials, by the engine's code, and what to do."""


class EntryError(ValueError):
    """A text that is no entry of a game."""


@dataclass(frozen=True)
class Entry:
    """Places so far, first place first, and specials in the order in which they happened."""

    players: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...] = ()
    specials: tuple[Special, ...] = ()

    @property
    def placed(self) -> tuple[int, ...]:
        return tuple(player for group in self.groups for player in group)

    @property
    def complete(self) -> bool:
        return 0 < len(self.placed) == len(self.players)

    def tap(self, player: int) -> Entry:
        """The next place for a player; for one who has a place, it and all after it taken back.

        When one player is left, that is the last.
        """
        if player not in self.players:
            return self
        specials = tuple(s for s in self.specials if s.kind != "instant_win")
        at = next((i for i, group in enumerate(self.groups) if player in group), None)
        groups = (*self.groups, (player,)) if at is None else self.groups[:at]
        return replace(self, groups=groups, specials=specials)._with_last()

    def share_rest(self) -> Entry:
        """All players without a place share the next one."""
        rest = tuple(player for player in self.players if player not in self.placed)
        return replace(self, groups=(*self.groups, rest)) if rest and self.groups else self

    def add(self, special: Special) -> Entry:
        """One special more; an instant win ends the game, so it settles the places too."""
        if special.kind != "instant_win" or special.by is None:
            kept = tuple(s for s in self.specials if s.kind != "instant_win")
            return replace(self, specials=(*kept, special)[:MOST_SPECIALS])
        alone = replace(self, groups=((special.by,),), specials=(special,))
        return alone.share_rest()

    def remove(self, number: int) -> Entry:
        """Without the special of that number, counted from 0; what was played on it goes too."""
        if not 0 <= number < len(self.specials):
            return self
        end = number + 1
        while end < len(self.specials) and self.specials[end].chained:
            end += 1
        groups = () if self.specials[number].kind == "instant_win" else self.groups
        return replace(self, groups=groups, specials=self.specials[:number] + self.specials[end:])

    def _with_last(self) -> Entry:
        rest = [player for player in self.players if player not in self.placed]
        return replace(self, groups=(*self.groups, tuple(rest))) if len(rest) == 1 else self


def read_order(text: str) -> list[list[int]]:
    """The groups of players that the text says; EntryError for anything else."""
    if len(text) > LIMIT:
        raise EntryError("order")
    return [[_key(word) for word in part.split("+")] for part in text.split(",")] if text else []


def write_order(groups: Sequence[Sequence[int]]) -> str:
    """The inverse of `read_order`."""
    return ",".join("+".join(map(str, group)) for group in groups)


def read_specials(text: str) -> list[Special]:
    """The specials that the text says; EntryError for anything else."""
    parts = text.split(";") if text else []
    if len(text) > 2 * LIMIT or len(parts) > MOST_SPECIALS:
        raise EntryError("specials")
    return [_special(part.split(".")) for part in parts]


def write_specials(specials: Sequence[Special]) -> str:
    """The inverse of `read_specials`."""
    return ";".join(map(_text, specials))


def to_json(specials: Sequence[Special]) -> list[dict[str, Any]]:
    """The specials as plain values for storing."""
    return [
        {k: v for k, v in special._asdict().items() if v not in (None, "", False)}
        for special in specials
    ]


def from_json(values: Sequence[Mapping[str, Any]]) -> list[Special]:
    """The inverse of `to_json`."""
    return [Special(**value) for value in values]


def at_seats(specials: Sequence[Special], seat_of: Mapping[int, int]) -> list[Special]:
    """The specials with seats in place of players; who has no seat becomes -1."""
    return [
        special._replace(
            by=None if special.by is None else seat_of.get(special.by, -1),
            of=None if special.of is None else seat_of.get(special.of, -1),
        )
        for special in specials
    ]


def _special(words: list[str]) -> Special:
    kind, count = _WORDS.get(words[0], ("", 0))
    if not kind or len(words) != count + 1:
        raise EntryError("specials")
    if kind == "chop":
        by, of, what = _key(words[1]), _key(words[2]), words[3]
        return Special("chop", by, of, what[:8], words[0] == "chain")
    if kind == "left":
        return Special("left", of=_key(words[1]), what=words[2][:8])
    player = _key(words[1])
    return Special("cong", of=player) if kind == "cong" else Special("instant_win", by=player)


def _text(special: Special) -> str:
    if special.kind == "chop":
        word = "chain" if special.chained else "chop"
        return f"{word}.{special.by}.{special.of}.{special.what}"
    if special.kind == "left":
        return f"left.{special.of}.{special.what}"
    return f"cong.{special.of}" if special.kind == "cong" else f"win.{special.by}"


def _key(word: str) -> int:
    if not (word.isascii() and word.isdecimal() and len(word) < 18):
        raise EntryError("players")
    return int(word)
