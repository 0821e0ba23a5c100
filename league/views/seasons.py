"""Seasons: their table, their events, their money."""

from __future__ import annotations

from dataclasses import replace

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Page, Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.domain.scoring import Scoring
from league.domain.tie_breaks import DEFAULT
from league.forms import SeasonForm
from league.models import Rating, Season
from league.rights import Right
from league.selectors import own_rows, prepared, race, ratings
from league.selectors import past_seasons as archive
from league.selectors.standings import Standing
from league.services import seasons
from league.views.base import (
    ClubRequest,
    add_errors,
    asked_name,
    club_view,
    form_status,
    incomplete_form,
    page,
    tell,
)
from league.views.undo import tell_done


@club_view(Right.ORGANISE)
def season_create(request: ClubRequest) -> HttpResponse:
    form = SeasonForm(request.POST or None, instance=Season(club=request.club))
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            season = seasons.create_season(
                club=request.club,
                by=request.user,
                name=data["name"],
                ruleset=data["ruleset"],
                scoring=Scoring.from_json({"points_table": data["points"]}).to_json(),
                tie_breaks=list(DEFAULT),
                starts_on=data["starts_on"],
                ends_on=data["ends_on"],
            )
        except ValidationError as error:
            add_errors(form, error)
        else:
            messages.success(request, _("The season is open. Next: its first night."))
            return redirect("league:season", slug=request.club.slug, pk=season.pk)
    return page(request, "league/season_create.html", {"form": form}, form_status(form))


@club_view(Right.SEE)
def season(request: ClubRequest, pk: int) -> HttpResponse:
    """The season's table and its events."""
    found = season_or_404(request, pk)
    table = prepared.season_table(found)
    query = asked_name(request)
    rows = Paginator(table.rows.named(query), 100).get_page(request.GET.get("page"))
    events = Paginator(found.events.all(), 50).get_page(request.GET.get("events"))
    context = {
        "season": found,
        "events": events,
        "standings": rows.object_list,
        "page_obj": rows,
        "query": query,
        "table": table,
        "scoring": Scoring.from_json(found.scoring),
    }
    return page(request, "league/season.html", context)


@club_view(Right.SEE)
def past_seasons(request: ClubRequest) -> HttpResponse:
    """The closed seasons with their podiums, and who stood there how often."""
    pages = Paginator(archive.closed_seasons(request.club), 12)
    shown = pages.get_page(request.GET.get("page"))
    context = {
        "past": archive.past_seasons(shown),
        "page_obj": shown,
        "medals": archive.medals(request.club)[:50],
    }
    return page(request, "league/past_seasons.html", context)


@club_view(Right.SEE)
def season_explain(request: ClubRequest, pk: int, player: int) -> HttpResponse:
    """The sum behind one row of the season: which nights counted, and what they gave."""
    found = season_or_404(request, pk)
    shown = prepared.season_table(found).rows.of(player)
    if shown is None:
        raise Http404
    somebody = request.club.players.get(pk=player)
    own = own_rows.row_of(somebody, found)
    row = replace(own, rank=shown.row.rank, shared=shown.row.shared,
                  separated_by=shown.row.separated_by, values=shown.row.values)  # fmt: skip
    context = {
        "season": found,
        "standing": Standing(somebody, row),
        "events": {event.pk: event for event in found.events.all()},
        "scoring": Scoring.from_json(found.scoring),
    }
    return page(request, "league/explain.html", context)


@club_view(Right.SEE)
def season_pictures(request: ClubRequest, pk: int) -> HttpResponse:
    """The podium, the race over the nights, who met whom, the honours."""
    found = season_or_404(request, pk)
    context = {"season": found, "pictures": race.season_pictures(found)}
    return page(request, "league/season_pictures.html", context)


@club_view(Right.SEE)
def season_ratings(request: ClubRequest, pk: int) -> HttpResponse:
    """The ratings of the season, with their uncertainty."""
    found = season_or_404(request, pk)
    rows = Paginator(ratings.of_season(found), 100).get_page(request.GET.get("page"))
    return _ratings_page(request, found, rows)


@club_view(Right.SEE)
def club_ratings(request: ClubRequest) -> HttpResponse:
    """The ratings over all seasons of the club."""
    rows = Paginator(ratings.of_club(request.club), 100).get_page(request.GET.get("page"))
    return _ratings_page(request, None, rows)


def _ratings_page(request: ClubRequest, season: Season | None, rows: Page[Rating]) -> HttpResponse:
    state = ratings.state_of(request.club, season)
    context = {
        "season": season,
        "page_obj": rows,
        "state": state,
        "pools": ratings.bot_pools(state),
    }
    return page(request, "league/season_ratings.html", context)


@require_POST
@club_view(Right.ORGANISE)
def season_status(request: ClubRequest, pk: int) -> HttpResponse:
    """Closes or reopens the season."""
    found = season_or_404(request, pk)
    status = request.POST.get("status", "")
    try:
        if status not in Season.Status.values:
            raise incomplete_form()
        seasons.set_status(season=found, status=status, by=request.user)
        if status == Season.Status.CLOSED:
            text = _("%(name)s is closed.") % {"name": found.name}
            tell_done(request, text, request.path, [("status", Season.Status.OPEN)])
    except ValidationError as error:
        tell(request, error)
    return redirect("league:season", slug=request.club.slug, pk=pk)


def season_or_404(request: ClubRequest, pk: int) -> Season:
    """The club's season with that key."""
    found = request.club.seasons.filter(pk=pk).select_related("club", "ruleset").first()
    if found is None:
        raise Http404
    return found
