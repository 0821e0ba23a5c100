"""The nightly check: replays logs, rebuilds standings and money, and stores the differences."""

import datetime
import gc
import logging
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Mod
from django.utils import timezone

from launcher.night import SOON, is_night
from league.base.acts.snapshots import snapshot
from league.base.facts import log_marks
from league.models import Audit, Result, Season, Verification
from league.proof.facts import verify
from tables.base.columns import set_columns
from tables.play.facts import proof as table_proof
from tables.runs import proof as run_proof

log = logging.getLogger(__name__)

KEPT_DIFFERENCES = 200
# A server that is off at night checks once it is `LATE`.
LATE = datetime.timedelta(hours=44)
AGAIN = datetime.timedelta(hours=1)
"""How long after its start a check that did not end, as its worker was killed, is repeated."""
LATELY = datetime.timedelta(days=2)
CYCLE = 30  # Days in which each finished game and season is checked; recent ones every night.
ALLOCATIONS = 50_000  # Between garbage collections; with 700 they take a sixth of the time.
UNIT_SECONDS = 60.0  # Time per check to replay units of bots' games.


def is_due(now: datetime.datetime) -> bool:
    """Return whether tonight's check still has to run."""
    last = Verification.objects.order_by("-started_at").first()
    if last is None or now - last.started_at > LATE:
        return True
    return is_night(now) and now - last.started_at > (SOON if last.finished_at else AGAIN)


def verify_tonight(*, now: datetime.datetime | None = None) -> Verification | None:
    """Run and store today's check; None if it has ended or still runs, and so holds its row."""
    now = now or timezone.now()
    today = Verification.objects.filter(day=now.date(), finished_at=None)
    free = today.select_for_update(skip_locked=True, no_key=True)
    Verification.objects.get_or_create(day=now.date(), defaults={"started_at": now})
    with transaction.atomic():
        if (made := free.first()) is None:
            return None
        set_columns(made, started_at=now)
    checked: Counter[str] = Counter()
    with snapshot():  # Results entered during the check must not look like differences.
        if free.first() is None:
            return None
        found = list(everything(checked, made.day.toordinal()))
        for sentence in found:
            log.error("verify: %s", sentence)
        made.finished_at, made.checked = timezone.now(), dict(checked)
        made.count, made.differences = len(found), found[:KEPT_DIFFERENCES]
        made.save()
    log.info("verify: %s differences among %s", made.count, made.checked)
    return made


@contextmanager
def _rare_collections() -> Iterator[None]:
    """Collect garbage less often, because the check creates hardly any reference cycles."""
    before = gc.get_threshold()
    gc.set_threshold(ALLOCATIONS, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def everything(checked: Counter[str], day: int | None = None) -> Iterator[str]:
    """Yield every difference in all clubs, online games and runs; count the objects checked.

    With a `day` only the games and seasons whose turn it is are checked, and the recent ones.
    """
    with _rare_collections():
        yield from _checks(checked, day)


def _checks(checked: Counter[str], day: int | None) -> Iterator[str]:
    seasons = _seasons(day)
    checked["seasons"] = seasons.count()
    checked["results"] = Result.objects.filter(current=True).count()
    yield from verify.everything(seasons=seasons, checked=checked)
    yield from log_marks.missing(settings.BACKUPS)
    yield from _live_games(checked, day)
    yield from run_proof.run_digests()
    yield from _units(checked, day)


def _seasons(day: int | None) -> QuerySet[Season]:
    """Return the seasons to rebuild: all, or those of recently active clubs and the day's share.

    The day's share also finds changes that no service made.
    """
    if day is None:
        return Season.objects.all()
    active = Audit.objects.filter(at__gte=timezone.now() - LATELY).order_by().values("club")
    turn = Season.objects.annotate(turn=Mod(F("pk"), CYCLE)).filter(turn=day % CYCLE)
    return Season.objects.filter(Q(club__in=active) | Q(pk__in=turn.values("pk")))


def _live_games(checked: Counter[str], day: int | None) -> Iterator[str]:
    """Replay finished games: all, or recent ones and the day's share of the others."""
    games = table_proof.finished_games()
    if day is not None:
        yesterday = timezone.now() - LATELY
        turn = games.annotate(turn=Mod(F("pk"), CYCLE)).filter(turn=day % CYCLE)
        games = games.filter(over_at__gte=yesterday) | games.filter(pk__in=turn.values("pk"))
    for game in games.iterator(chunk_size=200):
        checked["live games"] += 1
        yield from table_proof.replayed(game)


def _units(checked: Counter[str], day: int | None) -> Iterator[str]:
    """Replay finished units, all or the day's share, for at most `UNIT_SECONDS`."""
    until = time.monotonic() + UNIT_SECONDS
    chosen = run_proof.finished_units().order_by("pk")
    if day is not None:
        chosen = chosen.annotate(turn=Mod(F("pk"), CYCLE)).filter(turn=day % CYCLE)
    for unit in chosen.iterator(chunk_size=20):
        if time.monotonic() > until:
            return
        found = run_proof.same_again(unit)
        checked["units" if found is not None else "units of older bots"] += 1
        yield from found or ()
