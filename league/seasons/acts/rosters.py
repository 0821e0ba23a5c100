"""Save and remove teams and categories of a season."""

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from league.base import texts
from league.base.acts import audit, locks
from league.base.domain.names import identity
from league.models import Player, Roster, RosterMember, Season
from league.seasons.facts.rosters import teams_of
from league.seasons.facts.standings import canonical
from tables.base.columns import set_columns
from tables.refusals import Refusal

SMALLEST, LARGEST = 2, 6
MOST = 1000
MOST_ROSTERS = 200


@transaction.atomic
def save_roster(
    *,
    season: Season,
    kind: str,
    name: str,
    members: Sequence[Player],
    by: User,
    replaces: bool = False,
) -> Roster:
    """Create a team or a category; with `replaces`, also give one of that name other members.

    Otherwise that is a Refusal on `replaces`. A team's first member is its captain. A merged name
    counts as the person. Refusal if a team has fewer than two or more than six members, or one of
    them is in another team under any name.
    """
    season = locks.season_to_change(season.pk)
    name = texts.clean_name(name)
    people = list(dict.fromkeys(map(canonical, members)))
    is_team = kind == Roster.Kind.TEAM
    _check_size(is_team, len(people))
    key = identity(name)
    alike = (one for one in season.rosters.filter(kind=kind) if identity(one.name) == key)
    roster = next(alike, None)
    if roster is not None and not replaces:
        there = roster.members.order_by("pk").values_list("player__name", flat=True)
        raise Refusal(
            _("“%(name)s” is there already, with %(people)s. Tick to replace them.")
            % {"name": roster.name, "people": ", ".join(there)},
            code="taken",
            field="replaces",
        )
    if roster is None:
        if season.rosters.count() >= MOST_ROSTERS:
            raise Refusal(
                _("A season has at most %(most)s teams and categories."),
                params={"most": MOST_ROSTERS},
            )
        roster = Roster(season=season, kind=kind, name=name)
        roster.full_clean()
        roster.save()
    if is_team:
        _refuse_elsewhere(roster, people)
    roster.members.all().delete()
    RosterMember.objects.bulk_create(
        RosterMember(
            roster=roster,
            season=season,
            player=player,
            is_team=is_team,
            captain=is_team and number == 0,
        )
        for number, player in enumerate(people)
    )
    audit.log(
        "roster.saved",
        club=season.club,
        by=by,
        season=season.pk,
        name=name,
        players=[player.pk for player in people],
    )
    return roster


@transaction.atomic
def remove_roster(*, roster: Roster, by: User) -> None:
    """Delete a team or a category; its players and their games stay."""
    season = locks.season_to_change(roster.season_id)
    deleted, _by_model = season.rosters.filter(pk=roster.pk).delete()
    if deleted:
        audit.log("roster.removed", club=season.club, by=by, season=season.pk, name=roster.name)


@transaction.atomic
def set_team_rule(*, season: Season, best: int | None, average: bool, by: User) -> Season:
    """Set a team's points to the sum or average of its best `best` players; None counts all."""
    season = locks.season_to_change(season.pk)
    if best is not None and not 1 <= best <= LARGEST:
        raise Refusal(
            _("A number from 1 to %(most)s, or nothing for all."),
            params={"most": LARGEST},
            field="best",
        )
    set_columns(season, team_best=best, team_average=average)
    audit.log("roster.rule", club=season.club, by=by, season=season.pk, best=best, average=average)
    return season


def _check_size(is_team: bool, people: int) -> None:
    if is_team and not SMALLEST <= people <= LARGEST:
        raise Refusal(
            _("A team has %(least)s to %(most)s players."),
            params={"least": SMALLEST, "most": LARGEST},
            field="members",
        )
    if not 1 <= people <= MOST:
        raise Refusal(_("Name at least one player."), field="members")


def _refuse_elsewhere(roster: Roster, people: Sequence[Player]) -> None:
    teams = teams_of(roster.season_id)
    for player in people:
        if teams.get(player.pk, roster) != roster:
            raise Refusal(
                _("%(name)s already plays for %(team)s."),
                params={"name": player.name, "team": teams[player.pk].name},
                field="members",
            )
