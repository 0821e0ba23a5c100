"""A lookup that may find nothing."""

from typing import TypeVar

from django.http import Http404

Thing = TypeVar("Thing")


def or_404(found: Thing | None) -> Thing:
    """Return what was found; raise Http404 without a message for nothing."""
    if found is None:
        raise Http404
    return found
