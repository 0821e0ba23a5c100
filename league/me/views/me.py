"""The door Me, and what one changes there in one tap."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts import zones
from accounts.signed_in import SignedInRequest
from league.base.forms import PlaceField, PlaceInput
from league.base.lookup import first_or_404
from league.base.views.base import telling
from league.clubs.acts import players
from league.me.acts import retention
from league.me.pages import privacy as privacy_page
from league.me.pages.clubs import clubs_that_know, known_clubs
from league.me.pages.insights import insights_page
from league.me.pages.me import me_page
from league.models import Player, Rating
from league.models.shown_names import NameShown
from league.news.acts import outbox, wishes
from league.news.facts.words import kinds_at
from league.nights.pages import desk
from tables.base.faces import ANIMALS
from tables.base.places import place_of
from tables.numbers import whole_number
from tables.web import new_scale


@never_cache
@login_required
def me(request: SignedInRequest) -> HttpResponse:
    """Show the person's face, debts, rating, nights and notifications."""
    clock = place_of(timezone.get_current_timezone_name())
    pick = PlaceInput().render("place", None, {"id": "my-clock", "aria-label": _("By whose clock")})
    found = me_page(request.user)
    had_one = Rating.objects.filter(player__user=request.user).exists
    is_new = bool(found.seasons) and new_scale.is_news(request, had_one)
    context = vars(found) | {"clock": clock, "pick_place": pick, "is_new_scale": is_new}
    context["entered_by"] = desk.named(request.user)
    return render(request, "league/me/me.html", context)


@never_cache
@login_required
def my_clubs(request: SignedInRequest) -> HttpResponse:
    """Show the clubs that know the person; say that a player is another, or end their news."""
    if request.method != "POST":
        context = {"clubs": clubs_that_know(request.user), "choices": NameShown.choices}
        return render(request, "league/me/clubs.html", context)
    if "not_me" in request.POST:
        own = Player.objects.filter(user=request.user, pk=whole_number(request.POST["not_me"]) or 0)
        player = first_or_404(own.select_related("club"))
        players.unlink_account(player=player, by=request.user)
        messages.success(request, _("You no longer play as %(name)s.") % {"name": player})
        return redirect("my_clubs")
    if "player" in request.POST:
        own = Player.objects.filter(user=request.user, pk=whole_number(request.POST["player"]) or 0)
        player, shown = first_or_404(own), request.POST.get("shown", "")
        with telling(request, _("Saved. Strangers' pages follow within ten minutes.")):
            players.show_name(player=player, shown=shown, by=request.user)
        return redirect("my_clubs")
    club = first_or_404(
        known_clubs(request.user).filter(pk=whole_number(request.POST.get("club")) or 0)
    )
    is_silent = request.POST.get("silent") == "1"
    wishes.silence(user=request.user, club=club, is_silent=is_silent)
    text = _("Nothing more from %(club)s.") if is_silent else _("News of %(club)s comes again.")
    messages.success(request, text % {"club": club})
    return redirect("my_clubs")


@never_cache
def privacy(request: HttpRequest) -> HttpResponse:
    """Show what the server keeps about people, how long and why."""
    context = {"groups": privacy_page.groups(), "count": retention.last_count()}
    return render(request, "league/me/privacy.html", context)


@never_cache
@login_required
def my_insights(request: SignedInRequest) -> HttpResponse:
    """Show the person's luck and skill in reviewed online games."""
    page = insights_page(request.user)
    return render(request, "league/me/insights.html", {"page": page})


@require_POST
@login_required
def my_face(request: SignedInRequest) -> HttpResponse:
    """Give the person's players the chosen animal."""
    user, animal = request.user, request.POST.get("animal", "")
    own = Player.objects.filter(user=user, merged_into=None).select_related("club")
    with transaction.atomic():
        for player in own if animal in ANIMALS else ():
            players.choose_face(player=player, animal=animal, by=user)
    return redirect(f"{reverse('me')}?settings=1")


class ClockForm(forms.Form):
    """The place by whose clock a person reads times; empty: as the device."""

    place = PlaceField(required=False)


@require_POST
@login_required
def my_clock(request: SignedInRequest) -> HttpResponse:
    """Show the person's times by the clock of a chosen place, or again by each device's."""
    form = ClockForm(request.POST)
    if form.is_valid():
        place = form.cleaned_data["place"]
        zones.choose(request, request.user, place.zone if place else "")
    else:
        messages.error(request, str(form.errors["place"][0]))
    return redirect(f"{reverse('me')}?settings=1")


@require_POST
@login_required
def my_notice(request: SignedInRequest) -> HttpResponse:
    """Switch a group of notifications, or one kind of them, on or off."""
    user, key = request.user, request.POST.get("notice", "")
    kinds = kinds_at(key) or [kind for kind in outbox.kinds_of(user) if kind == key]
    wishes.set_wanted(user=user, kinds=kinds, is_wanted=request.POST.get("on") == "1")
    return redirect(f"{reverse('me')}?settings=1")
