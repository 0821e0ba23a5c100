"""Sprints: half an hour of games, in which a free player gets a table for one game at a time.

Every change of a sprint locks its row before the rows of its tables.
"""

import datetime
import logging
import secrets
from typing import Any, NamedTuple

from django.db import DatabaseError, transaction
from django.urls import reverse
from django.utils import timezone

from engine.rules import ruleset as engine_ruleset
from engine.rules.ruleset import Ruleset
from tables import signals
from tables.base import row_locks, rulesets, tokens, words
from tables.base.columns import set_columns
from tables.base.placings import beaten
from tables.chairs.acts import arrangements, seats
from tables.chairs.acts.arrangements import Holder
from tables.models import BotAccount, Game, Seat, Sprint, SprintEntry, SprintTable, Table
from tables.refusals import TableRefusal

log = logging.getLogger(__name__)

LENGTH = datetime.timedelta(minutes=30)
AHEAD = datetime.timedelta(hours=2)
"""How long before its start a sprint is visible."""
HERE = datetime.timedelta(seconds=12)
"""A player counts as waiting if their page polled within this time."""
PATIENCE = datetime.timedelta(seconds=8)
"""Waiting time after which a player is seated with bots where people are missing."""
SOON = datetime.timedelta(seconds=5)
"""Delay between seating and the deal."""
SOON_TOLD = datetime.timedelta(minutes=5)
"""How long before its start its players are told."""
BOT = "planner"
NAME = "30′"
"""Label of the link back from a table, in every language, for sprints without a club."""
MOST = 500


class SprintPlayer(NamedTuple):
    """A player of a sprint: an account, or a guest identified by the browser's secret."""

    user: Any = None
    device: str = ""

    def fields(self) -> dict[str, Any]:
        return {"user": self.user, "device": "" if self.user else tokens.hash_of(self.device)}


@transaction.atomic
def open_sprint(
    *,
    starts_at: datetime.datetime,
    ruleset: Ruleset,
    players: int = 4,
    move_seconds: int = 20,
    home: str = "",
    home_name: str = "",
) -> Sprint:
    """Plan a sprint; the same time and home return the existing one."""
    if not ruleset.min_players <= players <= ruleset.max_players:
        raise TableRefusal("players")
    sprint, _created = Sprint.objects.get_or_create(
        home=home,
        starts_at=starts_at,
        defaults={
            "key": "".join(secrets.choice(seats.LETTERS) for _ in range(10)),
            "ruleset": rulesets.freeze(ruleset),
            "players": players,
            "move_seconds": move_seconds,
            "ends_at": starts_at + LENGTH,
            "home_name": home_name,
        },
    )
    return sprint


def plan() -> int:
    """Plan the server's sprints, one after the other, and delete old ones without players.

    Return the number planned or found.
    """
    now = timezone.now()
    Sprint.objects.filter(ends_at__lt=now - AHEAD, entries=None, home="").delete()
    half = now.replace(minute=now.minute // 30 * 30, second=0, microsecond=0)
    starts = [half + n * LENGTH for n in range(3)]
    for start in starts:
        open_sprint(starts_at=start, ruleset=engine_ruleset.preset("mien-nam"))
    return len(starts)


@transaction.atomic
def enter(*, sprint_id: int, who: SprintPlayer, name: str) -> SprintEntry:
    """Enter a player into a sprint, or again after leaving; raise `TableRefusal` if it is over."""
    sprint = _lock(sprint_id)
    now = timezone.now()
    if now >= sprint.ends_at:
        raise TableRefusal("sprint_over")
    if who.user and BotAccount.objects.filter(user=who.user).exists():
        raise TableRefusal("rated_people")
    entry = sprint.entries.filter(**who.fields()).first()
    if entry is None and sprint.entries.count() >= MOST:
        raise TableRefusal("sprint_full")
    if entry is None:
        entry = SprintEntry(sprint=sprint, **who.fields())
    entry.name = words.plain(name, 40) or "?"
    entry.left, entry.seen_at, entry.waits_since = False, now, now
    entry.save()
    return entry


@transaction.atomic
def leave(*, sprint_id: int, who: SprintPlayer) -> None:
    """Take a player out of a sprint; points stay, and the autopilot finishes their game."""
    _lock(sprint_id).entries.filter(**who.fields()).update(left=True)


def entry_of(sprint: Sprint, who: SprintPlayer) -> SprintEntry | None:
    if not (who.user or who.device):
        return None
    return sprint.entries.filter(**who.fields()).select_related("table").first()


def note_seen(entry: SprintEntry) -> None:
    """Store that a player waits on the page; after an absence the wait restarts."""
    now = timezone.now()
    changes = {"seen_at": now}
    if entry.seen_at < now - HERE:
        changes["waits_since"] = now
    SprintEntry.objects.filter(pk=entry.pk).update(**changes)


@transaction.atomic
def renew_chair(*, entry: SprintEntry) -> str:
    """Return a new secret for a guest's assigned seat, or "" if there is none."""
    if entry.table_id is None or entry.no is None or entry.user_id:
        return ""
    table, token = seats.lock(entry.table_id), tokens.new_token()
    here = Seat.objects.filter(table=table, no=entry.no, left_at=None).exclude(token_hash="")
    if not here.update(token_hash=tokens.hash_of(token)):
        return ""
    seats.touch(table)
    return token


@transaction.atomic
def delete_sprints(*, home: str) -> None:
    """Delete the sprints of a club that is deleted; their tables end at once."""
    for key in Sprint.objects.filter(home=home).order_by("pk").values_list("pk", flat=True):
        sprint = _lock(key)
        arrangements.end_of_host(found=Table.objects.filter(sprint_table__sprint=sprint))
        sprint.delete()


def tell_soon() -> None:
    """Send `sprint_soon` for the sprints that begin within `SOON_TOLD`."""
    now = timezone.now()
    for sprint in Sprint.objects.filter(starts_at__gt=now, starts_at__lte=now + SOON_TOLD):
        signals.sprint_soon.send(None, sprint=sprint)


def sweep() -> int:
    """Count finished games and seat free players in all sprints; return the number of tables."""
    done = 0
    running = Sprint.objects.filter(starts_at__lte=timezone.now())
    open_ones = running.filter(ends_at__gt=timezone.now() - LENGTH) | running.filter(
        tables__counted=False
    )
    for pk in open_ones.values_list("pk", flat=True).distinct():
        try:
            done += go_on(sprint_id=pk)
        except DatabaseError as error:
            log.warning("Sprint %s waits for the next sweep: %s", pk, error)
        except Exception:
            log.exception("Sprint %s cannot go on", pk)
    return done


@transaction.atomic
def go_on(*, sprint_id: int) -> int:
    """Count a sprint's finished games, then seat its free players; return the number of tables."""
    sprint = _lock(sprint_id)
    over = sprint.tables.filter(counted=False, table__status=Table.Status.CLOSED)
    done = 0
    for played in over.select_related("table"):
        _count(played)
        done += 1
    if timezone.now() < sprint.ends_at:
        done += _seat(sprint)
    return done


def _seat(sprint: Sprint) -> int:
    """Open tables for the free players, grouped by points."""
    now = timezone.now()
    here = sprint.entries.filter(left=False, table=None, seen_at__gte=now - HERE)
    free = list(here.order_by("-points", "waits_since", "pk"))
    opened = 0
    while len(free) >= sprint.players:
        _open(sprint, [free.pop(0) for _ in range(sprint.players)])
        opened += 1
    if any(entry.waits_since <= now - PATIENCE for entry in free):
        _open(sprint, free)
        opened += 1
    return opened


def _open(sprint: Sprint, people: list[SprintEntry]) -> None:
    """Open a table for one game with these people in random seats and bots in the others."""
    chairs = list(range(sprint.players))
    secrets.SystemRandom().shuffle(chairs)
    given = dict(zip(chairs, people, strict=False))
    holders = [Holder(seats.BOT_NAMES[no], bot=BOT) for no in range(sprint.players)]
    for no, entry in given.items():
        secret = "" if entry.user else tokens.new_token()
        holders[no] = Holder(entry.name, user=entry.user, secret=secret)
    table = arrangements.arrange_table(
        ruleset=rulesets.thaw(sprint.ruleset),
        holders=holders,
        move_seconds=sprint.move_seconds,
        bank_seconds=30,
        games=1,
        plays_on=True,
        ready=sorted(given),
        home=reverse("tables:sprint", args=[sprint.key]),
        home_name=sprint.home_name or NAME,
    )
    table.due_at = timezone.now() + SOON
    seats.touch(table)
    SprintTable.objects.create(sprint=sprint, table=table)
    for no, entry in given.items():
        set_columns(entry, table=table, no=no)


def _count(played: SprintTable) -> None:
    """Book a game's points once: one for each opponent beaten and one for the first place.

    An unfinished game gives none. A player whose autopilot finished the game is out until they
    enter again.
    """
    entries = list(played.table.sprint_entries.all())
    game = Game.objects.filter(table=played.table, over_at__isnull=False).first()
    placings = game.outcome["placings"] if game and game.outcome else []
    below = beaten(placings)
    asleep = set(
        Seat.objects.filter(table=played.table, autopilot=True).values_list("no", flat=True)
    )
    now = timezone.now()
    for entry in entries:
        if entry.no in below:
            is_first = entry.no in placings[0]
            entry.points += below[entry.no] + is_first
            entry.firsts += is_first
            entry.games += 1
        entry.left = entry.left or entry.no in asleep
        entry.table, entry.no, entry.waits_since = None, None, now
        entry.save()
    set_columns(played, counted=True)


def _lock(sprint_id: int) -> Sprint:
    return row_locks.take(Sprint.objects.all(), sprint_id)
