"""A first night from a list of names, for people who have no club yet."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from engine.rules.ruleset import Ruleset
from league.base import texts
from league.base.domain import names
from league.clubs.acts import clubs, players
from league.models import Round
from league.nights.acts import attendance, draws, events
from league.nights.domain.night_formats import NightFormat
from league.nights.domain.night_plans import NightPlan
from league.seasons.acts import seasons
from tables.refusals import Refusal

ONE_TABLE = 7
"""Up to this many players share one table: last place gives up the seat."""


@transaction.atomic
def start(
    *, by: User, name: str, text: str, ruleset: Ruleset, time_zone: str, unit: str, stake: int = 0
) -> Round:
    """Start a new club's first night from a pasted list of names and release its first round.

    Up to `ONE_TABLE` players share one table, where last place gives up the seat; more play three
    rounds. The club is not public. Refusal on `text` when a line is wrong, a name occurs twice, or
    the names are too few for these rules.
    """
    listed = names.parse_name_list(text)
    if wrong := [problem for problem in listed.problems if not problem.is_warning]:
        raise Refusal([_told(problem) for problem in wrong[:5]], field="text")
    least = max(2, ruleset.min_players)
    if len(listed.names) < least:
        message = _("These rules need at least %(least)s players. Add a name.") % {"least": least}
        raise Refusal(message, field="text")
    club = clubs.create_club(name=name, by=by, time_zone=time_zone, unit=unit, is_public=False)
    people = players.add_players(club=club, text=text, by=by).players
    season = seasons.begin_season(club=club, by=by, ruleset=ruleset)
    few = len(people) <= ONE_TABLE
    event = events.create_event(
        season=season,
        by=by,
        name=_("Night %(number)s") % {"number": 1},
        date=season.starts_on,
        plan=NightPlan(NightFormat("loser_leaves" if few else "rounds"), stake=stake),
    )
    keys = [player.pk for player in people]
    attendance.set_presence(event=event, player_ids=keys, presence="here", by=by)
    return draws.release_round(round_=draws.draw_round(event=event, by=by), by=by)


def _told(problem: names.ListProblem) -> str:
    """Return how to fix a line; a duplicate must be resolved, because nothing was added yet."""
    if problem.kind != "duplicate":
        return texts.at_line(problem)
    return _(
        "“%(text)s” is in the list twice. Delete one if it is the same person; for two people "
        "write them apart, such as “%(text)s 2”."
    ) % dict(problem.params)
