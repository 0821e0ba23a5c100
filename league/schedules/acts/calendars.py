"""Secret addresses for calendar programs: creating, finding, revoking them."""

from django.db import transaction

from accounts.models import User
from league.models import CalendarFeed, Club, Season
from tables.base.tokens import hash_of


@transaction.atomic
def make_feed(*, user: User, club: Club | None = None, season: Season | None = None) -> None:
    """Create the account's secret address for this feed; an earlier one stops working."""
    CalendarFeed.objects.filter(user=user, club=club, season=season).delete()
    feed = CalendarFeed(user=user, club=club, season=season)
    feed.secret_hash = hash_of(feed.secret)
    feed.save()


@transaction.atomic
def end_feed(*, user: User, club: Club | None = None, season: Season | None = None) -> None:
    """Revoke the account's secret address for this feed."""
    CalendarFeed.objects.filter(user=user, club=club, season=season).delete()


def find_feed(secret: str) -> CalendarFeed | None:
    """Return the feed that this secret opens."""
    found = CalendarFeed.objects.select_related("user", "club", "season")
    return found.filter(secret_hash=hash_of(secret)).first()
