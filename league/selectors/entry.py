"""What the entry of one game shows: who has which place, specials in words, what it will pay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.payments import net
from engine.specials import BOMBS, Offer, Special, SpecialError, offered, payments_of_game
from league.domain.entry import PROBLEMS, Entry, at_seats, write_order, write_specials
from league.domain.scoring import points_for
from league.models import Event, Place
from tables.services import rulesets

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
    "PR3": gettext_lazy("three pairs in a row"),
    "Q": gettext_lazy("four of a kind"),
    "PR4": gettext_lazy("four pairs in a row"),
}


@dataclass(frozen=True)
class PreviewRow:
    """What saving would give one player; money is None where the event has no stake."""

    name: str
    rank: int
    points: Fraction
    money: int | None


@dataclass(frozen=True)
class Preview:
    """Rows by place, or what is wrong with the entry."""

    rows: list[PreviewRow]
    problem: str = ""


def offer_of(event: Event) -> Offer:
    """What a table of this event can enter besides places."""
    return offered(rulesets.thaw(event.ruleset), for_money=event.stake > 0)


def form(event: Event, places: Sequence[Place], entry: Entry) -> dict[str, Any]:
    """Everything the entry form shows."""
    names = {place.entrant_id: place.entrant.player.name for place in places}
    ranks = ranks_of(entry)
    offer = offer_of(event)
    return {
        "order": write_order(entry.groups),
        "specials": write_specials(entry.specials),
        "choices": [(place, ranks.get(place.entrant_id)) for place in places],
        "told": told(entry.specials, names),
        "offer": offer,
        "whats": [
            (key, WHAT[key], key in offer.left, key in BOMBS or key == "bomb")
            for key in dict.fromkeys((*offer.chops, *offer.left))
        ],
        "can_chain": bool(entry.specials and entry.specials[-1].kind == "chop"),
        "complete": entry.complete,
        "preview": preview(event, places, entry) if entry.complete else None,
    }


def ranks_of(entry: Entry) -> dict[int, int]:
    """Each placed player's rank; those who share have the same."""
    ranks: dict[int, int] = {}
    rank = 1
    for group in entry.groups:
        ranks |= dict.fromkeys(group, rank)
        rank += len(group)
    return ranks


def told(specials: Sequence[Special], names: Mapping[int, str]) -> list[str]:
    """Each special as a sentence."""
    return [_sentence(special, names) for special in specials]


def preview(event: Event, places: Sequence[Place], entry: Entry) -> Preview:
    """What a complete entry would give each player, or why it cannot be saved."""
    seat_of = {place.entrant_id: seat for seat, place in enumerate(places)}
    groups = [[seat_of[player] for player in group] for group in entry.groups]
    specials = at_seats(entry.specials, seat_of)
    try:
        paid = payments_of_game(rulesets.thaw(event.ruleset), groups, specials, event.stake)
    except SpecialError as error:
        return Preview([], _(PROBLEMS[error.code]))
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
    return Preview(rows)


def points_of(event: Event, size: int, rank: int, tied: int, money: int) -> Fraction:
    """What a place is worth in one game of this event; `money` is what the game brought."""
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
        return _("%(by)s chops that chop of %(of)s: %(what)s") % who
    if special.kind == "chop":
        return _("%(by)s chops %(of)s: %(what)s") % who
    if special.kind == "left":
        return _("%(of)s is left with %(what)s") % who
    if special.kind == "cong":
        return _("%(of)s had played no card (cóng)") % who
    return _("%(by)s wins as dealt (tới trắng)") % who
