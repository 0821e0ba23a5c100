"""Creating and changing bot leagues, each with its schedule."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from accounts.models import User
from engine.rules.ruleset import Ruleset
from league.models import BotLeague, Schedule, Season
from league.schedules.acts import schedules
from league.schedules.domain.recurrence import Recurrence


@transaction.atomic
def create_league(
    *,
    season: Season,
    by: User,
    name: str,
    ruleset: Ruleset,
    plan: dict[str, Any],
    rule: Recurrence,
    size: int,
    moves: int,
) -> BotLeague:
    """Create a league that plays by this rule; `plan` has the deals per matchday."""
    schedule = schedules.create_schedule(
        season=season, by=by, name=name, ruleset=ruleset, plan=plan, rule=rule
    )
    return BotLeague.objects.create(
        season=season, schedule=schedule, name=schedule.name, size=size, moves=moves
    )


@transaction.atomic
def change_league(
    *, schedule: Schedule, by: User, name: str, size: int, moves: int, **changes: Any
) -> None:
    """Change a league from its next matchday on; `changes` go to `change_schedule`."""
    schedules.change_schedule(schedule=schedule, by=by, name=name, **changes)
    schedule.refresh_from_db(fields=["name"])
    BotLeague.objects.filter(schedule=schedule).update(name=schedule.name, size=size, moves=moves)
