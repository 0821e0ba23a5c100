"""Standings of an event and of a season: counts from SQL, points from the domain."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby, pairwise
from typing import TypeVar

from django.db import connection
from django.db.models import Count, Exists, OuterRef, QuerySet, Sum
from django.db.models.functions import Coalesce
from django.utils.translation import gettext

from league.base.domain.grouped import grouped
from league.models import (
    Adjustment,
    Entrant,
    Event,
    MoneyTally,
    Placing,
    Player,
    Season,
    Tally,
)
from league.seasons.domain import standings as domain
from league.seasons.domain.scoring import Scoring
from league.seasons.domain.standings import Facts, MeetingsOf, StandingsRow
from league.seasons.domain.standings.tie_breaks import TIE_BREAKS
from league.seasons.facts import same_deals
from league.seasons.facts.same_deals import owner

Pair = domain.Pair
Shown = TypeVar("Shown", bound="Standing")
PODIUM, MOST_ON_PODIUM = 3, 6


@dataclass(frozen=True)
class Standing:
    """A row of the standings with its player and its number of nights."""

    player: Player
    row: StandingsRow
    nights: int = 0

    @property
    def is_apart(self) -> bool:
        """Whether this is a bot in a table that ranks only people."""
        return bool(self.player.bot) and self.row.rank is None

    @property
    def numbered(self) -> str:
        """The place and the name, as messages show them."""
        return f"{self.row.rank}. {self.player.name}"

    @property
    def decided_by(self) -> str:
        """The tie-break that decided the place, empty without one."""
        return tie_break_name(self.row.separated_by or "")

    @property
    def stage_name(self) -> str:
        """The name of the stage that decided the place, in an event with stages."""
        return ""


def tie_break_name(key: str) -> str:
    """Return the name of a tie-break; a key that an earlier release knew stays as it is."""
    return gettext(TIE_BREAKS[key].name) if key in TIE_BREAKS else key


def ties_told(ranked: Iterable[tuple[StandingsRow, str]]) -> list[str]:
    """Return in words who is ahead of whom at equal points, and by what; each row has its name.

    Rows may be left out: of two that are no neighbours nothing is said.
    """
    return [
        gettext("%(ahead)s ahead of %(behind)s: %(what)s")
        % {"ahead": _names(upper), "behind": _names(lower), "what": what}
        for upper, lower, what in _ties(ranked)
    ]


def ahead_by(ranked: Iterable[tuple[StandingsRow, str]]) -> dict[int | str, str]:
    """Return of whom each row's entrant is ahead at equal points, and by what, in words.

    By entrant: where a club shows initials, several have one name.
    """
    words = gettext("above %(behind)s: %(what)s")
    return {
        row.entrant: words % {"behind": _names(lower), "what": what}
        for upper, lower, what in _ties(ranked)
        for row, _name in upper
    }


def _names(ranked: Iterable[tuple[StandingsRow, str]]) -> str:
    return ", ".join(name for _row, name in ranked)


def _ties(
    ranked: Iterable[tuple[StandingsRow, str]],
) -> Iterator[tuple[list[tuple[StandingsRow, str]], list[tuple[StandingsRow, str]], str]]:
    places = [list(own) for _rank, own in groupby(ranked, key=lambda one: one[0].rank)]
    for upper, lower in pairwise(places):
        (row, _name), (after, _next) = upper[0], lower[0]
        if row.rank and after.rank == row.rank + len(upper) and (what := _broken(row, after)):
            yield upper, lower, what


def _broken(row: StandingsRow, after: StandingsRow) -> str:
    key = after.separated_by
    if not key or key == "points":
        return ""
    if key in TIE_BREAKS and TIE_BREAKS[key].score:
        own, following = (int(abs(one.values[key])) for one in (row, after))
        return gettext(TIE_BREAKS[key].score) % {"own": own, "next": following}
    return tie_break_name(key)


def event_standings(
    event: Event, *, with_held: bool = False, entrants: Iterable[Entrant] | None = None
) -> list[Standing]:
    """Return an event's rows, best first, for everyone who is here or has played.

    `with_held` also counts the games held until the ceremony: for organisers only. `entrants` are
    the event's, if they are at hand.
    """
    return standings_of_events([event], with_held=with_held, entrants=entrants)[event.pk]


def entrants_of(events: Iterable[Event]) -> QuerySet[Entrant]:
    """Return the events' entrants with the players that they count for."""
    return Entrant.objects.filter(event__in=events).select_related("player__merged_into")


def standings_of_events(
    events: Sequence[Event],
    *,
    with_held: bool = False,
    tie_breaks: Sequence[str] | None = None,
    entrants: Iterable[Entrant] | None = None,
) -> dict[int, list[Standing]]:
    """Return the rows of several events by event key, with shared queries.

    `tie_breaks` replace the events' own, for callers that can save queries because they need no
    order.
    """
    keys = [event.pk for event in events]
    people = entrants_of(events) if entrants is None else entrants
    came = grouped((entrant.event_id, entrant) for entrant in people)
    tallies = grouped(
        (tally.event, tally) for tally in tallies_of(Tally.objects.filter(event__in=keys))
    )
    in_force = adjustments_of(Adjustment.objects.filter(event__in=keys).in_force())
    given = grouped((adjustment.event, adjustment) for adjustment in in_force)
    money: defaultdict[domain.Key, dict[Pair, int]] = defaultdict(dict)
    for pair, amount in _money(keys).items():
        money[pair[1]][pair] = amount
    beaten = same_deals.beaten_in(events, with_held=with_held)
    return {
        event.pk: _event_rows(
            event,
            came[event.pk],
            tallies[event.pk] + (_held_in(event) if with_held else []),
            given[event.pk],
            Facts(money=money[event.pk], beaten=beaten),
            _meetings_in([event.pk], with_held=with_held),
            event.tie_breaks if tie_breaks is None else tie_breaks,
        )
        for event in events
    }


def _event_rows(
    event: Event,
    entrants: Sequence[Entrant],
    tallies: Sequence[domain.TallyFact],
    given: Sequence[domain.AdjustmentFact],
    facts: Facts,
    meetings_of: MeetingsOf,
    tie_breaks: Sequence[str],
) -> list[Standing]:
    seen = {tally.entrant for tally in tallies} | {adjustment.entrant for adjustment in given}
    players = {(person := canonical(entrant.player)).pk: person for entrant in entrants}
    listed = [
        person
        for entrant in entrants
        if (person := canonical(entrant.player)).pk in seen
        or (entrant.presence == Entrant.Presence.HERE and person == entrant.player)
    ]
    rows = domain.standings(
        tallies,
        event.rules_of_scoring.by_games,
        given,
        tie_breaks,
        facts=facts,
        meetings_of=meetings_of,
        entrants={person.pk for person in listed},
        guests=[canonical(entrant.player).pk for entrant in entrants if not entrant.counts],
        names={key: player.sort_key for key, player in players.items()},
        beside=_bots_apart(players, event.season) if event.kind == Event.Kind.NIGHT else (),
    )
    return _with_players(rows, players)


def _bots_apart(players: Mapping[int, Player], season: Season) -> set[int]:
    """Return the bots among the players, unless the season ranks bots."""
    bots = {key for key, player in players.items() if player.bot}
    return set() if not bots or season.ranks_bots else bots


Tell = Callable[[int, int], None]
"""A callback for progress: the number of counted nights and of all nights."""


def season_standings(season: Season, tell: Tell | None = None) -> list[Standing]:
    """Return the rows of a season over all events that count for it, including open ones.

    Counts are read and processed night by night, so that a long season can report its progress; the
    number of queries is constant.
    """
    by_event: dict[domain.Key, Scoring] = {e.pk: e.rules_of_scoring for e in season.counted_events}
    events = [int(key) for key in by_event]
    given = adjustments_of(season.adjustments.all().for_season())
    absent = Entrant.objects.filter(event__season=season, counts=False)
    guests = frozenset(absent.values_list(OWNER, "event_id"))
    scoring, money = Scoring.from_json(season.scoring), _money(events)
    places = places_in(by_event)
    nights: dict[domain.Key, list[domain.NightPart]] = {}
    for number, tallies in enumerate(by_night(by_event), start=1):
        for key, own in domain.nights_of(
            tallies, scoring, by_event, money, guests, places=places
        ).items():
            nights.setdefault(key, []).extend(own)
        if tell is not None:
            tell(number, len(events))
    for several in nights.values():
        several.sort(key=lambda night: night.event)
    players = Player.objects.in_bulk({int(key) for key in {*nights, *(a.entrant for a in given)}})
    rows = domain.table_of_nights(
        nights,
        scoring,
        given,
        season.tie_breaks,
        facts=Facts(money=money),
        meetings_of=_meetings_in(events),
        guests=guests,
        names={key: player.sort_key for key, player in players.items()},
        beside=_bots_apart(players, season),
    )
    return _with_players(rows, players)


def refreshed(
    season: Season, others: Iterable[Standing], rows: Mapping[int, StandingsRow]
) -> list[Standing]:
    """Return a season's rows, with `rows` replaced and the `others` unchanged.

    Everyone is ranked again, without the earlier tie-breaks: ranks depend on all rows.
    """
    unchanged = {standing.player.pk: standing for standing in others}
    players = {key: standing.player for key, standing in unchanged.items()}
    players |= Player.objects.in_bulk([key for key in rows if key not in unchanged])
    nights = {key: standing.nights for key, standing in unchanged.items()}
    nights |= {key: len(row.nights) for key, row in rows.items()}
    unranked = (
        replace(domain.with_rank(standing.row, None), values={})
        for key, standing in unchanged.items()
        if key not in rows
    )
    ranked = domain.table_of_rows(
        [*unranked, *(row for row in rows.values() if row.nights or row.adjustments)],
        Scoring.from_json(season.scoring),
        season.tie_breaks,
        facts=Facts(),
        meetings_of=_meetings_in(list(season.counted_events.values_list("pk", flat=True))),
        names={key: player.sort_key for key, player in players.items()},
        beside=_bots_apart(players, season),
    )
    return [Standing(players[int(row.entrant)], row, nights[int(row.entrant)]) for row in ranked]


def first_three(standings: Iterable[Shown]) -> list[Shown]:
    """Return the players in the first three places, with everyone who shares third place.

    Only players with games, and at most six of them.
    """
    ranked = (one for one in standings if one.row.games and one.row.rank)
    return [one for one in ranked if (one.row.rank or 0) <= PODIUM][:MOST_ON_PODIUM]


def canonical(player: Player) -> Player:
    """Return the player that this one is merged into, or itself."""
    return player.merged_into or player


def points_by_entrant(event: Event) -> dict[int, Fraction]:
    """Return everyone's points in the event so far, by entrant."""
    points = {standing.player.pk: standing.row.points for standing in event_standings(event)}
    entrants = event.entrants.select_related("player__merged_into")
    return {e.pk: points.get(canonical(e.player).pk, Fraction(0)) for e in entrants}


OWNER = Coalesce("player__merged_into_id", "player_id")
"""For an entrant or an account: the key of the player for whom it counts."""


PLAYED = Exists(Tally.objects.filter(event=OuterRef("pk")))
"""For an event: whether it has games."""
COUNTED = Exists(Tally.objects.filter(event=OuterRef("pk"), entrant__counts=True))
"""For an event: whether it has games of anyone but house bots."""

_COLUMNS = (owner("entrant"), "event_id", "size", "rank", "tied", "games", "sitting_id")
CHUNK = 20_000


def _with_players(rows: list[StandingsRow], players: Mapping[int, Player]) -> list[Standing]:
    missing = {int(row.entrant) for row in rows} - players.keys()
    everybody = {**players, **(Player.objects.in_bulk(missing) if missing else {})}
    return [Standing(everybody[int(row.entrant)], row, len(row.nights)) for row in rows]


def tallies_of(tallies: QuerySet[Tally]) -> list[domain.TallyFact]:
    """Return the tallies as the domain's facts, by the player for whom they count."""
    return [domain.TallyFact(*column) for column in tallies.values_list(*_COLUMNS)]


def _held_in(event: Event) -> list[domain.TallyFact]:
    """Return the counts of the event's held games, which the tallies leave out."""
    held = Placing.objects.filter(result__held=True, entrant__event=event).order_by()
    columns = (owner("entrant"), "entrant__event_id", "size", "rank", "tied")
    counted = held.values_list(*columns, "result__sitting_id").annotate(games=Count("pk"))
    return [
        domain.TallyFact(player, night, size, rank, tied, games, sitting)
        for player, night, size, rank, tied, sitting, games in counted
    ]


def by_night(by_event: Mapping[domain.Key, Scoring]) -> Iterator[list[domain.TallyFact]]:
    """Yield the counts of each night, summed over tables if every game counts alone."""
    # Filtered by key: a condition on the scoring would read every night on the server.
    fixed = [int(key) for key, rules in by_event.items() if rules.counting == "fixed"]
    others = [int(key) for key in by_event if int(key) not in set(fixed)]
    summed = (
        Tally.objects.filter(event__in=fixed)
        .values_list(owner("entrant"), "event_id", "size", "rank", "tied")
        .annotate(Sum("games"))
        .order_by("event_id")
    )
    columns = Tally.objects.filter(event__in=others).order_by("event_id").values_list(*_COLUMNS)
    for found in (summed, columns):
        for _event, own in groupby(found.iterator(CHUNK), key=lambda column: column[1]):
            yield [domain.TallyFact(*column) for column in own]


def heads_of(events: list[int]) -> dict[int, int]:
    """Return the number of players in each event, without house bots."""
    if not events:
        return {}
    counting = Tally.objects.filter(event__in=events, entrant__counts=True).values_list("event_id")
    return dict(counting.annotate(heads=Count(owner("entrant"), distinct=True)).order_by())


def places_in(by_event: Mapping[domain.Key, Scoring]) -> dict[Pair, domain.Share]:
    """Return the final places by (player, event), in events that give points for them."""
    wanted = [int(key) for key, rules in by_event.items() if rules.gives == "places"]
    if not wanted:
        return {}
    placed = Entrant.objects.filter(event__in=wanted, place__isnull=False).order_by("-place")
    columns = placed.values_list(OWNER, "event_id", "place", "place_tied")
    return {(player, event): domain.Share(*share) for player, event, *share in columns}


def adjustments_of(adjustments: QuerySet[Adjustment]) -> list[domain.AdjustmentFact]:
    who = Coalesce("player__merged_into_id", "player_id")
    return [
        domain.AdjustmentFact(player, Fraction(points), cause or reason, event)
        for player, points, cause, reason, event in adjustments.values_list(
            who, "points", "cause", "reason", "event_id"
        )
    ]


# Placings are gathered before they are joined: in a single join the planner loops over all pairs of
# placings while statistics are missing.
_MEETINGS = """
    WITH own AS MATERIALIZED (
        SELECT p.result_id, p.id, p.rank, coalesce(o.merged_into_id, o.id) AS player
        FROM league_player o
        JOIN league_entrant e ON e.player_id = o.id AND e.event_id = ANY(%(events)s)
        JOIN league_placing p ON p.entrant_id = e.id
        JOIN league_result r ON r.id = p.result_id AND {counted}
        WHERE coalesce(o.merged_into_id, o.id) = ANY(%(players)s)
    ), pairs AS MATERIALIZED (
        SELECT own.player, b.entrant_id, count(*) AS met,
               count(*) FILTER (WHERE own.rank < b.rank) AS ahead
        FROM own JOIN league_placing b ON b.result_id = own.result_id AND b.id <> own.id
        GROUP BY 1, 2
    )
    SELECT pairs.player, coalesce(o.merged_into_id, o.id), sum(met)::bigint, sum(ahead)::bigint
    FROM pairs
    JOIN league_entrant e ON e.id = pairs.entrant_id
    JOIN league_player o ON o.id = e.player_id
    GROUP BY 1, 2
"""


def _meetings_in(events: list[int], *, with_held: bool = False) -> MeetingsOf:
    """Return a query for the games in which a finished ahead of b, and for all games of a and b."""
    query = _MEETINGS.format(counted="(r.current OR r.held)" if with_held else "r.current")

    def meetings_of(players: list[domain.Key]) -> tuple[dict[Pair, int], dict[Pair, int]]:
        with connection.cursor() as cursor:
            cursor.execute(query, {"events": events, "players": players})
            rows = cursor.fetchall()
        ahead = {(a, b): wins for a, b, _met, wins in rows if wins}
        return ahead, {(a, b): met for a, b, met, _wins in rows}

    return meetings_of


def money_won(sums: QuerySet[MoneyTally]) -> dict[Pair, int]:
    """Return the net result of the games in minor units by (player, event), without postings."""
    won = sums.exclude(games=0).values_list(owner("account"), "event_id").annotate(Sum("games"))
    found = won.order_by().iterator(CHUNK)
    return {(player, event): amount for player, event, amount in found}


def _money(events: list[int]) -> dict[Pair, int]:
    return money_won(MoneyTally.objects.filter(event__in=events))
