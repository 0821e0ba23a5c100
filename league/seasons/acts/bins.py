"""Put seasons that were created by mistake in the bin, and restore them."""

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from league.base.acts import audit, bins, locks
from league.models import Season
from tables.base.columns import set_columns
from tables.refusals import Refusal


@transaction.atomic
def bin_season(*, season: Season, by: User) -> Season:
    """Put an unused season in the bin; does nothing if it is already there.

    Refusal `used` lists what refers to it.
    """
    season = locks.season(season.pk)
    if season.binned_at is not None:
        return season
    events, schedules = season.events.count(), season.schedules.count()
    tables, entries = season.tables.count(), season.postings.count()
    points = season.adjustments.count()
    bins.refuse_if_used(
        season.name,
        [
            (events, ngettext("%(n)s night or tournament", "%(n)s nights or tournaments", events)),
            (schedules, ngettext("%(n)s schedule", "%(n)s schedules", schedules)),
            (tables, ngettext("%(n)s stakes table", "%(n)s stakes tables", tables)),
            (entries, ngettext("%(n)s money entry", "%(n)s money entries", entries)),
            (points, ngettext("%(n)s adjustment", "%(n)s adjustments", points)),
        ],
    )
    set_columns(season, binned_at=timezone.now())
    audit.log("season.binned", club=season.club, by=by, season=season.pk, name=season.name)
    return season


def unused_seasons() -> QuerySet[Season]:
    """Return the unused seasons, by the same criteria as `bin_season`."""
    return Season.everything.filter(
        events=None, schedules=None, tables=None, postings=None, adjustments=None
    )


@transaction.atomic
def restore_season(*, season: Season, by: User) -> Season:
    """Restore a season from the bin; Refusal if another season has its name now."""
    season = locks.season(season.pk)
    bins.refuse_if_over(season)
    if season.club.seasons.filter(name=season.name).exists():
        raise Refusal(
            _("There is a season called %(name)s now. Rename that one first."),
            params={"name": season.name},
            status=409,
        )
    set_columns(season, binned_at=None)
    audit.log("season.restored", club=season.club, by=by, season=season.pk, name=season.name)
    return season
