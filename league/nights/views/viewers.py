"""Who looks at a night, found once a request."""

from django.http import HttpRequest

from league.base import rights
from league.base.views.base import ClubRequest
from league.base.views.phones import phone_of
from league.models import Event
from league.nights.facts.night import Night
from league.nights.facts.viewer import Viewer


def viewer_of(request: ClubRequest, event: Event) -> Viewer:
    """Return who looks at a page of the club."""
    return Viewer(Night(event), request.right, request.user, phone_of(request))


def viewer_by_link(request: HttpRequest, event: Event) -> Viewer:
    """Return who looks at the night's own page, which needs no right in the club."""
    right, at_door = rights.highest(request.user, event.season.club), "door" in request.GET
    return Viewer(Night(event), right, request.user, phone_of(request), at_door=at_door)
