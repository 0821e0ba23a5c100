"""One player's page, season by season."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from league.base.lookup import find_player, seasons_to_see
from league.base.page_parts import MenuRow
from league.base.rights import Right
from league.base.views.base import (
    ClubRequest,
    club_view,
    page,
    sees_money,
)
from league.models import Player
from league.money.facts import open_debts
from league.seasons.acts import season_cache
from league.seasons.pages import player_page
from tables.base import currencies


@club_view(Right.SEE, of=find_player)
def player(request: ClubRequest, found: Player) -> HttpResponse:
    """Show a player in the chosen season, else in the last that the player took part in."""
    if found.merged_into_id:
        return redirect("league:player", slug=request.club.slug, pk=found.merged_into_id)
    keys = player_page.keys_of(found)
    seasons = player_page.seasons_of(keys)
    if not request.club.shows_money:
        visible = set(seasons_to_see(request.club).values_list("pk", flat=True))
        seasons = [season for season in seasons if season.pk in visible]
    wanted = request.GET.get("season", "")
    season = next((s for s in seasons if str(s.pk) == wanted), seasons[0] if seasons else None)
    hosts = request.right >= Right.ORGANISE
    context: dict[str, Any] = {
        "player": found,
        "season": season,
        "menu": player_page.menu(found, seasons, season, may_organise=hosts),
    }
    if season is not None:
        rows = season_cache.standings_of(season=season).rows
        context["person"] = player_page.person_page(found, keys, season, rows)
        if sees_money(request):
            context["still_open"] = owed = open_debts.of_person(keys, season)
            if owed:
                path = reverse("league:season_money", args=[request.club.slug, season.pk])
                path += "?" + urlencode({"q": found.name})
                row = MenuRow(
                    "money", _("Money still open"), path, currencies.money(owed, season.unit)
                )
                context["menu"].insert(1, row)
    return page(request, "league/seasons/player.html", context)
