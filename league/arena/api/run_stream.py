"""A run's progress as a stream of JSON lines, which spares a program from polling."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.core.handlers.asgi import ASGIRequest
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase, StreamingHttpResponse
from rest_framework.exceptions import Throttled
from rest_framework.request import Request

from accounts.models import User
from league.base.lookup import find_club, find_event
from league.models import ApiToken
from tables.api.base import NDJSON
from tables.live.stream import in_thread
from tables.models import Run
from tables.runs import runs
from tables.web.limits import OpenStreams

EVERY = 2.0
HEARTBEAT = 10.0
LONGEST = 600.0
"""The seconds after which a stream ends; a program then reconnects."""
MOST = 16
"""The limit of open streams per account and process; anonymous readers share one such limit."""
GOES_ON = (Run.Status.RUNNING, Run.Status.PAUSED)

RunState = dict[str, Any]
_open = OpenStreams()


def respond(request: Request, slug: str, pk: int, run: Run) -> HttpResponseBase:
    """Return the stream; only its first line without an ASGI server."""
    asked = request._request
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    if not isinstance(asked, ASGIRequest) or request.method != "GET":
        return HttpResponse(_line(state_of(run)), content_type=NDJSON, headers=headers)
    account = request.user.pk
    if not _open.has_room(account, MOST):
        raise Throttled(wait=HEARTBEAT)
    token = request.auth.pk if isinstance(request.auth, ApiToken) else None
    lines = following(account, state_of(run), lambda: look(account, token, slug, pk))
    return StreamingHttpResponse(lines, content_type=NDJSON, headers=headers)


def state_of(run: Run) -> RunState:
    return {"status": run.status, **vars(runs.progress(run))}


def look(account: int | None, token: int | None, slug: str, pk: int) -> RunState | None:
    """Return the run's current progress; None once the account may no longer read it."""
    if token and not ApiToken.objects.alive().filter(pk=token).exists():
        return None
    user = User.objects.filter(pk=account, is_active=True).first() if account else AnonymousUser()
    if user is None:
        return None
    try:
        club, _right = find_club(user, slug)
        run = find_event(club, pk).run
    except Http404:
        return None
    return state_of(run) if run else None


async def following(
    account: int | None, first: RunState, find: Callable[[], RunState | None]
) -> AsyncIterator[bytes]:
    """Yield a line now and after each change until the run ends, and blank lines as heartbeat."""
    with _open.one_more(account):
        last, spoke = first, time.monotonic()
        end = spoke + LONGEST
        yield _line(last)
        while last["status"] in GOES_ON and time.monotonic() < end:
            await asyncio.sleep(EVERY)
            found = await in_thread(find)
            if found is None:
                return
            if found != last or time.monotonic() - spoke >= HEARTBEAT:
                yield b"\n" if found == last else _line(found)
                last, spoke = found, time.monotonic()


def _line(value: RunState) -> bytes:
    return json.dumps(value).encode() + b"\n"
