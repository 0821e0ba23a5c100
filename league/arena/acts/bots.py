"""Bot tournaments: events whose games a run of `tables` plays."""

import datetime
from collections import Counter
from collections.abc import Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from engine import bots as engine_bots
from engine.rules.ruleset import Ruleset
from engine.sim import designs
from league.arena.facts.own_bots import may_enter
from league.arena.signals import tournament_ended
from league.base.acts import audit, locks
from league.base.acts.sweeps import each
from league.clubs.acts import players
from league.models import Club, Entrant, Event, Season, Tally
from league.nights.acts import events
from league.nights.domain.night_plans import NightPlan
from league.seasons.acts import places
from tables.base import rulesets
from tables.base.columns import set_columns
from tables.bots.facts import member_bots
from tables.models import Run
from tables.programs import config
from tables.refusals import Refusal
from tables.runs import run_ratings, runs

MOST_DEALS = 1_000_000
MOST_SEATS = 4
STEPS = {
    "pause": (runs.pause_run, Run.Status.PAUSED),
    "resume": (runs.resume_run, Run.Status.RUNNING),
    "cancel": (runs.cancel_run, Run.Status.CANCELLED),
}
"""What steers a run, and its status then if it was not over before."""
OVER = gettext_lazy("This tournament is over. Start another one with as many deals as you like.")


@transaction.atomic
def create_bot_event(
    *,
    season: Season,
    by: User,
    name: str,
    date: datetime.date,
    ruleset: Ruleset,
    bots: Sequence[str],
    deals: int,
    design: str = "rotations",
    effect: float | None = None,
    priority: int = Run.Priority.NORMAL,
    substitute: str = "lowest",
) -> Event:
    """Create a bot tournament and hand its run to the workers; a bot may enter more than once.

    `engine.sim.designs` lists the designs; `tables.runs.runs.start_run` explains `effect` and
    `substitute`.
    """
    check_bots(ruleset, bots, design, season.club)
    event = events.create_event(
        season=season,
        by=by,
        name=name,
        date=date,
        kind=Event.Kind.BOTS,
        plan=NightPlan(rounds_planned=1),
    )
    run = runs.start_run(
        ruleset=ruleset, bots=bots, deals=deals, design=design, effect=effect, priority=priority,
        substitute=substitute, owner=by,
    )  # fmt: skip
    set_columns(event, ruleset=rulesets.freeze(ruleset), run=run)
    for player in players.of_bots(season.club, bots, by):
        Entrant.objects.create(event=event, player=player, presence=Entrant.Presence.HERE)
    return event


def check_bots(ruleset: Ruleset, bots: Sequence[str], design: str, club: Club) -> None:
    """Raise `Refusal` with advice if these bots cannot play this design by these rules."""
    if design == "versus" and len(bots) != 2:
        raise Refusal(_("Head to head: choose two bots."), "players", field="bots")
    if design == "tables" and not 4 < len(bots) <= designs.MOST_BOTS:
        raise Refusal(_("Every table of four: choose five to eight bots."), "players", field="bots")
    check_rules(ruleset)
    least, most = ruleset.min_players, min(MOST_SEATS, ruleset.max_players)
    if len(bots) < 2 or not least <= designs.table_size(len(bots), design) <= most:
        message = _("%(ruleset)s is for %(least)s to %(most)s players: choose that many bots.")
        params = {"ruleset": ruleset.name, "least": least, "most": most}
        raise _refused_bots(message, "players", params)
    seats = 2 if design == "versus" else designs.table_size(len(bots), design)
    if twice := member_bots.meets_itself(bots, seats):
        message = _("The author of %(bot)s has another bot at this table. Choose one of them.")
        raise _refused_bots(message, "two_seats", {"bot": twice})
    for bot in bots:
        _check_bot(bot, design, club)


def check_rules(ruleset: Ruleset) -> None:
    """Refuse rules for more players than sit at a table of bots."""
    if ruleset.min_players > MOST_SEATS:
        raise Refusal(
            _("%(ruleset)s needs %(least)s players, and bots play at tables of at most four."),
            "players",
            {"ruleset": ruleset.name, "least": ruleset.min_players},
            field="ruleset",
        )


def _check_bot(bot: str, design: str, club: Club) -> None:
    """Refuse a bot that became unavailable since the form or the schedule named it."""
    config.refresh()
    try:
        engine_bots.version_of(bot)
        if bot not in engine_bots.BOTS and not may_enter(bot, club):
            raise KeyError(bot)
    except (KeyError, engine_bots.PluggedError):
        message = _("%(bot)s is no longer here or can't be loaded. Choose another bot.")
        raise _refused_bots(message, "bot", {"bot": bot[:40]}) from None
    if engine_bots.remembers(bot) and design != "single":
        message = _("%(bot)s remembers earlier games: play each deal only once.")
        raise _refused_bots(message, "memory", {"bot": bot})


def _refused_bots(message: str, code: str, params: dict[str, Any]) -> ValidationError:
    return Refusal(message, code, params, field="bots")


@transaction.atomic
def change_run(*, event: Event, by: User, change: str, deals: int = 0) -> None:
    """Pause, resume, cancel or extend the event's run, or retry its dead units.

    Raises `Refusal` if the run no longer allows the change.
    """
    if change in ("extend", "retry") and locks.season(event.season_id).status != Season.Status.OPEN:
        raise Refusal(_("Its season is closed. Reopen the season first."))
    event = locks.event_to_change(event.pk, must_be_open=False)
    run_id, club = event.run_id, event.season.club
    if change in STEPS:
        step, status = STEPS[change]
        if step(run_id=run_id).status != status:
            raise Refusal(OVER)
    elif change == "retry":
        if runs.retry_dead(run_id=run_id):
            reopen(event)
    else:
        _extend(event, deals)
    audit.log(f"run.{change}", club=club, by=by, event=event, deals=deals)


def _extend(event: Event, deals: int) -> None:
    assert event.run is not None
    if event.run.deals + deals > MOST_DEALS:
        message = _("A tournament has at most %(most)s deals. Add fewer, or start another one.")
        raise Refusal(message % {"most": MOST_DEALS})
    try:
        runs.extend_run(run_id=event.run_id, deals=deals)
    except ValueError:
        raise Refusal(OVER) from None
    reopen(event)


def reopen(event: Event) -> None:
    """Reopen the event of a continued run; it is closed and rated again when the run ends."""
    set_columns(event, status=Event.Status.OPEN, closed_at=None)


@transaction.atomic
def record_run(*, run: Run) -> bool:
    """Recount the event's tallies from the run's finished units; return False without an event.

    The tallies are replaced, so a recount is idempotent.
    """
    event = Event.objects.select_for_update(no_key=True).filter(run=run).first()
    if event is None:
        return False
    entrants = list(event.entrants.order_by("pk"))
    counts = _counts(run)
    wanted = [
        Tally(event=event, entrant=entrants[bot], size=size, rank=rank, tied=tied, games=games)
        for (bot, size, rank, tied), games in sorted(counts.items())
    ]
    Tally.objects.filter(event=event).delete()
    Tally.objects.bulk_create(wanted)
    Event.objects.filter(pk=event.pk).update(version=F("version") + 1)
    return True


def sweep() -> int:
    """Recount the open runs and close the events of ended ones; return the number handled."""
    runs_on = Run.objects.filter(event__status=Event.Status.OPEN).order_by("created_at", "pk")

    def sweep_run(run: Run) -> bool:
        if run.finished_at is None:
            return record_run(run=run)
        close_finished(run=run)
        return True

    return each(runs_on, sweep_run)


def close_finished(*, run: Run) -> None:
    """Rate the bots of an ended run, recount it for the last time and close its event."""
    if not Event.objects.filter(run=run, status=Event.Status.OPEN).exists():
        return
    ratings = run_ratings.rate_run(run)  # Takes seconds for a long run, so before any lock.
    with transaction.atomic():
        _close(run, ratings)


def _close(run: Run, ratings: list[dict[str, float] | None] | None) -> None:
    event = (
        Event.objects.select_related("season__club")
        .select_for_update(of=("self",), no_key=True)
        .get(run=run)
    )
    over = Run.objects.filter(pk=run.pk, finished_at__isnull=False)
    if not event.is_open or not over.update(ratings=ratings):
        return
    record_run(run=run)
    Event.objects.filter(pk=event.pk).update(
        status=Event.Status.CLOSED, closed_at=timezone.now(), version=F("version") + 1
    )
    event.status = Event.Status.CLOSED
    places.keep(event=event)
    data: dict[str, Any] = {"status": run.status, "digest": run.digest}
    audit.log("run.ended", by=None, event=event, **data)
    tournament_ended.send(Event, event=event)


def _counts(run: Run) -> Counter[tuple[int, int, int, int]]:
    """Return the games by (bot's index, table size, rank, tied), summed over finished units."""
    counts: Counter[tuple[int, int, int, int]] = Counter()
    size = designs.table_size(len(run.bots), run.design)
    counted: Any = run.units.filter(state="done").values_list("tally__counts", flat=True)
    for lines in counted.iterator():
        for bot, rank, tied, games in lines:
            counts[bot, size, rank, tied] += games
    return counts
