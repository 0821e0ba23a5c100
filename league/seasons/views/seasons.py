"""Views of seasons: standings, races, ratings and the archive."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.core.paginator import Page, Paginator
from django.http import HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from engine.rules.ruleset import Ruleset
from league.base.drawn_html import cache
from league.base.lookup import find_person, find_season
from league.base.rights import Right
from league.base.views.base import (
    ClubRequest,
    asked_name,
    club_view,
    form_status,
    incomplete_form,
    own_players,
    page,
    sees_money,
    telling,
)
from league.base.views.undo import tell_done
from league.clubs.facts.club_rules import newer_preset
from league.models import Season, Strength, shown_names
from league.seasons.acts import season_cache, seasons
from league.seasons.domain.scoring import Scoring
from league.seasons.domain.standings.tie_breaks import DEFAULT
from league.seasons.facts import player_rows, ratings
from league.seasons.facts.season_cache import CachedStandings
from league.seasons.facts.standings import Standing
from league.seasons.forms.seasons import SeasonForm
from league.seasons.pages import last_places, race, season_pages
from league.seasons.pages import past_seasons as archive
from league.seasons.pages.bump import bump_of
from league.seasons.pages.luck import luck_rows
from tables.base import rulesets
from tables.base.lookup import or_404
from tables.web import new_scale

CACHED = 600
"""Seconds for which a rendered standings table is cached."""


@club_view(Right.ORGANISE)
def season_create(request: ClubRequest) -> HttpResponse:
    form = SeasonForm(request.POST or None, instance=Season(club=request.club))
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        with telling(request, _("Season opened. Next: its first night."), form):
            season = seasons.create_season(
                club=request.club,
                by=request.user,
                name=data["name"],
                ruleset=data["ruleset"],
                scoring={"points_table": data["points"]},
                tie_breaks=DEFAULT,
                starts_on=data["starts_on"],
                ends_on=data["ends_on"],
                ranks_bots=data["ranks_bots"],
                unit=form.unit_chosen,
            )
            return redirect("league:season", slug=request.club.slug, pk=season.pk)
    return page(request, "league/seasons/season_create.html", {"form": form}, form_status(form))


@club_view(Right.SEE, of=find_season)
def season(request: ClubRequest, found: Season) -> HttpResponse:
    """Show the season's standings and its events."""
    table = season_cache.standings_of(season=found)
    query = asked_name(request)
    rows = Paginator(table.rows.named(query), 100).get_page(request.GET.get("page"))
    events = Paginator(found.events.all(), 6).get_page(request.GET.get("events"))
    own = own_players(request)
    chart = _chart(request, found, table, own)
    marks = None if "full" in request.GET else (dict(chart["dots"]), dict(chart["moves"]))
    context = {
        "season": found,
        "events": events,
        "standings": _drawn(request, found, table.at, list(rows.object_list), own, marks),
        "race": mark_safe(chart["race"]),
        "mine": mark_safe(chart["mine"]),
        "page_obj": rows,
        "query": query,
        "table": table,
        "news_at": request.get_full_path() if table.waiting else "",
        "scoring": Scoring.from_json(found.scoring),
        "newer_rules": _newer_rules(request, found),
        "headline": chart["headline"],
        "luck": mark_safe(chart["luck"]),
        "ratings": season_pages.strongest(found, own),
        "own": own,
        "menu": season_pages.menu(found, may_organise=request.right >= Right.ORGANISE),
        "others": season_pages.others(found, may_see_money=sees_money(request)),
    }
    return page(request, "league/seasons/season.html", context)


def _newer_rules(request: ClubRequest, season: Season) -> Ruleset | None:
    """Return the newer version of an open season's rules, for those who can choose rules."""
    if request.right < Right.ORGANISE or season.status != Season.Status.OPEN:
        return None
    return newer_preset(rulesets.thaw(season.ruleset))


def _drawn(
    request: ClubRequest,
    season: Season,
    at: datetime | None,
    rows: Sequence[Standing],
    own: Sequence[int],
    marks: tuple[dict[int, list[int | None]], dict[int, int]] | None,
) -> str:
    """Return the rendered rows, cached for all readers of the same rows; `own` ones stand out.

    With `marks`, they show these last places and movements, otherwise the counts of places.
    """
    people = [(one.player.pk, one.player.name, one.player.face) for one in rows]
    identity = repr((request.club.slug, season.pk, at, get_language(), people, own, marks))
    key = f"season:{hashlib.sha256(identity.encode()).hexdigest()}"
    if (known := cache.get(key)) is None:
        context = {"standings": rows, "explain_season": season, "club": request.club}
        context["own_keys"] = own
        if marks is not None:
            context["dots"], context["moves"] = marks
        known = render_to_string("league/seasons/standings.html", context) if rows else ""
        cache.set(key, known, CACHED)
    return mark_safe(str(known))


def _chart(
    request: ClubRequest, season: Season, table: CachedStandings, own: Sequence[int]
) -> dict[str, Any]:
    """Return the headline, who rises, one's own nights and luck as HTML, dots and moves; cached."""
    stamp = repr((request.club.slug, season.pk, table.at, get_language(), own, shown_names.form()))
    key = f"season-chart:{hashlib.sha256(stamp.encode()).hexdigest()}"
    known: dict[str, Any] | None = cache.get(key)
    if known is None:
        bump = bump_of(season, table.rows, own)
        players = request.club.players.filter(pk__in=own)
        mine = [nights for one in players if (nights := last_places.own_nights(season, one))]
        luck = luck_rows(season, table.rows, own)
        context = {"bump": bump, "own": own, "mine": mine, "luck": luck}
        parts = {"race": bump, "mine": mine, "luck": luck}
        known = {
            name: str(render_to_string(f"league/seasons/plot_{name}.html", context) if part else "")
            for name, part in parts.items()
        }
        known["headline"] = season_pages.headline(table.rows, own)
        known["dots"] = list(last_places.last_places(season).items())
        known["moves"] = list(bump.moves.items()) if bump else []
        cache.set(key, known, CACHED)
    return known


@club_view(Right.SEE)
def past_seasons(request: ClubRequest) -> HttpResponse:
    """Show the closed seasons with their podiums and the medals."""
    current = Paginator(archive.closed_seasons(request.club), 12).get_page(request.GET.get("page"))
    context = {
        "past": archive.past_seasons(current),
        "page_obj": current,
        "medals": archive.medals(request.club)[:50],
    }
    return page(request, "league/seasons/past_seasons.html", context)


@club_view(Right.SEE)
def season_explain(request: ClubRequest, pk: int, player: int) -> HttpResponse:
    """Show the terms of a row's sum: which nights counted, and their points."""
    found, somebody = find_season(request.club, pk), find_person(request.club, player)
    standing = or_404(season_cache.standings_of(season=found).rows.of(somebody.pk))
    own = player_rows.row_of(somebody, found)
    row = replace(own, rank=standing.row.rank, shared=standing.row.shared,
                  separated_by=standing.row.separated_by, values=standing.row.values)  # fmt: skip
    context = {
        "season": found,
        "standing": Standing(somebody, row),
        "events": {event.pk: event for event in found.events.all()},
        "scoring": Scoring.from_json(found.scoring),
    }
    return page(request, "league/seasons/explain.html", context)


@club_view(Right.SEE, of=find_season)
def season_pictures(request: ClubRequest, found: Season) -> HttpResponse:
    """Show the podium, the race, the crosstable and the honours."""
    rows = season_cache.standings_of(season=found).rows
    context = {"season": found, "pictures": race.season_pictures(found, rows)}
    return page(request, "league/seasons/season_pictures.html", context)


@club_view(Right.SEE, of=find_season)
def season_ratings(request: ClubRequest, found: Season) -> HttpResponse:
    """Show the ratings of the season with their uncertainty."""
    rows = Paginator(ratings.of_season(found), 100).get_page(request.GET.get("page"))
    return _ratings_page(request, found, rows)


@club_view(Right.SEE)
def club_ratings(request: ClubRequest) -> HttpResponse:
    """Show the ratings over all seasons of the club."""
    rows = Paginator(ratings.of_club(request.club), 100).get_page(request.GET.get("page"))
    return _ratings_page(request, None, rows)


def _ratings_page(
    request: ClubRequest, season: Season | None, rows: Page[Strength]
) -> HttpResponse:
    state = ratings.state_of(request.club, season)
    context = {
        "season": season,
        "page_obj": rows,
        "is_new_scale": new_scale.is_news(request, request.club.ratings.exists),
        "pools": ratings.bot_pools(state),
        "unrated": ratings.unrated_bots(state),
    }
    return page(request, "league/seasons/season_ratings.html", context)


@require_POST
@club_view(Right.ORGANISE, of=find_season)
def season_status(request: ClubRequest, found: Season) -> HttpResponse:
    """Close or reopen the season."""
    status = request.POST.get("status", "")
    with telling(request):
        if status not in Season.Status.values:
            raise incomplete_form()
        seasons.set_status(season=found, status=status, by=request.user)
        if status == Season.Status.CLOSED:
            text = _("%(name)s closed.") % {"name": found.name}
            tell_done(request, text, request.path, [("status", Season.Status.OPEN)])
    return redirect("league:season", slug=request.club.slug, pk=found.pk)
