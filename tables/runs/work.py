"""The work of remote bots: positions of many games at once, and their answers.

Every request may be repeated: a client gets its positions again, and an answer already stored
changes nothing.
"""

import datetime
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from tables.models import RemoteGame, Run, Unit, Upload
from tables.runs import remote
from tables.signals import run_started

MOST = 200
SEEN_EVERY = datetime.timedelta(seconds=5)
_POSITION = re.compile(r"([0-9]{1,18})-([0-9]{1,6})")

TAKEN, KNOWN, OTHER, ILLEGAL, LATE, OVER = "taken", "known", "other", "illegal", "late", "over"
STATES = (TAKEN, KNOWN, OTHER, ILLEGAL, LATE, OVER)


@dataclass(frozen=True)
class Given:
    """A position to answer within `seconds`."""

    game: RemoteGame
    seconds: float

    @property
    def rules(self) -> str:
        """Return the digest of the position's ruleset."""
        return str(self.game.unit.run.ruleset_id)


def bot_of(user: Any, name: str) -> Upload | None:
    """Return the user's remote bot with this name."""
    found = Upload.objects.filter(author=user.pk, name=name, language=Upload.REMOTE)
    return found.defer("body").first()


def note_seen(bot: Upload) -> None:
    """Store that the bot is active, at most once per `SEEN_EVERY`."""
    now = timezone.now()
    known = Q(seen_at__isnull=True) | Q(seen_at__lt=now - SEEN_EVERY)
    Upload.objects.filter(known, pk=bot.pk).update(seen_at=now)


@transaction.atomic
def take_answers(bot: Upload, answers: Sequence[tuple[str, str]]) -> list[str]:
    """Store the answers; return the state of each, one of `STATES`."""
    keys = [_key(position) for position, _action in answers]
    asked = RemoteGame.objects.filter(pk__in=[pk for pk, _turn in keys])
    asked = asked.filter(unit__run__bots__contains=[{"name": bot.name}])
    units = asked.order_by("unit").values_list("unit", flat=True).distinct()
    # The lock keeps a visit from ending without seeing an answer.
    locked = Unit.objects.select_for_update(no_key=True, of=("self",)).filter(pk__in=list(units))
    held = {unit.pk: unit for unit in locked.select_related("run").order_by("pk")}
    games = {game.pk: game for game in asked}
    found, answered = [], []
    for (pk, turn), (_position, action) in zip(keys, answers, strict=True):
        game = games.get(pk)
        if game is None or game.unit_id not in held:
            found.append(OVER)
            continue
        state = _take(bot, game, turn, action, held[game.unit_id].run)
        if state in (TAKEN, ILLEGAL):
            answered.append(game)
        found.append(state)
    if answered:
        remote.save(answered, "answer")
        rested = Unit.objects.filter(
            pk__in={game.unit_id for game in answered}, state=Unit.State.ASKING
        )
        if rested.update(state=Unit.State.WAITING):
            run = held[answered[0].unit_id].run_id
            transaction.on_commit(partial(run_started.send, sender=Run, run_id=run))
    return found


def _key(position: str) -> tuple[int, int]:
    found = _POSITION.fullmatch(position)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def _take(bot: Upload, game: RemoteGame, turn: int, action: str, run: Run) -> str:
    """Set the game's answer, for the caller to save, and return the answer's state."""
    place = game.asked.get(remote.asked_as(bot.name, turn))
    if place is None:
        return OVER
    if place < len(game.log):  # The log holds the answer given, or the timeout.
        entry = game.log[place]
        if not isinstance(entry, str):
            return KNOWN if f'"{action}"' in entry[1] else LATE
        return KNOWN if entry == action else OTHER
    if game.answer is not None:
        return KNOWN if game.answer == action else OTHER
    if run.status not in (Run.Status.RUNNING, Run.Status.PAUSED):
        return OVER
    if game.until and game.until < timezone.now() and run.status == Run.Status.RUNNING:
        return LATE
    game.answer = action
    legal = game.question["turn"]["legal"] if game.question else ()
    return TAKEN if action in legal else ILLEGAL


@transaction.atomic
def hand_out(bot: Upload, *, client: str, most: int) -> list[Given]:
    """Return positions for a bot's client: its own again, new ones, and others' expired ones."""
    now = timezone.now()
    free = Q(leased_until__isnull=True) | Q(leased_until__lt=now) | Q(client=client)
    in_time = Q(until__isnull=True) | Q(until__gt=now)
    found = remote.open_games().filter(free, in_time, bot=bot.name)
    locked = found.select_for_update(skip_locked=True, of=("self",), no_key=True)
    games = list(locked.select_related("unit__run").order_by("asked_at", "pk")[:most])
    for game in games:
        game.client = client
        game.leased_until = now + remote.BUDGET / 3
        game.until = game.until or now + remote.BUDGET
    remote.save(games, "client", "leased_until", "until")
    return [Given(game, (game.until - now).total_seconds()) for game in games if game.until]


def is_awaited(bot: Upload) -> bool:
    """Return whether the bot plays in a running run."""
    running = Run.objects.filter(status=Run.Status.RUNNING, remote_since__isnull=False)
    return running.filter(bots__contains=[{"name": bot.name}]).exists()
