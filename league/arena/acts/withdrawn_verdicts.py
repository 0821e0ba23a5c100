"""Withdrawal of past verdicts that blamed bots for a time limit of the server's own tasks."""

from collections.abc import Iterator
from itertools import groupby

from django.db import transaction

from league.arena.acts import bots
from league.base.acts import audit, locks
from league.models import Event, Season
from tables.bots.acts import checks
from tables.models import Run, Unit
from tables.runs import our_clock, runs

AGAIN = "Its games are played again."
NO_MORE = "Its games count no more. They cannot be played again."
CLOSED = "Nothing was changed: its season is closed. Reopen it, then give this command again."
CHECKED = "was refused by a check that the server interrupted. It is checked again."


def withdraw(*, is_dry_run: bool) -> Iterator[str]:
    """Withdraw all such verdicts, a tournament at a time, and yield a sentence for each.

    Batches are replayed, events and ladders rated again, and refused bots checked again. A second
    call does not find withdrawn verdicts.
    """
    found = our_clock.units().select_related("run")
    for run, units in groupby(list(found), key=lambda unit: unit.run):
        yield from _withdraw_in(run, list(units), is_dry_run)
    for upload in our_clock.refused_bots().defer("body"):
        yield f"{upload.name} {CHECKED}"
    if not is_dry_run:
        checks.begin_check(our_clock.refused_bots())


@transaction.atomic
def _withdraw_in(run: Run, units: list[Unit], is_dry_run: bool) -> list[str]:
    event = Event.objects.filter(run=run).select_related("season").first()
    what = f"Run {run.pk}" + (f" ({event.name})" if event else "")
    sentences = [f"{what}, {sentence}" for sentence in our_clock.sentences(run, units)]
    if event is not None and locks.season(event.season_id).status != Season.Status.OPEN:
        return [*sentences, f"{what}: {CLOSED}"]
    if is_dry_run:
        return sentences
    if event is not None:
        event = locks.event_to_change(event.pk, must_be_open=False)
        bots.reopen(event)
        audit.log("run.verdicts_withdrawn", by=None, event=event)
    again = runs.give_up_units(run_id=run.pk, units=[unit.pk for unit in units])
    our_clock.rate_again(run)
    return [*sentences, f"{what}: {AGAIN if again else NO_MORE}"]
