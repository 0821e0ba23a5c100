"""Annotations of clubs for the cards of a list."""

from django.db.models import Count, OuterRef, QuerySet, Subquery

from league.base.facts.next_nights import from_day, today_in
from league.models import Club, Event, Player


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
    over = nights.filter(status=Event.Status.CLOSED).order_by("-date")
    return clubs.annotate(
        people=Subquery(people.values("club").annotate(number=Count("pk")).values("number")),
        next_on=Subquery(coming.values("date")[:1]),
        last_on=Subquery(over.values("date")[:1]),
    )
