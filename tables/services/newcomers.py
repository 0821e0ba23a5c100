"""People who want to play with anyone: they are put together, and bots fill the other chairs.

Those whom bots joined at different tables meet as soon as both tables are between games.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Avg, Count, Q, QuerySet
from django.db.models.functions import Abs, Coalesce
from django.utils import timezone

from engine.rules.ruleset import Ruleset
from tables import row_locks
from tables.models import FrozenRuleset, Seat, Table
from tables.refusals import TableRefusal
from tables.services import ratings, rulesets, seats

MOST_TRIED = 20
USUAL_BOT = "planner"
COMPANY = datetime.timedelta(minutes=3)
"""So long someone who is alone with bots waits for others, once they say so."""
LOOK = datetime.timedelta(seconds=3)
"""Then the table looks for them so often."""
BETWEEN_GAMES = (Table.Status.WAITING, Table.Status.BETWEEN)


class Wish(NamedTuple):
    """What someone wants to play; `bot` takes the chairs that stay empty."""

    ruleset: Ruleset
    players: int
    move_seconds: int
    bot: str = USUAL_BOT
    talk: str = Table.Talk.ALL
    rated: bool = False


class Newcomer(NamedTuple):
    """Who comes: an account, or a guest; `device` is the secret of the browser."""

    name: str
    user: Any = None
    device: str = ""
    network: str = ""


@transaction.atomic
def seat_newcomer(*, wish: Wish, who: Newcomer) -> tuple[Table, str]:
    """Seat someone where others wait for players, or at a new table; a guest's secret, else "".

    Two taps find the chair of the first. People who come at once meet: rules are locked, so that
    one is seated after the other.
    """
    frozen = rulesets.freeze(wish.ruleset)
    row_locks.take(FrozenRuleset.objects.all(), frozen.pk)
    if wish.rated and not who.user:
        raise TableRefusal("rated_sign_in")
    if seat := _chair_of(who):
        return seat.table, _same_chair(seat)
    for table in _tables_for(wish, who, frozen):
        try:
            return table, _sit(table, who)
        except TableRefusal:
            continue
    table = seats.open_table(
        ruleset=wish.ruleset,
        players=wish.players,
        move_seconds=wish.move_seconds,
        talk=wish.talk,
    )
    table.bot, table.for_anyone, table.rated = wish.bot, True, wish.rated
    table.save(update_fields=["bot", "for_anyone", "rated"])
    return table, _sit(table, who)


def _chair_of(who: Newcomer) -> Seat | None:
    """Return where they already sit at a table for anyone."""
    sits = Seat.objects.select_related("table").filter(
        left_at=None, leaving=False, table__for_anyone=True
    )
    if who.user:
        return sits.filter(user=who.user).first()
    known = sits.filter(user=None, device=seats.hash_of(who.device)) if who.device else sits.none()
    return known.first()


def _same_chair(seat: Seat) -> str:
    """Return a new secret for a guest's chair: the answer with the first one may be lost."""
    if seat.user_id:
        return ""
    seats.lock(seat.table_id)
    token = seats.new_token()
    Seat.objects.filter(pk=seat.pk).update(token_hash=seats.hash_of(token))
    seats.touch(Table.objects.get(pk=seat.table_id))
    return token


def _tables_for(wish: Wish, who: Newcomer, frozen: FrozenRuleset) -> list[Table]:
    """Return the tables between games that have a seat for them: most people first.

    Where games are rated those come first whose people are as strong as he is.
    """
    like = Table(
        ruleset=frozen, players=wish.players, move_seconds=wish.move_seconds, rated=wish.rated
    )
    mu = ratings.mu_of(who.user) if wish.rated else 0.0
    return _in_order(_others(like, BETWEEN_GAMES).filter(people__lt=wish.players), like, mu)


def _others(like: Table, statuses: Sequence[str]) -> QuerySet[Any]:
    """Return the tables for anyone where the same is played and a person plays."""
    here = Q(seats__left_at=None, seats__bot="")
    found = Table.objects.filter(
        for_anyone=True,
        rated=like.rated,
        closed_at=None,
        status__in=statuses,
        ruleset=like.ruleset_id,
        players=like.players,
        move_seconds=like.move_seconds,
    ).exclude(pk=like.pk)
    awake = Count("seats", filter=here & Q(seats__autopilot=False))
    return found.annotate(people=Count("seats", filter=here), awake=awake).filter(awake__gte=1)


def _in_order(found: QuerySet[Any], like: Table, mu: float) -> list[Table]:
    """Return the best of the tables: where it is rated, as strong, then those with most people."""
    if like.rated:
        here = Q(seats__left_at=None)
        mean = Coalesce(Avg("seats__user__table_rating__mu", filter=here), ratings.NEW.mu)
        found = found.annotate(apart=Abs(mean - mu)).order_by("apart", "-people", "opened_at")
    else:
        found = found.order_by("-people", "opened_at")
    return list(found[:MOST_TRIED])


def meet(table: Table) -> Table | None:
    """Bring the people of a locked table to others who are between games, too; else None.

    Only the first table is locked for certain: the other one is passed over where another request
    has locked it, so that two which look for each other do not wait for each other.
    """
    if not table.for_anyone or table.status != Table.Status.BETWEEN:
        return None
    people = list(table.seats.filter(left_at=None, bot="").select_related("user__bot_account"))
    if not people or not all(map(_follows, people)):
        return None
    found = _others(table, BETWEEN_GAMES).filter(people__lte=table.players - len(people))
    for other in _in_order(found, table, _strength(people) if table.rated else 0.0):
        if _go(table, people, other.pk):
            return table.met
    return None


def _follows(seat: Seat) -> bool:
    """Whether someone is there whose browser finds the new chair."""
    is_known = bool(seat.user_id or seat.device)
    return is_known and not (seat.autopilot or seat.leaving or seat.is_program)


def _strength(people: list[Seat]) -> float:
    return sum(ratings.mu_of(seat.user) for seat in people) / len(people)


def _go(table: Table, people: list[Seat], other_id: int) -> bool:
    """Let these people get up and sit down at another table, if nobody else changes it now."""
    free = Table.objects.select_for_update(no_key=True, skip_locked=True, of=("self",))
    other = free.filter(pk=other_id, status__in=BETWEEN_GAMES).first()
    if other is None:
        return False
    bots = set(other.seats.filter(left_at=None).exclude(bot="").values_list("no", flat=True))
    chairs = [*seats.empty_chairs(other), *sorted(bots)]
    if len(chairs) < len(people):
        return False
    try:
        with transaction.atomic():
            for seat, no in zip(people, chairs, strict=False):
                seats.bring(seat=seat, table=other, no=no)
    except TableRefusal:
        return False
    seats.await_people(other)
    asked = other.seats.filter(left_at=None, bot="", autopilot=False, ready=False)
    if other.status == Table.Status.BETWEEN and not asked.exists():
        other.due_at = min(filter(None, (other.due_at, timezone.now() + seats.FULL)))
    other.company_until = None
    seats.touch(other)
    table.met = other
    seats.close(table)
    seats.touch(table)
    return True


def company(table: Table) -> list[str]:
    """Return who plays the same elsewhere and has room: for someone who is alone with bots."""
    if not table.for_anyone or table.status != Table.Status.BETWEEN:
        return []
    found = _others(table, [Table.Status.PLAYING]).filter(people__lt=table.players)
    playing = Seat.objects.filter(table__in=found.values("pk"), left_at=None, bot="")
    return list(playing.filter(autopilot=False).order_by("pk").values_list("name", flat=True)[:4])


@transaction.atomic
def wait_for_company(*, seat_id: int) -> Table:
    """Let someone who is alone with bots wait until others have finished their game."""
    table = seats.lock(Seat.objects.get(pk=seat_id).table_id)
    people = list(table.seats.filter(left_at=None, bot=""))
    if [seat.pk for seat in people] != [seat_id] or not company(table):
        raise TableRefusal("no_company")
    table.seats.filter(pk=seat_id).update(ready=True)
    table.company_until = timezone.now() + COMPANY
    table.due_at = timezone.now() + LOOK
    seats.touch(table)
    return table


def waits_for_company(table: Table) -> bool:
    """Look for company for a locked table that waits for it; whether it goes on waiting."""
    now = timezone.now()
    if table.company_until is None or not now < table.company_until <= now + COMPANY:
        return False
    if table.seats.filter(left_at=None, bot="").count() != 1:
        return False
    if meet(table):
        return True
    if not company(table):
        return False
    table.due_at = now + LOOK
    table.save(update_fields=["due_at"])
    return True


def _sit(table: Table, who: Newcomer) -> str:
    """Take an empty chair, or else a bot's; a guest's secret."""
    bots = set(table.seats.filter(left_at=None).exclude(bot="").values_list("no", flat=True))
    free = [*seats.empty_chairs(table), *sorted(bots)]
    if not free:
        raise TableRefusal("chair_taken", status=409)
    _seat, token = seats.sit(
        table_id=table.pk,
        no=free[0],
        name=who.name,
        user=who.user,
        device=who.device,
        network=who.network,
    )
    return token
