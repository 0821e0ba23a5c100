"""Alarms: the administrators are told when something lasts that needs them, and when it is over."""

import datetime
import json
import logging
import urllib.request
from contextlib import suppress
from http.client import HTTPException

from celery import shared_task
from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.utils import timezone

from config.server import facts
from launcher import alarms as supervised
from launcher import upgrade
from launcher.locations import Locations
from league.models import Alarm, Verification
from league.news.acts import outbox
from tables.base.columns import set_columns

log = logging.getLogger(__name__)

LASTS = datetime.timedelta(minutes=2)
"""A trouble that is over sooner is nobody's business."""
AGAIN = datetime.timedelta(days=1)
PING_SECONDS, WEEK = 5, 7 * 86400
OF_DATA = ("log", "week", "backup", "no_backup", "proof", "old_proof", "disk")
OF_WORK = ("site", "certificate", "away", "restarts", "tables", "bots", "queue")
SITE, CERTIFICATE = "trouble:site", "trouble:certificate"
"""Where the last look at the public address is kept."""


@shared_task(name="config.watch", soft_time_limit=50, time_limit=55)
def watch() -> None:
    """Look for troubles, then call HEARTBEAT_URL, which an outside service waits for."""
    look_from_outside(timezone.now())
    look()
    keep_receivers()
    if settings.HEARTBEAT_URL and upgrade.has_room(Locations(settings.DATA_DIR)):
        try:
            urllib.request.urlopen(settings.HEARTBEAT_URL, timeout=PING_SECONDS).close()
        except (OSError, HTTPException) as error:
            log.warning("HEARTBEAT_URL did not answer: %s", type(error).__name__)


def keep_receivers() -> None:
    """Write down who hears of troubles, and by the file's time that this look was done."""
    file = settings.DATA_DIR / supervised.FILE
    text = json.dumps(outbox.trouble_receivers())
    with suppress(OSError):  # A full disk: the file of before is good enough.
        if file.exists() and file.read_text("utf-8") == text:
            file.touch()
            return
        unfinished = file.with_suffix(".part")
        unfinished.touch(mode=0o600)
        unfinished.write_text(text, "utf-8")
        unfinished.replace(file)


def look_from_outside(now: datetime.datetime) -> None:
    """Open the public address as a phone does, and look at its certificate once a day.

    An address that never answered may well be one that only others can reach.
    """
    address = settings.SITE_ADDRESS
    if facts.answers(address, PING_SECONDS):
        cache.set(SITE, "", WEEK)
    elif cache.get(SITE) is not None:
        cache.set(SITE, address, WEEK)
    if cache.add(f"{CERTIFICATE}:{now:%Y-%m-%d}", 1, AGAIN.total_seconds()):
        ends = facts.ending_certificate(address, now, PING_SECONDS)
        cache.set(CERTIFICATE, ends, WEEK)


@transaction.atomic
def look(now: datetime.datetime | None = None) -> None:
    """Compare today's troubles with the known ones, and tell the administrators what changed."""
    now = now or timezone.now()
    found = troubles(now)
    known = {each.name: each for each in Alarm.objects.select_for_update()}
    new = [Alarm(name=name, since=now) for name in found.keys() - known.keys()]
    Alarm.objects.bulk_create(new, ignore_conflicts=True)
    for name, each in known.items():
        if name not in found:
            if each.told_at:
                outbox.trouble(name, "over", each.value, each.since)
            each.delete()
        elif now - each.since >= LASTS and (not each.told_at or now - each.told_at >= AGAIN):
            outbox.trouble(name, "still" if each.told_at else "on", found[name], each.since)
            set_columns(each, value=found[name], told_at=now)


def troubles(now: datetime.datetime) -> dict[str, str]:
    """Return the figure of each trouble that there is now, by its name in `words.TROUBLES`."""
    return _of_backups(now) | _of_checks() | _of_disk() | _of_work()


def _minute(at: datetime.datetime | None) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC" if at else "—"


def _of_backups(now: datetime.datetime) -> dict[str, str]:
    found, known = facts.backups(), {}
    at = datetime.datetime.fromtimestamp(found.at, datetime.UTC)
    if found.newest and now - at > facts.OLD_BACKUP:
        known["backup"] = f"{at:%Y-%m-%d}"
    if not found.newest and found.empty_since and now - found.empty_since > facts.OLD_BACKUP:
        known["no_backup"] = f"{found.empty_since:%Y-%m-%d}"
    log_ = facts.kept_log()
    if log_ and log_.is_held_up:
        known["log"] = _minute(log_.until)
    if log_ and log_.is_short:
        known["week"] = _minute(log_.since)
    if found.proof and found.proof.problem:
        known["proof"] = found.proof.problem[:200]
    elif found.proof and now - found.proof.moment > facts.OLD_PROOF:
        known["old_proof"] = f"{found.proof.moment:%Y-%m-%d}"
    return known


def _of_checks() -> dict[str, str]:
    last = Verification.objects.filter(finished_at__isnull=False).first()
    return {"differences": str(last.count)} if last and last.count else {}


def _of_disk() -> dict[str, str]:
    free, there = facts.disk()
    return {"disk": f"{free / 1e9:.1f}"} if free < facts.FULL * there else {}


def _of_work() -> dict[str, str]:
    known = {
        "site": cache.get(SITE) or "",
        "certificate": cache.get(CERTIFICATE) or "",
        "away": ", ".join(facts.away()),
        "restarts": ", ".join(facts.restarts()),
    }
    known = {name: value for name, value in known.items() if value}
    if work := facts.work():
        tables, lease, *_rest = work.values()
        if tables > facts.LATE_TABLE:
            known["tables"] = f"{tables:.0f}"
        if lease > facts.LATE_LEASE:
            known["bots"] = f"{lease:.0f}"
    if broker := facts.broker():
        long = [f"{name} {n}" for name, n in broker.queues.items() if n > facts.LONG_QUEUE]
        if long:
            known["queue"] = ", ".join(long)
    return known
