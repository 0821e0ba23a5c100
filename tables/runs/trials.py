"""Test matches: a member's bot against a house bot at high priority, for its author alone."""

import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from engine import bots as engine_bots
from engine.rules import ruleset
from tables.models import Run, Trial, Upload
from tables.refusals import Refusal
from tables.runs import runs

OPPONENT, RULES = "greedy", "tien-len"
DEALS, DEALS_ONCE = 10, 20
"""Deals for twenty games: with swapped seats, or played once by a bot that may remember them."""
MOST_A_DAY = 20
SHOWN = 5


@transaction.atomic
def start_trial(*, upload: Upload) -> Trial:
    """Start a test match, or return the bot's running one.

    Raises `Refusal` for a bot that may not play, and beyond the author's daily limit.
    """
    if upload.author_id is None:
        raise Refusal(_("This bot isn’t approved yet."), "bot")
    User.objects.select_for_update(no_key=True).get(pk=upload.author_id)
    mine = Trial.objects.filter(upload__author=upload.author_id)
    running = mine.filter(run__finished_at__isnull=True, upload=upload).first()
    if running is not None:
        return running
    if upload.state != Upload.State.SOUND or not engine_bots.is_known(upload.name):
        raise Refusal(_("This bot isn’t approved yet."), "bot")
    today = timezone.now() - datetime.timedelta(days=1)
    if mine.filter(created_at__gt=today).count() >= MOST_A_DAY:
        raise Refusal(_("You can start 20 test matches a day. Try again tomorrow."), "day")
    once = engine_bots.remembers(upload.name)
    run = runs.start_run(
        ruleset=ruleset.preset(RULES),
        bots=[upload.name, OPPONENT],
        deals=DEALS_ONCE if once else DEALS,
        design="single" if once else "versus",
        priority=Run.Priority.HIGH,
        queue=Run.Queue.TEST,
        owner=upload.author,
    )
    return Trial.objects.create(upload=upload, run=run)


def trials_of(upload: Upload) -> list[Trial]:
    """Return a version's latest test matches, newest first."""
    return list(upload.trials.select_related("run").order_by("-pk")[:SHOWN])
