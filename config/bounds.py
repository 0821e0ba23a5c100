"""Limits on request bodies while they arrive: Django reads a whole body before the request runs."""

import asyncio
from collections.abc import Awaitable, Callable
from io import BytesIO
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.sessions.backends.db import SessionStore
from django.core.handlers.asgi import ASGIRequest
from django.db import DatabaseError
from django.urls import Resolver404, resolve
from django.utils import translation
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from config.held import BODIES, UPLOADS, Sender, content_length
from tables.live.stream import in_thread, security_headers
from tables.web.limits import network_of
from tables.web.scripts import expects_refusals, refusal

AsgiMessage = Any  # A message of ASGI: a mapping by name.
Receive = Callable[[], Awaitable[AsgiMessage]]
Send = Callable[[AsgiMessage], Awaitable[None]]
App = Callable[[AsgiMessage, Receive, Send], Awaitable[None]]

MOST_BYTES = 2_600_000
"""Enough for `DATA_UPLOAD_MAX_MEMORY_SIZE`; Django keeps bodies up to this size in memory."""
MOST_UPLOADED = 52_000_000
"""Enough for a club's archive of 50 million bytes and the form around it."""
UPLOADS_AT = {
    "league:club_import",
    "league:import_players",
    "league:import_results",
    "league:own_bots",
}
"""Names of the views that take files; their pages report which file is too large."""
RETRY_AFTER = 30
TOO_LARGE = _("This is too large for the server. Choose a smaller file or send less text.")
SIGN_IN_FIRST = _("Sign in to send a file this large, then try again.")
ONE_AT_A_TIME = _("Another large file of yours is still being sent. Wait until it is done.")
TOO_MANY = _("The server is receiving too much at once. Try again in a minute.")


class _Refused(Exception):
    """A refused body: the answer's status, and the reason, to be translated."""

    def __init__(self, status: int, reason: str) -> None:
        self.status, self.reason = status, reason


class BoundedBodies:
    """An ASGI application that refuses a body that is too long or exceeds the shared budget."""

    def __init__(self, app: App) -> None:
        self.app = app
        self._uploading: set[str] = set()

    async def __call__(self, scope: AsgiMessage, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        try:
            if (said := content_length(scope)) > MOST_BYTES:
                await self._upload(scope, receive, send, said)
            else:
                await self._small(scope, receive, send)
        except _Refused as refused:
            await _refuse(scope, send, refused)

    async def _small(self, scope: AsgiMessage, receive: Receive, send: Send) -> None:
        """Pass a body on as it arrives, up to the limit and while the budget has room for it."""
        task = asyncio.current_task()
        assert task is not None
        is_let_go = False

        def let_go() -> None:
            nonlocal is_let_go
            is_let_go = True
            if asyncio.current_task() is not task:
                task.cancel()

        holder: Sender | None = None

        async def bounded() -> AsgiMessage:
            nonlocal holder
            message = await receive()
            if not (body := message.get("body")):
                if holder:
                    holder.let_go = None
                return message
            holder = holder or Sender(network_of(scope), let_go)
            if holder.size + len(body) > MOST_BYTES:
                raise _Refused(413, TOO_LARGE)
            BODIES.hold(holder, holder.size + len(body))
            if is_let_go:
                raise _Refused(503, TOO_MANY)
            if not message.get("more_body"):
                holder.let_go = None  # The body is complete: the request is being answered.
            return message

        def answered() -> None:
            if holder:
                BODIES.free(holder)

        try:
            await self.app(scope, bounded, _at_answer(send, answered))
        except asyncio.CancelledError:
            if not is_let_go:
                raise
            task.uncancel()
            raise _Refused(503, TOO_MANY) from None
        finally:
            answered()

    async def _upload(self, scope: AsgiMessage, receive: Receive, send: Send, said: int) -> None:
        """Pass a file on while there is room; an account may send one at a time."""
        if said > MOST_UPLOADED or not _takes_files(scope):
            raise _Refused(413, TOO_LARGE)
        account = await in_thread(_account_of, scope)
        if not account:
            raise _Refused(413, SIGN_IN_FIRST)
        if account in self._uploading:
            raise _Refused(429, ONE_AT_A_TIME)
        holder = Sender(network_of(scope))
        if not UPLOADS.has_room(holder.network, said):
            raise _Refused(503, TOO_MANY)
        self._uploading.add(account)
        UPLOADS.hold(holder, said)
        came = 0

        async def bounded() -> AsgiMessage:
            nonlocal came
            message = await receive()
            came += len(message.get("body", b""))
            if came > said:
                raise _Refused(413, TOO_LARGE)
            return message

        def answered() -> None:
            self._uploading.discard(account)
            UPLOADS.free(holder)

        try:
            await self.app(scope, bounded, _at_answer(send, answered))
        finally:
            answered()


def _at_answer(send: Send, answered: Callable[[], None]) -> Send:
    """Return a `send` that calls `answered` when the answer begins: the body is freed then."""

    async def sending(message: AsgiMessage) -> None:
        if message["type"] == "http.response.start":
            answered()
        await send(message)

    return sending


def _takes_files(scope: AsgiMessage) -> bool:
    try:
        return resolve(scope["path"]).view_name in UPLOADS_AT
    except Resolver404:
        return False


def _account_of(scope: AsgiMessage) -> str:
    request = ASGIRequest(scope, BytesIO())
    request.session = SessionStore(request.COOKIES.get(settings.SESSION_COOKIE_NAME))
    try:
        return str(get_user(request).pk or "")
    except DatabaseError:
        raise _Refused(503, TOO_MANY) from None


async def _refuse(scope: AsgiMessage, send: Send, refused: _Refused) -> None:
    """Answer with a sentence in the reader's language.

    The connection stays open, and the rest of the body is discarded until its deadline: browsers
    read the answer only after they have sent everything.
    """
    request, waits = ASGIRequest(scope, BytesIO()), refused.status != 413
    with translation.override(translation.get_language_from_request(request)):
        text = gettext(refused.reason)
    said, kind = text.encode(), b"text/plain; charset=utf-8"
    if expects_refusals(request):
        code = "try_later" if waits else "too_large"
        said = refusal(code, text, status=refused.status, retry=waits).content
        kind = b"application/json"
    headers = [(b"content-type", kind), *security_headers()]
    if waits:
        headers.append((b"retry-after", b"%d" % RETRY_AFTER))
    headers.append((b"content-length", b"%d" % len(said)))
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": said})
