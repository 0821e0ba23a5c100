"""Views that import players and past results from a file, with a preview before saving."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.base.domain.csv_text import MOST_BYTES
from league.base.lookup import find_season, first_or_404
from league.base.rights import Right
from league.base.views.base import ClubRequest, club_view, page, telling
from league.exchange.acts import file_imports, notebooks, uploads
from league.exchange.domain.looks import MOST_NAMED
from league.exchange.pages import notebooks as notebook_pages
from league.exchange.views.files import PIECE, GoesTo, file_view
from league.models import FileImport, Season


class TableForm(forms.Form):
    file = forms.FileField(label=gettext_lazy("CSV or Excel file"), required=False)
    text = forms.CharField(
        label=gettext_lazy("or paste its contents"),
        required=False,
        max_length=MOST_BYTES,
        widget=forms.Textarea(attrs={"rows": 8}),
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if data.get("file"):
            if data["file"].size > MOST_BYTES:
                self.add_error("file", _(uploads.TOO_LARGE))
        elif not data.get("text", "").strip():
            self.add_error("file", _("Choose a file, or paste its contents below."))
        return data

    def pieces(self) -> Iterator[bytes]:
        """Yield the uploaded file in chunks, or the pasted text as UTF-8."""
        if self.cleaned_data.get("file"):
            yield from self.cleaned_data["file"].chunks(PIECE)
        else:
            yield self.cleaned_data["text"].encode()


@club_view(Right.ORGANISE, keep_first=True)
def import_players(request: ClubRequest) -> HttpResponse:
    """Receive a table of players, preview it, and add the players on confirmation."""
    goes_to = GoesTo(reverse("league:players", args=[request.club.slug]), _("Players"))
    return _import(request, FileImport.Kind.PLAYERS, "players_import", goes_to)


@club_view(Right.ORGANISE, keep_first=True, of=find_season)
def import_results(request: ClubRequest, season: Season) -> HttpResponse:
    """Receive a club's own sheets, show them, and save or undo their nights."""
    address = reverse("league:season", args=[request.club.slug, season.pk])
    if request.POST.get("act") == "undo":
        key = request.POST.get("notebook", "")
        made = first_or_404(season.notebooks.filter(pk=int(key) if key.isdecimal() else 0))
        with telling(request):
            stays = notebooks.undo(notebook=made, by=request.user)
            file_imports.forget(notebook=int(key))
            text = _("Undone.")
            if stays:
                names = ", ".join(stays[:MOST_NAMED])
                text = _("Undone. These stay, because later entries depend on them: %(names)s.") % {
                    "names": names
                }
            messages.success(request, text)
        return redirect(request.path)
    goes_to = GoesTo(address, season.name)
    return _import(request, FileImport.Kind.RESULTS, "season_import", goes_to, season)


def _import(
    request: ClubRequest,
    kind: FileImport.Kind,
    template: str,
    goes_to: GoesTo,
    season: Season | None = None,
) -> HttpResponse:
    def receive(form: forms.Form) -> None:
        assert isinstance(form, TableForm)
        file_imports.receive(
            kind=kind, by=request.user, club=request.club, season=season, pieces=form.pieces()
        )

    def answer(context: dict[str, Any], status: int) -> HttpResponse:
        partial = "#file" if request.htmx else ""
        path = f"league/exchange/{template}.html{partial}"
        more: dict[str, Any] = {"season": season, "goes_to": goes_to}
        if season is not None:
            more["made"] = notebook_pages.made(season)
            more["book"] = notebook_pages.book(context["page"])
        return page(request, path, context | more, status)

    return file_view(
        request, TableForm, receive, answer, kind=kind, club=request.club, season=season
    )
