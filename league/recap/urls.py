"""Addresses of a club's page, of a recap, of feeds and pictures, and of a page for other sites."""

from django.urls import path

from league.recap.views import feeds, home, recap

EVENT = "<slug:slug>/events/<int:pk>/"
SEASON = "<slug:slug>/seasons/<int:pk>/"

urlpatterns = [
    path("<slug:slug>/", home.club, name="club"),
    path("<slug:slug>/feed.<slug:form>", feeds.feed, name="feed"),
    path("<slug:slug>/embed/", recap.embed, name="embed"),
    path(EVENT + "recap/", recap.recap, name="recap"),
    path(EVENT + "picture-<slug:shape>.png", recap.night_picture, name="night_picture"),
    path(SEASON + "picture-<slug:shape>.png", recap.season_picture, name="season_picture"),
]
