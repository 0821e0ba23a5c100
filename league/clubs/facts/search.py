"""Search players, events and clubs by parts of their names, with or without accents."""

import re
import unicodedata
from dataclasses import dataclass
from typing import TypeVar

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import User
from league.base.domain.names import fold
from league.base.lookup import without_money_points
from league.models import Club, Event, Player, Season, SeasonRow, Tally, shown_names
from league.models.shown_names import NameShown, SeenName
from league.models.spelling import Alphabetical, Folded

Row = TypeVar("Row", Club, Player, Event, SeasonRow)

MOST = 20
LONGEST = 80


@dataclass(frozen=True)
class Found:
    """Search results, at most `MOST` of each kind; `more` if a kind has more."""

    clubs: list[Club]
    players: list[Player]
    events: list[Event]
    more: bool

    @property
    def nothing(self) -> bool:
        return not (self.clubs or self.players or self.events)


def search(user: User | None, text: str) -> Found | None:
    """Return the clubs, players and events whose names contain every word; None without words.

    Runs three queries. Ignores accents and case; a word matches any part of a name. Results are
    limited to clubs that the visitor may see.
    """
    if not fold(text[:LONGEST]):
        return None
    clubs = visible_clubs(user)
    players = Player.objects.people().filter(_findable(user, clubs))
    events = Event.objects.filter(_open_to(user), season__club__in=clubs)
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


def _open_to(user: User | None) -> Q:
    """Return which nights a visitor finds: those of own clubs, and those without money points."""
    for_all = Q(season__in=without_money_points(Season.objects.all()))
    if user is None or not user.is_authenticated:
        return for_all
    return Q() if user.is_superuser else for_all | Q(season__club__in=Club.objects.of(user))


def _findable(user: User | None, clubs: QuerySet[Club]) -> Q:
    """Return who is found over clubs: people of one's own clubs, and who agreed to it."""
    agreed = Q(club__in=clubs, shown=NameShown.FOUND)
    if user is None or not user.is_authenticated:
        return agreed
    return agreed | Q(club__in=clubs if user.is_superuser else Club.objects.of(user))


def that_played(clubs: QuerySet[Club]) -> QuerySet[Club]:
    """Return the clubs with a closed night in which games were played."""
    games = Tally.objects.filter(event=OuterRef("pk"))
    nights = Event.objects.filter(kind=Event.Kind.NIGHT, status=Event.Status.CLOSED)
    return clubs.filter(Exists(nights.filter(Exists(games), season__club=OuterRef("pk"))))


def visible_clubs(user: User | None) -> QuerySet[Club]:
    """Return the clubs that a visitor may see.

    `league.base.rights.highest` applies the same rule to one club.
    """
    if user is None or not user.is_authenticated:
        return Club.objects.public()
    if user.is_superuser:
        return Club.objects.all()
    return Club.objects.public() | Club.objects.of(user)


def named(rows: QuerySet[Row], text: str, of: str = "") -> QuerySet[Row]:
    """Return the rows whose name contains every word of the text; all rows for no words.

    `of` is the lookup prefix of the name: "player__".
    """
    words = [word for word in text[:LONGEST].split() if fold(word)]
    if not words:
        return rows
    wanted, column = Q(), f"{of}folded"
    if shown_names.form() is not None:  # Else a search would tell whose initials these are.
        rows, column = rows.alias(seen=Folded(SeenName(f"{of}name"))), "seen"
    for word in words:
        spelt, bare = _as_in_column(word), fold(word)
        wanted &= Q(**{f"{column}__contains": spelt}) | Q(**{f"{column}__contains": bare})
    return rows.filter(wanted)


def _as_in_column(word: str) -> str:
    """Return the word as `Folded` spells it, with its signs: "o'neil-vu"."""
    letters = unicodedata.normalize("NFD", word.replace("Đ", "đ").replace("đ", "d"))
    return re.sub("[\u0300-\u036f]", "", letters).lower()
