"""URLs of nights and stakes tables played in the browser."""

from django.urls import path

from league.base.paths import EVENT, TABLE
from league.online.views import online, sprints, stake_tables

urlpatterns = [
    path("~stakes/", stake_tables.stakes, name="stakes"),
    path("<slug:slug>/tables/", stake_tables.tables, name="club_tables"),
    path("<slug:slug>/sprints/", sprints.open_sprint, name="club_sprint"),
    path("<slug:slug>/tables/<slug:key>/", stake_tables.table, name="club_table"),
    path(EVENT + "online/", online.online, name="online"),
    path(EVENT + "online/bot/", online.online_bot, name="online_bot"),
    path(TABLE + "online/", online.online_table, name="online_table"),
]
