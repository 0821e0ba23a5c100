"""Views of pictures, of a night's and a season's recap, and of the embedded page."""

from __future__ import annotations

import base64
import hashlib

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from league.base.drawn_html import cache
from league.base.facts.next_nights import next_nights
from league.base.lookup import find_night, find_person, find_season, seasons_to_see
from league.base.rights import Right
from league.base.views.base import ClubRequest, club_view, own_players, page, sees_money
from league.models import Event, Season
from league.recap.pages import pictures
from league.recap.pages import season_recap as season_recaps
from league.recap.pages.drawing import SHAPES, Picture, draw
from league.recap.pages.recap import recap_page
from league.seasons.acts import season_cache
from tables.base.lookup import or_404
from tables.reviews.facts import puzzles
from tables.web.addresses import address_of

DAY = 24 * 3600
EMBEDDED = 10


@require_safe
@club_view(Right.SEE, of=find_night)
def night_picture(request: ClubRequest, event: Event, shape: str) -> HttpResponse:
    """Return a picture of a night's result, or of its last chop with `?chop`."""
    with translation.override(_language(request)):
        of_chop = "chop" in request.GET
        picture = pictures.of_chop(event) if of_chop else pictures.of_night(event)
        return _file(request, or_404(picture), shape)


@require_safe
@club_view(Right.SEE, of=find_season)
def season_picture(request: ClubRequest, season: Season, shape: str) -> HttpResponse:
    """Return a picture of a season's standings."""
    first = season_cache.standings_of(season=season).rows.first_who_played(pictures.MOST)
    with translation.override(_language(request)):
        return _file(request, pictures.of_season(season, first), shape)


@require_safe
@club_view(Right.SEE)
def player_picture(request: ClubRequest, pk: int, player: int, shape: str) -> HttpResponse:
    """Return a picture of a player's season."""
    season, person = find_season(request.club, pk), find_person(request.club, player)
    rows = season_cache.standings_of(season=season).rows
    row = rows.cached_of(person.pk)
    if row is None or not row.games:
        raise Http404
    with translation.override(_language(request)):
        return _file(request, pictures.of_player(season, row, rows.ranked()), shape)


@require_safe
def puzzle_picture(request: HttpRequest, pk: int, shape: str) -> HttpResponse:
    """Return a picture of a puzzle: the hand, not the answer."""
    found = or_404(puzzles.published(pk))
    with translation.override(_language(request)):
        return _file(request, pictures.of_puzzle(found), shape)


@club_view(Right.SEE, of=find_night)
def recap(request: ClubRequest, event: Event) -> HttpResponse:
    """Show a night's recap."""
    own = own_players(request, event)
    found = recap_page(event, with_money=sees_money(request, event), own=own)
    context = {"event": event, "season": event.season} | vars(found)
    return page(request, "league/recap/recap.html", context)


@club_view(Right.SEE, of=find_season)
def season_recap(request: ClubRequest, season: Season) -> HttpResponse:
    """Show a season's recap, also while the season is open."""
    table = season_cache.standings_of(season=season)
    address = address_of(request, request.path).url if request.club.is_public else ""
    context = {"season": season, "club": request.club, "address": address}
    context |= vars(season_recaps.season_recap(season, table))
    context["text"] = render_to_string("league/recap/season_share.txt", context)
    return page(request, "league/recap/season_recap.html", context)


@require_safe
@club_view(Right.SEE)
def embed(request: ClubRequest) -> HttpResponse:
    """Show standings and next nights on a small page that sites named by the club may frame."""
    club = request.club
    if not club.is_public:
        raise Http404
    seasons = seasons_to_see(club)
    season = seasons.filter(status=Season.Status.OPEN).first() or seasons.first()
    rows = (
        season_cache.standings_of(season=season).rows.first_who_played(EMBEDDED) if season else []
    )
    context = {
        "season": season,
        "standings": rows,
        "next_nights": next_nights(club),
    }
    with translation.override(_language(request)):
        response = page(request, "league/recap/embed.html", context)
    if club.embed_hosts:
        response.xframe_options_exempt = True
        nobody, theirs = "frame-ancestors 'none'", f"frame-ancestors {club.embed_hosts}"
        policy = settings.CONTENT_SECURITY_POLICY.replace(nobody, theirs)
        response["Content-Security-Policy"] = policy
    return response


def _language(request: HttpRequest) -> str:
    asked = request.GET.get("language", "")
    return asked if asked in dict(settings.LANGUAGES) else translation.get_language() or "en"


def _file(request: HttpRequest, picture: Picture, shape: str) -> HttpResponse:
    """Return the picture, cached by its content; 304 if the browser has it already."""
    if shape not in SHAPES:
        raise Http404
    key = hashlib.sha256(f"{settings.RELEASE} {picture!r} {shape}".encode()).hexdigest()[:32]
    cached = cache.get(f"picture:{key}")  # As base64: the cache cannot store bytes.
    body = draw(picture, shape) if cached is None else base64.b64decode(cached)
    if cached is None:
        cache.set(f"picture:{key}", base64.b64encode(body).decode(), DAY)
    response = HttpResponse(body, content_type="image/png")
    response["ETag"] = etag = f'"{key}"'
    response["Cache-Control"] = "private, no-cache"
    found = get_conditional_response(request, etag=etag, response=response)
    assert isinstance(found, HttpResponse)
    return found
