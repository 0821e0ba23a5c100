"""Events: opening, who is here, closing. Every change of an event locks its row first."""

from __future__ import annotations

import datetime
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from engine.bots import BOTS
from league.base import texts
from league.base.acts import audit, locks
from league.clubs.acts import players
from league.models import (
    Dispute,
    Entrant,
    Event,
    LivePlan,
    LiveResult,
    LiveTable,
    Player,
    Result,
    Season,
    Sitting,
)
from league.models.result import latest
from league.money.acts import ledger
from league.nights.acts import roll_calls, waitlist
from league.nights.domain.night_formats import FLOORS, NightFormat
from league.nights.facts import ceremony
from league.nights.signals import night_called_off, night_closed, night_reopened
from league.seasons.acts import places
from league.seasons.domain.scoring import Counting, FieldError, Gives, Scoring
from league.seasons.facts import rosters
from tables.chairs.acts import arrangements
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
    checked = _checked(format or {}, counting)
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
    _check_ceremony(event)
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


def _checked(format: Mapping[str, Any], counting: str) -> dict[str, Any]:
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


def _check_ceremony(event: Event) -> None:
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


def _rounds_kept_back(event: Event) -> set[int]:
    """Return the rounds of the event whose games are kept back."""
    if not event.keeps_back:
        return set()
    return {round_.pk for round_ in event.rounds.all() if ceremony.holds_back(event, round_)}


def _check_known(changed: Collection[int]) -> None:
    """Refuse to keep back, or to tell, rounds of which a game was played or is on."""
    played = Result.objects.filter(sitting__round__in=changed)
    online = LiveTable.objects.filter(sitting__round__in=changed, ended_at=None)
    if changed and (played.exists() or online.exists()):
        raise Refusal(
            _("Games of that round are already entered. Choose a later round."),
            field="ceremony",
        )


def next_name(name: str) -> str:
    """Return the name with the number at its end one higher: "Night 3" gives "Night 4"."""
    found = re.search(r"[0-9]{1,6}$", name)
    return name if found is None else f"{name[: found.start()]}{int(found[0]) + 1}"


@transaction.atomic
def set_presence(
    *,
    event: Event,
    player_ids: Collection[int],
    presence: str,
    by: User | None,
    captain: Player | None = None,
) -> int:
    """Mark those players as here, expected or left; returns how many changed.

    `by` is None where people check themselves in by the night's link. A `captain` speaks for the
    own team only, and says who sits in or out.
    """
    event = locks.event_to_change(event.pk)
    said = {} if captain is None else _as_captain(event, captain, player_ids, presence)
    roll_calls.end_if_due(event)
    club = event.season.club
    known = set(
        club.players.filter(pk__in=player_ids, merged_into=None).values_list("pk", flat=True)
    )
    if known != set(player_ids):
        raise Refusal(_("Someone on this list is no longer a player of the club. Reload the page."))
    entered = set(event.entrants.filter(player__in=known).values_list("player_id", flat=True))
    Entrant.objects.bulk_create(
        [Entrant(event=event, player_id=pk, presence=presence) for pk in known - entered]
    )
    if presence == Entrant.Presence.HERE:
        roll_calls.note_arrival(event, known, entered)
    elif presence == Entrant.Presence.EXPECTED:
        roll_calls.forget_arrival(event, known)
    changed = event.entrants.filter(player__in=entered).exclude(presence=presence)
    count = changed.update(presence=presence) + len(known - entered)
    waitlist.settle(event)
    if count:
        audit.log(
            "event.presence",
            club=club,
            by=by,
            event=event,
            players=sorted(known),
            to=presence,
            **said,
        )
    return count


def _as_captain(
    event: Event, captain: Player, player_ids: Collection[int], presence: str
) -> dict[str, Any]:
    """Return what the log says of the captain; Refusal beyond the own team."""
    crew = rosters.crew_of(event.season_id, captain)
    if crew is None or not set(player_ids) <= {mate.pk for mate in crew.mates}:
        raise Refusal(
            _("Only a team's captain can say who in the team sits in or out."), status=403
        )
    if presence not in (Entrant.Presence.HERE, Entrant.Presence.EXPECTED):
        raise Refusal(_("A captain can only say who sits in or out."))
    return {"captain": captain.pk, "team": crew.name}


@transaction.atomic
def add_guest(*, event: Event, name: str, by: User) -> Entrant:
    """Someone who walked in: a new player of the club, here at once.

    A name that the club knows checks that player in instead, because that is who came.
    """
    event = locks.event_to_change(event.pk)
    roll_calls.end_if_due(event)
    club = event.season.club
    known = players.find_by_name(club=club, name=name)
    player: Player = known or players.add_player(club=club, name=name, by=by)
    listed = set(event.entrants.filter(player=player).values_list("player_id", flat=True))
    entrant, _created = Entrant.objects.get_or_create(event=event, player=player)
    roll_calls.note_arrival(event, [player.pk], listed)
    Entrant.objects.filter(pk=entrant.pk).update(presence=Entrant.Presence.HERE)
    waitlist.settle(event)
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
    stake: int | None = None,
    games_per_round: int | None = None,
    starts_at: datetime.time | None = None,
    version: int | None = None,
    corrects_stake: bool = False,
) -> Event:
    """Give the open event another name, day, number of rounds, confirmation, clock or format.

    Rules and points stay, stake and number of games from the first game on: games were played for
    them. With `corrects_stake` all games are posted again for another stake. So does the kind of
    format once a round is drawn; its numbers hold from the next draw or game on. None leaves what
    it stands for as it is. Refusal: `stale` where the event is no longer of the `version`.
    """
    name = texts.clean_title(name)
    if corrects_stake:
        locks.season(event.season_id)
    event = locks.event_to_change(event.pk)
    if version is not None and event.version != version + 1:
        raise Refusal(
            _("This has changed since you opened it. Reload it and try again."), "stale", status=409
        )
    planned = event.format if format is None else _checked(format, event.rules_of_scoring.counting)
    if planned["kind"] != event.format["kind"] and event.rounds.exists():
        raise Refusal(
            _("A round has already been drawn in this format. Withdraw it to choose another."),
            field="format",
        )
    values = {
        "name": name,
        "date": date,
        "starts_at": starts_at,
        "rounds_planned": rounds_planned,
        "confirmed_by": confirmed_by,
        "round_minutes": round_minutes,
        "format": planned,
        "stake": event.stake if stake is None else stake,
        "scoring": _scoring_with(event, games_per_round),
    }
    posts_again = corrects_stake and values["stake"] != event.stake and is_played(event)
    if posts_again:
        check_stake_correction(event)
        _check_not_played(event, values | {"stake": event.stake})
    else:
        _check_not_played(event, values)
    before = _told({key: getattr(event, key) for key in values})
    after = _told(values)
    changed = {
        key: [str(before[key] or ""), str(after[key] or "")]
        for key in after
        if before[key] != after[key]
    }
    kept_back = _rounds_kept_back(event)
    for key, value in values.items():
        setattr(event, key, value)
    del event.rules_of_format
    _check_ceremony(event)
    _check_known(kept_back ^ _rounds_kept_back(event))
    event.full_clean()
    event.save(update_fields=list(values))
    if posts_again:
        _post_again(event, by, was=before["stake"])
        changed.pop("stake", None)
    if changed.keys() & {"name", "date", "starts_at"}:
        _reschedule(event)
    if changed:
        audit.log("event.settings", club=event.season.club, by=by, event=event, changed=changed)
    return event


def check_stake_correction(event: Event) -> None:
    """Refuse another stake for games that were played, if their money can't be posted again."""
    if event.season.status != Season.Status.OPEN:
        raise Refusal(
            _("This season is closed. Reopen it to correct the stake."),
            code="closed",
            field="stake",
        )
    if LiveTable.objects.filter(sitting__round__event=event, ended_at=None).exists():
        raise Refusal(_("A table is playing online. End online play there first."), field="stake")
    if LiveResult.objects.filter(result__sitting__round__event=event).exists():
        raise Refusal(
            _("Games of this night were played online for this stake. It can't be corrected."),
            field="stake",
        )


def _post_again(event: Event, by: User, *, was: int) -> None:
    """Reverse the money of every game of the locked event and post it for the stake of now."""
    games = Result.objects.filter(latest(), sitting__round__event=event, void=False)
    found = list(games.order_by("pk").prefetch_related("placings__entrant__player"))
    for result in found:
        ledger.reverse_game(result=result, by=by)
        try:
            ledger.post_game(
                result=result, event=event, placings=list(result.placings.all()), by=by
            )
        except ValueError as error:
            raise Refusal(
                _("Game %(game)s can't be paid for as it was entered. Correct it first."),
                params={"game": result.game_no},
                field="stake",
            ) from error
    Sitting.objects.filter(round__event=event).update(version=F("version") + 1)
    audit.log(
        "event.stake",
        club=event.season.club,
        by=by,
        event=event,
        old=was,
        new=event.stake,
        games=len(found),
    )


def is_played(event: Event) -> bool:
    """Tell whether a game was played in the event, also one that counts no more."""
    return Result.objects.filter(sitting__round__event=event).exists()


def _scoring_with(event: Event, games_per_round: int | None) -> dict[str, Any]:
    """How the event counts, with another number of games in a round."""
    if games_per_round is None:
        return dict(event.scoring)
    try:
        return replace(event.rules_of_scoring, games_per_round=games_per_round).to_json()
    except FieldError as error:
        raise texts.refused(error, field=error.field) from error


def _check_not_played(event: Event, values: Mapping[str, Any]) -> None:
    """Refuses another stake or number of games once a game is played or on."""
    fields = {"stake": "stake", "scoring": "games_per_round"}
    changed = [field for key, field in fields.items() if getattr(event, key) != values[key]]
    if not changed:
        return
    if is_played(event):
        raise Refusal(
            _("A game has already been played, so this can no longer change."), field=changed[0]
        )
    if LiveTable.objects.filter(sitting__round__event=event, ended_at=None).exists():
        raise Refusal(
            _("A table is playing online. End online play there first."), field=changed[0]
        )


def _told(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings one by one, as the log tells them."""
    told = {key: value for key, value in values.items() if key not in ("format", "scoring")}
    games = Scoring.from_json(values["scoring"]).games_per_round
    return told | NightFormat.from_json(values["format"]).to_json() | {"games_per_round": games}


def unfinished_sittings(event: Event) -> list[Sitting]:
    """Return the tables of released rounds that still lack games: none played, or fewer than fixed.

    A game that was called off is not missing.
    None where tables stay open all night: their players play on until the night is closed.
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
    return [s for s in sittings if s.games_settled < wanted]  # type: ignore[attr-defined]


def named(sittings: Iterable[Sitting]) -> str:
    """Return these tables as a list in words."""
    return "; ".join(
        _("round %(round)s, table %(table)s") % {"round": s.round.number, "table": s.table_no}
        for s in sittings
    )


@transaction.atomic
def close_event(*, event: Event, by: User, despite_unfinished: bool = False) -> Event:
    """End the event: no more draws or results until someone reopens it.

    Live tables end at once; what is finished there and not yet taken comes in after reopening.
    """
    season = locks.season(event.season_id)
    event = locks.event_to_change(event.pk)
    roll_calls.end_if_due(event)
    if event.rounds.filter(status="draft").exists():
        raise Refusal(
            _("There is an unreleased draw. Release or discard it first."),
            code="draft",
            status=409,
        )
    if ceremony.is_waiting(event):
        raise Refusal(
            _(
                "Results are still kept back. Hold the ceremony first, or reveal everything at "
                "once."
            ),
            code="ceremony",
            status=409,
        )
    open_tables = unfinished_sittings(event)
    if not despite_unfinished and (still_open := _still_open(event, open_tables)):
        raise Refusal(
            _("Unfinished: %(tables)s. Enter the missing games, or close anyway."),
            code="unfinished",
            params={"tables": still_open},
            status=409,
        )
    if event.run is not None and event.run.status == "running":
        raise Refusal(_("The bots are still playing. Wait, or cancel the tournament."))
    for live in LiveTable.objects.filter(sitting__round__event=event, ended_at=None):
        arrangements.end(table_id=live.table_id, now=True)
    if season.status == Season.Status.OPEN:
        roll_calls.post_points(event, by)
    event.status, event.call_ends_at = Event.Status.CLOSED, None
    event.closed_at = timezone.now()
    event.save(update_fields=["status", "closed_at", "call_ends_at"])
    places.keep(event=event)
    audit.log(
        "event.closed", club=event.season.club, by=by, event=event, unfinished=len(open_tables)
    )
    night_closed.send(Event, event=event)
    return event


def _still_open(event: Event, tables: list[Sitting]) -> str:
    """Return these tables and what is in dispute, as a list in words; "" for nothing."""
    disputed = Dispute.objects.filter(sitting__round__event=event, outcome="open")
    return "; ".join(
        [
            *([named(tables)] if tables else []),
            *(
                _("disputed: round %(round)s, table %(table)s, game %(game)s")
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
def call_off(*, event: Event, by: User) -> Event:
    """Close a night that will not take place; Refusal once tables were drawn for it."""
    event = locks.event_to_change(event.pk)
    if event.kind != Event.Kind.NIGHT or event.rounds.exists():
        raise Refusal(_("Tables were drawn for this night. Close it instead."), status=409)
    event.status = Event.Status.CLOSED
    event.closed_at = event.called_off_at = timezone.now()
    event.save(update_fields=["status", "closed_at", "called_off_at"])
    _reschedule(event)
    audit.log("event.called_off", club=event.season.club, by=by, event=event)
    night_called_off.send(Event, event=event)
    return event


def _reschedule(event: Event) -> None:
    """Note that calendars have to show the night otherwise."""
    event.sequence += 1
    event.planned_at = timezone.now()
    event.save(update_fields=["sequence", "planned_at"])


@transaction.atomic
def reopen_event(*, event: Event, by: User) -> Event:
    """Lets a closed event be changed again."""
    season = locks.season(event.season_id)
    event = locks.event_to_change(event.pk, must_be_open=False)
    if season.status != Season.Status.OPEN:
        raise Refusal(_("Its season is closed. Reopen the season first."))
    if event.called_off_at:
        _reschedule(event)
    event.status = Event.Status.OPEN
    event.closed_at = event.called_off_at = None
    event.save(update_fields=["status", "closed_at", "called_off_at"])
    places.keep(event=event)
    audit.log("event.reopened", club=event.season.club, by=by, event=event)
    night_reopened.send(Event, event=event)
    return event
