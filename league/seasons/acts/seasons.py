"""Create, close and change seasons; new events start with a season's rules and scoring."""

import datetime
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from engine.rules.ruleset import Ruleset
from league.base import texts
from league.base.acts import audit, locks
from league.clubs.acts import clubs
from league.models import Club, Event, Season
from league.seasons.acts import places
from league.seasons.domain.scoring import FieldError, Scoring
from league.seasons.domain.standings.tie_breaks import DEFAULT, check_tie_breaks
from league.seasons.facts import season_names
from league.seasons.signals import season_reopened
from tables.base import rulesets
from tables.base.columns import set_columns
from tables.refusals import Refusal

_YEAR = re.compile(r"(?<![\d/.-])(?:19|20|21)\d\d(?!\d|[/.-]\d)", re.ASCII)
_LAST_NUMBER = re.compile(r"(?<!\d)(?<!\d[/.-])\d{1,6}$", re.ASCII)


@transaction.atomic
def create_season(
    *,
    club: Club,
    by: User,
    name: str,
    ruleset: Ruleset,
    scoring: dict[str, Any],
    tie_breaks: Sequence[str],
    starts_on: datetime.date,
    ends_on: datetime.date | None = None,
    ranks_bots: bool = False,
    unit: str = "",
) -> Season:
    """Create an open season with its ruleset frozen; Refusal on an invalid field of `Scoring`.

    A `unit` is the club's from then on.
    """
    name = texts.new_title(name)
    rules, order = _read(scoring, tie_breaks)
    locks.club(club.pk)  # Of two seasons with one name, the second finds the first.
    season_names.refuse_taken(club, name)
    if unit:
        club = clubs.count_in(club=club, unit=unit, by=by)
    season = Season(
        club=club,
        name=name,
        ruleset=rulesets.freeze(ruleset),
        scoring=rules.to_json(),
        tie_breaks=order,
        starts_on=starts_on,
        ends_on=ends_on,
        ranks_bots=ranks_bots,
    )
    season.full_clean()
    season.save()
    audit.log("season.created", club=club, by=by, season=season.pk, name=name)
    return season


@transaction.atomic
def begin_season(*, club: Club, by: User, ruleset: Ruleset) -> Season:
    """Create a season under the usual points, for clubs that have none."""
    return create_season(
        club=club,
        by=by,
        name=season_names.usual(club),
        ruleset=ruleset,
        scoring=Scoring().to_json(),
        tie_breaks=list(DEFAULT),
        starts_on=club.today,
    )


@transaction.atomic
def follow_season(*, season: Season, by: User) -> Season:
    """Create a season like this one, which begins on the day after its last day."""
    assert season.ends_on is not None
    starts = season.ends_on + datetime.timedelta(days=1)
    return create_season(
        club=season.club,
        by=by,
        name=season_names.free(season.club, _following_name(season.name, starts)),
        ruleset=rulesets.thaw(season.ruleset),
        scoring=season.scoring,
        tie_breaks=season.tie_breaks,
        starts_on=starts,
        ranks_bots=season.ranks_bots,
    )


def _following_name(name: str, starts: datetime.date) -> str:
    """Return the name with the year of the new season, else with the next number at its end."""
    dated = _YEAR.sub(str(starts.year), name)
    counted = _LAST_NUMBER.search(name)
    if _YEAR.search(name) or counted is None:
        return dated
    return f"{name[: counted.start()]}{int(counted[0]) + 1}"


@transaction.atomic
def set_status(*, season: Season, status: str, by: User) -> Season:
    """Close or reopen a season; one with open events or tables cannot be closed."""
    season = locks.season(season.pk)
    still = season.events.filter(status="open").order_by("date", "pk")
    if status == Season.Status.CLOSED and (names := still.values_list("name", flat=True)[:5]):
        told = _("Close the season's nights and tournaments first. Open: %(names)s.")
        raise Refusal(told % {"names": ", ".join(names)})
    if status == Season.Status.CLOSED and season.tables.filter(ended_at=None).exists():
        raise Refusal(_("Some stakes tables of this season are still open. End them first."))
    set_columns(season, status=status)
    audit.log(f"season.{status}", club=season.club, by=by, season=season.pk)
    if status == Season.Status.OPEN:
        season_reopened.send(Season, season=season)
    return season


@transaction.atomic
def change_scoring(
    *,
    season: Season,
    by: User,
    scoring: dict[str, Any] | None = None,
    tie_breaks: Sequence[str] | None = None,
    recount_all: bool = False,
    ranks_bots: bool | None = None,
) -> Season:
    """Change how the season counts; None keeps the scoring or the tie-breaks.

    Settings of the season as a whole (best nights, dropped nights, minimum games, tie-breaks, and
    whether bots are ranked; None keeps that) apply at once. Settings of nights apply to later
    nights, and with `recount_all` to all: each keeps its weight, its way of counting games and its
    games per round, and one that gives nothing still gives nothing. Refusal on the invalid field,
    named as in `Scoring`.
    """
    season = locks.season_to_change(season.pk)
    rules, order = _read(
        season.scoring if scoring is None else scoring,
        season.tie_breaks if tie_breaks is None else tie_breaks,
    )
    old = {"scoring": season.scoring, "tie_breaks": season.tie_breaks}
    was = season.ranks_bots
    set_columns(
        season,
        scoring=rules.to_json(),
        tie_breaks=order,
        ranks_bots=was if ranks_bots is None else ranks_bots,
    )
    if season.ranks_bots != was:
        what = "season.bots_ranked" if season.ranks_bots else "season.bots_apart"
        audit.log(what, club=season.club, by=by, season=season.pk)
    if recount_all:
        _recount(season, rules, order)
    audit.log(
        "season.scoring",
        club=season.club,
        by=by,
        season=season.pk,
        old=old,
        new={"scoring": season.scoring, "tie_breaks": order},
        recount_all=recount_all,
    )
    return season


def _read(scoring: dict[str, Any], tie_breaks: Sequence[str]) -> tuple[Scoring, list[str]]:
    try:
        return Scoring.from_json(scoring), list(check_tie_breaks(tie_breaks))
    except FieldError as error:
        raise texts.refused(error, field=error.field) from error


def _recount(season: Season, rules: Scoring, tie_breaks: list[str]) -> None:
    for key in season.events.order_by("pk").values_list("pk", flat=True):
        event = locks.event_to_change(key, must_be_open=False)
        own = Scoring.from_json(event.scoring)
        try:
            counted = replace(
                rules,
                weight=own.weight,
                counting=own.counting,
                games_per_round=own.games_per_round,
                gives="nothing"
                if own.gives == "nothing"
                else event.rules_of_format.gives(rules.gives),
            )
        except FieldError as error:
            raise Refusal(
                _("“%(event)s” can't be recalculated this way: %(problem)s")
                % {"event": event.name, "problem": texts.filled(error)},
            ) from error
        event.rules_of_scoring = counted
        set_columns(event, scoring=counted.to_json(), tie_breaks=tie_breaks)
        places.keep(event=event)


@transaction.atomic
def set_worth(
    *, event: Event, by: User, weight: str | None = None, gives: str | None = None
) -> Event:
    """Set what the event gives its season (`Scoring.gives`), and its weight.

    The weight applies in the season and in the event's own table. None keeps a value.
    """
    season = locks.season_to_change(event.season_id)
    event = locks.event_to_change(event.pk, must_be_open=False)
    old = event.rules_of_scoring
    wanted: dict[str, Any] = {"weight": weight, "gives": gives}
    try:
        rules = replace(old, **{name: own for name, own in wanted.items() if own is not None})
        rules = replace(rules, gives=event.rules_of_format.gives(rules.gives))
    except FieldError as error:
        raise Refusal(texts.filled(error), field=error.field) from error
    event.scoring, event.rules_of_scoring = rules.to_json(), rules
    event.save(update_fields=["scoring"])
    places.keep(event=event)
    club, was, now = season.club, str(old.weight), str(rules.weight)
    if was != now:
        audit.log("event.weight", club=club, by=by, event=event, old=was, new=now)
    if old.gives != rules.gives:
        audit.log("event.gives", club=club, by=by, event=event, old=old.gives, new=rules.gives)
    return event
