"""The facts of an event: its rounds with their tables, what is missing, who needs someone."""

import datetime
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Count, Exists, OuterRef, Prefetch, Q
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from accounts.models import User
from league.base.domain.grouped import grouped
from league.models import (
    Audit,
    Bye,
    Claim,
    Dispute,
    Entrant,
    Event,
    Membership,
    Place,
    Player,
    Round,
    Sitting,
)
from league.models.result import latest
from league.nights.facts import online_tables
from league.nights.facts.clock import calls, clock_of
from league.nights.facts.missing_games import unfinished_sittings


def has_begun(event: Event) -> bool:
    """Return whether a round is released, after which nobody signs up."""
    return event.rounds.filter(status=Round.Status.RELEASED).exists()


def changed_since(since: datetime.datetime) -> Exists:
    """Return the condition that an event has a log entry since then."""
    return Exists(Audit.objects.filter(event=OuterRef("pk"), at__gte=since))


def outside_season(event: Event) -> str:
    """Return the sentence that a night's day is not one of its season; empty for other nights."""
    if not event.outside_season:
        return ""
    days = [event.season.starts_on, event.season.ends_on]
    first, last = (date_format(day, "SHORT_DATE_FORMAT") if day else "" for day in days)
    return _("%(day)s is outside the days of %(season)s (%(days)s). The night counts there.") % {
        "day": date_format(event.date, "SHORT_DATE_FORMAT"),
        "season": event.season,
        "days": f"{first} – {last}".strip(),
    }


LATE = 30
"""The minutes that one game may take until its table is late."""


class Gap(NamedTuple):
    """A table that lacks games: round and table number, games entered and planned.

    `wanted` is None in rounds without a set number of games; such a table has no game yet.
    `last` is when its latest game was entered, in Unix seconds; 0 before it.
    """

    round: int
    table: int
    done: int
    wanted: int | None
    last: int = 0

    @property
    def late_at(self) -> int:
        """When it is late, in Unix seconds."""
        return (self.last // 60 + LATE) * 60

    @property
    def minutes(self) -> int:
        """The minutes since its latest game, as clocks show them, once it is late; else 0."""
        waited = int(timezone.now().timestamp()) // 60 - self.last // 60
        return waited if self.last and waited >= LATE else 0


@dataclass(frozen=True)
class GameCount:
    """The numbers of entered and planned games of a round."""

    done: int
    planned: int


@dataclass(frozen=True)
class Attention:
    """The tables with calls, disputes or unconfirmed games, and the keys of those online.

    `wanted` are the claims to names for which another phone asks.
    """

    calls: list[Sitting]
    disputes: list[Dispute]
    wanted: list[Claim]
    unconfirmed: list[Sitting]
    online_tables: dict[int, str]


def attention(event: Event) -> Attention:
    """Return the tables that need someone, and those online."""
    disputed, wanted = asked(event)
    return Attention(
        calls=calls(event),
        disputes=disputed,
        wanted=wanted,
        unconfirmed=unconfirmed(event),
        online_tables=online_tables.open_at(event),
    )


@dataclass(frozen=True)
class WaitingNight:
    """What waits for an organiser at a night: tables by number, and a draft after the last game."""

    event: Event
    calls: list[int]
    disputes: list[int]
    draft: int | None

    @property
    def tables(self) -> list[int]:
        """The tables that call or dispute a game."""
        return sorted({*self.calls, *self.disputes})


def calling(user: User, but: Event | None = None) -> list[WaitingNight]:
    """Return what waits at the open nights that the account organises, except at one of them."""
    held = Membership.objects.filter(user=user, role__in=Membership.ORGANISERS)
    nights = Event.objects.filter(
        status=Event.Status.OPEN, season__club__in=held.values("club"), season__club__closed_at=None
    ).exclude(pk__in=[but.pk] if but else [])
    unseen = Dispute.objects.filter(outcome=Dispute.Outcome.OPEN, seen_at=None)
    asks = Sitting.objects.filter(round__event__in=nights).annotate(
        disputed=Exists(unseen.filter(sitting=OuterRef("pk"))),
        calls=Q(called_at__isnull=False, call_seen_at=None),
    )
    found = grouped(
        (table.round.event_id, table)
        for table in asks.filter(Q(disputed=True) | Q(calls=True)).select_related("round")
    )
    drafts = Round.objects.filter(event__in=nights, status=Round.Status.DRAFT, number__gt=1)
    drafted = dict(drafts.values_list("event", "number"))
    waiting = nights.filter(pk__in={*found, *drafted}).select_related("season__club")
    waits = [
        WaitingNight(
            event,
            calls=[one.table_no for one in found[event.pk] if one.calls],  # type: ignore[attr-defined]
            disputes=[one.table_no for one in found[event.pk] if one.disputed],  # type: ignore[attr-defined]
            draft=drafted.get(event.pk) if not unfinished_sittings(event) else None,
        )
        for event in waiting.order_by("pk")
    ]
    return [night for night in waits if night.tables or night.draft]


def shows_all(event: Event) -> bool:
    """Return whether organisers see the same rounds as everyone: no draft, no proposed table."""
    if event.has_queue:
        return False
    return set(event.rounds.values_list("status", flat=True).order_by()) == {Round.Status.RELEASED}


def playing_now(event: Event) -> Round | None:
    """Return the round being played."""
    return event.rounds.filter(status=Round.Status.RELEASED).order_by("-number").first()


def games_of(event: Event, round_: Round | None) -> GameCount | None:
    """Return a round's game count; None before round 1 or without a set number of games."""
    wanted = event.games_per_round
    if round_ is None or not wanted or event.has_queue:
        return None
    tables = [sitting.games_settled for sitting in round_.sittings.all()]  # type: ignore[attr-defined]
    return GameCount(sum(min(settled, wanted) for settled in tables), wanted * len(tables))


def missing(event: Event, rounds: Iterable[Round]) -> tuple[Gap, ...]:
    """Return the tables of released rounds that lack games; none on a queue night."""
    if event.has_queue:
        return ()
    wanted = event.games_per_round
    return tuple(
        Gap(round_.number, sitting.table_no, done, wanted, int(last.timestamp()) if last else 0)
        for round_ in rounds
        if round_.status == Round.Status.RELEASED
        for sitting in round_.sittings.all()
        if (done := sitting.games_settled) < (wanted or 1)  # type: ignore[attr-defined]
        for last in [sitting.last_at]  # type: ignore[attr-defined]
    )


def on_a_game(event: Event, round_: Round | None) -> tuple[Gap, ...]:
    """Return the tables of a round that play on after a game.

    Without a set number of games these are all that no time had ended before they were late.
    """
    if round_ is None or not event.is_open:
        return ()
    wanted = event.games_per_round
    return tuple(
        gap
        for sitting in round_.sittings.all()
        if (last := sitting.last_at) and sitting.seated  # type: ignore[attr-defined]
        for done in [sitting.games_settled]  # type: ignore[attr-defined]
        for gap in [Gap(round_.number, sitting.table_no, done, wanted, int(last.timestamp()))]
        for late_at in [datetime.datetime.fromtimestamp(gap.late_at, datetime.UTC)]
        for clock in [clock_of(round_, sitting, late_at)]
        if (done < wanted if wanted else clock is None or clock.seconds > 0)
    )


def asked(event: Event) -> tuple[list[Dispute], list[Claim]]:
    """Return the open disputes, the oldest first, and the claims to names that others want."""
    open_ = Dispute.objects.filter(sitting__round__event=event, outcome=Dispute.Outcome.OPEN)
    wanted = Claim.objects.filter(event=event, ended_at=None, refused_at=None).exclude(asked_by="")
    looks = Event.objects.values_list(Exists(open_), Exists(wanted))
    disputed, claimed = looks.get(pk=event.pk)  # Mostly neither: to write those queries is slow.
    return (
        list(
            open_.select_related("sitting__round", "player__merged_into", "by") if disputed else ()
        ),
        list(wanted.select_related("player") if claimed else ()),
    )


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


def plays_from(event: Event, player: int) -> int | None:
    """Return the round ahead in which a player who comes now has a first seat; None without one."""
    last = event.rounds.order_by("number").last()
    if last is None or last.status != Round.Status.RELEASED or last.number >= event.rounds_planned:
        return None
    own = Entrant.objects.filter(Q(player=player) | Q(player__merged_into=player), event=event)
    has_seat = last.sittings.filter(places__entrant__in=own).exists()
    return None if has_seat or event.rules_of_format.kind != "rounds" else last.number + 1


def presences(event: Event, players: Collection[int]) -> dict[int, str]:
    """Return each player's presence; players who are not entrants count as expected."""
    entered = dict(
        event.entrants.filter(player__in=players).values_list("player_id", "presence").order_by()
    )
    return {key: entered.get(key, Entrant.Presence.EXPECTED.value) for key in sorted(players)}


def people_of(event: Event) -> list[Player]:
    """Return the night's players by name, without bots and merged names."""
    return list(Player.objects.people().filter(entries__event=event).order_by("sort_key"))
