"""What every address of a table shares: the table, the caller's chair, refusals as JSON."""

from __future__ import annotations

from typing import Any

from rest_framework.permissions import SAFE_METHODS, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.throttling import ScopedRateThrottle, UserRateThrottle
from rest_framework.views import APIView

from engine.errors import IllegalAction
from tables.models import Seat, Table
from tables.refusals import text_of
from tables.selectors import feeds
from tables.services import positions
from tables.services.errors import Refused, Stale
from tables.services.positions import Position
from tables.views.base import table_of

FORBIDDEN = ("not_seated",)
CONFLICTS = ("stale", "challenge_answered", "bot_name_taken", "chair_taken", "no_free_chair")


class MovesThrottle(ScopedRateThrottle):
    """What changes a table counts for itself, so that reading much leaves room for a move."""

    def allow_request(self, request: Request, view: APIView) -> bool:
        return request.method in SAFE_METHODS or bool(super().allow_request(request, view))


class PlayView(APIView):
    """An address for programs: whoever calls has a token, or is signed in."""

    permission_classes = [IsAuthenticated]
    throttle_classes = [UserRateThrottle, MovesThrottle]
    throttle_scope = "moves"
    key = ""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.key = kwargs.get("key", "")

    def handle_exception(self, exc: Exception) -> Response:
        """What a table refuses, with its code and in the caller's language.

        409 has the fresh table with it: the program need not ask again.
        """
        if not isinstance(exc, (Refused, IllegalAction)):
            return super().handle_exception(exc)
        body: dict[str, Any] = {"code": exc.code, "detail": text_of(exc)}
        if isinstance(exc, Stale) and self.key:
            body["table"] = self.feed()
        return Response(body, status=status_of(exc), headers={"Cache-Control": "no-store"})

    def table(self) -> Table:
        """The table that the address names."""
        return table_of(self.key)

    def seat(self, table: Table) -> Seat | None:
        """The caller's chair at the table."""
        return positions.of(table).find(user=self.request.user)

    def seated(self, table: Table) -> Seat:
        """The caller's chair; `Refused` for somebody who has none."""
        seat = self.seat(table)
        if seat is None:
            raise Refused("not_seated")
        return seat

    def feed(self, position: Position | None = None) -> dict[str, Any]:
        """The table as the caller may know it now, or as it is in `position`."""
        position = position or positions.of(self.table())
        return feeds.feed(position, position.find(user=self.request.user))

    def fresh(self, status: int = 200, position: Position | None = None) -> Response:
        """The table after what was asked."""
        return Response(self.feed(position), status=status, headers={"Cache-Control": "no-store"})

    def checked(self, serializer: type[BaseSerializer]) -> dict[str, Any]:
        """The body of the request as the serializer reads it."""
        read = serializer(data=self.request.data)
        read.is_valid(raise_exception=True)
        data: dict[str, Any] = read.validated_data
        return data


def status_of(error: Refused | IllegalAction) -> int:
    """The same statuses as the pages have."""
    if error.code in FORBIDDEN:
        return 403
    if error.code.startswith("no_such_"):
        return 404
    if error.code == "too_often":
        return 429
    return 409 if error.code in CONFLICTS else 422
