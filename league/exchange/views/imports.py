"""Players and past results from a file: a look at what would be saved, then saving it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.base.domain.csv_text import MOST_BYTES, read_text
from league.base.lookup import find_season
from league.base.rights import Right
from league.base.views.base import ClubRequest, add_errors, club_view, form_status, page
from league.exchange.selectors import workbooks
from league.exchange.services import imports, uploads


class TableForm(forms.Form):
    """A table as a file or as pasted lines; both become `text`."""

    file = forms.FileField(label=gettext_lazy("CSV or Excel file"), required=False)
    text = forms.CharField(
        label=gettext_lazy("or paste its contents"),
        required=False,
        max_length=MOST_BYTES,
        widget=forms.Textarea(attrs={"rows": 8}),
    )
    encoding = forms.ChoiceField(
        label=gettext_lazy("Encoding of the file"),
        required=False,
        choices=[
            ("", gettext_lazy("Unicode (UTF-8 or UTF-16), used by most programs")),
            ("cp1258", gettext_lazy("Windows, Vietnamese (1258)")),
            ("cp1252", gettext_lazy("Windows, Western European (1252)")),
        ],
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if data.get("file"):
            try:
                read = data["file"].read(MOST_BYTES + 1)
                encoding = data.get("encoding", "")
                if workbooks.is_workbook(read) and len(read) <= MOST_BYTES:
                    read, encoding = uploads.workbook_text(read).encode(), ""
                data["text"] = read_text(read, encoding)
            except ValueError as error:
                self.add_error("file", _(str(error)))
        elif not data.get("text", "").strip():
            self.add_error("file", _("Choose a file, or paste its contents below."))
        return data


class ImportForm(TableForm):
    add_missing = forms.BooleanField(
        label=gettext_lazy("Add names that are new to the club"), required=False
    )


@club_view(Right.ORGANISE)
def import_players(request: ClubRequest) -> HttpResponse:
    """Show whom a file would add; adds them when that was looked at."""
    form = TableForm(request.POST or None, request.FILES or None)
    context: dict[str, Any] = {"form": form}
    if request.method == "POST" and form.is_valid():
        text = form.cleaned_data["text"]
        if request.POST.get("act") == "save":
            try:
                made = imports.save_players(club=request.club, text=text, by=request.user)
            except ValidationError as error:
                add_errors(form, error)
            else:
                count = len(made)
                told = ngettext("%(count)s player added.", "%(count)s players added.", count)
                messages.success(request, told % {"count": count})
                return redirect("league:players", slug=request.club.slug)
        context |= {
            "preview": imports.preview_players(club=request.club, text=text),
            "text": text,
        }
    return page(request, "league/exchange/players_import.html", context, form_status(form))


@club_view(Right.ORGANISE)
def import_results(request: ClubRequest, pk: int) -> HttpResponse:
    """Show what a file would save; saves it when that was looked at."""
    season = find_season(request.club, pk)
    form = ImportForm(request.POST or None, request.FILES or None)
    context: dict[str, Any] = {"season": season, "form": form}
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        if request.POST.get("act") == "save":
            try:
                made = imports.save_results(
                    season=season,
                    text=data["text"],
                    add_missing=data["add_missing"],
                    by=request.user,
                )
            except ValidationError as error:
                add_errors(form, error)
            else:
                count = len(made)
                text = ngettext("%(n)s night added.", "%(n)s nights added.", count)
                messages.success(request, text % {"n": count})
                return redirect("league:season", slug=request.club.slug, pk=pk)
        context |= {
            "preview": imports.preview(season=season, text=data["text"]),
            "text": data["text"],
            "add_missing": data["add_missing"],
        }
    return page(request, "league/exchange/season_import.html", context, form_status(form))
