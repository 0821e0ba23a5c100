"""Annotations of clubs for the cards of a list."""

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.utils.translation import ngettext

from league.base.facts.next_nights import from_day, today_in
from league.models import Club, Event, Player, Result


def sizes(club: Club) -> list[tuple[int, str]]:
    """Return how many people, nights and games a club has, each with its word."""
    people = club.players.people().count()
    nights = Event.objects.filter(season__club=club, kind=Event.Kind.NIGHT).count()
    games = Result.objects.filter(sitting__round__event__season__club=club, current=True).count()
    return [
        (people, ngettext("player", "players", people)),
        (nights, ngettext("night", "nights", nights)),
        (games, ngettext("game", "games", games)),
    ]


def with_news(clubs: QuerySet[Club]) -> QuerySet[Club]:
    """Annotate clubs with `people`, and with the dates `next_on` and `last_on` of their nights.

    Each is None if there are none.
    """
    people = Player.objects.people().filter(club=OuterRef("pk")).order_by()
    nights = Event.objects.filter(
        season__club=OuterRef("pk"), kind=Event.Kind.NIGHT, called_off_at=None
    )
    today = today_in("season__club__time_zone")
    coming = nights.filter(from_day(today), status=Event.Status.OPEN).order_by("date")
    # A night that is dated ahead does not lead the list.
    over = nights.filter(status=Event.Status.CLOSED, date__lte=today).order_by("-date")
    return clubs.annotate(
        people=Subquery(people.values("club").annotate(number=Count("pk")).values("number")),
        next_on=Subquery(coming.values("date")[:1]),
        last_on=Subquery(over.values("date")[:1]),
    )
