"""API URLs of clubs."""

from django.urls import path

from league.base.api.paths import CLUB
from league.clubs.api import views

urlpatterns = [
    path("v1/bin/", views.ClubBin.as_view(), name="my_bin"),
    path("v1/clubs/", views.Clubs.as_view(), name="clubs"),
    path(CLUB, views.ClubDetail.as_view(), name="club"),
    path(CLUB + "players/", views.Players.as_view(), name="players"),
    path(CLUB + "players/<int:pk>/", views.PlayerDetail.as_view(), name="player"),
]
