"""Views that export a club as a file and import one."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from league.base.downloads import attached
from league.base.rights import Right
from league.base.views.base import ClubRequest, club_view
from league.exchange.acts import archives, file_imports
from league.exchange.views.files import PIECE, GoesTo, file_view
from league.models import FileImport
from tables.refusals import Refusal
from tables.web import limits

MOST_UPLOADED = 50_000_000


class ArchiveForm(forms.Form):
    file = forms.FileField(label=gettext_lazy("Archive of a club"))

    def clean_file(self) -> UploadedFile[bytes]:
        file: UploadedFile[bytes] = self.cleaned_data["file"]
        if (file.size or 0) > MOST_UPLOADED:
            raise Refusal(_("The file is larger than 50 MB."))
        return file


@require_POST
@club_view(Right.OWN, keep_first=True)
def club_archive(request: ClubRequest) -> HttpResponse:
    data = archives.write_archive(club=request.club, by=request.user)
    named = attached(f"{request.club.slug}.zip")
    return HttpResponse(data, content_type="application/zip", headers=named)


@login_required
def club_import(request: HttpRequest) -> HttpResponse:
    """Receive an archive, from which a worker creates a club owned by the uploader."""

    def receive(form: forms.Form) -> None:
        limits.check(request, "import")
        file_imports.receive(
            kind=FileImport.Kind.ARCHIVE,
            by=request.user,  # type: ignore[arg-type]
            pieces=form.cleaned_data["file"].chunks(PIECE),
        )

    def answer(context: dict[str, Any], status: int) -> HttpResponse:
        partial = "#file" if request.htmx else ""  # type: ignore[attr-defined]
        template = f"league/exchange/club_import.html{partial}"
        club = context["page"].file.club if context["page"] else None
        if club is not None:
            context["goes_to"] = GoesTo(reverse("league:club", args=[club.slug]), club.name)
        return render(request, template, context, status=status)

    return file_view(request, ArchiveForm, receive, answer, kind=FileImport.Kind.ARCHIVE)
