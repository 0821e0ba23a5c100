"""A player's friends, recent opponents, and invitations to tables."""

from dataclasses import dataclass
from typing import Any

from tables.models import Friend, RatedPlace, Seat, Table, TableInvite

MOST_GAMES = 60
MOST_SHOWN = 12


@dataclass(frozen=True)
class KnownOpponent:
    """An opponent in recent rated games; in `ahead` of the `games` the reader was placed better."""

    place: int
    name: str
    games: int
    ahead: int
    friend: bool


@dataclass(frozen=True)
class ListedFriend:
    """A friend, with the key of the table for anyone where they sit now, or ""."""

    friend: Friend
    table: str


def opponents_of(user: Any) -> list[KnownOpponent]:
    """Return a player's opponents in the last rated games, the most frequent first."""
    if not user.pk:
        return []
    own = list(
        RatedPlace.objects.filter(user_id=user.pk)
        .order_by("-pk")
        .values_list("rated_id", "rank")[:MOST_GAMES]
    )
    ranks = dict(own)
    met: dict[int, list[RatedPlace]] = {}
    others = RatedPlace.objects.filter(rated_id__in=ranks).exclude(user=None).exclude(user=user)
    for place in others.order_by("-pk"):
        met.setdefault(place.user_id or 0, []).append(place)
    friends = set(Friend.objects.filter(owner=user).values_list("user_id", flat=True))
    found = [
        KnownOpponent(
            place=places[0].pk,
            name=places[0].name,
            games=len(places),
            ahead=sum(ranks[place.rated_id] < place.rank for place in places),
            friend=who in friends,
        )
        for who, places in met.items()
    ]
    return sorted(found, key=lambda one: -one.games)[:MOST_SHOWN]


def friends_of(user: Any) -> list[ListedFriend]:
    """Return a player's friends; their tables are shown only if these are open to anyone."""
    if not user.pk:
        return []
    friends = list(Friend.objects.filter(owner=user).order_by("name", "pk"))
    sitting = Seat.objects.filter(
        user__in=[friend.user_id for friend in friends],
        left_at=None,
        table__for_anyone=True,
        table__closed_at=None,
    )
    tables = dict(sitting.values_list("user_id", "table__key"))
    return [ListedFriend(friend, tables.get(friend.user_id, "")) for friend in friends]


def invites_of(user: Any) -> list[TableInvite]:
    """Return a player's open invitations to tables where they do not sit yet."""
    if not user.pk:
        return []
    asked = TableInvite.objects.filter(user=user, table__closed_at=None)
    waiting = [Table.Status.WAITING, Table.Status.BETWEEN]
    return list(
        asked.filter(table__status__in=waiting)
        .exclude(table__in=Seat.objects.filter(user=user, left_at=None).values("table"))
        .select_related("table")
        .order_by("-pk")[:5]
    )
