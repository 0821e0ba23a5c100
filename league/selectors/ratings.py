"""The ratings of a season or a club, and whether they are behind the results."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Max, OuterRef, QuerySet, Subquery

from league.models import Audit, Club, Rating, Result, Season

# What changes who played or how it ended; logged by the services, so that nothing is missed.
MARGIN = timedelta(seconds=10)  # A result is stamped before others can see it.
_MERGES = ("player.merged", "player.unmerged")


def of_season(season: Season) -> QuerySet[Rating]:
    """The season's ratings, the strongest first."""
    return season.ratings.select_related("player").order_by("-mu", "player__sort_key")


def of_club(club: Club) -> QuerySet[Rating]:
    """The ratings over all seasons of the club, the strongest first."""
    found = club.ratings.filter(season=None)
    return found.select_related("player").order_by("-mu", "player__sort_key")


def outdated() -> list[int]:
    """The seasons with a result or a merge that their ratings do not have yet."""
    newest = (
        Result.objects.filter(sitting__round__event__season=OuterRef("pk"))
        .order_by()
        .values("sitting__round__event__season")
        .annotate(at=Max("at"))
        .values("at")
    )
    merged = (
        Audit.objects.filter(club=OuterRef("club"), action__in=_MERGES)
        .order_by()
        .values("club")
        .annotate(at=Max("at"))
        .values("at")
    )
    seasons = Season.objects.annotate(
        newest=Subquery(newest), merged=Subquery(merged), computed=Max("ratings__computed_at")
    ).filter(newest__isnull=False)
    return [
        key
        for key, result, merge, computed in seasons.order_by("pk").values_list(
            "pk", "newest", "merged", "computed"
        )
        if computed is None or max(result, merge or result) > computed - MARGIN
    ]
