"""Replay of a game record that a reader uploads, and its review; nothing is stored."""

import json
from typing import Any
from urllib.parse import urlencode

from django.core.exceptions import BadRequest, RequestDataTooBig, SuspiciousOperation
from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.multipartparser import MultiPartParserError
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from engine import records
from engine.records import read
from engine.rules import game
from engine.rules.errors import IllegalAction, RecordError
from league.base.domain.rule_text import say
from league.base.domain.rule_text.refusals import refusal
from league.base.texts import filled
from league.nights.acts.tonight import LEAST
from league.nights.pages.first_night import first_names
from league.nights.views.tonight import tonight
from tables.numbers import whole_number
from tables.play.pages import replays
from tables.refusals import Refusal
from tables.reviews.acts import entered
from tables.web import limits

MOST_BYTES = 256 * 1024
MOST_NAMES = 10_000
"""Letters of a shared text that are read as names."""


# Sending a record changes nothing, so it needs no CSRF token. The token's check would also read a
# far too large upload and refuse it without a message.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def record_page(request: HttpRequest) -> HttpResponse:
    """Show a form for a record, or the replay of the one that was sent.

    The replay's own form carries the record from step to step.
    """
    if request.method != "POST":
        return render(request, "league/arena/record_open.html")
    text = ""
    try:
        text = _text(request)
        context = _game(text, request.POST.get("step", "")) | {"text": text}
        if "seat" in request.POST and request.user.is_authenticated:
            limits.check(request, "import", f"user-{request.user.pk}")
            seat = whole_number(request.POST["seat"], 2)
            key = entered.ask(record=json.loads(text), seat=-1 if seat is None else seat)
            return redirect("tables:entered_review", key)
    except Refusal as refused:
        context = {"problem": refused.text, "text": text}
        return render(request, "league/arena/record_open.html", context, status=refused.status)
    partial = "#board" if request.htmx else ""  # type: ignore[attr-defined]
    return render(request, f"league/arena/record_game.html{partial}", context)


# A phone's share sheet posts without a token; nothing is stored before one more tap.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def shared(request: HttpRequest) -> HttpResponse:
    """Open what a text from another app is for: names a new night, a record its replay."""
    try:
        text = request.POST.get("text", "")
    except RequestDataTooBig:
        text = ""
    if text.lstrip().startswith("{"):
        return record_page(request)
    if len(text) <= MOST_NAMES and len(first_names(text).names) >= LEAST:
        request.POST = QueryDict(urlencode({"text": text, "do": "names"}))
        return tonight(request)
    status = 422 if request.method == "POST" else 200
    return render(request, "league/arena/shared.html", status=status)


def _text(request: HttpRequest) -> str:
    """Return the uploaded or pasted record as one line of text.

    Raises `Refusal` if there is none or it cannot be read.
    """
    try:
        upload = request.FILES.get("file")
        pasted = request.POST.get("text", "")
    except RequestDataTooBig:
        raise _too_large() from None
    except (BadRequest, SuspiciousOperation, MultiPartParserError):
        raise Refusal(_("The upload was incomplete. Send it again.")) from None
    size = upload.size or 0 if upload else len(pasted.encode("utf-8", "replace"))
    if size > MOST_BYTES:
        raise _too_large()
    try:
        text = upload.read().decode("utf-8-sig") if upload else pasted
    except UnicodeDecodeError:
        raise Refusal(
            _("This is not a UTF-8 text file. Choose a game record in JSON."), status=422
        ) from None
    if not text.strip():
        raise Refusal(_("Choose a file or paste a game record."), status=422)
    # A browser returns each newline as two characters; in JSON a newline equals a space.
    return " ".join(text.splitlines())


def _game(text: str, step: str) -> dict[str, Any]:
    """Return the replay's context after `step` actions.

    Raises `Refusal` for a faulty record.
    """
    at = whole_number(step, 5)
    try:
        record = records.parse(text)
        _check(record)
    except RecordError as error:
        where = f"{error.at}: " if error.at else ""
        raise Refusal(where + filled(error), status=422) from None
    names = {"players": _printable(record.get("players"))}
    return {"rules": read.ruleset_of(record)} | replays.replay_page(record | names, at)


def _check(record: Any) -> None:
    """Replay the record; raise `Refusal` in the reader's language at the first illegal action."""
    state = read.start_of(record)
    for number, action in enumerate(read.each_action(record), start=1):
        try:
            game.apply(state, action)
        except IllegalAction as error:
            raise Refusal(say(refusal(number, action, error), _), status=422) from None


def _printable(players: Any) -> list[str]:
    """Return the players' names, lone surrogates replaced because no page can encode them."""
    names = players if isinstance(players, list) else []
    return [
        name.encode("utf-8", "replace").decode() if isinstance(name, str) else "?" for name in names
    ]


def _too_large() -> Refusal:
    return Refusal(_("This file is too large for one game: at most 256 kB."), status=413)
