"""What a club has planned, and what another time zone makes of it."""

from django.db.models import Exists, OuterRef, QuerySet

from league.base.facts.next_nights import from_day
from league.models import Club, Event, Round


def coming_nights(club: Club) -> QuerySet[Event]:
    """Return the open nights of a club that have not begun, from tonight on."""
    drawn = Round.objects.filter(event=OuterRef("pk"), status=Round.Status.RELEASED)
    nights = Event.objects.filter(season__club=club, kind=Event.Kind.NIGHT, time_zone="")
    return nights.filter(~Exists(drawn), from_day(club.today), status=Event.Status.OPEN)
