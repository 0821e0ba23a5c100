"""A club: its home, its members, its log."""

from __future__ import annotations

from typing import cast
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from league.forms import ClubForm, MemberForm, TonightForm
from league.models import Club, Event, Round
from league.rights import Right
from league.selectors import log
from league.selectors.alphabet import Alphabetical
from league.services import clubs
from league.services import tonight as service
from league.views.base import ClubRequest, add_errors, club_view, form_status, page
from tables.numbers import whole_number


def club_list(request: HttpRequest) -> HttpResponse:
    """The visitor's own clubs, then the public ones."""
    clubs = Club.objects.order_by(Alphabetical("name"), "pk")
    mine = Club.objects.none()
    if request.user.is_authenticated:
        mine = clubs.filter(memberships__user=request.user)
    public = clubs.filter(is_public=True).exclude(pk__in=mine)
    pages = Paginator(public, 30)
    context = {"mine": mine, "page_obj": pages.get_page(request.GET.get("page"))}
    return render(request, "league/club_list.html", context)


@login_required
def club_create(request: HttpRequest) -> HttpResponse:
    form = ClubForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        club = clubs.create_club(by=cast(User, request.user), **form.cleaned_data)
        messages.success(request, _("The club stands. Next: its players."))
        return redirect("league:players", slug=club.slug)
    return render(request, "league/club_create.html", {"form": form}, status=form_status(form))


@login_required
def tonight(request: HttpRequest) -> HttpResponse:
    """From names to the first game: a club, its season and a night, drawn and released."""
    form = TonightForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        zone, unit = "Asia/Ho_Chi_Minh", _("points")
        try:
            round_ = service.start(
                by=cast(User, request.user), time_zone=zone, unit=unit, **form.cleaned_data
            )
        except ValidationError as error:
            add_errors(form, error)
        else:
            return redirect(_first_page(round_))
    return render(request, "league/tonight.html", {"form": form}, status=form_status(form))


def _first_page(round_: Round) -> str:
    """The table, where there is only one; else who sits where."""
    event = round_.event
    at = [event.season.club.slug, event.pk, round_.number]
    tables = list(round_.sittings.values_list("table_no", flat=True)[:2])
    if len(tables) == 1:
        return reverse("league:table", args=[*at, *tables])
    return reverse("league:round", args=at)


@club_view(Right.SEE)
def club(request: ClubRequest) -> HttpResponse:
    """Seasons and the latest events."""
    seasons = list(request.club.seasons.all()[:20])
    events = Event.objects.filter(season__club=request.club).select_related("season")[:12]
    players = request.club.players.filter(merged_into=None).count()
    context = {"seasons": seasons, "events": events, "player_count": players}
    return page(request, "league/club.html", context)


@club_view(Right.OWN)
def club_settings(request: ClubRequest) -> HttpResponse:
    """The club's name, clock and unit, and who may see it."""
    fields = ("name", "time_zone", "unit", "is_public")
    initial = {name: getattr(request.club, name) for name in fields}
    form = ClubForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            clubs.change_club(club=request.club, by=request.user, **form.cleaned_data)
        except ValidationError as error:
            add_errors(form, error)
        else:
            messages.success(request, _("Saved."))
            return redirect("league:club", slug=request.club.slug)
    return page(request, "league/club_settings.html", {"form": form}, form_status(form))


@club_view(Right.OWN)
def members(request: ClubRequest) -> HttpResponse:
    """Who may do what, and a form to give somebody a role."""
    form = MemberForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            clubs.set_role(club=request.club, by=request.user, **form.cleaned_data)
        except ValidationError as error:
            add_errors(form, error)
        else:
            messages.success(request, _("Saved."))
            return redirect("league:members", slug=request.club.slug)
    found = request.club.memberships.select_related("user").order_by("user__email")
    return page(request, "league/members.html", {"form": form, "members": found}, form_status(form))


@club_view(Right.ORGANISE)
def audit(request: ClubRequest) -> HttpResponse:
    """Who changed what, latest first, narrowed to a night, a person or a kind."""
    wanted = {name: request.GET.get(name, "") for name in ("event", "by", "kind")}
    asked = log.Asked(whole_number(wanted["event"]), wanted["by"][:20], wanted["kind"][:20])
    context = log.log_page(request.club, asked, request.GET.get("page"))
    context["query"] = urlencode({name: value for name, value in wanted.items() if value})
    return page(request, "league/audit.html", context)
