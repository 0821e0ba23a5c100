"""Which games of a night count: each game, their mean, or the ranking of the table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from league.base.domain.grouped import grouped
from league.base.domain.keys import Key, Pair, order
from league.seasons.domain.same_deals import Beaten
from league.seasons.domain.scoring import SIZES, Scoring, points_for

from .facts import TallyFact
from .nights import Counted, Finish, NightPart, Share, Worth


def nights_of(
    tallies: Iterable[TallyFact],
    scoring: Scoring,
    by_event: Mapping[Key, Scoring],
    money: Mapping[Pair, int],
    guests: frozenset[Key | Pair] = frozenset(),
    heads: Mapping[Key, int] | None = None,
    places: Mapping[Pair, Share] | None = None,
    beaten: Mapping[Pair, Beaten] | None = None,
) -> dict[Key, list[NightPart]]:
    """Return every entrant's nights, in the order of the events' keys.

    `guests` (house bots) take part in the ranking of a sitting and nothing else; a pair (entrant,
    event) is a guest in that event. `heads` is the number of players by event; needed if the
    tallies cover only some players and their tables. `places` are the final places by (entrant,
    event), of the nights that give points for them, `beaten` the hands of nights whose tables all
    play the same deals. Raises `ValueError` for an impossible tally.
    """
    by_night: dict[Key, dict[Key, list[TallyFact]]] = {}
    for tally in tallies:
        if tally.games < 0:
            raise ValueError(f"a tally of {tally.games} games: {tally}")
        if tally.games:
            by_night.setdefault(tally.event, {}).setdefault(tally.entrant, []).append(tally)
    nights: dict[Key, list[NightPart]] = {}
    for event in sorted(by_night, key=order):
        rules = by_event.get(event, scoring)
        worth = Worth(rules)
        played = _counted(by_night[event], rules)
        counting = [e for e in played if e not in guests and (e, event) not in guests]
        players = len(counting) if heads is None else heads[event]
        for entrant in counting:
            counted, won = played[entrant], money.get((entrant, event), 0)
            place = None if places is None else places.get((entrant, event))
            hands = None if beaten is None else beaten.get((entrant, event))
            points = hands.percent if hands else worth.of_night(counted, players, won, place)
            night = NightPart(
                event, rules, counted, players, won, points, place=place, beaten=hands
            )
            nights.setdefault(entrant, []).append(night)
    return nights


CountedGames = dict[Key, tuple[Counted, ...]]


def _counted(entrants: Mapping[Key, list[TallyFact]], scoring: Scoring) -> CountedGames:
    if scoring.counting == "table_ranking":
        return _table_ranking(entrants, scoring)
    if scoring.counting == "average":
        return {entrant: _averaged(tallies) for entrant, tallies in entrants.items()}
    if scoring.counting == "night_average":
        return {entrant: _mean(_summed(tallies)) for entrant, tallies in entrants.items()}
    return {entrant: _summed(tallies) for entrant, tallies in entrants.items()}


def _summed(tallies: Sequence[TallyFact]) -> tuple[Counted, ...]:
    games: dict[Finish, int] = {}
    for _, _, size, rank, tied, times, _ in tallies:
        placing = Finish(size, rank, tied)
        games[placing] = games.get(placing, 0) + times
    return tuple([Counted(placing, games[placing], games[placing]) for placing in sorted(games)])


def _mean(counted: Sequence[Counted]) -> tuple[Counted, ...]:
    of = sum(whole.games for whole in counted)
    return tuple(whole._replace(of=of) for whole in counted)


def _averaged(tallies: Sequence[TallyFact]) -> tuple[Counted, ...]:
    counted: list[Counted] = []
    for sitting, part in _by_sitting(tallies):
        of = sum(tally.games for tally in part)
        counted += (whole._replace(of=of, sitting=sitting) for whole in _summed(part))
    return tuple(counted)


def _table_ranking(entrants: Mapping[Key, list[TallyFact]], scoring: Scoring) -> CountedGames:
    """Return one placing per sitting: its players ranked by their points over its games."""
    sittings: dict[Key, dict[Key, _Result]] = {}
    for entrant, tallies in entrants.items():
        for sitting, part in _by_sitting(tallies):
            if sitting is None:
                raise ValueError("the ranking of a table needs the sitting of every tally")
            sittings.setdefault(sitting, {})[entrant] = _result(part, scoring)
    counted: dict[Key, list[Counted]] = {entrant: [] for entrant in entrants}
    for sitting in sorted(sittings, key=order):
        results = sittings[sitting]
        for entrant, own in results.items():
            placing = _placing(own, list(results.values()))
            counted[entrant].append(Counted(placing, 1, own.games, sitting=sitting))
    return {entrant: tuple(parts) for entrant, parts in counted.items()}


class _Result(NamedTuple):
    points: Fraction
    games: int
    size: int


def _result(tallies: Sequence[TallyFact], scoring: Scoring) -> _Result:
    table = scoring.points_table
    points = (t.games * points_for(table, t.size, t.rank, t.tied) for t in tallies)
    return _Result(
        sum(points, Fraction(0)), sum(t.games for t in tallies), max(t.size for t in tallies)
    )


def _placing(own: _Result, results: Sequence[_Result]) -> Finish:
    # With substitutes a ranking can be longer than the table; from the eighth on all tie for last.
    seats = max(result.size for result in results)
    size = min(max(seats, len(results)), SIZES[-1])
    rank = min(1 + sum(other.points > own.points for other in results), size)
    tied = sum(other.points == own.points for other in results)
    return Finish(size, rank, min(tied, size - rank + 1))


def _by_sitting(tallies: Sequence[TallyFact]) -> list[tuple[Key | None, list[TallyFact]]]:
    parts = grouped((tally.sitting, tally) for tally in tallies)
    return sorted(parts.items(), key=lambda item: (item[0] is not None, order(item[0] or 0)))
