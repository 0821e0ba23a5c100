"""Past verdicts that were the server's fault: a task's time limit was blamed on the bot.

They cannot arise any more. Stored ones are found by their text.
"""

from collections.abc import Iterator

from django.db.models import Q, QuerySet

from engine.sim import designs
from tables.models import Ladder, Run, Unit, Upload

LIMIT = "SoftTimeLimitExceeded"
_REFUSED = Q(report__contains=LIMIT) | Q(report="Its check lost the worker three times.")


def units() -> QuerySet[Unit]:
    """Return the units that store such a verdict, or died or differed because of the limit."""
    judged = Q(faults__gt=0, tally__notes__icontains=LIMIT)
    ended = Q(trace__contains=LIMIT) & (Q(state=Unit.State.DEAD) | Q(replay="different"))
    return Unit.objects.filter(judged | ended).order_by("run__created_at", "run", "index")


def sentences(run: Run, found: list[Unit]) -> Iterator[str]:
    """Yield a sentence on each such verdict: the bot, the batch and game, and the cause."""
    names = designs.entry_names([bot["name"] for bot in run.bots])
    for unit in found:
        batch = f"batch {unit.index + 1}"
        notes = [note for note in (unit.tally or {}).get("notes", ()) if LIMIT in note[4]]
        for bot, kind, deal, game, *_rest in notes:
            cut = f"{names[bot]} was called {kind} in deal {deal + 1}, game {game + 1}"
            yield f"{batch}: {cut}, because the time of the server's task was up."
        if not notes and unit.state == Unit.State.DEAD:
            yield f"{batch}: it could not be played, because the time of the server's task was up."
        elif not notes:
            yield f"{batch}: it was not compared, because the time of the server's task was up."


def refused_bots() -> QuerySet[Upload]:
    """Return the bots that failed their check because of the limit."""
    return Upload.objects.filter(_REFUSED, state=Upload.State.REFUSED).order_by("pk")


def rate_again(run: Run) -> None:
    """Mark the run's ladder for a new fit."""
    Ladder.objects.filter(meetings__run=run).update(rated_games=0)
