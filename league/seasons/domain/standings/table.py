"""Standings: tallies in, ranked rows out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypedDict, Unpack

from league.base.domain.keys import Key, Pair, order
from league.seasons.domain.scoring import Scoring
from league.seasons.domain.standings.tie_breaks import DEFAULT, check_tie_breaks, needs, ranked

from .counting import nights_of
from .facts import AdjustmentFact, Facts, TallyFact
from .nights import NightPart, Share
from .rows import StandingsRow, make_row, with_rank

MeetingsOf = Callable[[list[Key]], tuple[Mapping[Pair, int], Mapping[Pair, int]]]
_OF_MEETINGS = {"ahead", "met"}


class StandingsListing(TypedDict, total=False):
    """Who is listed, and how ties are resolved.

    Tied rows are listed by `names` (sort keys), then by entrant key. `among` restricts the table to
    some entrants, ranked among themselves by all their games. Entrants in `beside` have unranked
    rows after all others. `meetings_of` is called once, if a tie-break reads `ahead` or `met`, with
    the entrants still tied before it; its result replaces those of the facts.
    """

    names: Mapping[Key, str]
    meetings_of: MeetingsOf
    among: Collection[Key]
    beside: Collection[Key]


def standings(
    tallies: Iterable[TallyFact],
    scoring: Scoring,
    adjustments: Iterable[AdjustmentFact] = (),
    tie_breaks: Sequence[str] = DEFAULT,
    *,
    by_event: Mapping[Key, Scoring] | None = None,
    facts: Facts | None = None,
    entrants: Iterable[Key] = (),
    guests: Iterable[Key | Pair] = (),
    **listing: Unpack[StandingsListing],
) -> list[StandingsRow]:
    """Return the rows of an event or a season, best first, independent of the input's order.

    `scoring` applies to the season, and to every night without a scoring in `by_event`. `entrants`
    get a row even if they have not played. `guests` (house bots) get none; a pair (entrant, event)
    is a guest of that event only. Entrants without games follow those with games, and entrants with
    too few games come last, unranked. Adjustments count in full: they have no weight and are never
    dropped.

    Raises `FieldError` for invalid tie-breaks and `ValueError` for an impossible tally.
    """
    facts, absent = facts or Facts(), frozenset(guests)
    nights = nights_of(
        tallies,
        scoring,
        by_event or {},
        facts.money,
        absent,
        places=facts.places,
        beaten=facts.beaten,
    )
    return table_of_nights(
        nights,
        scoring,
        adjustments,
        tie_breaks,
        facts=facts,
        entrants=entrants,
        guests=absent,
        **listing,
    )


def table_of_nights(
    nights: Mapping[Key, list[NightPart]],
    scoring: Scoring,
    adjustments: Iterable[AdjustmentFact] = (),
    tie_breaks: Sequence[str] = DEFAULT,
    *,
    facts: Facts,
    entrants: Iterable[Key] = (),
    guests: Iterable[Key | Pair] = (),
    **listing: Unpack[StandingsListing],
) -> list[StandingsRow]:
    """Return the rows of `standings` from everyone's nights, as `nights_of` returns them."""
    held = len({night.event for own in nights.values() for night in own})
    adjusted = _by_entrant(adjustments)
    everyone = {*nights, *adjusted, *entrants} - frozenset(guests)
    rows = [
        make_row(key, nights.get(key, []), adjusted.get(key, []), scoring, held) for key in everyone
    ]
    return table_of_rows(rows, scoring, tie_breaks, facts=facts, **listing)


def table_of_rows(
    rows: Iterable[StandingsRow],
    scoring: Scoring,
    tie_breaks: Sequence[str] = DEFAULT,
    *,
    facts: Facts,
    **listing: Unpack[StandingsListing],
) -> list[StandingsRow]:
    """Return the rows of `standings` from everyone's unranked rows."""
    keys, names = check_tie_breaks(tie_breaks), listing.get("names", {})
    meetings_of, among = listing.get("meetings_of"), listing.get("among")
    everyone = sorted(rows, key=lambda row: (names.get(row.entrant, ""), order(row.entrant)))
    wanted = [row for row in everyone if among is None or row.entrant in among]
    parts: list[list[StandingsRow]] = [[], [], [], [], []]
    for row in wanted:
        parts[_part(row, scoring, listing.get("beside", ()))].append(row)
    first = len(keys)
    if meetings_of is not None and needs(keys) & _OF_MEETINGS:
        first = next(i for i, key in enumerate(keys) if needs([key]) & _OF_MEETINGS)
    level = [ranked([part], keys[:first], facts, everyone) for part in parts]
    if meetings_of is not None and first < len(keys):
        asked = [row.entrant for groups in level for g in groups if len(g) > 1 for row in g]
        ahead, met = meetings_of(asked)
        facts = replace(facts, ahead=ahead, met=met)
    played, idle, *others = (ranked(groups, keys[first:], facts, everyone) for groups in level)
    unranked = (row for part in others for group in part for row in group)
    return [
        *_numbered(played + idle),
        *(with_rank(row, None) for row in unranked),
    ]


def _part(row: StandingsRow, scoring: Scoring, beside: Collection[Key]) -> int:
    """Return the part of the table: 0 and 1 are ranked, 2 and 3 have too few games, 4 is beside."""
    if row.entrant in beside:
        return 4
    return 2 * (row.games < scoring.minimum_games) + (not row.games)


def person_rows(
    entrants: Sequence[Key],
    tallies: Iterable[TallyFact],
    scoring: Scoring,
    adjustments: Iterable[AdjustmentFact] = (),
    *,
    by_event: Mapping[Key, Scoring],
    money: Mapping[Pair, int],
    heads: Mapping[Key, int],
    held: int,
    guests: Iterable[Key | Pair] = (),
    places: Mapping[Pair, Share] | None = None,
) -> dict[Any, StandingsRow]:
    """Return the unranked rows of some entrants, by entrant, as in `standings`.

    `tallies` are those of the entrants and of others at their tables, `heads` the number of players
    by event, `held` the number of events played. The cost does not depend on the size of the
    season.
    """
    absent = frozenset(guests)
    nights = nights_of(tallies, scoring, by_event, money, absent, heads, places)
    given = _by_entrant(adjustments)
    return {
        key: make_row(key, nights.get(key, []), given.get(key, []), scoring, held)
        for key in entrants
    }


def _by_entrant(adjustments: Iterable[AdjustmentFact]) -> dict[Key, list[AdjustmentFact]]:
    by_entrant: dict[Key, list[AdjustmentFact]] = {}
    for adjustment in adjustments:
        exact = adjustment._replace(points=Fraction(adjustment.points))
        by_entrant.setdefault(adjustment.entrant, []).append(exact)
    return {key: sorted(own, key=_adjustment_order) for key, own in by_entrant.items()}


def _adjustment_order(adjustment: AdjustmentFact) -> tuple[bool, tuple[int, str], str, Fraction]:
    event = adjustment.event
    return (event is None, order(event or 0), adjustment.reason, adjustment.points)


def _numbered(groups: list[list[StandingsRow]]) -> list[StandingsRow]:
    rows: list[StandingsRow] = []
    for group in groups:
        rank, shared = len(rows) + 1, len(group) > 1
        for position, row in enumerate(group):
            rows.append(with_rank(row, rank, shared, first=position == 0))
    return rows
