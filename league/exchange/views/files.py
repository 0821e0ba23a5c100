"""The view shared by the import pages: upload, progress, preview and confirmation."""

from collections.abc import Callable
from typing import Any, NamedTuple

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from accounts.models import User
from league.base.views.base import add_errors, form_status, tell
from league.exchange.acts import file_imports
from league.exchange.facts.file_imports import FilePage, file_page
from league.models import Club, FileImport, Season

PIECE = 1 << 18
EVERY = 2
"""Seconds between a page's polls for its file's progress."""


class GoesTo(NamedTuple):
    """A link to the page with the imported data."""

    url: str
    label: str


Render = Callable[[dict[str, Any], int], HttpResponse]


def file_view(
    request: HttpRequest,
    form_class: type[forms.Form],
    receive: Callable[[forms.Form], object],
    render: Render,
    *,
    kind: FileImport.Kind,
    club: Club | None = None,
    season: Season | None = None,
) -> HttpResponse:
    """Receive, confirm or cancel a file on POST; otherwise show its progress."""

    def found() -> FilePage | None:
        owner: User = request.user  # type: ignore[assignment]
        return file_page(owner=owner, kind=kind, club=club, season=season)

    form, act = form_class(), request.POST.get("act")
    status = 200
    if request.method == "POST":
        if act not in ("save", "cancel", "answer"):
            form = form_class(request.POST, request.FILES)
        try:
            if act == "cancel":
                page = found()
                if page and not file_imports.cancel(file=page.file):
                    messages.info(request, _("The file had already been imported."))
                return redirect(request.path)
            if act == "save":
                page = found()
                file_imports.confirm(
                    file=page.file if page else None, leaves_out="leaves_out" in request.POST
                )
                return redirect(request.path)
            if act == "answer":
                page, post = found(), request.POST.items()
                file_imports.answer(
                    file=page.file if page else None,
                    chosen={k[7:]: str(v) for k, v in post if k.startswith("column ")},
                    answers={k[6:]: v == "yes" for k, v in request.POST.items()
                             if k.startswith("doubt ")},
                )  # fmt: skip
                return redirect(request.path)
            if form.is_valid():
                receive(form)
                return redirect(request.path)
            status = form_status(form)
        except ValidationError as error:
            status = 422
            if form.is_bound:
                add_errors(form, error)
            else:
                tell(request, error)
    page = found()
    news_at = request.path if page and page.is_at_work else ""
    return render({"form": form, "page": page, "news_at": news_at, "every": EVERY}, status)
