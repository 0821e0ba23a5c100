"""Standings from nothing but results: no tallies, no sums of the database, no short cuts.

Slower than what pages do, and written another way, so that comparing the two means something.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from league.models import Event, Placing, Player, Season, Tally, Transfer
from league.seasons.domain import standings as domain
from league.seasons.domain.scoring import Scoring
from league.seasons.domain.standings import Facts, StandingsRow, TallyFact


def season_rows(season: Season) -> list[StandingsRow]:
    """Return the rows of the season's standings, rebuilt."""
    return _rows(list(season.counted_events), season)


def event_rows(event: Event) -> list[StandingsRow]:
    """Return the rows of those who played in the event or were given points in it, rebuilt."""
    return _rows([event], None)


def _rows(events: list[Event], season: Season | None) -> list[StandingsRow]:
    people = _people(events[0].season.club_id if season is None else season.club_id)
    tallies: list[TallyFact] = []
    games: dict[int, dict[domain.Key, int]] = {}
    for event in events:
        tallies += _bots(event, people) if event.run_id else _played(event, people, games)
    ahead, met = domain.meetings(games.values())
    of = events[0] if season is None else season
    adjustments = [
        domain.AdjustmentFact(people[a.player_id].pk, a.points, a.reason, a.event_id)  # type: ignore[arg-type]
        for a in (of.adjustments if isinstance(of, Season) else of.adjustment_set).all()
        if a.revoked_at is None
    ]
    return domain.standings(
        tallies,
        Scoring.from_json(of.scoring),
        adjustments,
        of.tie_breaks,
        by_event={event.pk: Scoring.from_json(event.scoring) for event in events},
        facts=Facts(money=_money(events, people), ahead=ahead, met=met),
        guests=_guests(events, people),
        names={player.pk: player.sort_key for player in people.values()},
        beside=set()
        if season is None or season.ranks_bots
        else {player.pk for player in people.values() if player.bot},
    )


def _people(club: int) -> dict[int, Player]:
    """Who each player of the club is, by the player's own key."""
    found = Player.objects.filter(club=club).in_bulk()
    return {
        key: found[player.merged_into_id] if player.merged_into_id else player
        for key, player in found.items()
    }


def _played(
    event: Event, people: dict[int, Player], games: dict[int, dict[domain.Key, int]]
) -> list[TallyFact]:
    """One tally for each placing of a game that counts; fills in who met whom."""
    tallies = []
    placings = Placing.objects.filter(
        result__sitting__round__event=event, result__current=True, result__void=False
    ).values_list("result_id", "result__sitting_id", "entrant__player_id", "size", "rank", "tied")
    for result, sitting, player, size, rank, tied in placings.iterator(chunk_size=20_000):
        key = people[player].pk
        games.setdefault(result, {})[key] = rank
        tallies.append(TallyFact(key, event.pk, size, rank, tied, 1, sitting))
    return tallies


def _bots(event: Event, people: dict[int, Player]) -> list[TallyFact]:
    """Bots' games are not kept one by one: the counts of their units are what there is."""
    kept = Tally.objects.filter(event=event).select_related("entrant")
    return [
        TallyFact(people[t.entrant.player_id].pk, event.pk, t.size, t.rank, t.tied, t.games)
        for t in kept
    ]


def _guests(events: list[Event], people: dict[int, Player]) -> list[domain.Key | domain.Pair]:
    return [
        (people[entrant.player_id].pk, event.pk)
        for event in events
        for entrant in event.entrants.filter(counts=False)
    ]


def _money(events: Iterable[Event], people: dict[int, Player]) -> dict[domain.Pair, int]:
    net: Counter[domain.Pair] = Counter()
    moved = Transfer.objects.filter(event__in=list(events), result__isnull=False)
    columns = moved.values_list("payer__player_id", "payee__player_id", "amount", "event_id")
    for payer, payee, amount, event in columns.iterator(chunk_size=20_000):
        net[people[payer].pk, event] -= amount
        net[people[payee].pk, event] += amount
    return dict(net)
