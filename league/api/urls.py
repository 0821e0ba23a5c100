"""Every address of the API, and the page where people make tokens."""

from django.urls import path
from drf_spectacular.views import SpectacularAPIView

from league.api import money, nights, tokens, views

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
    path(SEASON + "rows/<int:player>/", views.SeasonRow.as_view(), name="season_row"),
    path(SEASON + "ratings/", views.SeasonRatings.as_view(), name="season_ratings"),
    path(SEASON + "bot-ratings/", views.SeasonBotRatings.as_view(), name="season_bot_ratings"),
    path(SEASON + "specials/", views.SeasonSpecials.as_view(), name="season_specials"),
    path(SEASON + "honours/", views.SeasonHonours.as_view(), name="season_honours"),
    path(SEASON + "standings/", views.SeasonStandings.as_view(), name="season_standings"),
    path(SEASON + "balances/", money.SeasonBalances.as_view(), name="season_balances"),
    path(SEASON + "transfers/", money.SeasonTransfers.as_view(), name="season_transfers"),
    path(SEASON + "payments/", money.SeasonPayments.as_view(), name="season_payments"),
    path(SEASON + "postings/", money.Postings.as_view(), name="postings"),
    path(
        SEASON + "postings/<int:posting>/reverse/",
        money.ReversePosting.as_view(),
        name="posting_reverse",
    ),
    path(
        SEASON + "adjustments/<int:adjustment>/revoke/",
        views.RevokeAdjustment.as_view(),
        name="adjustment_revoke",
    ),
    path(SEASON + "adjustments/", views.Adjustments.as_view(), name="adjustments"),
    path(CLUB + "events/", nights.Events.as_view(), name="events"),
    path(EVENT, nights.EventDetail.as_view(), name="event"),
    path(EVENT + "standings/", nights.EventStandings.as_view(), name="event_standings"),
    path(EVENT + "entrants/", nights.Entrants.as_view(), name="entrants"),
    path(EVENT + "rounds/", nights.Rounds.as_view(), name="rounds"),
    path(EVENT + "status/", nights.EventStatus.as_view(), name="event_status"),
    path(
        EVENT + "rounds/<int:number>/release/", nights.ReleaseRound.as_view(), name="round_release"
    ),
    path(
        EVENT + "rounds/<int:number>/discard/", nights.DiscardRound.as_view(), name="round_discard"
    ),
    path(EVENT + "results/", nights.Results.as_view(), name="results"),
]
