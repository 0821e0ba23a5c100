"""What every address of the API shares: the club, the rights, what errors look like."""

from __future__ import annotations

import zoneinfo
from collections.abc import Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.http import Http404
from django.utils import timezone
from rest_framework.exceptions import NotAuthenticated, PermissionDenied
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.views import APIView, exception_handler

from league import rights
from league.models import Club, Event, Season
from league.rights import Right


class Pages(PageNumberPagination):
    """`?page=2&page_size=100`, at most 200 at a time."""

    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 200


class ClubView(APIView):
    """An address of one club. `needs` is the right to read, `needs_to_write` that to change.

    A club that the caller may not see answers as if it did not exist.
    """

    pagination_class = Pages
    needs = Right.SEE
    needs_to_write = Right.ORGANISE
    club: Club

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        club = Club.objects.filter(slug=kwargs["slug"]).first()
        held = rights.highest(request.user, club) if club else None
        if club is None or held is None:
            raise Http404
        needed = self.needs if request.method in ("GET", "HEAD", "OPTIONS") else self.needs_to_write
        if held < needed:
            raise PermissionDenied if request.user.is_authenticated else NotAuthenticated
        self.club = club
        timezone.activate(zoneinfo.ZoneInfo(club.time_zone))

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any):  # type: ignore[no-untyped-def]
        timezone.deactivate()
        return super().finalize_response(request, response, *args, **kwargs)

    def season(self, pk: int) -> Season:
        """The club's season with that key."""
        found = self.club.seasons.filter(pk=pk).select_related("club").first()
        if found is None:
            raise Http404
        return found

    def event(self, pk: int) -> Event:
        """The club's event with that key."""
        events = Event.objects.filter(season__club=self.club, pk=pk)
        found = events.select_related("season__club", "ruleset", "run").first()
        if found is None:
            raise Http404
        return found

    def pages(self, serializer: type[BaseSerializer], items: Sequence[Any] | Any) -> Response:
        """One page of the items."""
        pages = self.pagination_class()
        page = pages.paginate_queryset(items, self.request, view=self)
        return pages.get_paginated_response(serializer(page, many=True).data)

    def checked(self, serializer: type[BaseSerializer]) -> dict[str, Any]:
        """The body of the request as the serializer reads it."""
        read = serializer(data=self.request.data)
        read.is_valid(raise_exception=True)
        data: dict[str, Any] = read.validated_data
        return data


CONFLICTS = ("stale", "gap", "closed", "unfinished", "not_last", "played", "draft")


def on_error(error: Exception, context: dict[str, Any]) -> Response | None:
    """What services refuse, as JSON: 409 when somebody else was quicker, else 400."""
    if not isinstance(error, ValidationError):
        return exception_handler(error, context)
    if hasattr(error, "error_dict"):
        return Response(error.message_dict, status=400)
    status = 409 if getattr(error, "code", None) in CONFLICTS else 400
    return Response({"detail": error.messages}, status=status)
