"""API URLs of seasons."""

from django.urls import path

from league.base.api.paths import CLUB, SEASON
from league.seasons.api import views

urlpatterns = [
    path(
        CLUB + "players/<int:pk>/seasons/<int:season>/opponents/",
        views.Opponents.as_view(),
        name="opponents",
    ),
    path(
        CLUB + "players/<int:pk>/seasons/<int:season>/nights/",
        views.PlayerNights.as_view(),
        name="player_nights",
    ),
    path(CLUB + "ratings/", views.ClubRatings.as_view(), name="club_ratings"),
    path(CLUB + "bot-ratings/", views.ClubBotRatings.as_view(), name="club_bot_ratings"),
    path(CLUB + "past-seasons/", views.PastSeasons.as_view(), name="past_seasons"),
    path(CLUB + "seasons/", views.Seasons.as_view(), name="seasons"),
    path(SEASON, views.SeasonDetail.as_view(), name="season"),
    path(SEASON + "status/", views.SeasonStatus.as_view(), name="season_status"),
    path(SEASON + "rosters/", views.SeasonRosters.as_view(), name="season_rosters"),
    path(CLUB + "events/<int:pk>/rosters/", views.EventRosters.as_view(), name="event_rosters"),
    path(SEASON + "rows/<int:player>/", views.SeasonRowDetail.as_view(), name="season_row"),
    path(SEASON + "ratings/", views.SeasonRatings.as_view(), name="season_ratings"),
    path(SEASON + "bot-ratings/", views.SeasonBotRatings.as_view(), name="season_bot_ratings"),
    path(SEASON + "specials/", views.SeasonSpecials.as_view(), name="season_specials"),
    path(SEASON + "honours/", views.SeasonHonours.as_view(), name="season_honours"),
    path(SEASON + "standings/", views.SeasonStandings.as_view(), name="season_standings"),
    path(
        SEASON + "adjustments/<int:adjustment>/revoke/",
        views.RevokeAdjustment.as_view(),
        name="adjustment_revoke",
    ),
    path(SEASON + "adjustments/", views.Adjustments.as_view(), name="adjustments"),
]
