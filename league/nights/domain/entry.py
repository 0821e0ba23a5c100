"""A game as entered at the table: places by taps, and specials with their players.

Players are any whole numbers. Places and specials each have a text form for a form field: places as
`5,7,8+9` (8 and 9 share) or `5,,8` (nobody is second yet), specials as
`chop.5.7.R;chain.8.5.PR3;left.7.B;cards.7.4;cong.9`, and `fin.5.3S` or `win.5` for the winner.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, cast

from engine.rules.specials import LOSING, Kind, Special
from engine.rules.texts import mark as _
from league.base.domain.grouped import grouped
from tables.base import placings

LIMIT = 400
MOST_SPECIALS = 20
FIELDS: dict[str, tuple[str, ...]] = {
    "chop": ("by", "of", "what"),
    "chain": ("by", "of", "what"),
    "left": ("of", "what"),
    "cards": ("of", "what"),
    "cong": ("of",),
    "fin": ("by", "what"),
    "win": ("by",),
}
"""The values that follow a special's word in its text form."""
_KINDS: dict[str, Kind] = {"chain": "chop", "fin": "finish", "win": "instant_win"}
_WORDS = {"finish": "fin", "instant_win": "win"}

PROBLEMS = {
    "players": _("Choose who did it and to whom; both must be at this table."),
    "not_offered": _("These rules don't pay for this. Remove it."),
    "self": _("A player can't chop their own cards. Choose two players."),
    "chain": _(
        "A counter-chop beats the bomb of the chop right above it in the list. Enter "
        "chops in the order they happened."
    ),
    "not_last": _(
        "Only the player in last place, or a player who played no card, pays for cards "
        "left in hand."
    ),
    "cong_first": _("The winner can't have played no cards."),
    "twice": _("The same player is listed twice."),
    "instant_win_alone": _("An instant win ends the game: nothing else is paid with it."),
    "instant_win_places": _(
        "After an instant win the winner is first and everyone else shares last place."
    ),
    "shared": _("These rules have no shared places. Give each player their own place."),
    "too_many_twos": _("A deck has only two black and two red 2s."),
    "too_many_cards": _("That is more cards than a hand can hold."),
    "first_out": _(
        "Under these rules the game ends when the first player is out: everyone else shares "
        "last place."
    ),
    "cards_missing": _("Enter how many cards each loser has left, or cóng."),
    "counted_cong": _(
        "A player who played no card (cóng) does not pay for each card. Remove one of the two."
    ),
    "count": _("A loser can't have this number of cards left."),
    "finish_first": _("Only the winner's last play counts here."),
    "finish_last": _("Who goes out on 2s is last, and all others share first place."),
    "nothing_beats": _("Nothing beats %(what)s under these rules. What was it?"),
    "form": _("This form is incomplete. Reload the page."),
}
"""Messages for specials that the engine refuses, by its code."""

DOES_NOT_BEAT = {
    "PR3": _("Three pairs in a row do not beat %(what)s under these rules. What was it?"),
    "PR4": _("Four pairs in a row do not beat %(what)s under these rules. What was it?"),
    "Q": _("Four of a kind does not beat %(what)s under these rules. What was it?"),
    "bomb": _("A bomb does not beat %(what)s under these rules. What was it?"),
}
"""Messages for a bomb that does not beat `what`, by the bomb."""


class EntryError(ValueError):
    """A text that is not a valid entry of a game."""


@dataclass(frozen=True)
class Entry:
    """The places entered so far, first place first, and the specials in order.

    A group without players is a place that was freed before others.
    """

    players: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...] = ()
    specials: tuple[Special, ...] = ()
    first_out: bool = False
    """Whether the game ends when the first player is out."""

    @property
    def placed(self) -> tuple[int, ...]:
        return tuple(player for group in self.groups for player in group)

    @property
    def order(self) -> str:
        return write_order(self.groups)

    @property
    def ranks(self) -> dict[int, int]:
        """Each placed player's rank; tied players have the same rank."""
        return placings.ranks([group or (0,) for group in self.groups])

    @property
    def asked(self) -> int:
        """The number of places before the first free one, which the next tap fills."""
        return next((i for i, group in enumerate(self.groups) if not group), len(self.groups))

    @property
    def last_chop(self) -> Special | None:
        """The last special, if it is a chop."""
        last = self.specials[-1] if self.specials else None
        return last if last is not None and last.kind == "chop" else None

    @property
    def complete(self) -> bool:
        return all(self.groups) and 0 < len(self.placed) == len(self.players)

    def cannot(self, player: int) -> list[str]:
        """Return the kinds of special that cannot be about this player, as the form's classes."""
        is_first = player in self.groups[0] if self.groups else False
        last = self.groups[-1] if self.complete else set(self.players) - set(self.placed)
        holds = player in last or Special("cong", of=player) in self.specials
        return ["no-left"] * (is_first or not holds) + ["no-cong"] * is_first

    def tap(self, player: int) -> Entry:
        """Return the entry after a tap: the player takes the first free place, or frees theirs.

        A player with a place after the free one moves there. All other places stay, except the
        last, which the last player left gets. If the game ends when the first player is out, a tap
        sets the winner and everyone else shares last place.
        """
        if player not in self.players:
            return self
        stay = [s for s in self.specials if s.kind not in ("instant_win", "finish")]
        at = next((i for i, group in enumerate(self.groups) if player in group), None)
        only = self.first_out and at != 0
        takes = only or at is None or at > self.asked
        if self.first_out:
            stay = [s for s in stay if s.kind == "chop" or s.of != player]
        kept = self.groups[:-1] if self.complete else self.groups
        groups = [() if player in group else group for group in kept if not only]
        if takes:
            groups[self.asked : self.asked + 1] = [(player,)]
        while groups and not groups[-1]:
            groups.pop()
        return replace(self, groups=tuple(groups), specials=tuple(stay))._with_last()

    def share_rest(self) -> Entry:
        """Return the entry with all remaining players sharing last place."""
        rest = tuple(player for player in self.players if player not in self.placed)
        groups = tuple(filter(None, self.groups))
        return replace(self, groups=(*groups, rest)) if rest and groups else self

    def add(self, special: Special) -> Entry:
        """Return the entry with one more special; an instant win also sets the places."""
        if special.kind == "finish" and special.what in LOSING and special.by is not None:
            winners = tuple(player for player in self.players if player != special.by)
            groups = (winners, (special.by,))
            return replace(self, groups=groups, specials=(*self.specials, special))
        if special.kind != "instant_win" or special.by is None:
            others = tuple(s for s in self.specials if s.kind != "instant_win")
            return replace(self, specials=(*others, special)[:MOST_SPECIALS])
        return replace(self, groups=((special.by,),), specials=(special,)).share_rest()

    def remove(self, number: int) -> Entry:
        """Return the entry without special `number` (from 0) and the counter-chops on it."""
        if not 0 <= number < len(self.specials):
            return self
        end = number + 1
        while end < len(self.specials) and self.specials[end].chained:
            end += 1
        gone = self.specials[number]
        places = gone.kind == "instant_win" or (gone.kind == "finish" and gone.what in LOSING)
        groups = () if places else self.groups
        return replace(self, groups=groups, specials=self.specials[:number] + self.specials[end:])

    def _with_last(self) -> Entry:
        is_last = self.first_out or len(self.players) - len(self.placed) == 1
        return self.share_rest() if is_last else self


@dataclass(frozen=True)
class SentGame:
    """A complete game as a form sends it; `number` is the game's or the corrected version's."""

    number: int
    groups: list[list[int]]
    specials: list[Special]
    client_id: uuid.UUID


def read_game(sent: Mapping[str, str], *, number: str) -> SentGame:
    """Return the game in a form, its number in that field; ValueError for an invalid form."""
    groups = read_order(sent.get("order", ""))
    if not all(groups):
        raise EntryError("order")
    return SentGame(
        number=_key(sent.get(number, "")),
        groups=groups,
        specials=read_specials(sent.get("specials", "")),
        client_id=uuid.UUID(sent.get("client_id", "")),
    )


def read_entry(sent: Mapping[str, str], players: Sequence[int], *, first_out: bool) -> Entry:
    """Return the entry in a form's fields after the last tap, which is one of them.

    Places that name players from elsewhere are dropped, and invalid values count as none.
    """
    entry = Entry(tuple(players), first_out=first_out)
    with suppress(EntryError):
        groups = [tuple(group) for group in read_order(sent.get("order", ""))]
        specials = read_specials(sent.get("specials", ""))
        named = [player for group in groups for player in group]
        is_known = len(set(named)) == len(named) and set(named) <= set(players)
        entry = replace(entry, groups=tuple(groups if is_known else ()), specials=tuple(specials))
    with suppress(EntryError):
        entry = _tapped(entry, sent)
    return entry


def _tapped(entry: Entry, sent: Mapping[str, str]) -> Entry:
    if "tap" in sent:
        entry = entry.tap(_key(sent["tap"]))
    if "share" in sent:
        entry = entry.share_rest()
    if "remove" in sent:
        entry = entry.remove(_key(sent["remove"]))
    if "add" in sent and (special := _chosen(entry, sent)) is not None:
        entry = entry.add(special)
    return entry


def _chosen(entry: Entry, sent: Mapping[str, str]) -> Special | None:
    """Return the special that the form's choices describe; None while one is missing."""
    kind = sent.get("kind", "")
    word = _WORDS.get(kind, kind)
    given: dict[str, Any] = {name: _key(sent[name]) for name in ("by", "of") if sent.get(name)}
    given["what"] = sent.get("count" if word == "cards" else "what", "")[:8]
    if word == "chain":
        given["of"] = entry.last_chop.by if entry.last_chop else None
    if word == "fin":
        given["by"] = next(iter(entry.groups[0]), None) if entry.groups else None
    if word not in FIELDS or not all(given.get(name) for name in FIELDS[word]):
        return None
    return make_special(word, given) if word != "win" or given["by"] in entry.players else None


def has_begun(sent: Mapping[str, str]) -> bool:
    """Return whether a form's choices begin a special; of counts, their kind alone does not."""
    kind = sent.get("kind", "")
    return bool(kind) and (kind != "cards" or bool(sent.get("of") or sent.get("count")))


def read_order(text: str) -> list[list[int]]:
    """Return the groups of players that the text encodes; EntryError if invalid."""
    if len(text) > LIMIT:
        raise EntryError("order")
    parts = text.split(",") if text else []
    return [[_key(word) for word in part.split("+")] if part else [] for part in parts]


def groups_of(ranks: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Return the players by place, from pairs of rank and player in the order of the ranks."""
    return list(grouped(ranks).values())


def write_order(groups: Sequence[Sequence[int]]) -> str:
    """Return the inverse of `read_order`."""
    return ",".join("+".join(map(str, group)) for group in groups)


def read_specials(text: str) -> list[Special]:
    """Return the specials that the text encodes; EntryError if invalid."""
    parts = text.split(";") if text else []
    if len(text) > 2 * LIMIT or len(parts) > MOST_SPECIALS:
        raise EntryError("specials")
    return [_read_special(part) for part in parts]


def write_specials(specials: Sequence[Special]) -> str:
    """Return the inverse of `read_specials`."""
    return ";".join(map(_write_special, specials))


def make_special(word: str, values: Mapping[str, Any]) -> Special:
    """Return the special of this word with the values that its kind needs, and no others."""
    given = {name: values[name] for name in FIELDS[word]}
    return Special(_KINDS.get(word) or cast("Kind", word), **given, chained=word == "chain")


def _read_special(text: str) -> Special:
    word, *parts = text.split(".")
    if word not in FIELDS or len(parts) != len(FIELDS[word]):
        raise EntryError("specials")
    named = dict(zip(FIELDS[word], parts, strict=True))
    return make_special(
        word, {name: part[:8] if name == "what" else _key(part) for name, part in named.items()}
    )


def _write_special(special: Special) -> str:
    word = "chain" if special.chained else _WORDS.get(special.kind, special.kind)
    return ".".join([word, *(str(getattr(special, name)) for name in FIELDS[word])])


def _key(word: str) -> int:
    if not (word.isascii() and word.isdecimal() and len(word) < 18):
        raise EntryError("players")
    return int(word)
