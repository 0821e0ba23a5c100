"""The places of an event: the final's, then the eliminated players', latest round first."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from django.utils.translation import gettext as _

from league.base.domain.keys import Key
from league.models import Event, Round
from league.nights.facts import stages
from league.nights.facts.stages import Played, StagePart
from league.seasons.domain.standings import StandingsRow, with_rank
from league.seasons.facts.standings import (
    PODIUM,
    Standing,
    canonical,
    event_standings,
    first_three,
    standings_of_events,
)


@dataclass(frozen=True)
class Placed(Standing):
    """A player's place in an event: the rank of its row.

    The row counts the games that decided the place: those of the final, of the group, or of the
    last table before elimination. With an empty `stage`, and for bots, it counts the whole night;
    bots take no place from people. The money is always the whole night's. Until `decided`, while a
    final is still to come, the rank is only by points.
    """

    stage: str = ""
    round: int | None = None
    decided: bool = True

    @property
    def stage_name(self) -> str:
        """The stage that decided the place, in words; empty for the whole night."""
        names = {
            "final": _("Final"),
            "group": _("Eliminated in the groups"),
            "table": _("Eliminated in round %(round)s") % {"round": self.round},
            "semi": _("Eliminated in the semi-final"),
            "others": _("Not in the stages"),
            "bots": _("Bots"),
        }
        return names.get(self.stage, "")


@dataclass(frozen=True)
class _Level:
    """Entrants who share a place, and the stage that decided it."""

    stage: str
    rows: list[StandingsRow]
    round: int | None = None


def places_of_events(events: Sequence[Event]) -> dict[int, Sequence[Standing]]:
    """Return the places of several events by event key; those without stages share queries."""
    nights = standings_of_events(events)
    return {event.pk: event_places(event, nights[event.pk]) for event in events}


def event_places(
    event: Event, standings: Sequence[Standing] | None = None, *, with_held: bool = False
) -> list[Placed]:
    """Return the places of an event, best first; its standings until a game of a final counts.

    `standings` are the event's, if already known. `with_held` includes held results; it is for
    organisers only.
    """
    night = event_standings(event, with_held=with_held) if standings is None else standings
    levels = _levels(event, with_held=with_held)
    if not levels:
        decided = not (event.is_open and event.rules_of_format.has_stages)
        return [Placed(one.player, one.row, one.nights, decided=decided) for one in night]
    return list(_placed(event, levels, night))


def points_of_games(event: Event) -> list[Standing]:
    """Return the standings from all games; without ranks where a final decides the places."""
    night = event_standings(event)
    if not event.rules_of_format.has_stages:
        return night
    return [replace(one, row=with_rank(one.row, None)) for one in night]


def podium(places: Iterable[Placed]) -> list[Placed]:
    """Return the players in the first three places; empty with fewer, and before the final."""
    first = first_three(place for place in places if place.decided)
    return first if len(first) >= PODIUM else []


def by_stage(places: Iterable[Placed]) -> list[tuple[str, list[Placed]]]:
    """Return the places grouped by the stage that decided them."""
    return [(name, list(own)) for name, own in groupby(places, key=lambda one: one.stage_name)]


def _levels(event: Event, *, with_held: bool) -> list[_Level]:
    if not event.rules_of_format.has_stages:
        return []
    rounds = list(
        event.rounds.filter(status=Round.Status.RELEASED).prefetch_related("sittings__places")
    )
    if not any(map(stages.is_final, rounds)):
        return []
    played = Played(event, with_held=with_held)
    final = stages.final_rows(rounds, played)
    if not any(row.games for row in final):
        return []
    levels = [_Level("final", list(own)) for _rank, own in groupby(final, key=lambda row: row.rank)]
    seen = {row.entrant for row in final}
    for number, parts in _eliminating(event, rounds, played):
        levels += [_Level(parts[0].kind, rows, number) for rows in _eliminated(parts, seen)]
        seen |= {row.entrant for part in parts for row in part.rows}
    return levels


def _eliminating(
    event: Event, rounds: Sequence[Round], played: Played
) -> Iterator[tuple[int | None, list[StagePart]]]:
    """Yield the eliminating parts, latest first: each round's tables, or all groups at once."""
    if event.rules_of_format.kind == "groups":
        yield None, stages.groups(rounds, played)
        return
    for round_ in reversed(rounds):
        if not stages.is_final(round_):
            yield round_.number, stages.tables(round_, played)


def _eliminated(parts: Iterable[StagePart], seen: set[Key]) -> list[list[StandingsRow]]:
    """Return the rows not in `seen`, by place in their part, then by share of the points."""
    found = []
    for part in parts:
        for row in part.rows:
            if row.entrant not in seen:
                worth = stages.share_of(row)
                found.append(((not row.games, row.rank or 0, -worth), row))
    found.sort(key=lambda pair: pair[0])
    return [[row for _key, row in own] for _key, own in groupby(found, key=lambda pair: pair[0])]


def _placed(event: Event, levels: Sequence[_Level], night: Sequence[Standing]) -> Iterator[Placed]:
    """Yield the levels' places, then players of no stage in standings order, then bots."""
    of = {one.player.pk: one for one in night}
    entrants = {e.pk: e for e in event.entrants.select_related("player__merged_into")}
    place, placed = 1, set()
    for level in levels:
        known = [
            (one, row)
            for row in level.rows
            if (one := of.get(canonical(entrants[int(row.entrant)].player).pk)) is not None
            and not one.is_apart
        ]
        for one, row in known:
            placed.add(one.player.pk)
            placed_row = with_rank(replace(row, money=one.row.money), place, len(known) > 1)
            yield Placed(one.player, placed_row, one.nights, level.stage, level.round)
        place += len(known)
    rest = [one for one in night if one.player.pk not in placed and not one.is_apart]
    for _rank, own in groupby(rest, key=lambda one: (bool(one.row.games), one.row.rank)):
        level_with = list(own)
        for one in level_with:
            row = with_rank(one.row, place, len(level_with) > 1)
            yield Placed(one.player, row, one.nights, "others")
        place += len(level_with)
    yield from (Placed(one.player, one.row, one.nights, "bots") for one in night if one.is_apart)
