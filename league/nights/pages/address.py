"""The addresses of a night's pages."""

from collections.abc import Callable

from django.urls import reverse

from league.models import Event

To = Callable[..., str]
"""A function from a night page's name and further URL arguments to its address."""


def address(event: Event, name: str, *more: object) -> str:
    """Return the address of a page of this night."""
    return reverse(f"league:{name}", args=[event.season.club.slug, event.pk, *more])
