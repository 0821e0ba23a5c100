"""Creating and changing bot leagues, each with its schedule."""

from django.db import transaction

from accounts.models import User
from league.models import BotLeague, Schedule, Season
from league.schedules.acts import schedules
from league.schedules.domain.repeated import Tournaments


@transaction.atomic
def create_league(
    *, season: Season, by: User, repeated: Tournaments, size: int, moves: int
) -> BotLeague:
    """Create a league that plays by this rule; its plan has the deals per matchday."""
    schedule = schedules.create_schedule(season=season, by=by, repeated=repeated)
    return BotLeague.objects.create(
        season=season, schedule=schedule, name=schedule.name, size=size, moves=moves
    )


@transaction.atomic
def change_league(
    *, schedule: Schedule, by: User, repeated: Tournaments, size: int, moves: int
) -> None:
    """Change a league from its next matchday on."""
    schedules.change_schedule(schedule=schedule, by=by, repeated=repeated)
    schedule.refresh_from_db(fields=["name"])
    BotLeague.objects.filter(schedule=schedule).update(name=schedule.name, size=size, moves=moves)
