"""Every address of the API, and the page where people make tokens."""

from django.urls import path
from drf_spectacular.views import SpectacularAPIView

from league.api import nights, tokens, views

app_name = "api"

CLUB = "v1/clubs/<slug:slug>/"
SEASON = CLUB + "seasons/<int:pk>/"
EVENT = CLUB + "events/<int:pk>/"

urlpatterns = [
    path("tokens/", tokens.token_list, name="tokens"),
    path("tokens/<int:pk>/revoke/", tokens.token_revoke, name="token_revoke"),
    path("v1/schema/", SpectacularAPIView.as_view(), name="schema"),
    path("v1/clubs/", views.Clubs.as_view(), name="clubs"),
    path(CLUB, views.ClubDetail.as_view(), name="club"),
    path(CLUB + "players/", views.Players.as_view(), name="players"),
    path(CLUB + "players/<int:pk>/", views.PlayerDetail.as_view(), name="player"),
    path(CLUB + "seasons/", views.Seasons.as_view(), name="seasons"),
    path(SEASON + "standings/", views.SeasonStandings.as_view(), name="season_standings"),
    path(SEASON + "balances/", views.SeasonBalances.as_view(), name="season_balances"),
    path(SEASON + "transfers/", views.SeasonTransfers.as_view(), name="season_transfers"),
    path(SEASON + "adjustments/", views.Adjustments.as_view(), name="adjustments"),
    path(CLUB + "events/", nights.Events.as_view(), name="events"),
    path(EVENT, nights.EventDetail.as_view(), name="event"),
    path(EVENT + "standings/", nights.EventStandings.as_view(), name="event_standings"),
    path(EVENT + "entrants/", nights.Entrants.as_view(), name="entrants"),
    path(EVENT + "rounds/", nights.Rounds.as_view(), name="rounds"),
    path(EVENT + "results/", nights.Results.as_view(), name="results"),
]
