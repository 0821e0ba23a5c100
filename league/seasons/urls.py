"""URLs of seasons."""

from django.urls import path

from league.base.paths import EVENT, SEASON
from league.seasons.views import adjustments, rosters, season_settings, seasons

urlpatterns = [
    path("<slug:slug>/seasons/", seasons.past_seasons, name="past_seasons"),
    path("<slug:slug>/seasons/new/", seasons.season_create, name="season_create"),
    path(SEASON, seasons.season, name="season"),
    path(
        SEASON + "settings/",
        season_settings.season_settings,
        name="season_settings",
    ),
    path(
        SEASON + "rows/<int:player>/",
        seasons.season_explain,
        name="season_explain",
    ),
    path(
        SEASON + "adjustments/",
        adjustments.adjustment_list,
        name="adjustments",
    ),
    path(
        SEASON + "adjustments/<int:adjustment>/revoke/",
        adjustments.adjustment_revoke,
        name="adjustment_revoke",
    ),
    path("<slug:slug>/ratings/", seasons.club_ratings, name="club_ratings"),
    path(SEASON + "ratings/", seasons.season_ratings, name="season_ratings"),
    path(SEASON + "race/", seasons.season_pictures, name="season_pictures"),
    path(SEASON + "teams/", rosters.roster_list, name="rosters"),
    path(SEASON + "teams/rule/", rosters.team_rule, name="team_rule"),
    path(SEASON + "teams/<int:roster>/remove/", rosters.roster_remove, name="roster_remove"),
    path(SEASON + "status/", seasons.season_status, name="season_status"),
    path(EVENT + "worth/", season_settings.event_worth, name="event_worth"),
]
