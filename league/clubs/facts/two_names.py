"""What two names of one person share: the team for which the person counts."""

from collections.abc import Iterable

from league.models import Player, Roster, RosterMember, Season


def memberships(members: Iterable[RosterMember]) -> dict[int, RosterMember]:
    """Return the one membership in a season's teams that counts for each person, by its key.

    Of a person whose names are in two teams it is that of the name they go by, else the oldest.
    """
    counted: dict[int, RosterMember] = {}
    teams = (member for member in members if member.is_team)
    for member in sorted(teams, key=lambda one: (one.player.merged_into_id is not None, one.pk)):
        counted.setdefault(member.player.merged_into_id or member.player_id, member)
    return counted


def teams_apart(alias: Player, into: Player) -> dict[Season, list[Roster]]:
    """Return the teams of `into` and `alias` for each running season in which they differ."""
    seasons: dict[Season, tuple[list[RosterMember], list[RosterMember]]] = {}
    for member in _of_running_seasons(alias, into):
        is_alias = alias.pk in (member.player_id, member.player.merged_into_id)
        seasons.setdefault(member.season, ([], []))[is_alias].append(member)
    apart = {}
    for season, sides in seasons.items():
        pair = [one.roster for side in sides for one in memberships(side).values()]
        if len({roster.pk for roster in pair}) > 1:
            apart[season] = pair
    return apart


def _of_running_seasons(*people: Player) -> list[RosterMember]:
    names = Player.objects.filter(pk__in=[one.pk for one in people])
    names |= Player.objects.filter(merged_into__in=people)
    found = RosterMember.objects.filter(
        is_team=True, season__status=Season.Status.OPEN, player__in=names
    )
    return list(found.select_related("season", "roster", "player").order_by("season", "pk"))
