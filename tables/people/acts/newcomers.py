"""People who play with anyone: they are seated together, and bots fill the other seats.

People at different tables with bots are brought together once both tables are between games.
"""

import datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Avg, Q, QuerySet
from django.db.models.functions import Abs, Coalesce
from django.utils import timezone

from engine.rules.ruleset import Ruleset
from engine.statistics.strengths import MEAN
from tables import signals
from tables.base import row_locks, rulesets, tokens
from tables.base.columns import set_columns
from tables.chairs.acts import seats
from tables.chairs.facts import seated
from tables.models import FrozenRuleset, Seat, Table
from tables.people.acts import ratings
from tables.people.facts import company
from tables.refusals import TableRefusal

MOST_TRIED = 20
USUAL_BOT = "planner"
COMPANY = datetime.timedelta(minutes=3)
"""How long a person who is alone with bots waits for others after asking to."""
LOOK = datetime.timedelta(seconds=3)
"""Interval between the table's searches while it waits."""
BETWEEN_GAMES = (Table.Status.WAITING, Table.Status.BETWEEN)


class Wish(NamedTuple):
    """A newcomer's settings for a table; `bot` fills the empty seats."""

    ruleset: Ruleset
    players: int
    move_seconds: int
    bot: str = USUAL_BOT
    talk: str = Table.Talk.ALL
    rated: bool = False


class Newcomer(NamedTuple):
    """A newcomer: an account, or a guest; `device` is the secret of the browser."""

    name: str
    user: Any = None
    device: str = ""
    network: str = ""


@transaction.atomic
def seat_newcomer(*, wish: Wish, who: Newcomer) -> tuple[Table, str]:
    """Seat someone at a table that waits for players, or at a new one.

    Return the table and a guest's secret, "" for an account. A repeated request returns the same
    seat. The frozen ruleset is locked, so that people who come at once are seated one after the
    other and meet.
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
    set_columns(table, bot=wish.bot, for_anyone=True, rated=wish.rated)
    token = _sit(table, who)
    if who.user:
        signals.friend_waits.send(None, seat=table.seats.get(user=who.user, left_at=None))
    return table, token


def _chair_of(who: Newcomer) -> Seat | None:
    """Return the newcomer's present seat at a table for anyone."""
    sits = Seat.objects.select_related("table").filter(
        left_at=None, leaving=False, table__for_anyone=True
    )
    if who.user:
        return sits.filter(user=who.user).first()
    known = sits.filter(user=None, device=tokens.hash_of(who.device)) if who.device else sits.none()
    return known.first()


def _same_chair(seat: Seat) -> str:
    """Return a new secret for a guest's seat: the response with the first may have been lost."""
    if seat.user_id:
        return ""
    seats.lock(seat.table_id)
    token = tokens.new_token()
    Seat.objects.filter(pk=seat.pk).update(token_hash=tokens.hash_of(token))
    seats.touch(Table.objects.get(pk=seat.table_id))
    return token


def _tables_for(wish: Wish, who: Newcomer, frozen: FrozenRuleset) -> list[Table]:
    """Return the tables between games with a free seat, most people first.

    Rated tables are sorted by closeness to the newcomer's rating first.
    """
    like = Table(
        ruleset=frozen,
        players=wish.players,
        move_seconds=wish.move_seconds,
        talk=wish.talk,
        rated=wish.rated,
    )
    mu = ratings.mu_of(who.user) if wish.rated else 0.0
    return _in_order(company.others(like, BETWEEN_GAMES).filter(people__lt=wish.players), like, mu)


def _in_order(found: QuerySet[Any], like: Table, mu: float) -> list[Table]:
    """Return the best tables: if rated, the closest in strength, then those with most people."""
    if like.rated:
        mean = Coalesce(Avg("seats__user__table_strength__mu", filter=Q(seats__left_at=None)), MEAN)
        found = found.annotate(apart=Abs(mean - mu)).order_by("apart", "-people", "opened_at")
    else:
        found = found.order_by("-people", "opened_at")
    return list(found[:MOST_TRIED])


def meet(table: Table) -> Table | None:
    """Move the people of a locked table to another table between games; return it, else `None`.

    The other table is skipped if another request has locked it, so that two tables that look for
    each other cannot deadlock.
    """
    if not table.for_anyone or table.status != Table.Status.BETWEEN:
        return None
    people = list(table.seats.filter(left_at=None, bot="").select_related("user__bot_account"))
    if not people or not all(map(_follows, people)):
        return None
    found = company.others(table, BETWEEN_GAMES).filter(people__lte=table.players - len(people))
    strengths = [ratings.mu_of(seat.user) for seat in people] if table.rated else [0.0]
    for other in _in_order(found, table, sum(strengths) / len(strengths)):
        if _go(table, people, other.pk):
            return table.met
    return None


def _follows(seat: Seat) -> bool:
    """Return whether a person is present whose browser finds the new seat."""
    is_known = bool(seat.user_id or seat.device)
    return is_known and not (seat.autopilot or seat.leaving or seat.is_program)


def _go(table: Table, people: list[Seat], other_id: int) -> bool:
    """Move these people to another table, unless another request has locked it."""
    free = Table.objects.select_for_update(no_key=True, skip_locked=True, of=("self",))
    other = free.filter(pk=other_id, status__in=BETWEEN_GAMES).first()
    if other is None:
        return False
    chairs = seated.free_chairs(other)
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


@transaction.atomic
def wait_for_company(*, seat_id: int) -> Table:
    """Make the table of a person alone with bots wait until others finish their game."""
    table = seats.lock(Seat.objects.get(pk=seat_id).table_id)
    people = list(table.seats.filter(left_at=None, bot=""))
    if [seat.pk for seat in people] != [seat_id] or not company.names(table):
        raise TableRefusal("no_company")
    table.seats.filter(pk=seat_id).update(ready=True)
    table.company_until = timezone.now() + COMPANY
    table.due_at = timezone.now() + LOOK
    seats.touch(table)
    return table


def waits_for_company(table: Table) -> bool:
    """Look for company for a waiting, locked table; return False if it stops waiting."""
    now = timezone.now()
    if table.company_until is None or not now < table.company_until <= now + COMPANY:
        return False
    if table.seats.filter(left_at=None, bot="").count() != 1:
        return False
    if meet(table):
        return True
    if not company.names(table):
        return False
    set_columns(table, due_at=now + LOOK)
    return True


def _sit(table: Table, who: Newcomer) -> str:
    """Take an empty seat, else a bot's; return a guest's secret."""
    free = seated.free_chairs(table)
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
