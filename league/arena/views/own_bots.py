"""Members' bots: code to try, new bots, and the page of a version."""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.arena.facts import own_bots as selector
from league.arena.facts.own_bots import pool_of
from league.arena.forms import BotForm, RemoteBotForm, SeenByForm
from league.arena.pages import door
from league.arena.views.arena import show_door
from league.base import downloads
from league.base.lookup import first_or_404
from league.base.rights import Right
from league.base.views.base import (
    ClubRequest,
    club_view,
    form_status,
    page,
    tell,
    telling,
)
from tables.bots.acts import checks, uploads
from tables.models import Tryout, Upload
from tables.reviews.acts import entered
from tables.reviews.pages.review import page_of
from tables.runs import trials, tryouts
from tables.web import limits


@club_view(Right.BELONG, keep_first=True)
def own_bots(request: ClubRequest) -> HttpResponse:
    """Add a bot, as a file or over the network."""
    if request.method != "POST":
        return redirect("league:arena", slug=request.club.slug)
    is_remote = "remote" in request.POST
    form: BotForm | RemoteBotForm = (
        RemoteBotForm(request.POST, prefix="far")
        if is_remote
        else BotForm(request.POST, request.FILES)
    )
    if form.is_valid():
        with telling(request, form=form):
            messages.success(request, _add(request, form))
            return redirect("league:arena", slug=request.club.slug)
    return show_door(request, **{"far_form" if is_remote else "bot_form": form})


@club_view(Right.SEE, keep_first=True)
def try_code(request: ClubRequest) -> HttpResponse:
    """Play a hundred games of pasted code, for everyone who may see the club."""
    if request.method != "POST":
        return redirect("league:arena", slug=request.club.slug)
    try:
        if not settings.BOT_UPLOADS:
            raise uploads.refused("off")
        limits.check(request, "try")
        if request.user.is_authenticated:
            limits.check(request, "try", f"account-{request.user.pk}")
        made = tryouts.begin_tryout(code=request.POST.get("code", ""))
    except ValidationError as error:
        if request.htmx:
            return page(request, "league/arena/try_refused.html", {"problem": error.messages[0]})
        tell(request, error)
        return redirect("league:arena", slug=request.club.slug)
    if request.htmx:
        return page(request, "league/arena/try.html", {"tried": door.try_panel(made)})
    return redirect("league:tried", request.club.slug, made.pk)


@club_view(Right.SEE, to_post=Right.BELONG, keep_first=True)
def tried(request: ClubRequest, key: UUID) -> HttpResponse:
    """Show the games of tried code; a member sends the code as a bot."""
    found = first_or_404(Tryout.objects.filter(pk=key))
    panel = door.try_panel(found)
    if request.method == "POST":
        pool, body = pool_of(request.club), tryouts.packed(found.code)
        with telling(request):
            made = uploads.add_upload(pool=pool, author=request.user, base=panel.name, body=body)
            messages.success(request, _checking(made))
        return redirect("league:arena", slug=request.club.slug)
    context: dict[str, Any] = {"tried": panel, "may_try": settings.BOT_UPLOADS}
    if request.htmx and "worst" not in request.GET:
        return page(request, "league/arena/try.html", context)
    if panel.sides and not panel.fault:
        context |= _judged(found)
    return page(request, f"league/arena/{'worst' if request.htmx else 'tried'}.html", context)


def _judged(tryout: Tryout) -> dict[str, Any]:
    """Have a game that the bot lost judged; return its review, and its address."""
    record = (tryout.result or {})["record"]
    seat = next(no for no, bot in enumerate(record["players"]) if bot != tryouts.OPPONENT)
    record["players"][seat] = tryouts.name_of(tryout.code)
    key = entered.ask(record=record, seat=seat)
    found = entered.find(key)
    review = page_of(found.record, found.review, found.seat) if found else None
    return {"review": review, "review_at": reverse("tables:entered_review", args=[key])}


def _add(request: ClubRequest, form: BotForm | RemoteBotForm) -> str:
    data = form.cleaned_data
    own = {"pool": pool_of(request.club), "author": request.user, "base": data["name"]}
    own["seen_by"] = data["seen_by"]
    if isinstance(form, BotForm):
        return _checking(uploads.add_upload(**own, body=form.body(), point=data["point"]))
    made = uploads.add_remote(**own)
    return _("%(bot)s may play. Start your program with this name.") % {"bot": made.name}


def _checking(upload: Upload) -> str:
    text = _("%(bot)s is being checked. This takes a few minutes, longer if it thinks long.")
    return text % {"bot": upload.name}


@club_view(Right.BELONG, keep_first=True)
def bot(request: ClubRequest, pk: int) -> HttpResponse:
    """Show a version: its state, its test matches, and a form for its visibility."""
    found = _find(request, pk)
    form = None
    if found.author_id == request.user.pk:
        sent = request.POST if request.method == "POST" else None
        form = SeenByForm(sent, initial={"seen_by": found.seen_by})
        if sent is not None and form.is_valid():
            uploads.show_to(upload=found, seen_by=form.cleaned_data["seen_by"])
            messages.success(request, _("Saved."))
            return redirect("league:bot", slug=request.club.slug, pk=pk)
    elif request.method == "POST":
        raise PermissionDenied
    bot_page = selector.bot_page(request.club, found, request.user, request.right)
    context = {"page": bot_page, "form": form}
    return page(request, "league/arena/bot.html", context, form_status(form) if form else 200)


@require_POST
@club_view(Right.BELONG, keep_first=True)
def start_test(request: ClubRequest, pk: int) -> HttpResponse:
    """Start a test match against a house bot, for the bot's author only."""
    upload = _find_own(request, pk)
    with telling(request, _("The test match has begun.")):
        trials.start_trial(upload=upload)
    return redirect("league:bot", slug=request.club.slug, pk=pk)


@require_POST
@club_view(Right.BELONG, keep_first=True)
def check_again(request: ClubRequest, pk: int) -> HttpResponse:
    """Repeat a failed check, for the bot's author only."""
    found = _find_own(request, pk)
    with telling(request, _checking(found)):
        checks.check_again(upload=found)
    return redirect("league:bot", slug=request.club.slug, pk=pk)


@club_view(Right.BELONG, keep_first=True)
def test_games(request: ClubRequest, pk: int) -> HttpResponseBase:
    """Return the records of the last test match, for the bot's author only."""
    upload = _find_own(request, pk)
    last = trials.trials_of(upload)[:1]
    if not last:
        raise Http404
    return downloads.json_lines(request, last[0].run, 1, f"{upload.name}-test.jsonl")


def _find(request: ClubRequest, pk: int) -> Upload:
    """Return a bot; 404 if the reader may not see it."""
    found = selector.visible_bots(request.club, request.user, request.right)
    return first_or_404(found.filter(pk=pk))


def _find_own(request: ClubRequest, pk: int) -> Upload:
    found = _find(request, pk)
    if found.author_id != request.user.pk:
        raise PermissionDenied
    return found


@require_POST
@club_view(Right.BELONG, keep_first=True)
def withdraw(request: ClubRequest, pk: int) -> HttpResponse:
    """Withdraw a bot from new tournaments, for its author and organisers only."""
    found = _find(request, pk)
    if found.author_id != request.user.pk and request.right < Right.ORGANISE:
        raise PermissionDenied
    if uploads.withdraw(upload=found):
        messages.success(request, _("Withdrawn. Tournaments it is already in continue."))
    return redirect("league:arena", slug=request.club.slug)
