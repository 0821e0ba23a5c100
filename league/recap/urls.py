"""Addresses of pictures, of a night's recap, and of a page for other sites."""

from django.urls import path

from league.recap.views import recap

EVENT = "<slug:slug>/events/<int:pk>/"
SEASON = "<slug:slug>/seasons/<int:pk>/"

urlpatterns = [
    path("<slug:slug>/embed/", recap.embed, name="embed"),
    path(EVENT + "recap/", recap.recap, name="recap"),
    path(EVENT + "picture-<slug:shape>.png", recap.night_picture, name="night_picture"),
    path(SEASON + "picture-<slug:shape>.png", recap.season_picture, name="season_picture"),
]
