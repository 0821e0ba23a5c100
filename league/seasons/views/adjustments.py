"""Views of a season's penalties and bonuses."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.base.lookup import find_season, first_or_404
from league.base.rights import Right
from league.base.views.base import ClubRequest, club_view, form_status, page, telling
from league.clubs.acts import players
from league.models import Season
from league.seasons.acts import adjustments
from league.seasons.forms.settings import AdjustmentForm

FIELDS = ("player", "points", "event", "reason")
MOST_NAMES = 500  # The most names a browser suggests; others are typed in full.


@club_view(Right.SEE, to_post=Right.ORGANISE, of=find_season)
def adjustment_list(request: ClubRequest, season: Season) -> HttpResponse:
    """List the adjustments, including revoked ones; organisers can add one.

    It is saved after its sender has seen the effects, and only while they stay the same.
    """
    initial = {"player": request.GET.get("player", "")[:60]}
    form = AdjustmentForm(request.POST or None, season=season, initial=initial)
    preview, sent, read = None, {}, None
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data | {"season": season, "by": request.user}
        with telling(request, form=form):
            given["player"] = players.named(club=request.club, name=given["player"])
            preview = adjustments.adjust_as_seen(seen=request.POST.get("confirmed", ""), **given)
            if preview is None:
                messages.success(request, _("Added."))
                return redirect("league:adjustments", slug=request.club.slug, pk=season.pk)
            stage = form.value_of(preview.stage, preview.stage_round)
            sent = {name: request.POST.get(name, "") for name in FIELDS}
            sent |= {"stage": stage, "confirmed": preview.key}
            read = given["player"], given["points"]
            form = AdjustmentForm(sent, season=season)
    listed = season.adjustments.select_related("player", "event", "by", "revoked_by")
    context: dict[str, Any] = {"season": season, "adjustments": list(listed), "preview": preview}
    context |= {"sent": sent, "read": read, "was_confirmed": "confirmed" in request.POST}
    if request.right >= Right.ORGANISE:
        names = request.club.players.filter(merged_into=None).values_list("name", flat=True)
        context |= {"form": form, "names": list(names[:MOST_NAMES])}
    return page(request, "league/seasons/season_adjustments.html", context, form_status(form))


@require_POST
@club_view(Right.ORGANISE, of=find_season)
def adjustment_revoke(request: ClubRequest, season: Season, adjustment: int) -> HttpResponse:
    found = first_or_404(season.adjustments.filter(pk=adjustment))
    with telling(request, _("Revoked: it no longer counts.")):
        adjustments.revoke(adjustment=found, by=request.user)
    return redirect("league:adjustments", slug=request.club.slug, pk=season.pk)
