"""The page that starts a first night from a list of names."""

from __future__ import annotations

from typing import cast

from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from accounts.models import User
from league.base.views.base import add_errors, form_status
from league.clubs.acts import clubs
from league.models import Round
from league.nights.acts import tonight as service
from league.nights.forms.tonight import TonightForm


@login_required
def tonight(request: HttpRequest) -> HttpResponse:
    """Create a club, its season and a night from names, with the first round released."""
    zone = "Asia/Ho_Chi_Minh"
    by, unit = cast(User, request.user), clubs.usual_unit(zone)
    form = TonightForm(request.POST or None, unit=unit)
    if request.method == "POST" and form.is_valid():
        try:
            round_ = service.start(by=by, time_zone=zone, unit=unit, **form.cleaned_data)
        except ValidationError as error:
            add_errors(form, error)
        else:
            return redirect(_first_page(round_))
    return render(request, "league/nights/tonight.html", {"form": form}, status=form_status(form))


def _first_page(round_: Round) -> str:
    """Return the address of the only table, or of the night if there are several."""
    event = round_.event
    at = [event.season.club.slug, event.pk, round_.number]
    tables = list(round_.sittings.values_list("table_no", flat=True)[:2])
    if len(tables) == 1:
        return reverse("league:table", args=[*at, *tables])
    return reverse("league:event", args=at[:2])
