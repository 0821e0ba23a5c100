"""A whole club as a file, out and in."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from league.base.rights import Right
from league.base.views.base import ClubRequest, add_errors, club_view, form_status
from league.exchange.services import archives
from tables import limits
from tables.refusals import Refusal

MOST_UPLOADED = 50_000_000


class ArchiveForm(forms.Form):
    file = forms.FileField(label=gettext_lazy("Archive of a club"))

    def clean_file(self) -> bytes:
        file = self.cleaned_data["file"]
        if file.size > MOST_UPLOADED:
            raise Refusal(_("The file is larger than 50 MB."))
        data: bytes = file.read()
        return data


@require_POST
@club_view(Right.OWN)
def club_archive(request: ClubRequest) -> HttpResponse:
    """Return the club as a file to keep, or to import elsewhere."""
    data = archives.write_archive(club=request.club, by=request.user)
    response = HttpResponse(data, content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="{request.club.slug}.zip"'
    return response


@login_required
def club_import(request: HttpRequest) -> HttpResponse:
    """Return a club from such a file; its importer owns it."""
    form = ArchiveForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        try:
            limits.check(request, "import")
            club = archives.read_archive(
                data=form.cleaned_data["file"],
                by=request.user,  # type: ignore[arg-type]
            )
        except ValidationError as error:
            add_errors(form, error)
        else:
            messages.success(
                request, _("The club has been imported, and everything in it adds up.")
            )
            return redirect("league:club", slug=club.slug)
    return render(
        request, "league/exchange/club_import.html", {"form": form}, status=form_status(form)
    )
