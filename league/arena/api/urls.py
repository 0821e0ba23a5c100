"""URLs of the API of bot tournaments."""

from django.urls import path

from league.arena.api import views
from league.base.api.paths import CLUB

RUNS = CLUB + "runs/"
RUN = RUNS + "<int:pk>/"

urlpatterns = [
    path(CLUB + "bots/", views.MemberBots.as_view(), name="bots"),
    path(CLUB + "bots/<slug:bot>/", views.MemberBotDetail.as_view(), name="bot"),
    path(CLUB + "bots/<slug:bot>/check/", views.BotCheck.as_view(), name="bot_check"),
    path(CLUB + "bots/<slug:bot>/tests/", views.BotTests.as_view(), name="bot_tests"),
    path(CLUB + "ladder/", views.StandingLadder.as_view(), name="ladder"),
    path(
        CLUB + "leagues/<int:pk>/",
        views.BotLeagueDetail.as_view(),
        name="bot_league",
    ),
    path(RUNS, views.Runs.as_view(), name="runs"),
    path(RUNS + "estimate/", views.RunEstimate.as_view(), name="run_estimate"),
    path(RUN, views.RunDetail.as_view(), name="run"),
    path(RUN + "tables/", views.RunTables.as_view(), name="run_tables"),
    path(RUN + "stream/", views.RunStream.as_view(), name="run_stream"),
    path(RUN + "change/", views.RunChange.as_view(), name="run_change"),
    path(RUN + "units/", views.RunUnits.as_view(), name="run_units"),
    path(RUN + "verdicts/", views.RunVerdicts.as_view(), name="run_verdicts"),
    path(RUN + "records/", views.RunRecords.as_view(), name="run_records"),
]
