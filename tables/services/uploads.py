"""Members' bots: stored by version, checked in the jail, and found for play.

Code is stored and played only if the administrator allows it (`BOT_UPLOADS`). Remote bots run on
their authors' machines and need no permission.
"""

from __future__ import annotations

import datetime
import logging
import secrets
import shutil
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from functools import lru_cache

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import DatabaseError, transaction
from django.db.models import F, Max, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from engine import bots as engine_bots
from engine.bots.plugins import PluggedError, check_name
from tables.models import Upload
from tables.programs import checking, uploaded
from tables.programs.remote import Remote
from tables.refusals import Refusal

log = logging.getLogger(__name__)

EVERYONE, CLUB, AUTHOR = Upload.SeenBy.EVERYONE, Upload.SeenBy.CLUB, Upload.SeenBy.AUTHOR
MOST_BASES = 5
"""Most bots of an author in a pool; each has any number of versions."""
MOST_A_DAY = 10
HELD = datetime.timedelta(minutes=1)
"""How long a checking worker may stay silent."""
RETRY = datetime.timedelta(minutes=10)
"""Delay before a check that failed through no fault of the bot is repeated."""
MOST_TRIES = 5
MOST_REPORT = 4000
NOT_CHECKED = (
    "The server could not check this bot, and tries again. The bot did nothing wrong: {error}"
)

REASONS = {
    "off": _("This server does not accept bots as files. Its administrator can allow them."),
    "name": _("A bot's name has up to 26 lowercase letters, digits and hyphens."),
    "taken": _("Another bot already has this name. Choose another."),
    "bots": _("You already have five bots here. Send a new version of one of them."),
    "day": _("You can send ten bots a day. Try again tomorrow."),
    "same": _("This is the same code as in the newest version."),
    "checked": _("This bot did not fail its check. Only one that did can be checked again."),
    "large": _("This file is too large: at most 256 kB, 2 MB and 100 files unpacked."),
    "path": _("The file contains a link, or a path that points outside it."),
    "zip": _("This is not a ZIP file that can be read."),
    "entry": _("bot.py or bot.js is missing at the top of the ZIP file."),
    "point": _("The entry point names no Python file of the ZIP file. Write it as module:Class."),
    "node": _("This server cannot play JavaScript: Node.js is missing."),
}


def add_upload(
    *, pool: str, author: User, base: str, body: bytes, seen_by: str = "", point: str = ""
) -> Upload:
    """Store the next version of an author's bot; a worker checks it before it may play.

    Without `seen_by` the previous version's visibility applies, or everyone. `point` names the
    bot's class as `module:Class` if it is not `Bot` in bot.py.

    Raises `Refusal` for an invalid file, for a name of another author, and beyond the quotas.
    """
    if not settings.BOT_UPLOADS:
        raise _refused("off")
    try:
        check_name(base)
        body = uploaded.with_point(body, point) if point else body
        language, digest = uploaded.inspect(body)
    except PluggedError:
        raise _refused("name") from None
    except uploaded.ZipError as error:
        raise _refused(error.reason) from None
    if len(base) > 26:
        raise _refused("name")
    if language == uploaded.NODE and shutil.which(uploaded.NODE) is None:
        raise _refused("node")
    return _store(pool, author, base, language, body, digest, seen_by)


def add_remote(*, pool: str, author: User, base: str, seen_by: str = "") -> Upload:
    """Store the next version of an author's remote bot; refuses as `add_upload` does."""
    if len(base) > 26:
        raise _refused("name")
    try:
        check_name(base)
    except PluggedError:
        raise _refused("name") from None
    return _store(pool, author, base, Upload.REMOTE, b"", secrets.token_hex(32), seen_by)


@transaction.atomic
def _store(
    pool: str, author: User, base: str, language: str, body: bytes, digest: str, seen_by: str
) -> Upload:
    User.objects.select_for_update(no_key=True).get(pk=author.pk)  # Serializes the quotas.
    mine = Upload.objects.filter(author=author)
    known = Upload.objects.filter(base=base)
    if known.exclude(Q(pool=pool, author=author)).exists():
        raise _refused("taken")
    newest = known.order_by("-number").first()
    if newest is not None and newest.digest == digest:
        raise _refused("same")
    if newest is None and mine.filter(pool=pool).values("base").distinct().count() >= MOST_BASES:
        raise _refused("bots")
    today = timezone.now() - datetime.timedelta(days=1)
    if mine.filter(created_at__gt=today).count() >= MOST_A_DAY:
        raise _refused("day")
    number = (newest.number if newest else 0) + 1
    name = f"{base}-{number}"
    if engine_bots.is_known(name) or len(name) > 30:
        raise _refused("taken")
    if seen_by:
        known.update(seen_by=seen_by)
    elif newest is not None:
        seen_by = newest.seen_by
    return Upload.objects.create(
        seen_by=seen_by or EVERYONE,
        pool=pool, author=author, base=base, number=number, name=name, language=language,
        body=body, digest=digest, state="sound" if language == Upload.REMOTE else "waiting",
    )  # fmt: skip


def withdraw(*, upload: Upload) -> bool:
    """Withdraw a bot from new runs; its current runs go on. Return False if it was too late."""
    found = Upload.objects.filter(pk=upload.pk, state__in=["waiting", "sound"])
    return bool(found.update(state=Upload.State.WITHDRAWN))


def show_to(*, upload: Upload, seen_by: str) -> None:
    """Set the visibility of all versions of a bot."""
    Upload.objects.filter(base=upload.base).update(seen_by=seen_by)


def visible_to(reader: User | AnonymousUser | None, is_member: bool) -> QuerySet[Upload]:
    """Return the bots a reader may see; `is_member` tells membership in the bots' club."""
    seen = Q(seen_by=EVERYONE)
    if is_member:
        seen |= Q(seen_by=CLUB)
    if reader is not None and reader.is_authenticated:
        seen |= Q(author=reader.pk)
    return Upload.objects.filter(seen).defer("body")


def newest(pool: str, seen_by: Collection[str] = (EVERYONE, CLUB)) -> list[str]:
    """Return the newest sound version of each bot of a pool with one of these visibilities."""
    sound = _playable().filter(pool=pool, state=Upload.State.SOUND, seen_by__in=seen_by)
    last = sound.order_by("base").values("base").annotate(last=Max("number"))
    return [f"{one['base']}-{one['last']}" for one in last]


def may_enter(name: str, pool: str, seen_by: Collection[str] = (EVERYONE, CLUB)) -> bool:
    """Return whether a member's bot may enter a run of the pool with one of these visibilities."""
    sound = _playable().filter(name=name, pool=pool, state=Upload.State.SOUND)
    return sound.filter(seen_by__in=seen_by).exists()


def meets_itself(names: Sequence[str]) -> str | None:
    """Return a remote bot whose author has another remote bot among these, or `None`.

    The two would share the hands of a game.
    """
    if len(names) < 2:
        return None
    authors = dict(
        Upload.objects.filter(name__in=names, language=Upload.REMOTE).values_list("name", "author")
    )
    met: set[int] = set()
    for name in names:
        if name in authors:
            if authors[name] in met:
                return name
            met.add(authors[name])
    return None


def bases(names: Sequence[str]) -> dict[str, str]:
    """Return the base name of each uploaded version by its name."""
    return dict(Upload.objects.filter(name__in=names).values_list("name", "base"))


def _playable() -> QuerySet[Upload]:
    """Return the bots that may play: remote ones with an author, and code where it is allowed."""
    playable = Q(language=Upload.REMOTE, author__isnull=False)
    if settings.BOT_UPLOADS:
        playable |= ~Q(language=Upload.REMOTE)
    return Upload.objects.filter(playable)


def find(name: str) -> uploaded.Uploaded | Remote | None:
    """Return the member's bot of this name. Withdrawn bots count, for runs they entered earlier."""
    if not name[-1:].isdigit():
        return None
    played = (Upload.State.SOUND, Upload.State.WITHDRAWN)
    found = Upload.objects.filter(name=name, state__in=played).only("name", "number", "language")
    for upload in found:
        if upload.language == Upload.REMOTE:
            return Remote(upload.name, upload.number)
        if not settings.BOT_UPLOADS:
            return None
        return _bot(upload.name, upload.number, upload.language)
    return None


@lru_cache(maxsize=500)
def _bot(name: str, number: int, language: str) -> uploaded.Uploaded:
    def body() -> bytes:
        return bytes(Upload.objects.values_list("body", flat=True).get(name=name))

    return uploaded.uploaded(name, number, language, body)


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
    engine_bots.BOTS[name] = _bot(name, upload.number, upload.language)
    try:
        report = _check_on(upload)
    except Exception as error:
        log.exception("The check of %s was interrupted.", name)
        _rest(upload, NOT_CHECKED.format(error=error), RETRY)
    else:
        if report is None:
            _rest(upload)
        else:
            _settle(upload, _stored(report))
    finally:
        del engine_bots.BOTS[name]
    return True


@transaction.atomic
def check_again(*, upload: Upload) -> None:
    """Queue a bot that failed its check for another one; raise `Refusal` for any other bot."""
    if not settings.BOT_UPLOADS:
        raise _refused("off")
    if not begin_check(Upload.objects.filter(pk=upload.pk, state=Upload.State.REFUSED)):
        raise _refused("checked")


def begin_check(bots: QuerySet[Upload]) -> int:
    """Queue these bots for a check from the first table on; return their number."""
    return bots.update(
        state=Upload.State.WAITING, report="", tries=0, checked=0, held_until=timezone.now()
    )


def _check_on(upload: Upload) -> str | None:
    """Check a bot for a few seconds; return its problems, or `None` if tables are left."""
    until = time.monotonic() + settings.TABLES_PLAY_SECONDS
    hold, before = _holding(upload), upload.checked
    for number, situation in enumerate(checking.situations(games=1)):
        if number < upload.checked:
            continue
        if number > before and time.monotonic() > until:
            return None
        report = checking.at_table(upload.name, situation, hold)
        if report.problems:
            table = f"{situation.ruleset.key}, {situation.players} players"
            return "\n".join(f"{table}: {problem}" for problem in report.problems)
        upload.checked, upload.tries = number + 1, 0
        upload.save(update_fields=["checked", "tries"])
    return ""


def _holding(upload: Upload) -> Callable[[], None]:
    """Return a callback that extends the worker's hold; it is called while the bot plays."""
    held = time.monotonic()

    def hold() -> None:
        nonlocal held
        if time.monotonic() - held > HELD.total_seconds() / 4:
            held = time.monotonic()
            with suppress(DatabaseError):  # A database outage is no fault of the bot.
                Upload.objects.filter(pk=upload.pk).update(held_until=timezone.now() + HELD)

    return hold


@transaction.atomic
def _hold_next() -> Upload | None:
    """Hold the bot that waits longest: unchecked bots first, then by the end of their hold."""
    now = timezone.now()
    free = Q(held_until__isnull=True) | Q(held_until__lt=now)
    waiting = Upload.objects.filter(free, state=Upload.State.WAITING).defer("body")
    order = F("held_until").asc(nulls_first=True), "created_at"
    upload = waiting.select_for_update(skip_locked=True).order_by(*order).first()
    if upload is None or not settings.BOT_UPLOADS:
        return None
    # A bot that loses its workers is held longer each time, so that others come first.
    upload.held_until = now + HELD * 2 ** min(upload.tries, MOST_TRIES)
    upload.tries = min(upload.tries + 1, MOST_TRIES)
    upload.save(update_fields=["tries", "held_until"])
    return upload


def _rest(
    upload: Upload, report: str = "", pause: datetime.timedelta = datetime.timedelta()
) -> None:
    """Release a check for another worker, now or after a pause."""
    waiting = Upload.objects.filter(pk=upload.pk, state=Upload.State.WAITING)
    waiting.update(report=_stored(report), held_until=timezone.now() + pause)


def _settle(upload: Upload, report: str) -> None:
    """Store the check's result; a withdrawn bot stays withdrawn."""
    state = Upload.State.REFUSED if report else Upload.State.SOUND
    waiting = Upload.objects.filter(pk=upload.pk, state=Upload.State.WAITING)
    waiting.update(state=state, report=report, held_until=None)


def _stored(report: str) -> str:
    return report[:MOST_REPORT].replace("\0", "�")


def _refused(reason: str) -> Refusal:
    field = "name" if reason in ("name", "taken", "bots") else "file"
    return Refusal(REASONS[reason], reason, field="" if reason in ("off", "day") else field)
