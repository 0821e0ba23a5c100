"""API URLs of schedules and bot leagues."""

from django.urls import path

from league.schedules.api import views

CLUB = "v1/clubs/<slug:slug>/"

urlpatterns = [
    path(CLUB + "schedules/", views.Schedules.as_view(), name="schedules"),
    path(CLUB + "schedules/<int:pk>/", views.ScheduleDetail.as_view(), name="schedule"),
    path(CLUB + "leagues/", views.BotLeagues.as_view(), name="bot_leagues"),
]
