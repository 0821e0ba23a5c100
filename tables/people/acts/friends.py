"""Friends: past opponents in a player's list, who can be invited to a table.

Requests refer to the user's own rows, an opponent's place in a shared rated game or a friend. So
nobody can probe for accounts they have not met.
"""

from typing import Any

from django.db import transaction

from engine.rules.ruleset import Ruleset
from tables import signals
from tables.base.lookup import or_raise
from tables.chairs.acts import seats
from tables.models import Friend, RatedPlace, Table, TableInvite
from tables.refusals import TableRefusal

MOST = 200


@transaction.atomic
def add_friend(*, owner: Any, place_id: int) -> Friend:
    """Add an opponent to the owner's list; raise `TableRefusal`."""
    place = _opponent(owner, place_id)
    if Friend.objects.filter(owner=owner).count() >= MOST:
        raise TableRefusal("too_often")
    friend, _created = Friend.objects.get_or_create(
        owner=owner, user=place.user, defaults={"name": place.name}
    )
    return friend


@transaction.atomic
def remove_friend(*, owner: Any, friend_id: int) -> None:
    Friend.objects.filter(owner=owner, pk=friend_id).delete()


@transaction.atomic
def invite(
    *,
    by: Any,
    name: str,
    ruleset: Ruleset,
    players: int,
    move_seconds: int,
    friend_id: int | None = None,
    place_id: int | None = None,
) -> Table:
    """Open a table, sit down there, and invite a friend or an opponent.

    If the two have such a table open already, return that one. Raises `TableRefusal`.
    """
    friend = Friend.objects.filter(owner=by, pk=friend_id).first() if friend_id else None
    asked: Any = friend.user if friend else _opponent(by, place_id or 0).user
    there = TableInvite.objects.filter(by=by, user=asked, table__closed_at=None)
    if found := there.select_related("table").first():
        return found.table
    table = seats.open_table(ruleset=ruleset, players=players, move_seconds=move_seconds)
    seat, _token = seats.sit(table_id=table.pk, no=0, name=name, user=by)
    made = TableInvite.objects.create(table=table, user=asked, by=by, name=seat.name)
    signals.invited.send(None, invite=made)
    return table


def _opponent(user: Any, place_id: int) -> RatedPlace:
    """Return an opponent's place in a rated game of this user."""
    found = RatedPlace.objects.filter(pk=place_id, rated__places__user=user)
    return or_raise(
        found.exclude(user=user).exclude(user=None).select_related("user").first(),
        TableRefusal("not_met"),
    )
