"""The base view of a club's API: the club, the rights, pagination."""

import zoneinfo
from collections.abc import Sequence
from typing import Any

from django.http import Http404
from django.utils import timezone
from rest_framework.exceptions import NotAuthenticated, PermissionDenied
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer

from accounts.models import User
from league.base.lookup import find_club
from league.base.rights import Right
from league.models import Club
from tables.api.manners import Manners


class Pages(PageNumberPagination):
    """Pagination by `?page=2&page_size=100`, with at most 200 items a page."""

    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 200

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = super().get_schema_operation_parameters(view)
        for one in found:
            one["schema"]["minimum"] = 1
            if one["name"] == self.page_size_query_param:
                one["schema"]["maximum"] = self.max_page_size
        return found


class ClubView(Manners):
    """A view of one club. `needs` is the right to read, `needs_to_write` the right to change.

    The response is 404 for a club that the caller may not see, and for an `is_money` view if the
    caller may not see the club's money.
    """

    pagination_class = Pages
    needs = Right.SEE
    needs_to_write = Right.ORGANISE
    is_money = False
    club: Club
    right: Right

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.club, self.right = find_club(request.user, kwargs["slug"])
        needed = self.needs if request.method in ("GET", "HEAD", "OPTIONS") else self.needs_to_write
        if self.right < needed:
            raise PermissionDenied if request.user.is_authenticated else NotAuthenticated
        if self.is_money and not self.club.shows_money:
            raise Http404
        timezone.activate(zoneinfo.ZoneInfo(self.club.time_zone))

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any):  # type: ignore[no-untyped-def]
        timezone.deactivate()
        return super().finalize_response(request, response, *args, **kwargs)

    @property
    def user(self) -> User:
        """The caller's account; every caller who may write has one."""
        assert isinstance(self.request.user, User)
        return self.request.user

    def pages(
        self, serializer: type[BaseSerializer[Any]], items: Sequence[Any] | Any, *, unit: str = ""
    ) -> Response:
        """Return the requested page of the items, whose amounts are counted in `unit`."""
        pages = self.pagination_class()
        page = pages.paginate_queryset(items, self.request, view=self)
        body = serializer(page, many=True, context=self._context(unit)).data
        return pages.get_paginated_response(body)

    def data_of(self, serializer: type[BaseSerializer[Any]], item: Any, *, unit: str = "") -> Any:
        """Return one item as the caller may see it."""
        return serializer(item, context=self._context(unit)).data

    def _context(self, unit: str) -> dict[str, Any]:
        return self.shows() | {"unit": unit or self.club.unit}

    def shows(self) -> dict[str, Any]:
        """Return the serializers' context on the caller; `MembersMoney` needs `money`."""
        return {"money": self.club.shows_money}
