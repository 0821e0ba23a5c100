"""Bot accounts, and challenges that invite them to a table."""

import re
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from tables.base import announce
from tables.base.columns import set_columns
from tables.base.lookup import or_raise
from tables.chairs.acts import seats
from tables.chairs.facts import seated
from tables.models import BotAccount, Challenge, Seat, Table
from tables.refusals import TableRefusal

NAME = re.compile(r"[a-z][a-z0-9-]{2,29}")
MOST_OPEN = 20
"""Most open challenges of a bot; more are refused until it answers."""


@transaction.atomic
def register_bot(*, user: Any, name: str, takes_challenges: bool = True) -> BotAccount:
    """Declare that a program plays for this account, under a public name."""
    if not NAME.fullmatch(name):
        raise TableRefusal("bot_name")
    tables = _tables_of(user)
    try:
        with transaction.atomic():
            bot, created = BotAccount.objects.update_or_create(
                user=user, defaults={"name": name, "takes_challenges": takes_challenges}
            )
    except IntegrityError:
        raise TableRefusal("bot_name_taken", status=409) from None
    for table in tables if created else ():
        seats.touch(table)
    return bot


@transaction.atomic
def retire_bot(*, user: Any) -> None:
    """Turn a bot account back into a person's; its open challenges are deleted."""
    tables = _tables_of(user)
    gone, _each = BotAccount.objects.filter(user=user).delete()
    for table in tables if gone else ():
        seats.touch(table)


def _tables_of(user: Any) -> list[Table]:
    """Return the tables where this account sits, locked: their pages show whether a bot plays."""
    here = Seat.objects.filter(user=user, left_at=None).order_by("table")
    return [seats.lock(pk) for pk in here.values_list("table", flat=True)]


@transaction.atomic
def challenge(*, table_id: int, seat_id: int, name: str) -> Challenge:
    """Challenge a bot to an empty seat or a house bot's; a repeated challenge changes nothing."""
    table = seats.lock(table_id)
    seat = seated.occupied(table, seat_id)
    seated.check_between(table)
    seated.check_bots(table)
    seated.check_host(table, seat.pk)
    bot = or_raise(
        BotAccount.objects.filter(name=name, takes_challenges=True).first(),
        TableRefusal("no_such_bot", status=404),
    )
    if table.seats.filter(user=bot.user_id, left_at=None).exists():
        raise TableRefusal("bot_sits_already")
    _room(table)
    waiting = bot.challenges.filter(answered_at=None, table__closed_at=None)
    asked = waiting.filter(table=table).first()
    if asked is None:
        if waiting.count() >= MOST_OPEN:
            raise TableRefusal("bot_is_busy")
        asked = Challenge.objects.create(table=table, bot=bot, by=seat.name)
        announce.account(bot.user_id)
    return asked


@transaction.atomic
def answer(*, challenge_id: int, user: Any, accept: bool) -> Seat | None:
    """Seat the bot, or decline; a repeated answer changes nothing.

    Raises `TableRefusal` if the challenge or a seat for it no longer exists.
    """
    found = or_raise(
        Challenge.objects.filter(pk=challenge_id, bot__user=user).first(),
        TableRefusal("no_such_challenge", status=404),
    )
    table = seats.lock(found.table_id)
    found = Challenge.objects.select_related("bot").get(pk=challenge_id)
    here = table.seats.filter(user=user, left_at=None).first()
    if found.answered_at is not None:
        if found.accepted == accept:
            return here
        raise TableRefusal("challenge_answered", status=409)
    set_columns(found, answered_at=timezone.now(), accepted=accept)
    if not accept:
        return None
    if here is not None:
        return here
    name, [no, *_others] = seated.name_of_program(found.bot.name), _room(table)
    seat, _token = seats.sit(table_id=table.pk, no=no, name=name, user=user)
    return seat


def _room(table: Table) -> list[int]:
    """Return the seats that a bot may take; raise `TableRefusal` if people hold all of them."""
    if free := seated.free_chairs(table):
        return free
    raise TableRefusal("no_free_chair", status=409)
