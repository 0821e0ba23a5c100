"""Penalties and bonuses of a season."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.base.lookup import find_season, first_or_404
from league.base.rights import Right
from league.base.views.base import ClubRequest, add_errors, club_view, form_status, page, tell
from league.clubs.services import players
from league.seasons.forms.settings import AdjustmentForm
from league.seasons.services import adjustments

MOST_NAMES = 500  # A browser offers that many; others are typed in full.


@club_view(Right.SEE, to_post=Right.ORGANISE)
def adjustment_list(request: ClubRequest, pk: int) -> HttpResponse:
    """Everything given and taken, also what was revoked; for organisers a form for more."""
    season = find_season(request.club, pk)
    initial = {"player": request.GET.get("player", "")[:60]}
    form = AdjustmentForm(request.POST or None, season=season, initial=initial)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            adjustments.adjust_points(
                season=season,
                player=players.named(club=request.club, name=data["player"]),
                points=data["points"],
                reason=data["reason"],
                event=data["event"],
                by=request.user,
            )
        except ValidationError as error:
            add_errors(form, error)
        else:
            messages.success(request, _("Added."))
            return redirect("league:adjustments", slug=request.club.slug, pk=pk)
    listed = season.adjustments.select_related("player", "event", "by", "revoked_by")
    context: dict[str, Any] = {"season": season, "form": form, "adjustments": list(listed)}
    if request.right >= Right.ORGANISE:
        names = request.club.players.filter(merged_into=None).values_list("name", flat=True)
        context["names"] = list(names[:MOST_NAMES])
    return page(request, "league/seasons/season_adjustments.html", context, form_status(form))


@require_POST
@club_view(Right.ORGANISE)
def adjustment_revoke(request: ClubRequest, pk: int, adjustment: int) -> HttpResponse:
    """Take one back."""
    season = find_season(request.club, pk)
    found = first_or_404(season.adjustments.filter(pk=adjustment))
    try:
        adjustments.revoke(adjustment=found, by=request.user)
    except ValidationError as error:
        tell(request, error)
    else:
        messages.success(request, _("Revoked: it no longer counts."))
    return redirect("league:adjustments", slug=request.club.slug, pk=pk)
