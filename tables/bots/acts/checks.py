"""The check that a member's bot must pass before it may play."""

import datetime
import logging
import time

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from engine import bots as engine_bots
from tables.base import holds
from tables.base.columns import set_columns
from tables.bots.acts.uploads import refused
from tables.bots.facts import member_bots
from tables.models import Upload
from tables.programs import checking
from tables.signals import bot_checked

log = logging.getLogger(__name__)

HELD = datetime.timedelta(minutes=1)
"""How long a checking worker may stay silent."""
RETRY = datetime.timedelta(minutes=10)
"""Delay before a check that failed through no fault of the bot is repeated."""
MOST_TRIES = 5
MOST_REPORT = 4000
NOT_CHECKED = (
    "The server could not check this bot, and tries again. The bot did nothing wrong: {error}"
)


def check_next() -> bool:
    """Continue the check of the bot that waits longest; return False if none waits.

    A bot is held by one worker at a time, for a few seconds, and resumes where it stopped. Its
    first fault refuses it. A failure that is not the bot's, such as a lost worker, only postpones
    the check.
    """
    upload = _hold_next()
    if upload is None:
        return False
    name = upload.name
    engine_bots.BOTS[name] = member_bots.bot_of(name, upload.number, upload.language)
    try:
        report = _check_on(upload)
    except Exception as error:
        log.exception("The check of %s was interrupted.", name)
        _rest(upload, NOT_CHECKED.format(error=error), RETRY)
    else:
        if report is None:
            _rest(upload)
        else:
            state = Upload.State.REFUSED if report else Upload.State.SOUND
            # A withdrawn bot stays withdrawn.
            waiting = Upload.objects.filter(pk=upload.pk, state=Upload.State.WAITING)
            if waiting.update(state=state, report=_stored(report), held_until=None):
                upload.state = state
                bot_checked.send(Upload, upload=upload)
    finally:
        del engine_bots.BOTS[name]
    return True


def is_waiting() -> bool:
    """Return whether a bot waits for its check and no worker has it."""
    return bool(settings.BOT_UPLOADS) and _free().exists()


def _free() -> QuerySet[Upload]:
    """Return the bots to check now: of an author one at a time."""
    now = timezone.now()
    waiting = Upload.objects.filter(state=Upload.State.WAITING)
    checked = waiting.filter(author=OuterRef("author"), held_until__gt=now, tries__gt=0)
    free = Q(held_until__isnull=True) | Q(held_until__lt=now)
    return waiting.filter(free, ~Exists(checked)).defer("body")


@transaction.atomic
def check_again(*, upload: Upload) -> None:
    """Queue a bot that failed its check for another one; raise `Refusal` for any other bot."""
    if not settings.BOT_UPLOADS:
        raise refused("off")
    if not begin_check(Upload.objects.filter(pk=upload.pk, state=Upload.State.REFUSED)):
        raise refused("checked")


def begin_check(bots: QuerySet[Upload]) -> int:
    """Queue these bots for a check from the first table on; return their number."""
    return bots.update(
        state=Upload.State.WAITING, report="", tries=0, checked=0, held_until=timezone.now()
    )


def _check_on(upload: Upload) -> str | None:
    """Check a bot for a few seconds; return its problems, or `None` if tables are left."""
    until = time.monotonic() + settings.TABLES_PLAY_SECONDS
    hold = holds.extending(Upload.objects.filter(pk=upload.pk), "held_until", HELD)
    before = upload.checked
    for number, situation in enumerate(checking.situations(games=1)):
        if number < upload.checked:
            continue
        if number > before and time.monotonic() > until:
            return None
        report = checking.at_table(upload.name, situation, hold)
        if report.problems:
            table = f"{situation.ruleset.key}, {situation.players} players"
            return "\n".join(f"{table}: {problem}" for problem in report.problems)
        set_columns(upload, checked=number + 1, tries=0)
    return ""


@transaction.atomic
def _hold_next() -> Upload | None:
    """Hold the bot that waits longest: unchecked bots first, then by the end of their hold."""
    now = timezone.now()
    order = F("held_until").asc(nulls_first=True), "created_at"
    upload = _free().select_for_update(skip_locked=True).order_by(*order).first()
    if upload is None or not settings.BOT_UPLOADS:
        return None
    # A bot that loses its workers is held longer each time, so that others come first.
    held_until = now + HELD * 2 ** min(upload.tries, MOST_TRIES)
    set_columns(upload, held_until=held_until, tries=min(upload.tries + 1, MOST_TRIES))
    return upload


def _rest(
    upload: Upload, report: str = "", pause: datetime.timedelta = datetime.timedelta()
) -> None:
    """Release a check for another worker, now or after a pause."""
    waiting = Upload.objects.filter(pk=upload.pk, state=Upload.State.WAITING)
    waiting.update(report=_stored(report), held_until=timezone.now() + pause)


def _stored(report: str) -> str:
    return report[:MOST_REPORT].replace("\0", "�")
