"""Seasons: the rules and points that their events start from."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from engine.ruleset import Ruleset
from league import texts
from league.domain.scoring import FieldError, Scoring
from league.domain.tie_breaks import check_tie_breaks
from league.models import Club, Event, Season
from league.services import audit, events, locks
from tables.services import rulesets


@transaction.atomic
def create_season(
    *,
    club: Club,
    by: User,
    name: str,
    ruleset: Ruleset,
    scoring: dict[str, Any],
    tie_breaks: list[str],
    starts_on: datetime.date,
    ends_on: datetime.date | None = None,
) -> Season:
    """A new open season with its ruleset frozen."""
    locks.club(club.pk)  # Of two of one name at once the second finds the first.
    season = Season(
        club=club,
        name=name,
        ruleset=rulesets.freeze(ruleset),
        scoring=scoring,
        tie_breaks=tie_breaks,
        starts_on=starts_on,
        ends_on=ends_on,
    )
    season.full_clean()
    season.save()
    audit.log("season.created", club=club, by=by, season=season.pk, name=name)
    return season


@transaction.atomic
def set_status(*, season: Season, status: str, by: User) -> Season:
    """Closes or reopens a season; one with open events or tables cannot be closed."""
    season = locks.season(season.pk)
    if status == Season.Status.CLOSED and season.events.filter(status="open").exists():
        raise ValidationError(_("Close the events of this season first."))
    if status == Season.Status.CLOSED and season.tables.filter(ended_at=None).exists():
        raise ValidationError(_("People play for stakes in this season. End their tables first."))
    season.status = status
    season.save(update_fields=["status"])
    audit.log(f"season.{status}", club=season.club, by=by, season=season.pk)
    return season


def lock(season_id: int) -> Season:
    """The season, locked until the transaction ends; ValidationError when it is closed."""
    season = locks.season(season_id)
    if season.status != Season.Status.OPEN:
        raise ValidationError(
            _("This season is closed. Reopen it first to change anything."), code="closed"
        )
    return season


@transaction.atomic
def change_scoring(
    *,
    season: Season,
    scoring: dict[str, Any],
    tie_breaks: Sequence[str],
    by: User,
    recount_all: bool = False,
) -> Season:
    """How the season counts from now on.

    What concerns the season as a whole (best nights, dropped nights, minimum games, tie-breaks)
    holds at once. What a night gives holds for later nights, and with `recount_all` for all: each
    keeps its own weight and its games in a round. ValidationError beside the field that is wrong,
    named as in `Scoring`.
    """
    season = lock(season.pk)
    try:
        rules, order = Scoring.from_json(scoring), list(check_tie_breaks(tie_breaks))
    except FieldError as error:
        raise ValidationError({error.field: texts.refused(error)}) from error
    old = {"scoring": season.scoring, "tie_breaks": season.tie_breaks}
    season.scoring, season.tie_breaks = rules.to_json(), order
    season.save(update_fields=["scoring", "tie_breaks"])
    if recount_all:
        _recount(season, rules, order)
    new = {"scoring": season.scoring, "tie_breaks": order}
    audit.log(
        "season.scoring",
        club=season.club,
        by=by,
        season=season.pk,
        old=old,
        new=new,
        recount_all=recount_all,
    )
    return season


def _recount(season: Season, rules: Scoring, tie_breaks: list[str]) -> None:
    for key in season.events.order_by("pk").values_list("pk", flat=True):
        event = events.lock(key, must_be_open=False)
        own = Scoring.from_json(event.scoring)
        try:
            counted = replace(
                rules,
                weight=own.weight,
                counting=own.counting,
                games_per_round=own.games_per_round,
            )
        except FieldError as error:
            raise ValidationError(
                _("“%(event)s” cannot be recounted so: %(problem)s")
                % {"event": event.name, "problem": texts.filled(error)}
            ) from error
        event.scoring, event.tie_breaks = counted.to_json(), tie_breaks
        event.save(update_fields=["scoring", "tie_breaks"])


@transaction.atomic
def set_weight(*, event: Event, weight: str, by: User) -> Event:
    """Everything that the event gives counts `weight` times in its season and its own table."""
    season = lock(event.season_id)
    event = events.lock(event.pk, must_be_open=False)
    try:
        rules = replace(Scoring.from_json(event.scoring), weight=weight)  # type: ignore[arg-type]
    except FieldError as error:
        raise ValidationError({error.field: texts.filled(error)}) from error
    old, event.scoring = event.scoring["weight"], rules.to_json()
    event.save(update_fields=["scoring"])
    audit.log(
        "event.weight", club=season.club, by=by, event=event, old=old, new=event.scoring["weight"]
    )
    return event
