"""The settings of the club's standing ladder, which is shown on the door Bots."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from league.arena.acts import standing_ladder
from league.arena.facts.own_bots import pool_of
from league.arena.forms import LadderForm
from league.arena.views.arena import show_door
from league.base.rights import Right
from league.base.views.base import ClubRequest, club_view
from tables.runs import ladders


@club_view(Right.SEE, to_post=Right.OWN)
def ladder(request: ClubRequest) -> HttpResponse:
    """Start or stop the ladder."""
    if request.method == "POST":
        on = ladders.ladder_of(pool_of(request.club))
        form = LadderForm(request.POST, club=request.club, ladder=on)
        if not form.is_valid():
            return show_door(request, ladder_form=form)
        standing_ladder.change_ladder(club=request.club, by=request.user, **form.cleaned_data)
        messages.success(request, _("Saved."))
    return redirect("league:arena", slug=request.club.slug)
