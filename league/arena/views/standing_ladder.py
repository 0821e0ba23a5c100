"""The club's standing ladder, for all who may see the club; its owner starts and stops it."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from league.arena.acts import standing_ladder
from league.arena.facts.own_bots import pool_of
from league.arena.forms import LadderForm
from league.arena.pages import standing_ladder as selector
from league.base.rights import Right
from league.base.views.base import ClubRequest, club_view, form_status, page
from tables.runs import ladders


@club_view(Right.SEE, to_post=Right.OWN)
def ladder(request: ClubRequest) -> HttpResponse:
    found = ladders.ladder_of(pool_of(request.club))
    sent = request.POST if request.method == "POST" else None
    form = None
    if request.right >= Right.OWN:
        form = LadderForm(sent, club=request.club, ladder=found)
        if sent is not None and form.is_valid():
            standing_ladder.change_ladder(club=request.club, by=request.user, **form.cleaned_data)
            messages.success(request, _("Saved."))
            return redirect("league:ladder", slug=request.club.slug)
    ladder_page = selector.ladder_page(request.club, found, request.user, request.right)
    context = {"form": form, "page": ladder_page}
    status = 200 if form is None else form_status(form)
    return page(request, "league/arena/standing_ladder.html", context, status)
