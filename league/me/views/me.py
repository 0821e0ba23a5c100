"""The door Me, and what one changes there in one tap."""

from __future__ import annotations

from typing import cast

from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.models import User
from league.clubs.acts import players
from league.me.pages.insights import insights_page
from league.me.pages.me import me_page
from league.models import Player
from league.news.acts import wishes
from league.news.facts.words import kinds_at
from tables.base.faces import ANIMALS


@never_cache
@login_required
def me(request: HttpRequest) -> HttpResponse:
    """Show the person's face, debts, rating, nights and notifications."""
    return render(request, "league/me/me.html", vars(me_page(cast(User, request.user))))


@never_cache
@login_required
def my_insights(request: HttpRequest) -> HttpResponse:
    """Show the person's luck and skill in reviewed online games."""
    page = insights_page(cast(User, request.user))
    return render(request, "league/me/insights.html", {"page": page})


@require_POST
@login_required
def my_face(request: HttpRequest) -> HttpResponse:
    """Give the person's players the chosen animal."""
    user, animal = cast(User, request.user), request.POST.get("animal", "")
    own = Player.objects.filter(user=user, merged_into=None).select_related("club")
    with transaction.atomic():
        for player in own if animal in ANIMALS else ():
            players.choose_face(player=player, animal=animal, by=user)
    return redirect("me")


@require_POST
@login_required
def my_notice(request: HttpRequest) -> HttpResponse:
    """Switch the notifications of one kind on or off."""
    kinds = kinds_at(request.POST.get("notice", ""))
    is_wanted = request.POST.get("on") == "1"
    wishes.set_wanted(user=cast(User, request.user), kinds=kinds, is_wanted=is_wanted)
    return redirect("me")
