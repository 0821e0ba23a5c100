"""The entry of one game: places, specials in words, and a preview of points and money."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.rules.entered_chops import check_chops, playable_on
from engine.rules.payments import net
from engine.rules.ruleset import Ruleset
from engine.rules.specials import (
    Offer,
    Special,
    SpecialError,
    offered,
    payments_of_game,
    units_of_chop,
)
from league.base.domain.stored_specials import at_seats
from league.models import Event, Place, Result
from league.nights.acts.results import problem
from league.nights.domain.entry import PROBLEMS, Entry, read_entry, write_specials
from league.nights.facts.sittings import own_at
from league.nights.facts.so_far import points_of
from league.nights.pages.desk import Desk

WHAT = {
    "B": gettext_lazy("black 2"),
    "R": gettext_lazy("red 2"),
    "2": gettext_lazy("a single 2"),
    "PR3": gettext_lazy("three consecutive pairs"),
    "Q": gettext_lazy("four of a kind"),
    "PR4": gettext_lazy("four consecutive pairs"),
    "bomb": gettext_lazy("a bomb"),
    "BB": gettext_lazy("two black 2s"),
    "BR": gettext_lazy("a black and a red 2"),
    "RR": gettext_lazy("two red 2s"),
    "BBR": gettext_lazy("two black 2s and a red one"),
    "BRR": gettext_lazy("a black 2 and two red ones"),
    "22": gettext_lazy("a pair of 2s"),
    "222": gettext_lazy("three 2s"),
    "3S": gettext_lazy("3♠ alone"),
}
"""Names of the cards, in the order in which the form offers them: the usual ones first."""


@dataclass(frozen=True)
class PreviewRow:
    """One player's points and money if saved; `money` is None where the page shows none."""

    player: int
    name: str
    rank: int
    points: Fraction
    money: int | None


@dataclass(frozen=True)
class EntryPreview:
    """The rows by place, or the problem with the entry; neither while places are missing."""

    rows: list[PreviewRow]
    problem: str = ""


@dataclass(frozen=True)
class Tile:
    """A player at the table as a tile to tap: the place so far, and what it would give.

    `seat` numbers the seat where its envelope decides the hand.
    """

    place: Place
    rank: int | None
    is_last: bool
    row: PreviewRow | None
    seat: int | None


@dataclass(frozen=True)
class SpecialChoice:
    """Cards that a special can be about; `on` lists what they can beat in a counter-chop.

    `price` is what a chop of them costs, 0 without money.
    """

    key: str
    label: str | Promise
    marks: str
    on: str
    price: int


@dataclass(frozen=True)
class EntryForm:
    """The form in which a game is entered or corrected, after the taps so far.

    `checks` are the rules that decide whether places and specials fit together, `problems` the
    sentences for those that do not: a phone without a network checks like this. `asked` counts the
    places before the one that the next tap fills, `tiles` are the people in order of play,
    `people` their places with the CSS classes that hide a player for some specials. `preview_from`
    is the address of the preview.
    """

    order: str
    specials: str
    asked: int
    tiles: list[Tile]
    sentences: list[str]
    offer: Offer
    checks: str
    problems: dict[str, str]
    people: list[tuple[Place, str]]
    whats: list[SpecialChoice]
    can_chain: bool
    counts: range
    asks: bool
    complete: bool
    preview: EntryPreview
    preview_from: str
    client_id: uuid.UUID


def entry_form(
    desk: Desk, places: Sequence[Place], sent: Mapping[str, str], corrected: Result | None = None
) -> EntryForm:
    """Return the form after the last tap, which `sent` holds; `corrected` is the game to correct.

    Taps are plain links, so the form needs no script. Invalid values count as no tap.
    """
    event, offer = desk.event, _offer_of(desk.event)
    stake = event.stake_of(corrected or desk.sitting)
    entry = _read(event, places, sent)
    chop, preview = entry.last_chop, _preview(desk, places, entry, corrected)
    rows, ranks = {row.player: row for row in preview.rows}, entry.ranks
    last = entry.groups[-1] if entry.complete else ()
    return EntryForm(
        order=entry.order,
        specials=write_specials(entry.specials),
        asked=entry.asked,
        tiles=[
            Tile(
                place,
                rank=ranks.get(place.entrant_id),
                is_last=place.entrant_id in last,
                row=rows.get(place.entrant_id),
                seat=place.seat + 1 if event.rules_of_format.same_deals else None,
            )
            for place in from_own(places, desk)
        ],
        sentences=sentences(
            entry.specials, {place.entrant_id: place.entrant.player.name for place in places}
        ),
        offer=offer,
        checks=" ".join(checks(event.rules, offer)),
        problems={code: _(text) for code, text in PROBLEMS.items() if "%" not in text},
        people=[(place, " ".join(entry.cannot(place.entrant_id))) for place in places],
        whats=_whats(event.rules, offer, chop.what if chop else None, stake),
        can_chain=chop is not None,
        counts=range(1, offer.cards + 1),
        asks=any(offer._replace(rest_may_share=False, first_out=False)),
        complete=entry.complete,
        preview=preview,
        preview_from=f"{desk.here}preview/" + (f"?game={corrected.game_no}" if corrected else ""),
        client_id=uuid.uuid4(),
    )


def from_own(places: Sequence[Place], desk: Desk) -> list[Place]:
    """Return the places in order of play from the viewer's own: *My night* shows them so, too."""
    at = 0 if desk.lies_here else own_at(places, desk.viewer.own) or 0
    return [*places[at:], *places[:at]]


def preview(
    desk: Desk, places: Sequence[Place], sent: Mapping[str, str], corrected: Result | None = None
) -> EntryPreview:
    """Return what the entry that `sent` holds gives each player, or why it cannot be saved."""
    return _preview(desk, places, _read(desk.event, places, sent), corrected)


def _read(event: Event, places: Sequence[Place], sent: Mapping[str, str]) -> Entry:
    players = [place.entrant_id for place in places]
    return read_entry(sent, players, first_out=_offer_of(event).first_out)


def _offer_of(event: Event) -> Offer:
    """Return the specials that a table of this event can enter."""
    return offered(event.rules, for_money=event.stake > 0)


def checks(ruleset: Ruleset, offer: Offer) -> list[str]:
    """Return the names of the rules on which `problem` of static/js/entry.js depends."""
    known = {
        "first-out": offer.first_out,
        "counts": offer.cards,
        "shares": offer.rest_may_share,
        "spades": ruleset.three_spades_last,
    }
    return [name for name, holds in known.items() if holds]


def _whats(ruleset: Ruleset, offer: Offer, last: str | None, stake: int) -> list[SpecialChoice]:
    """Return the form's card choices; `last` is what the last chop beat, or None.

    `marks` holds the CSS classes that hide a choice for the kinds of special it cannot go with. Of
    chopped cards the first five are usual, the others `rare`. A counter-chop adds its price to the
    chop below it, unless `no-sum`.
    """
    bombs_on = {on: playable_on(ruleset, on) for on in offer.chops}
    rare = [key for key in WHAT if key in offer.chops][5:]
    found = []
    for key in (key for key in WHAT if key in {*offer.chops, *offer.left, *offer.finish}):
        on = [beaten for beaten, bombs in bombs_on.items() if key in bombs]
        marks = {
            "chop-only": key not in offer.left,
            "no-chop": key not in offer.chops,
            "no-finish": key not in offer.finish,
            "no-chain": last not in on,
            "red-two": key == "R",
            "rare": key in rare,
            "no-sum": ruleset.betting != "mien_nam",
        }
        names = " ".join(name for name, holds in marks.items() if holds)
        price = units_of_chop(ruleset, key) * stake if key in offer.chops else 0
        found.append(SpecialChoice(key, WHAT[key], names, " ".join(on), price))
    return found


def sentences(specials: Sequence[Special], names: Mapping[int, str]) -> list[str]:
    return [_sentence(special, names) for special in specials]


def _preview(
    desk: Desk, places: Sequence[Place], entry: Entry, corrected: Result | None
) -> EntryPreview:
    if not entry.complete:
        return EntryPreview([])
    event = desk.event
    stake = event.stake_of(corrected or desk.sitting)
    seat_of = {place.entrant_id: seat for seat, place in enumerate(places)}
    groups = [[seat_of[player] for player in group] for group in entry.groups]
    specials = at_seats(entry.specials, seat_of)
    try:
        paid = payments_of_game(event.rules, groups, specials, stake)
        check_chops(event.rules, specials)
    except SpecialError as error:
        return EntryPreview([], problem(error, specials))
    money, ranks = net(len(places), paid), entry.ranks
    return EntryPreview(
        [
            PreviewRow(
                player=player,
                name=places[seat].entrant.player.name,
                rank=ranks[player],
                points=points_of(event, len(places), ranks[player], len(group), money[seat]),
                money=money[seat] if event.stake and desk.sees_money else None,
            )
            for group in entry.groups
            for player, seat in ((player, seat_of[player]) for player in group)
        ]
    )


_SENTENCES = {
    "counter_chop": gettext_lazy("%(by)s counter-chops %(of)s: %(what)s"),
    "chop": gettext_lazy("%(by)s chops %(of)s: %(what)s"),
    "left": gettext_lazy("%(of)s is caught with %(what)s (thối)"),
    "cards": gettext_lazy("%(of)s: cards left: %(what)s"),
    "finish": gettext_lazy("%(by)s goes out with %(what)s"),
    "cong": gettext_lazy("%(of)s played no card (cóng)"),
    "instant_win": gettext_lazy("%(by)s has an instant win (tới trắng)"),
}


def _sentence(special: Special, names: Mapping[int, str]) -> str:
    who = {
        "by": names.get(special.by or 0, "?"),
        "of": names.get(special.of or 0, "?"),
        "what": WHAT.get(special.what, special.what),
    }
    counters = special.kind == "chop" and special.chained
    kind = "counter_chop" if counters else special.kind
    return str(_SENTENCES[kind]) % who
