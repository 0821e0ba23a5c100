"""The addresses of the pages of a club, a season and a night."""

from collections.abc import Callable

from django.urls import reverse

from league.models import Event, Season

To = Callable[..., str]
"""A function from a page's name and further URL arguments to its address."""


def address(event: Event, name: str, *more: object) -> str:
    """Return the address of a page of this night."""
    return reverse(f"league:{name}", args=[event.season.club.slug, event.pk, *more])


def of_season(season: Season, name: str, *more: object) -> str:
    """Return the address of a page of this season."""
    return reverse(f"league:{name}", args=[season.club.slug, season.pk, *more])
