"""People who want to play with anyone: they are put together, and bots fill the other chairs."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Avg, Count, Q
from django.db.models.functions import Abs, Coalesce

from engine.rules.ruleset import Ruleset
from tables import row_locks
from tables.models import FrozenRuleset, Seat, Table
from tables.refusals import TableRefusal
from tables.services import ratings, rulesets, seats

MOST_TRIED = 20
USUAL_BOT = "planner"


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
    here = Q(seats__left_at=None)
    people = Count("seats", filter=here & Q(seats__bot=""))
    waiting = Table.objects.filter(
        for_anyone=True,
        rated=wish.rated,
        closed_at=None,
        status__in=[Table.Status.WAITING, Table.Status.BETWEEN],
        ruleset=frozen,
        players=wish.players,
        move_seconds=wish.move_seconds,
    )
    found = waiting.annotate(people=people).filter(people__gte=1, people__lt=wish.players)
    if wish.rated:
        mean = Coalesce(Avg("seats__user__table_rating__mu", filter=here), ratings.NEW.mu)
        found = found.annotate(apart=Abs(mean - ratings.mu_of(who.user)))
        return list(found.order_by("apart", "-people", "opened_at")[:MOST_TRIED])
    return list(found.order_by("-people", "opened_at")[:MOST_TRIED])


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
