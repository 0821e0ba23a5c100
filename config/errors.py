"""Error pages, which work without the database; the same as JSON for the API and for scripts."""

import sys

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _
from psycopg import errors as refusals

from tables.api import problems
from tables.base.row_locks import Busy
from tables.web.scripts import expects_refusals, refusal

API = "/api/v1/"
SAID = {
    400: "This cannot be read.",
    403: "You may not do this.",
    404: "There is nothing here.",
    500: "Something broke here. It is noted; try again later.",
}
TO_SCRIPTS = {
    400: _(
        "Your request was too long, incomplete, or has characters we can't store. Nothing was "
        "saved. Go back and try again."
    ),
    403: _("You can view this, but not change it. Ask an owner of the club for permission."),
}
AWAY = _("The database can't save right now. What you sent was not saved: try again in a minute.")
LOOK_AWAY = _("The database can't answer right now. Try again in a minute.")
BUSY = _("This is taking too long right now. What you sent was not saved: try again in a moment.")
# A lock timeout and a statement timeout.
_WAITED = (refusals.LockNotAvailable, refusals.QueryCanceled)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _page(request, 400)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _page(request, 403)


def csrf_failed(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return 403; a script gets a new token with it and tries again."""
    if expects_refusals(request):
        get_token(request)
        return refusal("old-page", gettext("Reload this page."), status=403, retry=True)
    return render(request, "403_csrf.html", status=403)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _page(request, 404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Return 500, or 503 if the database is down, full or busy: a retry may then succeed."""
    error = sys.exc_info()[1]
    if not isinstance(error, InterfaceError | OperationalError):
        return _page(request, 500)
    if isinstance(error, Busy) or isinstance(error.__cause__, _WAITED):
        return busy(request)
    only_looks = request.method in ("GET", "HEAD")
    return _try_again(request, LOOK_AWAY if only_looks else AWAY, seconds=10)


def busy(request: HttpRequest) -> HttpResponse:
    """Return 503 for a request that has waited for too long."""
    return _try_again(request, BUSY, seconds=3)


def _try_again(request: HttpRequest, sentence: str, *, seconds: int) -> HttpResponse:
    language = translation.get_language_from_request(request)
    with translation.override(language):
        said = gettext(sentence)
        if request.path.startswith(API):
            answer: HttpResponse = _problem(request, said, 503)
        elif expects_refusals(request):
            answer = refusal("try_later", said, status=503, retry=True)
        else:
            values = {"said": said, "language": language}
            answer = HttpResponse(render_to_string("errors/503.html", values), status=503)
    answer["Retry-After"] = str(seconds)
    return answer


def _problem(request: HttpRequest, said: str, status: int) -> JsonResponse:
    body = problems.described({"detail": said}, status, request.path)
    return JsonResponse(body, status=status, content_type=problems.MEDIA_TYPE)


def _page(request: HttpRequest, status: int) -> HttpResponse:
    if request.path.startswith(API):
        return _problem(request, SAID[status], status)
    if expects_refusals(request):
        said = gettext(TO_SCRIPTS[status]) if status in TO_SCRIPTS else ""
        return refusal(problems.NAMES[status], said, status=status, retry=status >= 500)
    return render(request, f"errors/{status}.html", status=status)
