"""The pages of an event: rounds with their tables, standings, check-in."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import Count, Exists, OuterRef, Prefetch, Q

from league.base.facts.next_nights import coming_at
from league.base.prepared import Prepared, Slot
from league.models import (
    Audit,
    Bye,
    Club,
    Dispute,
    Entrant,
    Event,
    Link,
    Place,
    Player,
    Round,
    SignUp,
    SignUpAnswer,
    Sitting,
)
from league.models.result import latest
from league.nights import online
from league.nights.facts import ceremony
from league.nights.facts.clock import calls
from league.nights.facts.final_places import Placed, event_places
from league.nights.facts.roll_calls import RollCall, roll_call
from league.nights.facts.stages import StagePage, next_stage, stage_page
from league.nights.facts.waitlist import FloorPage, floor_page
from league.seasons.facts.standings import Standing, event_standings


def changed_since(since: datetime.datetime) -> Exists:
    """Return the condition that an event has a log entry since then."""
    return Exists(Audit.objects.filter(event=OuterRef("pk"), at__gte=since))


class Gap(NamedTuple):
    """A table that lacks games: round and table number, games entered and planned.

    `wanted` is None in rounds without a set number of games; such a table has no game yet.
    """

    round: int
    table: int
    done: int
    wanted: int | None


@dataclass(frozen=True)
class GameCount:
    """The numbers of entered and planned games of a round."""

    done: int
    planned: int


@dataclass(frozen=True)
class Attention:
    """The tables with calls, disputes or unconfirmed games, and the keys of those online."""

    calls: list[Sitting]
    disputes: list[Dispute]
    unconfirmed: list[Sitting]
    online_tables: dict[int, str]


@dataclass(frozen=True)
class EventFacts:
    """An event's rounds (latest first) with tables, its standings and how many are here.

    `playing` is the latest released round. `floor` and `stages` are specific to the night's format,
    `missing` lists the tables that lack games, and `rounds_over` is set once every planned round is
    played.
    """

    rounds: list[Round]
    draft: Round | None
    playing: Round | None
    here: int
    games: GameCount | None
    missing: tuple[Gap, ...]
    rounds_over: bool
    standings: list[Standing]
    places: list[Placed]
    floor: FloorPage | None
    stages: StagePage | None
    next_stage: str
    kept_back: str
    attention: Attention


def facts_of(event: Event, *, with_drafts: bool, now: Attention | None = None) -> EventFacts:
    """Return the facts of the event's page; `now` is its `attention`, if already known."""
    entrants = {entrant.pk: entrant for entrant in event.entrants.select_related("player")}
    rounds = rounds_of(event, with_drafts=with_drafts, entrants=entrants)
    playing = next((r for r in rounds[::-1] if r.status == Round.Status.RELEASED), None)
    missing = _missing(event, rounds)
    standings = event_standings(event)
    return EventFacts(
        rounds=rounds[::-1],
        draft=next((r for r in rounds if r.status == Round.Status.DRAFT), None),
        playing=playing,
        here=sum(e.counts and e.presence == Entrant.Presence.HERE for e in entrants.values()),
        games=_games_of(event, playing),
        missing=missing,
        rounds_over=event.rules_of_format.kind == "rounds"
        and playing is not None
        and playing.number >= event.rounds_planned
        and not missing,
        standings=standings,
        places=[] if event.is_open else event_places(event, standings),
        floor=floor_page(event, rounds),
        stages=stage_page(event, rounds),
        next_stage=next_stage(event, rounds),
        kept_back=ceremony.notice(event),
        attention=now or attention(event),
    )


def attention(event: Event) -> Attention:
    """Return the tables that need someone, and those online."""
    return Attention(
        calls=calls(event),
        disputes=disputes(event),
        unconfirmed=unconfirmed(event),
        online_tables=online.tables().tables_of(event),
    )


def shows_all(event: Event) -> bool:
    """Return whether organisers see the same rounds as everyone: no draft, no proposed table."""
    if event.is_floor:
        return False
    states = event.rounds.values_list("status", flat=True).order_by()
    return set(states) == {Round.Status.RELEASED}


_PLAYING = Prepared[Round](
    lambda: Round.objects.filter(event=Slot(0), status=Round.Status.RELEASED).order_by("-number")[
        :1
    ]
)


def playing_now(event: Event) -> Round | None:
    """Return the round being played."""
    playing = _PLAYING.first(event.pk)
    if playing is not None:
        playing.event = event
    return playing


def _games_of(event: Event, round_: Round | None) -> GameCount | None:
    """Return a round's game count; None before round 1 or without a set number of games."""
    wanted = event.games_per_round
    if round_ is None or not wanted or event.is_floor:
        return None
    tables = [sitting.games_settled for sitting in round_.sittings.all()]  # type: ignore[attr-defined]
    return GameCount(sum(min(settled, wanted) for settled in tables), wanted * len(tables))


def _missing(event: Event, rounds: Iterable[Round]) -> tuple[Gap, ...]:
    """Return the tables of released rounds that lack games; none on a queue night."""
    if event.is_floor:
        return ()
    wanted = event.games_per_round
    return tuple(
        Gap(round_.number, sitting.table_no, done, wanted)
        for round_ in rounds
        if round_.status == Round.Status.RELEASED
        for sitting in round_.sittings.all()
        if (done := sitting.games_settled) < (wanted or 1)  # type: ignore[attr-defined]
    )


def open_nights_of(user: Any) -> list[Event]:
    """Return the latest six open nights in the account's clubs."""
    if not user.is_authenticated:
        return []
    found = Event.objects.filter(status=Event.Status.OPEN, kind=Event.Kind.NIGHT)
    mine = found.filter(season__club__in=Club.objects.of(user)).select_related("season__club")
    return list(mine.order_by("-date", "-pk")[:6])


_DISPUTES = Prepared[Dispute](
    lambda: Dispute.objects.filter(
        sitting__round__event=Slot(0), outcome=Dispute.Outcome.OPEN
    ).select_related("sitting__round", "player__merged_into", "by")
)


def disputes(event: Event) -> list[Dispute]:
    """Return the event's open disputes, the oldest first."""
    return _DISPUTES(event.pk)


def unconfirmed(event: Event) -> list[Sitting]:
    """Return an open night's tables with `waiting`, their number of unconfirmed games."""
    if event.confirmed_by == Event.Confirmed.NONE or not event.is_open:
        return []
    entered = latest("results__") & Q(results__void=False, results__source="entered")
    counted = entered & Q(results__confirmation=None)
    waiting = Sitting.objects.filter(round__event=event).annotate(
        waiting=Count("results", filter=counted)
    )
    found = waiting.filter(waiting__gt=0).select_related("round")
    return list(found.order_by("round__number", "table_no"))


def rounds_of(
    event: Event, *, with_drafts: bool, entrants: Mapping[int, Entrant] | None = None
) -> list[Round]:
    """Return the event's rounds in order, with tables, places and sit-outs prefetched.

    `entrants` are the event's entrants with their players by key, if already known.
    """
    rounds = event.rounds.all() if with_drafts else event.rounds.filter(status="released")
    tables = Sitting.objects.with_games_played().prefetch_related("places")
    found = list(rounds.prefetch_related(Prefetch("sittings", queryset=tables), "byes"))
    if entrants is None:
        entrants = {e.pk: e for e in event.entrants.select_related("player")} if found else {}
    for round_ in found:  # All rounds share one object per entrant.
        drawn: list[Place | Bye] = [*round_.byes.all()]
        drawn += [place for table in round_.sittings.all() for place in table.places.all()]
        for seat in drawn:
            if seat.entrant_id in entrants:  # Missing if added since `entrants` was read.
                seat.entrant = entrants[seat.entrant_id]
    return found


@dataclass(frozen=True)
class SignUpNote:
    """The sign-up list, the secret of its link ("" for none), and how many people come."""

    sign_up: SignUp
    sign_up_secret: str
    coming: int


def sign_up_of(event: Event) -> SignUpNote | None:
    sign_up = SignUp.objects.filter(event=event).first()
    if sign_up is None:
        return None
    link = Link.objects.alive().filter(event=event, purpose=Link.Purpose.SIGN_UP).first()
    return SignUpNote(sign_up, link.secret if link else "", coming_at([event])[event.pk])


def presences(event: Event, players: Collection[int]) -> dict[int, str]:
    """Return each player's presence; players who are not entrants count as expected."""
    entered = dict(
        event.entrants.filter(player__in=players).values_list("player_id", "presence").order_by()
    )
    return {key: entered.get(key, Entrant.Presence.EXPECTED.value) for key in sorted(players)}


def people_of(event: Event) -> list[Player]:
    """Return the night's players by name, without bots and merged names."""
    people = Player.objects.people().filter(entries__event=event)
    return list(people.order_by("sort_key"))


@dataclass(frozen=True)
class CheckInPage:
    """Everyone who could play tonight, grouped by presence and sorted by name.

    Expected players who signed up form a group of their own, each with the number of guests.
    """

    expected: list[Entrant]
    signed_up: list[tuple[Entrant, int]]
    here: list[Entrant]
    left: list[Entrant]
    absent: list[Entrant]
    others: list[Player]
    call: RollCall | None
    is_running: bool


def check_in_page(event: Event) -> CheckInPage:
    people = event.entrants.filter(player__bot="")
    entrants = list(people.select_related("player").order_by("player__sort_key"))
    entered = {entrant.player_id for entrant in entrants}
    said = {a.player_id: a for a in SignUpAnswer.objects.filter(sign_up__event=event, is_in=True)}
    others = event.season.club.players.people().exclude(pk__in=entered)
    groups: dict[str, list[Entrant]] = {presence: [] for presence in Entrant.Presence.values}
    for entrant in entrants:
        groups[entrant.presence].append(entrant)
    expected = groups[Entrant.Presence.EXPECTED]
    return CheckInPage(
        expected=[e for e in expected if e.player_id not in said],
        signed_up=[(e, said[e.player_id].guests) for e in expected if e.player_id in said],
        here=groups[Entrant.Presence.HERE],
        left=groups[Entrant.Presence.LEFT],
        absent=groups[Entrant.Presence.ABSENT],
        others=list(others),
        call=roll_call(event),
        is_running=event.is_floor and event.rounds.exists(),
    )


def next_draw(event: Event) -> tuple[int | None, int]:
    """Return the number of the draft, if any, and the number of the next round to draw."""
    rounds = dict(event.rounds.values_list("number", "status"))
    draft = next((no for no, status in rounds.items() if status == Round.Status.DRAFT), None)
    return draft, 1 + len(rounds)
