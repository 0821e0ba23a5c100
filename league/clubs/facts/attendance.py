"""Who came to a club's last nights."""

from dataclasses import dataclass

from django.db.models import Case, Exists, OuterRef, Value, When
from django.db.models.functions import Coalesce

from league.base.domain.grouped import grouped
from league.models import Club, Event, Tally

SHOWN = 12


@dataclass(frozen=True)
class Attendance:
    """The last nights with a game, oldest first, and those that each player played in."""

    nights: list[int]
    of: dict[int, list[int]]

    def ticks_of(self, player: int) -> list[bool]:
        """Return for each night whether the player was there."""
        return [night in self.of.get(player, ()) for night in self.nights]

    def times(self, player: int) -> int:
        """Return in how many of the nights the player was there."""
        return len(self.of.get(player, ()))

    def counted(self) -> Case:
        """Return the number of a player's nights as an expression to sort by."""
        times = grouped((len(nights), player) for player, nights in self.of.items())
        cases = [When(pk__in=players, then=Value(n)) for n, players in times.items()]
        return Case(*cases, default=Value(0))


def of_club(club: Club) -> Attendance:
    """Return who came to the club's last nights; takes two queries."""
    played = Event.objects.filter(
        Exists(Tally.objects.filter(event=OuterRef("pk"))),
        season__club=club,
        kind=Event.Kind.NIGHT,
    )
    nights = list(played.order_by("-date", "-pk").values_list("pk", flat=True)[:SHOWN])[::-1]
    owner = Coalesce("entrant__player__merged_into", "entrant__player")
    came = Tally.objects.filter(event__in=nights).order_by().values_list(owner, "event")
    return Attendance(nights, grouped(came.distinct()))
