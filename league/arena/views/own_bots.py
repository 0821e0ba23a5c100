"""Bots that members bring: a form, and the list of those that are here."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.arena.forms import BotForm, RemoteBotForm
from league.arena.selectors import own_bots as selector
from league.arena.selectors.own_bots import pool_of
from league.base.rights import Right
from league.base.views.base import ClubRequest, add_errors, club_view, form_status, page
from tables.models import Upload
from tables.services import uploads


@club_view(Right.BELONG)
def own_bots(request: ClubRequest) -> HttpResponse:
    """Show the members' bots, and take another one."""
    is_remote = "remote" in request.POST
    sent = request.POST if request.method == "POST" else None
    form = BotForm(*((None,) if is_remote else (sent, request.FILES or None)))
    remote_form = RemoteBotForm(sent if is_remote else None, prefix="far")
    if sent is not None and (remote_form if is_remote else form).is_valid():
        try:
            told = _add_remote(request, remote_form) if is_remote else _add_code(request, form)
        except ValidationError as error:
            add_errors(remote_form if is_remote else form, error)
        else:
            messages.success(request, told)
            return redirect("league:own_bots", slug=request.club.slug)
    context = {
        "form": form,
        "remote_form": remote_form,
        "rows": selector.own_bots(request.club, request.user, request.right),
        "is_allowed": settings.BOT_UPLOADS,
    }
    return page(
        request,
        "league/arena/own_bots.html",
        context,
        form_status(remote_form if is_remote else form),
    )


def _add_code(request: ClubRequest, form: BotForm) -> str:
    made = uploads.add_upload(
        pool=pool_of(request.club), author=request.user,
        base=form.cleaned_data["name"], body=form.body(),
    )  # fmt: skip
    return _("%(bot)s is being checked. This takes a minute or two.") % {"bot": made.name}


def _add_remote(request: ClubRequest, form: RemoteBotForm) -> str:
    made = uploads.add_remote(
        pool=pool_of(request.club), author=request.user, base=form.cleaned_data["name"]
    )
    return _("%(bot)s may play. Start your program with this name.") % {"bot": made.name}


@require_POST
@club_view(Right.BELONG)
def withdraw(request: ClubRequest, pk: int) -> HttpResponse:
    """Let a bot enter no more tournaments: for its author and the organisers."""
    found = Upload.objects.filter(pk=pk, pool=pool_of(request.club)).defer("body").first()
    if found is None:
        raise Http404
    if found.author_id != request.user.pk and request.right < Right.ORGANISE:
        raise PermissionDenied
    if uploads.withdraw(upload=found):
        messages.success(request, _("Withdrawn. Tournaments it is already in continue."))
    return redirect("league:own_bots", slug=request.club.slug)
