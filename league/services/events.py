"""Events: opening, who is here, closing. Every change of an event locks its row first."""

from __future__ import annotations

import datetime
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from engine.bots import BOTS
from league import texts
from league.domain.night_formats import FLOORS, NightFormat
from league.domain.scoring import Counting, FieldError, Scoring
from league.models import (
    Dispute,
    Entrant,
    Event,
    LivePlan,
    LiveTable,
    Player,
    Round,
    Season,
    Sitting,
)
from league.services import audit, floors, locks, players
from tables.services import arrangements


def lock(event_id: int, *, must_be_open: bool = True) -> Event:
    """The event, locked until the transaction ends: before it only the season may be locked.

    Its version rises, so that pages which show the event know that they are old. ValidationError
    when the event is closed, unless the caller may change closed events.
    """
    event = locks.event(event_id)
    if must_be_open and not event.is_open:
        raise ValidationError(
            _("This event is closed. Reopen it first to change anything."), code="closed"
        )
    Event.objects.filter(pk=event_id).update(version=F("version") + 1)
    event.version += 1
    return event


def lock_table(sitting_id: int) -> tuple[Sitting, Event]:
    """A table with its round, and its event, locked before anything of it is read.

    ValidationError: as `lock`; `gone` when the draw was taken back, `draft` before its release.
    """
    key = Round.objects.filter(sittings=sitting_id).values_list("event_id", flat=True).first()
    event = lock(key) if key is not None else None
    sitting = Sitting.objects.select_related("round").filter(pk=sitting_id).first()
    if event is None or sitting is None:
        raise ValidationError(
            _("The draw of this table was taken back. Look at the night's page."), code="gone"
        )
    if sitting.round.status != Round.Status.RELEASED:
        raise ValidationError(_("This round is not released yet."), code="draft")
    return sitting, event


@transaction.atomic
def create_event(
    *,
    season: Season,
    by: User | None,
    name: str,
    date: datetime.date,
    kind: str = Event.Kind.NIGHT,
    rounds_planned: int = 3,
    counting: Counting = "fixed",
    games_per_round: int = 4,
    stake: int = 0,
    confirmed_by: str = Event.Confirmed.NONE,
    round_minutes: int | None = None,
    format: Mapping[str, Any] | None = None,
) -> Event:
    """A new event that freezes the season's ruleset, points and tie-breaks as they are now.

    `by` is None where a schedule made it.
    """
    season = locks.season(season.pk)
    if season.status != Season.Status.OPEN:
        raise ValidationError(_("This season is closed. Reopen it or choose another."))
    checked = _checked(format or {}, counting)
    if checked["kind"] in FLOORS and counting == "average":
        counting = "night_average"
    try:
        scoring = replace(
            Scoring.from_json(season.scoring), counting=counting, games_per_round=games_per_round
        )
    except FieldError as error:
        raise ValidationError({error.field: texts.refused(error)}) from error
    event = Event(
        season=season,
        kind=kind,
        name=name,
        date=date,
        ruleset=season.ruleset,
        scoring=scoring.to_json(),
        tie_breaks=season.tie_breaks,
        rounds_planned=rounds_planned,
        stake=stake,
        confirmed_by=confirmed_by,
        round_minutes=round_minutes,
        format=checked,
    )
    event.full_clean()
    event.save()
    if kind == Event.Kind.NIGHT:
        regulars = season.club.players.filter(merged_into=None, bot="")
        Entrant.objects.bulk_create([Entrant(event=event, player=player) for player in regulars])
    audit.log("event.created", club=season.club, by=by, event=event, name=name)
    return event


@transaction.atomic
def repeat_event(*, event: Event, by: User, days: int = 7) -> Event:
    """The same night again some days later, under the season's rules as they are then.

    A number at the end of its name counts on. ValidationError: `repeated` when it is there already.
    """
    locks.season(event.season_id)  # Of two at once the second finds the night of the first.
    date = event.date + datetime.timedelta(days=days)
    name = next_name(event.name)
    twin = Event.objects.filter(season=event.season, kind=event.kind, name=name, date=date).first()
    if twin is not None:
        raise ValidationError(
            _("%(name)s on that day is there already."), code="repeated", params={"name": name}
        )
    made = create_event(season=event.season, by=by, name=name, date=date, **plan_of(event))
    for plan in LivePlan.objects.filter(event=event):
        plan.pk, plan.event = None, made
        plan.save()
    return made


def plan_of(event: Event) -> dict[str, Any]:
    """What a night is made of beside its name, day and rules: what `create_event` takes."""
    rules = event.rules_of_scoring
    return {
        "rounds_planned": event.rounds_planned,
        "counting": "average" if rules.counting == "night_average" else rules.counting,
        "games_per_round": rules.games_per_round,
        "stake": event.stake,
        "confirmed_by": event.confirmed_by,
        "round_minutes": event.round_minutes,
        "format": event.format,
    }


def _checked(format: Mapping[str, Any], counting: str) -> dict[str, Any]:
    """The format as it is stored; ValidationError by the field that is wrong."""
    try:
        rules = NightFormat.from_json(format)
    except FieldError as error:
        raise ValidationError({error.field: texts.refused(error)}) from error
    if rules.bot and rules.bot not in BOTS:
        raise ValidationError({"bot": _("There is no bot of that name. Choose one of the list.")})
    if rules.is_floor and counting == "table_ranking":
        raise ValidationError(
            {
                "counting": _(
                    "People change tables from game to game in this format, so a table has no"
                    " ranking of its own. Let each game or the average game count."
                )
            }
        )
    return rules.to_json()


def next_name(name: str) -> str:
    """The name with the number at its end one higher: "Night 3" gives "Night 4"."""
    found = re.search(r"[0-9]{1,6}$", name)
    return name if found is None else f"{name[: found.start()]}{int(found[0]) + 1}"


@transaction.atomic
def set_presence(
    *, event: Event, player_ids: Collection[int], presence: str, by: User | None
) -> int:
    """Marks those players as here, expected or left; returns how many changed.

    `by` is None where people check themselves in by the night's link.
    """
    event = lock(event.pk)
    club = event.season.club
    known = set(
        club.players.filter(pk__in=player_ids, merged_into=None).values_list("pk", flat=True)
    )
    if known != set(player_ids):
        raise ValidationError(_("Somebody on this list is no longer a player of the club. Reload."))
    entered = set(event.entrants.filter(player__in=known).values_list("player_id", flat=True))
    Entrant.objects.bulk_create(
        [Entrant(event=event, player_id=pk, presence=presence) for pk in known - entered]
    )
    changed = event.entrants.filter(player__in=entered).exclude(presence=presence)
    count = changed.update(presence=presence) + len(known - entered)
    floors.settle(event)
    if count:
        audit.log(
            "event.presence", club=club, by=by, event=event, players=sorted(known), to=presence
        )
    return count


@transaction.atomic
def add_guest(*, event: Event, name: str, by: User) -> Entrant:
    """Somebody who walked in: a new player of the club, here at once.

    A name that the club knows checks that player in instead, because that is who came.
    """
    event = lock(event.pk)
    club = event.season.club
    known = players.find_by_name(club=club, name=name)
    player: Player = known or players.add_player(club=club, name=name, by=by)
    entrant, _created = Entrant.objects.update_or_create(
        event=event, player=player, defaults={"presence": Entrant.Presence.HERE}
    )
    floors.settle(event)
    audit.log("event.guest", club=club, by=by, event=event, player=player.pk, name=player.name)
    return entrant


@transaction.atomic
def change_settings(
    *,
    event: Event,
    by: User,
    name: str,
    date: datetime.date,
    rounds_planned: int,
    confirmed_by: str,
    round_minutes: int | None,
    format: Mapping[str, Any] | None = None,
) -> Event:
    """The open event with another name, day, number of rounds, confirmation, clock or format.

    Rules, points and stake stay: games were played for them. So does the kind of format once a
    round is drawn; its numbers hold from the next draw or game on. None leaves the format as it is.
    """
    event = lock(event.pk)
    planned = event.format if format is None else _checked(format, event.rules_of_scoring.counting)
    if planned["kind"] != event.format["kind"] and event.rounds.exists():
        raise ValidationError(
            {"format": _("A round is drawn in this format. Take it back to choose another one.")}
        )
    values = {
        "name": name,
        "date": date,
        "rounds_planned": rounds_planned,
        "confirmed_by": confirmed_by,
        "round_minutes": round_minutes,
        "format": planned,
    }
    before = {key: getattr(event, key) for key in values} | NightFormat.from_json(
        event.format
    ).to_json()
    after = values | NightFormat.from_json(planned).to_json()
    changed = {
        key: [str(before[key] or ""), str(after[key] or "")]
        for key in after
        if key != "format" and before[key] != after[key]
    }
    for key, value in values.items():
        setattr(event, key, value)
    event.full_clean()
    event.save(update_fields=list(values))
    if changed:
        audit.log("event.settings", club=event.season.club, by=by, event=event, changed=changed)
    return event


def unfinished_sittings(event: Event) -> list[Sitting]:
    """The tables of released rounds that still lack games: none played, or fewer than fixed.

    None where tables stay open all night: whoever sits there plays on until the night is closed.
    """
    if event.is_floor:
        return []
    wanted = event.games_per_round or 1
    sittings = (
        Sitting.objects.filter(round__event=event, round__status="released")
        .with_games_played()
        .select_related("round")
        .order_by("round__number", "table_no")
    )
    return [s for s in sittings if s.games_played < wanted]  # type: ignore[attr-defined]


def named(sittings: Iterable[Sitting]) -> str:
    """These tables as a list in words."""
    return ", ".join(
        _("round %(round)s table %(table)s") % {"round": s.round.number, "table": s.table_no}
        for s in sittings
    )


@transaction.atomic
def close_event(*, event: Event, by: User, despite_unfinished: bool = False) -> Event:
    """Ends the event: no more draws or results until somebody reopens it.

    Live tables end at once; what is finished there and not yet taken comes in after reopening.
    """
    event = lock(event.pk)
    if event.rounds.filter(status="draft").exists():
        raise ValidationError(
            _("There is a draft of a draw. Release it or throw it away before closing."),
            code="draft",
        )
    open_tables = unfinished_sittings(event)
    if not despite_unfinished and (still_open := _still_open(event, open_tables)):
        raise ValidationError(
            _("Still open: %(tables)s. Enter what is missing, or close anyway."),
            code="unfinished",
            params={"tables": still_open},
        )
    if event.run is not None and event.run.status == "running":
        raise ValidationError(_("The bots are still playing. Wait, or cancel the run."))
    for live in LiveTable.objects.filter(sitting__round__event=event, ended_at=None):
        arrangements.end(table_id=live.table_id, now=True)
    event.status = Event.Status.CLOSED
    event.closed_at = timezone.now()
    event.save(update_fields=["status", "closed_at"])
    audit.log(
        "event.closed", club=event.season.club, by=by, event=event, unfinished=len(open_tables)
    )
    return event


def _still_open(event: Event, tables: list[Sitting]) -> str:
    """These tables and what is in dispute, as a list in words; "" for nothing."""
    disputed = Dispute.objects.filter(sitting__round__event=event, outcome="open")
    return ", ".join(
        [
            *([named(tables)] if tables else []),
            *(
                _("disputed: round %(round)s table %(table)s game %(game)s")
                % {
                    "round": dispute.sitting.round.number,
                    "table": dispute.sitting.table_no,
                    "game": dispute.game_no,
                }
                for dispute in disputed.select_related("sitting__round")
            ),
        ]
    )


@transaction.atomic
def reopen_event(*, event: Event, by: User) -> Event:
    """Lets a closed event be changed again."""
    season = locks.season(event.season_id)
    event = lock(event.pk, must_be_open=False)
    if season.status != Season.Status.OPEN:
        raise ValidationError(_("Its season is closed. Reopen the season first."))
    event.status = Event.Status.OPEN
    event.closed_at = None
    event.save(update_fields=["status", "closed_at"])
    audit.log("event.reopened", club=event.season.club, by=by, event=event)
    return event
