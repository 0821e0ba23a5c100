"""Creating a night, and the same night again."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from engine.bots import BOTS
from league.base import texts
from league.base.acts import audit, locks
from league.models import Entrant, Event, LivePlan, Season
from league.nights.domain.night_formats import FLOORS, NightFormat
from league.seasons.domain.scoring import Counting, FieldError, Gives, Scoring
from tables.refusals import Refusal


@transaction.atomic
def create_event(
    *,
    season: Season,
    by: User | None,
    name: str,
    date: datetime.date,
    starts_at: datetime.time | None = None,
    kind: str = Event.Kind.NIGHT,
    rounds_planned: int = 3,
    counting: Counting = "fixed",
    games_per_round: int = 4,
    stake: int = 0,
    confirmed_by: str = Event.Confirmed.NONE,
    round_minutes: int | None = None,
    format: Mapping[str, Any] | None = None,
    gives: Gives | None = None,
) -> Event:
    """Create an event that freezes the season's ruleset, points and tie-breaks as they are now.

    `by` is None where a schedule made it; `gives` None: what the season's rules say.
    """
    name = texts.clean_title(name)
    season = locks.season(season.pk)
    if season.status != Season.Status.OPEN:
        raise Refusal(_("This season is closed. Reopen it or choose another."))
    checked = checked_format(format or {}, counting)
    if checked["kind"] in FLOORS and counting == "average":
        counting = "night_average"
    try:
        rules = Scoring.from_json(season.scoring)
        scoring = replace(
            rules,
            counting=counting,
            games_per_round=games_per_round,
            gives=gives or rules.gives,
        )
    except FieldError as error:
        raise texts.refused(error, field=error.field) from error
    event = Event(
        season=season,
        kind=kind,
        name=name,
        date=date,
        starts_at=starts_at,
        ruleset=season.ruleset,
        scoring=scoring.to_json(),
        tie_breaks=season.tie_breaks,
        rounds_planned=rounds_planned,
        stake=stake,
        confirmed_by=confirmed_by,
        round_minutes=round_minutes,
        format=checked,
    )
    check_ceremony(event)
    event.full_clean()
    event.save()
    if kind == Event.Kind.NIGHT:
        regulars = season.club.players.people()
        Entrant.objects.bulk_create([Entrant(event=event, player=player) for player in regulars])
    audit.log("event.created", club=season.club, by=by, event=event, name=name)
    return event


@transaction.atomic
def repeat_event(*, event: Event, by: User, days: int = 7) -> Event:
    """Create the same night again some days later, under the season's rules as they are then.

    A number at the end of its name counts on. Refusal: `repeated` when it is there already.
    """
    locks.season(event.season_id)  # Of two at once the second finds the night of the first.
    date = event.date + datetime.timedelta(days=days)
    name = next_name(event.name)
    twin = Event.objects.filter(season=event.season, kind=event.kind, name=name, date=date).first()
    if twin is not None:
        raise Refusal(
            _("There is already a night called %(name)s on that day."),
            code="repeated",
            params={"name": name},
        )
    made = create_event(
        season=event.season,
        by=by,
        name=name,
        date=date,
        starts_at=event.starts_at,
        **plan_of(event),
    )
    for plan in LivePlan.objects.filter(event=event):
        plan.pk, plan.event = None, made
        plan.save()
    return made


def plan_of(event: Event) -> dict[str, Any]:
    """Return what a night is made of beside its name, day and rules: what `create_event` takes."""
    rules = event.rules_of_scoring
    return {
        "rounds_planned": event.rounds_planned,
        "counting": counting_of(event),
        "games_per_round": rules.games_per_round,
        "gives": rules.gives,
        "stake": event.stake,
        "confirmed_by": event.confirmed_by,
        "round_minutes": event.round_minutes,
        "format": event.format,
    }


def counting_of(event: Event) -> str:
    """Return how the night counts, as `create_event` takes it."""
    counting = event.rules_of_scoring.counting
    return "average" if counting == "night_average" else counting


def checked_format(format: Mapping[str, Any], counting: str) -> dict[str, Any]:
    """Return the format as it is stored; Refusal by the field that is wrong."""
    try:
        rules = NightFormat.from_json(format)
    except FieldError as error:
        raise texts.refused(error, field=error.field) from error
    if rules.bot and rules.bot not in BOTS:
        raise Refusal(_("There is no such bot. Choose one from the list."), field="bot")
    if rules.is_floor and counting == "table_ranking":
        raise Refusal(
            _(
                "Players change tables after every game in this format, so a table "
                "has no ranking of its own. Count each game, or the average game."
            ),
            field="counting",
        )
    return rules.to_json()


def check_ceremony(event: Event) -> None:
    """Refuse to keep back what has to be known at the table."""
    rules = event.rules_of_format
    if not rules.ceremony:
        return
    if event.stake:
        raise Refusal(
            _("A night with a stake can't keep results back: players must see what they owe."),
            field="ceremony",
        )
    if event.confirmed_by == Event.Confirmed.PLAYER:
        raise Refusal(
            _("Players can't confirm results kept back. Let organisers confirm, or nobody."),
            field="ceremony",
        )
    if rules.kind == "rounds" and rules.ceremony > event.rounds_planned:
        raise Refusal(
            _("Only %(rounds)s rounds are planned."),
            params={"rounds": event.rounds_planned},
            field="ceremony",
        )


def next_name(name: str) -> str:
    """Return the name with the number at its end one higher: "Night 3" gives "Night 4"."""
    found = re.search(r"[0-9]{1,6}$", name)
    return name if found is None else f"{name[: found.start()]}{int(found[0]) + 1}"
