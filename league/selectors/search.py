"""Players, events and clubs by parts of their names, with or without accents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from django.db.models import CharField, F, Func, Q, QuerySet

from accounts.models import User
from league.domain.names import fold
from league.models import Club, Event, Player, SeasonRow
from league.selectors.alphabet import Alphabetical

Row = TypeVar("Row", Club, Player, Event, SeasonRow)

MOST = 20
LONGEST = 80


class Folded(Func):
    """A name as `league.domain.names.fold` has it, but with its punctuation.

    Only what is ASCII after its marks are gone needs lower case, so that the database's own
    language does not matter.
    """

    template = (
        "translate(lower(regexp_replace(normalize(%(expressions)s, NFD), "
        "'[\u0300-\u036f]', '', 'g')), 'Đđ', 'dd')"
    )
    output_field = CharField()


@dataclass(frozen=True)
class Found:
    """What a visitor may see of it, at most `MOST` of each kind; `more` when there is more."""

    clubs: list[Club]
    players: list[Player]
    events: list[Event]
    more: bool

    @property
    def nothing(self) -> bool:
        return not (self.clubs or self.players or self.events)


def search(user: User | None, text: str) -> Found | None:
    """What has every word of the text in its name, in three queries; None where no word is left.

    A name is found without its accents, in any case of letters, by parts of its words. Clubs that
    the visitor may not see, and everything in them, are not found.
    """
    if not fold(text[:LONGEST]):
        return None
    clubs = visible_clubs(user)
    players = Player.objects.filter(club__in=clubs, merged_into=None, bot="")
    events = Event.objects.filter(season__club__in=clubs)
    found = (
        list(named(clubs, text).order_by(Alphabetical("name"), "pk")[: MOST + 1]),
        list(named(players, text).select_related("club")[: MOST + 1]),
        list(named(events, text).select_related("season__club")[: MOST + 1]),
    )
    return Found(
        clubs=found[0][:MOST],
        players=found[1][:MOST],
        events=found[2][:MOST],
        more=any(len(rows) > MOST for rows in found),
    )


def visible_clubs(user: User | None) -> QuerySet[Club]:
    """The clubs that a visitor may see; `league.rights.highest` says the same of one club."""
    if user is None or not user.is_authenticated:
        return Club.objects.filter(is_public=True)
    if user.is_superuser:
        return Club.objects.all()
    own = user.memberships.values("club")
    return Club.objects.filter(Q(is_public=True) | Q(pk__in=own))


def named(rows: QuerySet[Row], text: str, field: str = "name") -> QuerySet[Row]:
    """Those of the rows that have every word of the text in their name; all for no word."""
    words = fold(text[:LONGEST]).split()
    if not words:
        return rows
    wanted = Q()
    for word in words:
        wanted &= Q(folded__contains=word)
    return rows.alias(folded=Folded(F(field))).filter(wanted)
