"""The chat of a table."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.loader import render_to_string
from django.views.decorators.http import require_POST

from accounts.sessions import account_of
from tables.chat.acts import chat
from tables.chat.pages.talk import QUICK, Said, mark_of, settings_of, talk
from tables.models import Seat, Table
from tables.numbers import whole_number
from tables.play.facts import watched
from tables.refusals import TableRefusal
from tables.views.base import no_store
from tables.web.access import must_see, seat_of, table_of, who
from tables.web.forms import TalkForm
from tables.web.scripts import wants_json

Saying = Callable[..., None]


def talk_context(request: HttpRequest, table: Table, seat: Seat | None) -> dict[str, Any]:
    """Return the context in which a table's page shows the chat and its form."""
    watches = seat is None and request.user.is_authenticated
    own = mark_of(table, request.user) if watches else ""
    is_host = chat.is_host(table, seat=seat, user=request.user)
    return {
        "talk": heard(request, table, seat),
        "talk_own": str(seat.pk) if seat else own,
        "may_speak": seat is not None or (watches and table.watchers_talk),
        "quick_words": QUICK.items(),
        "talk_choices": settings_of(table) if is_host else [],
        "is_host": is_host,
        "tells_mutes": seat is not None and table.for_anyone,
    }


def heard(request: HttpRequest, table: Table, seat: Seat | None) -> list[Said]:
    """Return the chat as this visitor sees it; a watch delay applies to spectators."""
    return talk(table, until=watched.heard_until(table, seat), own=account_of(request))


def talk_html(request: HttpRequest, table: Table, seat: Seat | None) -> str:
    context = {"table": table, "talk": heard(request, table, seat)}
    return render_to_string("tables/talk.html", context)


def saying(view: Saying) -> Callable[..., HttpResponse]:
    """Return a POST view that answers scripts with the new chat and redirects others.

    Raise `Http404` for a visitor who may not see the table.
    """

    @wraps(view)
    def wrapped(request: HttpRequest, key: str, **more: int) -> HttpResponse:
        table = table_of(key)
        must_see(table, seat_of(request, table), **who(request, key))
        reason, status = "", 200
        try:
            view(request, table, **more)
        except TableRefusal as error:
            reason, status = error.text, error.status
        if wants_json(request):
            html = talk_html(request, table, seat_of(request, table))
            return no_store(JsonResponse({"talk": html, "reason": reason}, status=status))
        if status == 403:
            return HttpResponse(reason, status=403, content_type="text/plain; charset=utf-8")
        if reason:
            messages.warning(request, reason)
        return redirect("tables:table", key)

    return wrapped


@require_POST
@saying
def say(request: HttpRequest, table: Table) -> None:
    """Post a message, as a player or a spectator."""
    seat = seat_of(request, table)
    if seat is None and not request.user.is_authenticated:
        raise TableRefusal("not_seated", status=403)
    form = TalkForm(request.POST)
    if not form.is_valid():
        raise TableRefusal("too_long")
    if seat:
        chat.say(seat_id=seat.pk, **form.cleaned_data)
    else:
        chat.say_watching(table_id=table.pk, user=request.user, **form.cleaned_data)


@require_POST
@saying
def remove(request: HttpRequest, table: Table, number: int) -> None:
    """Delete a message: the host may delete any, others their own."""
    seat = seat_of(request, table)
    host = chat.is_host(table, seat=seat, user=request.user)
    user = request.user
    if seat is None and not host and not user.is_authenticated:
        raise TableRefusal("not_yours", status=403)
    message = get_object_or_404(table.messages, pk=number)
    own = message.seat_id == seat.pk if seat else message.watcher_id == user.pk
    if not host and not own:
        raise TableRefusal("not_yours", status=403)
    chat.remove(table_id=table.pk, message_id=number)


@require_POST
@saying
def mute(request: HttpRequest, table: Table) -> None:
    """Mute another player at a table for anyone, or hear them again."""
    seat = seat_of(request, table)
    if seat is None or not table.for_anyone:
        raise TableRefusal("not_seated", status=403)
    key = whole_number(request.POST.get("holder")) or 0
    other = get_object_or_404(table.seats, pk=key, bot="")
    chat.mute(seat=seat, other=other, is_muted=request.POST.get("muted") == "1")


@require_POST
@saying
def allow(request: HttpRequest, table: Table) -> None:
    """Store the host's setting: what players may post, or whether spectators may."""
    if not chat.is_host(table, seat=seat_of(request, table), user=request.user):
        raise TableRefusal("not_yours", status=403)
    if "watchers" in request.POST:
        table.watchers_talk = request.POST["watchers"] == "on"
        chat.allow_watchers(table_id=table.pk, talk=table.watchers_talk)
        return
    wanted = request.POST.get("talk", "")
    if wanted not in Table.Talk.values:
        raise TableRefusal("no_action")
    chat.allow(table_id=table.pk, talk=wanted)
    table.talk = wanted
