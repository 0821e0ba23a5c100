"""Whose turn it is: queues with shares of the workers' measured time, fair between authors.

Each queue has a turn, its time over its share; the lowest goes first, and one that was idle begins
with the others. Within a queue each run has a turn of the same kind, and the runs of one author
advance together, so that many runs give no more time than one.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from tables.bots.acts import checks
from tables.models import QueueTurn, Run, Upload
from tables.programs import config
from tables.runs import runs

CHECK = "check"
SHARES = {CHECK: 3, Run.Queue.TEST: 3, Run.Queue.LADDER: 1, Run.Queue.TOURNAMENT: 3}
"""Each queue's share of the time when all of them wait."""
BEHIND = 5_000
"""How far an idle queue may be behind the others when it begins again."""


@dataclass(frozen=True)
class Waiting:
    """A place in a queue, from 1, and the seconds until the end if they can be told."""

    place: int
    seconds: float | None


def work_next() -> bool:
    """Do a few seconds of work for the queue in turn; return False if none waits."""
    config.refresh()
    for queue in _in_turn():
        began = time.monotonic()
        if _work(queue)():
            _spend(queue, time.monotonic() - began)
            return True
    return runs.replay_next()


def _work(queue: str) -> Callable[[], bool]:
    if queue == CHECK:
        return checks.check_next
    return lambda: runs.play_next(queue=queue)


def _in_turn() -> list[str]:
    """Return the queues in their order; only the server checks bots, as it tells their authors."""
    turns = dict(QueueTurn.objects.values_list("queue", "turn"))
    return sorted(
        (queue for queue in SHARES if queue != CHECK or not settings.TABLES_PLAYS_ONLY),
        key=lambda queue: turns.get(queue, 0),
    )


@transaction.atomic
def _spend(queue: str, seconds: float) -> None:
    """Book the time of one go; an idle queue's turn comes up to that of the others."""
    for one in SHARES:
        QueueTurn.objects.get_or_create(queue=one)
    rows = {row.queue: row for row in QueueTurn.objects.select_for_update().order_by("queue")}
    now = rows[queue].turn
    rows[queue].turn = now + round(1000 * seconds / SHARES[queue])
    for row in rows.values():
        row.turn = max(row.turn, now - BEHIND)
    QueueTurn.objects.bulk_update(rows.values(), ["turn"])


def place_of(run: Run) -> Waiting | None:
    """Return a run's place in its queue and its expected wait; None once it is over or paused."""
    if run.status != Run.Status.RUNNING:
        return None
    others = Run.objects.filter(status=Run.Status.RUNNING, queue=run.queue).exclude(pk=run.pk)
    before = others.filter(Q(turn__lt=run.turn) | Q(turn=run.turn, created_at__lt=run.created_at))
    progress = runs.progress(run)
    left = progress.games_asked - progress.games
    seconds = None
    if run.counted:
        asked = Run.objects.filter(status=Run.Status.RUNNING)
        active = {CHECK} if Upload.objects.filter(state=Upload.State.WAITING).exists() else set()
        active |= set(asked.values_list("queue", flat=True))
        share = SHARES[run.queue] / sum(SHARES[queue] for queue in active)
        together = others.count() + 1
        seconds = run.spent / run.counted / 1000 * left * together / share
    return Waiting(before.count() + 1, seconds)


def place_of_check(upload: Upload) -> int | None:
    """Return a bot's place among those that wait for their check; None once it is checked."""
    if upload.state != Upload.State.WAITING:
        return None
    before = Upload.objects.filter(state=Upload.State.WAITING, created_at__lt=upload.created_at)
    return before.count() + 1
