"""A club's bin: nights, seasons and players created by mistake."""

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.base.lookup import find_event, find_player, find_season
from league.base.rights import Right
from league.base.views.base import ClubRequest, club_view, page, telling
from league.base.views.undo import tell_done
from league.clubs.acts import bins as player_bins
from league.models import Event, Player, Season
from league.nights.acts import bins
from league.nights.pages.bins import binned
from league.seasons.acts import bins as season_bins
from tables.numbers import whole_number


@club_view(Right.ORGANISE)
def bin_page(request: ClubRequest) -> HttpResponse:
    """Return the contents of the bin; a POST restores one row."""
    club = request.club
    if request.method != "POST":
        return page(request, "league/nights/bin.html", {"rows": binned(club)})
    kind, key = request.POST.get("kind", ""), whole_number(request.POST.get("key")) or 0
    with telling(request, _("Restored.")):
        bins.restore(club=club, kind=kind, key=key, by=request.user)
        return redirect(f"league:{kind}", club.slug, key)
    return redirect("league:bin", club.slug)


@require_POST
@club_view(Right.ORGANISE, of=find_event)
def event_bin(request: ClubRequest, event: Event) -> HttpResponse:
    """Put a night in the bin."""
    with telling(request):
        bins.bin_event(event=event, by=request.user)
        _tell(request, "event", event.pk, event.name)
        return redirect("league:season", request.club.slug, event.season_id)
    return redirect("league:event", request.club.slug, event.pk)


@require_POST
@club_view(Right.ORGANISE, of=find_season)
def season_bin(request: ClubRequest, season: Season) -> HttpResponse:
    with telling(request):
        season_bins.bin_season(season=season, by=request.user)
        _tell(request, "season", season.pk, season.name)
        return redirect("league:club", request.club.slug)
    return redirect("league:season", request.club.slug, season.pk)


@require_POST
@club_view(Right.ORGANISE, of=find_player)
def player_bin(request: ClubRequest, player: Player) -> HttpResponse:
    with telling(request):
        player_bins.bin_player(player=player, by=request.user)
        _tell(request, "player", player.pk, player.name)
        return redirect("league:players", request.club.slug)
    return redirect("league:player_edit", request.club.slug, player.pk)


def _tell(request: ClubRequest, kind: str, key: int, name: str) -> None:
    text = _("%(name)s is in the bin for 30 days.") % {"name": name}
    address = reverse("league:bin", args=[request.club.slug])
    tell_done(request, text, address, [("kind", kind), ("key", key)])
