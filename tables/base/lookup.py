"""A lookup that may find nothing."""

from typing import TypeVar

from django.http import Http404

Thing = TypeVar("Thing")


def or_404(found: Thing | None) -> Thing:
    """Return what was found; raise Http404 without a message for nothing."""
    return or_raise(found, Http404())


def or_raise(found: Thing | None, error: Exception) -> Thing:
    """Return what was found; raise the error for nothing."""
    if found is None:
        raise error
    return found
