"""API URLs of schedules and bot leagues."""

from django.urls import path

from league.base.api.paths import CLUB
from league.schedules.api import views

urlpatterns = [
    path(CLUB + "schedules/", views.Schedules.as_view(), name="schedules"),
    path(CLUB + "schedules/<int:pk>/", views.ScheduleDetail.as_view(), name="schedule"),
    path(CLUB + "leagues/", views.BotLeagues.as_view(), name="bot_leagues"),
]
