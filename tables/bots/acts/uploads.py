"""Members' bots, stored by version.

Code is stored and played only if the administrator allows it (`BOT_UPLOADS`). Remote bots run on
their authors' machines and need no permission.
"""

import datetime
import secrets
import shutil

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from engine import bots as engine_bots
from engine.bots.plugins import PluggedError, check_name
from tables.bots.facts import member_bots
from tables.models import Upload
from tables.programs import uploaded
from tables.refusals import Refusal

EVERYONE, CLUB, AUTHOR = Upload.SeenBy.EVERYONE, Upload.SeenBy.CLUB, Upload.SeenBy.AUTHOR
MOST_A_DAY = 10
REASONS = {
    "off": _("This server does not accept bots as files. Its administrator can allow them."),
    "name": _("A bot's name begins with a letter: up to 26 lowercase letters, digits and hyphens."),
    "taken": _("Another bot already has this name. Choose another."),
    "bots": _("You already have five bots here. Send a new version of one, or withdraw one."),
    "day": _("You can send ten bots a day. Try again tomorrow."),
    "same": _("This is the same code as in the newest version."),
    "checked": _("This bot did not fail its check. Only one that did can be checked again."),
    "large": _("This file is too large: at most 256 kB, 2 MB and 100 files unpacked."),
    "path": _("The file contains a link, or a path that points outside it."),
    "zip": _("This is not a ZIP file that can be read."),
    "entry": _("bot.py or bot.js is missing at the top of the ZIP file."),
    "point": _("The entry point names no Python file of the ZIP file. Write it as module:Class."),
    "node": _("This server can't play JavaScript: Node.js is missing."),
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
        raise refused("off")
    try:
        check_name(base)
        body = uploaded.with_point(body, point) if point else body
        language, digest = uploaded.inspect(body)
    except PluggedError:
        raise refused("name") from None
    except uploaded.ZipError as error:
        raise refused(error.reason) from None
    if len(base) > 26:
        raise refused("name")
    if language == uploaded.NODE and shutil.which(uploaded.NODE) is None:
        raise refused("node")
    return _store(pool, author, base, language, body, digest, seen_by)


def add_remote(*, pool: str, author: User, base: str, seen_by: str = "") -> Upload:
    """Store the next version of an author's remote bot; refuses as `add_upload` does."""
    if len(base) > 26:
        raise refused("name")
    try:
        check_name(base)
    except PluggedError:
        raise refused("name") from None
    return _store(pool, author, base, Upload.REMOTE, b"", secrets.token_hex(32), seen_by)


@transaction.atomic
def _store(
    pool: str, author: User, base: str, language: str, body: bytes, digest: str, seen_by: str
) -> Upload:
    User.objects.select_for_update(no_key=True).get(pk=author.pk)  # Serializes the quotas.
    mine = Upload.objects.filter(author=author)
    known = Upload.objects.filter(base=base)
    if known.exclude(Q(pool=pool, author=author)).exists():
        raise refused("taken")
    newest = known.order_by("-number").first()
    is_back = newest is not None and newest.state == Upload.State.WITHDRAWN
    if newest is not None and newest.digest == digest and not is_back:
        raise refused("same")
    is_on = known.filter(state__in=["waiting", "sound"]).exists()
    if not is_on and not member_bots.free_places(author.pk, pool):
        raise refused("bots")
    today = timezone.now() - datetime.timedelta(days=1)
    if mine.filter(created_at__gt=today).count() >= MOST_A_DAY:
        raise refused("day")
    number = (newest.number if newest else 0) + 1
    name = f"{base}-{number}"
    # Rankings and leagues name a bot in all its versions by its base.
    is_other = newest is None and engine_bots.is_known(base)
    if is_other or engine_bots.is_known(name) or len(name) > 30:
        raise refused("taken")
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


def refused(reason: str) -> Refusal:
    field = "name" if reason in ("name", "taken", "bots") else "file"
    return Refusal(REASONS[reason], reason, field="" if reason in ("off", "day") else field)
