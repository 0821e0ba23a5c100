"""Looking at a game that somebody brings along as a record: checked, stepped through, not kept."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import BadRequest, RequestDataTooBig, SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from engine import game, record_input, records
from engine.errors import IllegalAction, RecordError
from league.domain.rule_text import say
from league.domain.rule_text.refusals import refusal
from league.texts import filled
from tables.numbers import whole_number
from tables.selectors import replays

MOST_BYTES = 256 * 1024


class Refused(Exception):
    """What was sent cannot be shown; the text says why, `status` how http says it."""

    def __init__(self, reason: str, status: int = 422) -> None:
        super().__init__(reason)
        self.status = status


# Sending a record changes nothing, so it needs no token; and the token's check would read, and
# refuse without a word to the reader, what is far too large.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def record_page(request: HttpRequest) -> HttpResponse:
    """A form for a record; then its game, which travels along in the form from step to step."""
    if request.method != "POST":
        return render(request, "records/open.html")
    text = ""
    try:
        text = _text(request)
        context = _game(text, request.POST.get("step", "")) | {"text": text}
    except Refused as refused:
        context = {"problem": str(refused), "text": text}
        return render(request, "records/open.html", context, status=refused.status)
    partial = "#board" if request.htmx else ""  # type: ignore[attr-defined]
    return render(request, f"records/game.html{partial}", context)


def _text(request: HttpRequest) -> str:
    """The record that was sent, as one line of text; Refused when there is none to read."""
    try:
        upload = request.FILES.get("file")
        pasted = request.POST.get("text", "")
    except RequestDataTooBig:
        raise _too_large() from None
    except (BadRequest, SuspiciousOperation, MultiPartParserError):
        raise Refused(_("The upload did not arrive whole. Send it again."), 400) from None
    size = upload.size or 0 if upload else len(pasted.encode("utf-8", "replace"))
    if size > MOST_BYTES:
        raise _too_large()
    try:
        text = upload.read().decode("utf-8-sig") if upload else pasted
    except UnicodeDecodeError:
        raise Refused(_("This is not a text file in UTF-8. Choose a record in JSON.")) from None
    if not text.strip():
        raise Refused(_("Choose a file or paste a record."))
    # Browsers send line ends back as two characters, and in JSON they mean no more than a space.
    return " ".join(text.splitlines())


def _game(text: str, step: str) -> dict[str, Any]:
    """The game after `step` actions, as the replay shows it; Refused with what is wrong."""
    at = whole_number(step, 5)
    try:
        record = records.parse(text)
        _check(record)
    except RecordError as error:
        where = f"{error.at}: " if error.at else ""
        raise Refused(where + filled(error)) from None
    names = {"players": _printable(record.get("players"))}
    return {"rules": record_input.ruleset_of(record)} | replays.replay_page(record | names, at)


def _check(record: Any) -> None:
    """Plays the record through; Refused, in the reader's language, at the first wrong action."""
    state = record_input.start_of(record)
    for number, action in enumerate(record_input.each_action(record), start=1):
        try:
            game.apply(state, action)
        except IllegalAction as error:
            raise Refused(say(refusal(number, action, error), _)) from None


def _printable(players: Any) -> list[str]:
    """The names of the players, half characters replaced, as no page can show those."""
    names = players if isinstance(players, list) else []
    return [
        name.encode("utf-8", "replace").decode() if isinstance(name, str) else "?" for name in names
    ]


def _too_large() -> Refused:
    return Refused(_("This is too large for one game: a record has at most 256 kB."), 413)
