"""Tables with rotation: after each game the app behind the table chooses its players.

Nobody deals until it has. Players who stay are ready. A new player says so, or the cards are dealt
after a minute and the autopilot plays, as at other tables.
"""

import datetime
from collections.abc import Sequence

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from tables import hosts
from tables.base import rulesets
from tables.base.columns import set_columns
from tables.chairs.acts import arrangements, seats
from tables.chairs.acts.arrangements import Holder
from tables.chairs.facts import seated
from tables.models import Seat, Table
from tables.refusals import TableRefusal

COME = datetime.timedelta(minutes=1)
"""How long the deal waits for new players."""
ASIDE = 100
"""Added to seat numbers while people move between them, to keep them unique."""


def hold(table: Table) -> None:
    """Hold a table with rotation after a game until its players are chosen."""
    agreed = table.terms
    if agreed is None or not agreed.rotates:
        return
    set_columns(agreed, held=True)
    table.status, table.due_at = Table.Status.WAITING, timezone.now() + seats.IDLE


@transaction.atomic
def change_chairs(*, table_id: int, holders: Sequence[Holder]) -> None:
    """Seat these players from the next game on, in this order, one seat each.

    With fewer than the rules require the table waits for others. A returning player keeps the row
    in the standings; the same players as before change nothing. Raises `Refusal` during a game, at
    a closed table, and for more people than the rules allow.
    """
    table = seats.lock(table_id)
    agreed = table.terms
    if agreed is None or not agreed.rotates:
        raise TableRefusal("reserved")
    seated.check_between(table)
    if len(holders) > rulesets.of(table).max_players:
        raise TableRefusal("players")
    before = list(table.seats.filter(left_at=None).order_by("no"))
    # Those of the last game count as ready.
    all_ready = agreed.held or table.status == Table.Status.BETWEEN
    ready = {seat.pk for seat in before if all_ready or seat.no in agreed.ready}
    wanted = [arrangements.last_seat(table, who.name, who.fields()) for who in holders]
    if not agreed.held and before == wanted:
        return
    for seat in before:
        if seat not in wanted:
            seats.get_up(seat)
    stay = [seat.pk for seat in before if seat in wanted]
    Seat.objects.filter(pk__in=stay).update(no=F("no") + ASIDE)
    sitting = [
        arrangements.sit_again(table, no, seat, who.name, who.fields())
        for no, (seat, who) in enumerate(zip(wanted, holders, strict=True))
    ]
    least = max(2, rulesets.of(table).min_players)
    table.players = max(least, len(sitting))
    set_columns(
        agreed,
        ready=[seat.no for seat in sitting if seat.pk in ready and not seat.is_bot],
        held=False,
    )
    missing = [seat for seat in sitting if not seat.is_bot and seat.pk not in ready]
    _wait(table, too_few=len(sitting) < least, missing=bool(missing))
    seats.touch(table)


def leave(*, seat_id: int) -> None:
    """Tell the app behind the table that a player wants to leave."""
    hosts.host().leave(Seat.objects.get(pk=seat_id))


def _wait(table: Table, *, too_few: bool, missing: bool) -> None:
    """Set what the table waits for, and until when."""
    now, played = timezone.now(), table.games.filter(dealt_at__isnull=False).exists()
    table.status = Table.Status.WAITING
    if too_few:
        table.due_at = now + seats.IDLE
    elif missing:
        table.due_at = now + (COME if played else arrangements.START)
    else:
        table.due_at = now + seats.SOON
        if played:
            table.status = Table.Status.BETWEEN
