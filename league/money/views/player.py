"""One player's page, season by season."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect

from league.base.lookup import find_player, seasons_to_see
from league.base.page_parts import Tab
from league.base.rights import Right
from league.base.views.base import (
    ClubRequest,
    club_view,
    page,
    sees_money,
)
from league.money.facts import open_debts
from league.seasons.acts import season_cache
from league.seasons.pages import player_page


@club_view(Right.SEE)
def player(request: ClubRequest, pk: int) -> HttpResponse:
    """Show a player in the chosen season, else in the last that the player took part in."""
    found = find_player(request.club, pk)
    if found.merged_into_id:
        return redirect("league:player", slug=request.club.slug, pk=found.merged_into_id)
    keys = player_page.keys_of(found)
    seasons = player_page.seasons_of(keys)
    if not request.club.shows_money:
        visible = set(seasons_to_see(request.club).values_list("pk", flat=True))
        seasons = [season for season in seasons if season.pk in visible]
    wanted = request.GET.get("season", "")
    season = next((s for s in seasons if str(s.pk) == wanted), seasons[0] if seasons else None)
    tabs = [Tab(one.name, f"?season={one.pk}", one == season) for one in seasons]
    context: dict[str, Any] = {
        "player": found,
        "season": season,
        "tabs": tabs if len(tabs) > 1 else [],
    }
    if season is not None:
        rows = season_cache.standings_of(season=season).rows
        context["person"] = player_page.person_page(found, keys, season, rows)
        if sees_money(request):
            context["still_open"] = open_debts.of_person(keys, season)
    return page(request, "league/seasons/player.html", context)
