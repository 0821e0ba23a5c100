"""The feed entries of public clubs: upcoming nights and results."""

import datetime
from dataclasses import dataclass

from django.core.cache import cache
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from league.base.facts.next_nights import next_nights, when_and_where
from league.base.lookup import seasons_to_see
from league.models import Club, Event, shown_names
from league.nights.facts.final_places import event_places
from league.seasons.facts.standings import first_three

RESULTS = 10
CACHED = 300
"""Cache time in seconds, which limits how long an erased or changed name stays visible."""


@dataclass(frozen=True)
class FeedEntry:
    """A feed entry about a night: its announcement or its result."""

    key: str
    title: str
    text: str
    path: str
    at: datetime.datetime
    changed_at: datetime.datetime


def entries_of(club: Club) -> list[FeedEntry]:
    """Return entries for the club's last results and next nights, the newest first.

    Only what the visitor of `find_club` may see.
    """
    closed = Event.objects.filter(
        season__in=seasons_to_see(club),
        kind=Event.Kind.NIGHT,
        status=Event.Status.CLOSED,
        called_off_at=None,
        closed_at__isnull=False,
    ).select_related("season__club", "ruleset")
    nights = list(closed.order_by("-closed_at", "-pk")[:RESULTS])
    texts = _results(nights)
    found = [
        FeedEntry(
            f"result-{night.pk}",
            _("%(night)s: the result") % {"night": night.name},
            text,
            reverse("league:recap", args=[club.slug, night.pk]),
            night.closed_at,
            night.closed_at,
        )
        for night in nights
        if (text := texts[night.pk]) and night.closed_at is not None
    ]
    found += [
        FeedEntry(
            f"night-{night.pk}",
            night.name,
            when_and_where(night, is_shared=True),
            reverse("league:event", args=[club.slug, night.pk]),
            night.created_at,
            night.planned_at or night.created_at,
        )
        for night in next_nights(club)
    ]
    return sorted(found, key=lambda entry: entry.at, reverse=True)


def _results(nights: list[Event]) -> dict[int, str]:
    """Return each night's first three places as text, cached by the night's version."""
    read_as = f"{get_language()}:{shown_names.form()}"
    keys = {f"feed:{night.pk}:{night.version}:{read_as}": night for night in nights}
    known = cache.get_many(keys)
    fresh = {
        key: "\n".join(place.numbered for place in first_three(event_places(night)))
        for key, night in keys.items()
        if key not in known
    }
    cache.set_many(fresh, CACHED)
    return {night.pk: (known | fresh)[key] for key, night in keys.items()}
