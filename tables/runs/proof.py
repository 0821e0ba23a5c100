"""Checks that runs follow from their bots. Each yields a sentence for each difference."""

from django.db.models import QuerySet

from tables.models import Run, Unit
from tables.play.facts.proof import Problems
from tables.runs import runs


def finished_units() -> QuerySet[Unit]:
    """Return the units whose digest can be compared: played by our own bots, and no known conflict.

    Programs from outside may play otherwise, or nobody asks them any more.
    """
    done = Unit.objects.filter(state=Unit.State.DONE, conflict_digest="", run__outside=False)
    return done.select_related("run__ruleset")


def run_digests() -> Problems:
    """Yield the finished runs whose digest is not that of their units."""
    for run in Run.objects.filter(status=Run.Status.DONE).order_by("created_at"):
        if run.digest != runs.digest_of(run):
            yield f"run {run.pk}: its digest is not that of its units"


def same_again(unit: Unit) -> Problems | None:
    """Replay a unit's games; None if a bot has another version on this machine."""
    try:
        digest = runs.play(unit).digest
    except ValueError:
        return None
    if digest == unit.digest:
        return iter(())
    return iter([f"run {unit.run_id} unit {unit.index}: played again it ends differently"])
