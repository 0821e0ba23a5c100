"""Standings of teams and of categories, from the rows of the season or the event."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from league.clubs.facts.two_names import memberships
from league.models import Event, Player, Roster, RosterMember, Season
from league.seasons.domain.standings import with_rank
from league.seasons.facts import season_cache
from league.seasons.facts.standings import Standing, canonical, event_standings
from league.seasons.places import places_of


@dataclass(frozen=True)
class TeamRow:
    """A team's place: the sum or average of its best players' points."""

    roster: Roster
    players: list[str]
    points: Fraction
    counted: int
    rank: int | None = None
    shared: bool = False

    @property
    def names(self) -> str:
        """The players' names, the captain first."""
        return ", ".join(self.players)


@dataclass(frozen=True)
class CategoryTable:
    """A category with the rows of its players, ranked among themselves."""

    roster: Roster
    players: list[str]
    rows: list[Standing]


@dataclass(frozen=True)
class RosterTables:
    """The team standings, best first, and the categories of a season or of one of its nights.

    `twice` are those whose names are in two teams, each with the team for which they count.
    """

    rosters: list[Roster]
    teams: list[TeamRow]
    categories: list[CategoryTable]
    twice: list[tuple[Player, Roster]]


def tables_of(season: Season, night: Event | None = None) -> RosterTables:
    """Return the standings of teams and categories; for a season from its cached rows.

    In a night teams add up the points of its games, and categories use its final places. Percents
    of a night with the same deals are not added up: teams have the average of those who played.
    """
    found, is_percent = rosters_of(season), False
    if night is None:
        standings = places = season_rows(season)
    else:
        standings, places = event_standings(night), list(places_of(night))
        is_percent = night.rules_of_format.same_deals
    teams = team_rows(season, found, standings, is_percent=is_percent)
    return RosterTables(found, teams, category_tables(found, places), _twice(found))


def rosters_of(season: Season) -> list[Roster]:
    """Return the teams and categories with prefetched players."""
    return list(season.rosters.prefetch_related("members__player__merged_into"))


def season_rows(season: Season) -> list[Standing]:
    """Return the season's cached rows of players on a roster."""
    owners = {
        canonical(member.player).pk
        for member in RosterMember.objects.filter(season=season).select_related(
            "player__merged_into"
        )
    }
    rows = season_cache.rows().filter(season=season, player__in=owners).select_related("player")
    return [season_cache.standing_of(row) for row in rows.order_by("position")]


def team_rows(
    season: Season, rosters: Iterable[Roster], standings: Sequence[Standing], *, is_percent: bool
) -> list[TeamRow]:
    """Return the teams, best first; tied teams share a rank. Players without games count nothing.

    An average divides by the number of players to count, even if fewer have played.
    """
    points = {one.player.pk: one.row.points for one in standings if one.row.games}
    teams = [roster for roster in rosters if roster.kind == Roster.Kind.TEAM]
    counted = memberships(_members(teams))
    found = [
        _team(season, roster, _people(roster, counted), points, is_percent) for roster in teams
    ]
    found.sort(key=lambda row: (-row.points, row.roster.name))
    totals = [row.points for row in found]
    return [
        replace(row, rank=totals.index(row.points) + 1, shared=totals.count(row.points) > 1)
        for row in found
    ]


def _members(rosters: Iterable[Roster]) -> list[RosterMember]:
    return [member for roster in rosters for member in roster.members.all()]


def _people(roster: Roster, counted: Mapping[int, RosterMember] | None = None) -> list[Player]:
    """Return the people of a roster, each once, the captain first.

    `counted` leaves out those who count for another team.
    """
    members = sorted(roster.members.all(), key=lambda member: not member.captain)
    people = dict.fromkeys(canonical(member.player) for member in members)
    if counted is None:
        return list(people)
    return [person for person in people if counted[person.pk].roster_id == roster.pk]


def _twice(rosters: Collection[Roster]) -> list[tuple[Player, Roster]]:
    members = _members(rosters)
    by_key = {roster.pk: roster for roster in rosters}
    counted = memberships(members)
    twice = {
        canonical(one.player): by_key[counted[canonical(one.player).pk].roster_id]
        for one in members
        if one.is_team and one.roster_id != counted[canonical(one.player).pk].roster_id
    }
    return list(twice.items())


def _team(
    season: Season,
    roster: Roster,
    players: Sequence[Player],
    points: Mapping[int, Fraction],
    is_percent: bool,
) -> TeamRow:
    gained = sorted((points[p.pk] for p in players if p.pk in points), reverse=True)
    wanted = min(season.team_best or len(players), len(players))
    best = gained[:wanted]
    total = sum(best, Fraction(0))
    shared_by = len(best) if is_percent else wanted if season.team_average else 1
    worth = total / (shared_by or 1)
    return TeamRow(roster, [player.name for player in players], worth, len(best))


def category_tables(
    rosters: Iterable[Roster], standings: Sequence[Standing]
) -> list[CategoryTable]:
    """Return each category with its players' rows, in the order of the standings."""
    found = []
    for roster in rosters:
        if roster.kind == Roster.Kind.CATEGORY:
            players = _people(roster)
            keys = {player.pk for player in players}
            own = [one for one in standings if one.player.pk in keys]
            found.append(CategoryTable(roster, [p.name for p in players], _among(own)))
    return found


def _among(rows: Sequence[Standing]) -> list[Standing]:
    """Return the rows ranked among themselves; rows tied in the whole table stay tied."""
    ranks = [one.row.rank for one in rows]
    return [
        one
        if one.row.rank is None
        else replace(
            one,
            row=with_rank(one.row, ranks.index(one.row.rank) + 1, ranks.count(one.row.rank) > 1),
        )
        for one in rows
    ]


@dataclass(frozen=True)
class Crew:
    """A team as its captain sees it: its name and the other members."""

    name: str
    mates: list[Player]


def crew_of(season_id: int, player: Player) -> Crew | None:
    """Return the team that this player captains, or None."""
    members = _of_teams(season_id)
    counted = memberships(members)
    if player.pk not in counted:
        return None
    team = counted[player.pk].roster
    own = [member for member in members if member.roster_id == team.pk]
    if not any(member.captain and canonical(member.player) == player for member in own):
        return None
    people = {canonical(member.player) for member in own} - {player}
    mates = [mate for mate in people if counted[mate.pk].roster_id == team.pk]
    return Crew(team.name, sorted(mates, key=lambda mate: mate.name_key))


def teams_of(season_id: int) -> dict[int, Roster]:
    """Return the team for which each person of the season counts, by the person's key."""
    return {key: one.roster for key, one in memberships(_of_teams(season_id)).items()}


def _of_teams(season_id: int) -> list[RosterMember]:
    found = RosterMember.objects.filter(season=season_id, is_team=True)
    return list(found.select_related("player__merged_into", "roster"))
