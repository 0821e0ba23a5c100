"""The entry of one game: places, specials in words, and a preview of points and money."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.rules.entered_chops import check_chops, playable_on
from engine.rules.payments import net
from engine.rules.ruleset import Ruleset
from engine.rules.specials import Offer, Special, SpecialError, offered, payments_of_game
from league.base.domain.stored_specials import at_seats
from league.models import Event, Place
from league.money.facts.money_words import BEATEN
from league.nights.domain.entry import DOES_NOT_BEAT, PROBLEMS, Entry, write_order, write_specials
from league.seasons.domain.scoring import points_for

WHAT = {
    "B": gettext_lazy("black 2"),
    "R": gettext_lazy("red 2"),
    "BB": gettext_lazy("two black 2s"),
    "BR": gettext_lazy("a black and a red 2"),
    "RR": gettext_lazy("two red 2s"),
    "BBR": gettext_lazy("two black 2s and a red one"),
    "BRR": gettext_lazy("a black 2 and two red ones"),
    "2": gettext_lazy("a single 2"),
    "22": gettext_lazy("a pair of 2s"),
    "222": gettext_lazy("three 2s"),
    "bomb": gettext_lazy("a bomb"),
    "PR3": gettext_lazy("three consecutive pairs"),
    "Q": gettext_lazy("four of a kind"),
    "PR4": gettext_lazy("four consecutive pairs"),
    "3S": gettext_lazy("3♠ alone"),
}


@dataclass(frozen=True)
class PreviewRow:
    """One player's points and money if saved; `money` is None where the event has no stake."""

    name: str
    rank: int
    points: Fraction
    money: int | None


@dataclass(frozen=True)
class EntryPreview:
    """The preview's rows by place, or the problem with the entry."""

    rows: list[PreviewRow]
    problem: str = ""


def offer_of(event: Event) -> Offer:
    """Return the specials that a table of this event can enter."""
    return offered(event.rules, for_money=event.stake > 0)


def form(event: Event, places: Sequence[Place], entry: Entry) -> dict[str, Any]:
    """Return the context of the entry form."""
    names = {place.entrant_id: place.entrant.player.name for place in places}
    ranks = ranks_of(entry)
    offer = offer_of(event)
    last = entry.specials[-1] if entry.specials else None
    on = last.what if last is not None and last.kind == "chop" else None
    return {
        "order": write_order(entry.groups),
        "specials": write_specials(entry.specials),
        "choices": [(place, ranks.get(place.entrant_id)) for place in places],
        "told": told(entry.specials, names),
        "offer": offer,
        "people": [(place, _cannot(place.entrant_id, entry)) for place in places],
        "whats": _whats(event.rules, offer, on),
        "can_chain": on is not None,
        "counts": range(1, offer.cards + 1),
        "words": ", ".join(_words(offer)),
        "complete": entry.complete,
        "preview": preview(event, places, entry) if entry.complete else None,
    }


@dataclass(frozen=True)
class SpecialChoice:
    """Cards that a special can be about; `on` lists what they can beat in a counter-chop."""

    key: str
    label: str | Promise
    marks: str
    on: str


def _whats(ruleset: Ruleset, offer: Offer, last: str | None) -> list[SpecialChoice]:
    """Return the form's card choices; `last` is what the last chop beat, or None.

    `marks` holds the CSS classes that hide a choice for the kinds of special it cannot go with.
    """
    bombs_on = {on: playable_on(ruleset, on) for on in offer.chops}
    found = []
    for key in dict.fromkeys((*offer.chops, *offer.left, *offer.finish)):
        on = [beaten for beaten, bombs in bombs_on.items() if key in bombs]
        marks = {
            "chop-only": key not in offer.left,
            "no-chop": key not in offer.chops,
            "no-finish": key not in offer.finish,
            "no-chain": last not in on,
            "red-two": key == "R",
        }
        names = " ".join(name for name, holds in marks.items() if holds)
        found.append(SpecialChoice(key, WHAT[key], names, " ".join(on)))
    return found


def _cannot(player: int, entry: Entry) -> str:
    """Return the CSS classes that hide a player for specials the places so far rule out."""
    last = entry.groups[-1:] if entry.complete else ()
    first = any(player in group for group in entry.groups[:1])
    open_or_last = any(player in group for group in last) or player not in entry.placed
    cong = any(s.kind == "cong" and s.of == player for s in entry.specials)
    marks = {"no-left": first or not (open_or_last or cong), "no-cong": first}
    return " ".join(name for name, holds in marks.items() if holds)


def _words(offer: Offer) -> Iterator[str]:
    """Yield the names of the specials that these rules allow."""
    if offer.chops:
        yield _("Chop")
    if offer.cards:
        yield _("cards left")
    if offer.left:
        yield _("thối")
    if offer.cong:
        yield _("cóng")
    if offer.finish:
        yield _("double")
    if offer.instant_win:
        yield _("tới trắng")


def ranks_of(entry: Entry) -> dict[int, int]:
    """Return each placed player's rank; tied players have the same rank."""
    ranks: dict[int, int] = {}
    rank = 1
    for group in entry.groups:
        ranks |= dict.fromkeys(group, rank)
        rank += len(group)
    return ranks


def told(specials: Sequence[Special], names: Mapping[int, str]) -> list[str]:
    """Return each special as a sentence."""
    return [_sentence(special, names) for special in specials]


def preview(event: Event, places: Sequence[Place], entry: Entry) -> EntryPreview:
    """Return what a complete entry gives each player, or why it cannot be saved."""
    seat_of = {place.entrant_id: seat for seat, place in enumerate(places)}
    groups = [[seat_of[player] for player in group] for group in entry.groups]
    specials = at_seats(entry.specials, seat_of)
    try:
        ruleset = event.rules
        paid = payments_of_game(ruleset, groups, specials, event.stake)
        check_chops(ruleset, specials)
    except SpecialError as error:
        return EntryPreview([], problem(error, specials))
    money = net(len(places), paid)
    ranks = ranks_of(entry)
    rows = []
    for group in entry.groups:
        for player in group:
            seat = seat_of[player]
            points = points_of(event, len(places), ranks[player], len(group), money[seat])
            name = places[seat].entrant.player.name
            rows.append(
                PreviewRow(name, ranks[player], points, money[seat] if event.stake else None)
            )
    return EntryPreview(rows)


def problem(error: SpecialError, specials: Sequence[Special]) -> str:
    """Return what is wrong with the specials and what to do, in words."""
    if error.number is None or error.code not in ("does_not_beat", "nothing_beats"):
        return _(PROBLEMS[error.code])
    own = specials[error.number - 1].what
    if error.code == "nothing_beats":
        return _(PROBLEMS[error.code]) % {"what": BEATEN[own]}
    on = specials[error.number - 2].what
    return _(DOES_NOT_BEAT[own]) % {"what": BEATEN[on]}


def points_of(event: Event, size: int, rank: int, tied: int, money: int) -> Fraction:
    """Return the points of a place in one game; `money` is the player's result in that game."""
    rules = event.rules_of_scoring
    if rules.points_table.stake:
        return Fraction(money, rules.stake_unit) * rules.weight
    return points_for(rules.points_table, size, rank, tied) * rules.weight


def _sentence(special: Special, names: Mapping[int, str]) -> str:
    who = {
        "by": names.get(special.by or 0, "?"),
        "of": names.get(special.of or 0, "?"),
        "what": WHAT.get(special.what, special.what),
    }
    if special.kind == "chop" and special.chained:
        return _("%(by)s counter-chops %(of)s: %(what)s") % who
    if special.kind == "chop":
        return _("%(by)s chops %(of)s: %(what)s") % who
    if special.kind == "left":
        return _("%(of)s is caught with %(what)s (thối)") % who
    if special.kind == "cards":
        return _("%(of)s: cards left: %(what)s") % who
    if special.kind == "finish":
        return _("%(by)s goes out with %(what)s: double") % who
    if special.kind == "cong":
        return _("%(of)s played no card (cóng)") % who
    return _("%(by)s has an instant win (tới trắng)") % who
