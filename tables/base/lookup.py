"""A lookup that may find nothing."""

from typing import TypeVar

from django.http import Http404

Found = TypeVar("Found")


def or_404(found: Found | None) -> Found:
    """Return what was found; raise Http404 without a message for nothing."""
    if found is None:
        raise Http404
    return found
