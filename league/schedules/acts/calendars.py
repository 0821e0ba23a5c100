"""Secret addresses for calendar programs: making, finding, ending them."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from league.models import CalendarFeed, Club, Season
from league.models.secret import hash_of


@transaction.atomic
def make_feed(*, user: User, club: Club | None = None, season: Season | None = None) -> None:
    """Make the account's secret address for this; one made before stops working."""
    CalendarFeed.objects.filter(user=user, club=club, season=season).delete()
    feed = CalendarFeed(user=user, club=club, season=season)
    feed.secret_hash = hash_of(feed.secret)
    feed.save()


@transaction.atomic
def end_feed(*, user: User, club: Club | None = None, season: Season | None = None) -> None:
    """End the account's secret address for this."""
    CalendarFeed.objects.filter(user=user, club=club, season=season).delete()


def find_feed(secret: str) -> CalendarFeed | None:
    """Return the feed that this secret opens."""
    found = CalendarFeed.objects.select_related("user", "club", "season")
    return found.filter(secret_hash=hash_of(secret)).first()
