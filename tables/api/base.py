"""The base of all API views of tables: the table, the caller's seat, refusals as JSON."""

from typing import Any

from rest_framework.permissions import SAFE_METHODS, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import ScopedRateThrottle, UserRateThrottle
from rest_framework.views import APIView

from engine.rules.errors import IllegalAction
from tables.api.manners import Manners
from tables.base.lookup import or_raise
from tables.models import Seat, Table
from tables.play.facts import positions, watched
from tables.play.facts.positions import Position
from tables.play.pages import feeds
from tables.refusals import Refusal, Stale, TableRefusal, refusal_of
from tables.web.access import must_see, table_of

NDJSON = "application/x-ndjson"
"""The type of a stream of lines, each a value as JSON."""


class MovesThrottle(ScopedRateThrottle):
    """A throttle that counts only changes, so that frequent reading leaves room for a move."""

    def allow_request(self, request: Request, view: APIView) -> bool:
        return request.method in SAFE_METHODS or bool(super().allow_request(request, view))


class PlayView(Manners):
    """An API view of tables; the caller has a token or is signed in."""

    permission_classes = [IsAuthenticated]
    throttle_classes = [UserRateThrottle, MovesThrottle]
    throttle_scope = "moves"
    token_scope = "play"
    key = ""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.key = kwargs.get("key", "")

    def handle_exception(self, exc: Exception) -> Response:
        """Return a table's refusal with its code, in the caller's language.

        A 409 includes the fresh table, so that the program need not request it.
        """
        if not isinstance(exc, (Refusal, IllegalAction)):
            return super().handle_exception(exc)
        refused = refusal_of(exc)
        body: dict[str, Any] = {"code": refused.code, "detail": refused.text}
        if isinstance(exc, Stale) and self.key:
            body["table"] = self.feed()
        return Response(body, status=refused.status, headers={"Cache-Control": "no-store"})

    def table(self) -> Table:
        return table_of(self.key)

    def seat(self, table: Table) -> Seat | None:
        """Return the caller's seat at the table, or None."""
        return positions.of(table).find(user=self.request.user)

    def seated(self, table: Table) -> Seat:
        """Return the caller's seat; raise `TableRefusal` if there is none."""
        return or_raise(self.seat(table), TableRefusal("not_seated", status=403))

    def feed(self, position: Position | None = None) -> dict[str, Any]:
        """Return the table as the caller may see it, now or in `position`."""
        position = position or positions.of(self.table())
        seat = position.find(user=self.request.user)
        must_see(position.table, seat, user=self.request.user)
        if seat is None and position.table.watch_delay:
            position = watched.as_seen(position.table, None)
        return feeds.feed(position, seat)

    def fresh(self, status: int = 200, position: Position | None = None) -> Response:
        """Return the table after the request as an uncacheable response."""
        return Response(self.feed(position), status=status, headers={"Cache-Control": "no-store"})
