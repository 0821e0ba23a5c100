"""How far a night is, in a few numbers: what its next step, its pages and the API go by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from league.models import Entrant, Event, LivePlan, Place, Round
from league.nights.facts import ceremony
from league.nights.facts.events import GameCount, Gap, games_of, missing, on_a_game
from league.nights.facts.night import Night
from league.nights.facts.one_table import games_asked
from league.nights.facts.stages import (
    fill_final,
    final_over,
    is_semi_final,
    next_stage,
    pools_of,
)
from league.nights.facts.table_sizes import is_final_ahead, sizes_ahead

CHOOSING = ("table", "final")
"""The stages whose people earlier rounds have chosen."""

SOON = 600
"""The seconds before a clock runs out in which it is nearly up."""


@dataclass(frozen=True)
class Progress:
    """How far an open night is; `stage` is the next draw's kind from `next_stage`.

    `asked` are the games of a round of friends at one `table`, where `played` have been played and
    which `settles` money; 0 in all other nights. `sorts` says that packs are sorted by sheets.
    `sizes` are those of the tables that the next draw makes of those here; `chosen` says that those
    without a seat there are out, `is_full` that nobody can join any more. `playing` is the latest
    released round. `clock_runs` is True until its clock has run out, `time_left` the same in a
    night without a set number of games, `ends_soon` in its last ten minutes, `time_is_up` after it
    and `long_over` once it is no longer counted. `is_last` says that no further round is planned,
    `is_semi` and `semi_ahead` that `playing` or the next draw is a semi-final.
    """

    here: int
    sizes: Sequence[int] = ()
    chosen: bool = False
    is_full: bool = False
    is_ahead: bool = False
    tables: int = 0
    rounds: int = 0
    draft: int | None = None
    playing: int | None = None
    games: GameCount | None = None
    missing: tuple[Gap, ...] = ()
    on_a_game: tuple[Gap, ...] = ()
    clock_runs: bool = False
    time_left: bool = False
    ends_soon: bool = False
    time_is_up: bool = False
    long_over: bool = False
    is_last: bool = False
    is_semi: bool = False
    semi_ahead: bool = False
    rounds_over: bool = False
    has_queue: bool = False
    queue_open: bool = False
    stage: str = ""
    final_ahead: bool = False
    has_final: bool = False
    final_over: bool = False
    kept_back: bool = False
    asked: int = 0
    played: int = 0
    table: int = 1
    settles: bool = False
    sorts: bool = False

    @property
    def is_over(self) -> bool:
        """Whether all is played that was to be."""
        return self.rounds_over or self.final_over

    @property
    def late_until(self) -> int | None:
        """Until when no table is late, or is late by a minute more, in Unix seconds."""
        minute = (int(timezone.now().timestamp()) // 60 + 1) * 60
        late = (gap.late_at for gap in self.on_a_game)
        return max(minute, min(late)) if self.on_a_game else None

    @property
    def is_being_played(self) -> bool:
        """Whether a round is played: it lacks games or has time left, and no final is over."""
        lacks = bool(self.missing) or self.time_left
        ended = self.final_over and not self.kept_back
        return self.draft is None and not self.queue_open and lacks and not ended


def progress_of(night: Night, *, sees_drafts: bool) -> Progress:
    """Return how far a night is by its rounds; drafts count for those who see them.

    Its clock is not asked: see `timed`.
    """
    rounds = night.rounds if sees_drafts else night.released
    event, released = night.event, night.released  # Of all rounds, where these have been read.
    playing, latest = (found[-1] if found else None for found in (released, rounds))
    gaps = missing(event, rounds)
    entrants = night.entrants.values()
    here = [e.pk for e in entrants if e.counts and e.presence == Entrant.Presence.HERE]
    has_stages = event.rules_of_format.has_stages
    drawn = [one for one in released if pools_of(one)] if has_stages else []
    pools = [pool for one in drawn for pool in pools_of(one)]
    stage, only_chosen = next_stage(event, rounds), not event.rules_of_format.others_play
    chosen = bool(rounds) and stage in CHOOSING and only_chosen
    has_final = any(pool["kind"] == "final" and pool["members"] for pool in pools)
    is_last = (
        event.rules_of_format.kind == "rounds"
        and playing is not None
        and playing.number >= event.rounds_planned
    )
    sizes = sizes_ahead(event, here, released) if event.is_open and not event.has_queue else ()
    found = Progress(
        here=len(here) if event.is_open else counted(event).count(),
        sizes=sizes,
        is_ahead=event.days_ahead > 0,
        tables=len(latest.sittings.all()) if latest and event.is_open else 0,
        rounds=len(rounds),
        draft=next((one.number for one in rounds if one.status == Round.Status.DRAFT), None),
        playing=playing.number if playing else None,
        games=games_of(event, playing),
        missing=gaps,
        on_a_game=on_a_game(event, playing),
        is_last=is_last,
        is_semi=playing is not None and is_semi_final(event, playing),
        semi_ahead=stage == "table" and fill_final(event, sizes),
        rounds_over=is_last and not gaps,
        has_queue=event.has_queue,
        queue_open=event.has_queue and bool(released),
        stage=stage,
        chosen=chosen,
        is_full=chosen or (has_final and only_chosen),
        final_ahead=is_final_ahead(event, here, released),
        has_final=has_final,
        final_over=final_over(event, drawn),
        kept_back=ceremony.is_waiting(event),
        sorts=event.is_open
        and event.rules_of_format.same_deals
        and not LivePlan.objects.filter(event=event).exists(),
    )
    if not (found.queue_open and event.is_open and latest and (asked := games_asked(event))):
        return found
    only = latest.sittings.all()[0]
    return replace(
        found,
        asked=asked,
        played=only.games_played,  # type: ignore[attr-defined]
        table=only.table_no,
        settles=event.stake > 0,
    )


def counted(event: Event) -> QuerySet[Entrant]:
    """Return the people that an event tells of: who is here, once a night is over who sat down."""
    people = event.entrants.filter(counts=True)
    if event.is_open or event.kind != Event.Kind.NIGHT:
        return people.filter(presence=Entrant.Presence.HERE)
    seats = Place.objects.filter(sitting__round__status=Round.Status.RELEASED)
    return people.filter(Exists(seats.filter(entrant=OuterRef("pk"))))


def progress_now(night: Night) -> Progress:
    """Return how far a night is for those who run it, with its clock."""
    return timed(progress_of(night, sees_drafts=True), night)


def timed(progress: Progress, night: Night) -> Progress:
    """Return the progress with the clock of the round that is played, as it is now."""
    clock = night.clock
    runs = clock is not None and clock.seconds > 0 and not clock.last_game
    by_time = night.event.games_per_round is None
    return replace(
        progress,
        clock_runs=runs,
        time_left=runs and by_time,
        ends_soon=runs and clock is not None and clock.running and clock.seconds <= SOON,
        time_is_up=clock is not None and clock.seconds <= 0,
        long_over=clock is not None and clock.is_long_over,
    )
