"""URLs of a club's page, its recaps, pictures, certificates and feeds, and the embedded page."""

from django.urls import path

from league.base.paths import EVENT, SEASON
from league.recap.views import certificates, feeds, home, recap

urlpatterns = [
    path("<slug:slug>/", home.club, name="club"),
    path("<slug:slug>/season/", home.club_season, name="club_season"),
    path("<slug:slug>/manage/", home.manage, name="manage"),
    path("<slug:slug>/feed.<slug:form>", feeds.feed, name="feed"),
    path("<slug:slug>/embed/", recap.embed, name="embed"),
    path(EVENT + "badges/", certificates.badges, name="badges"),
    path(EVENT + "certificates/", certificates.of_night, name="night_certificates"),
    path(SEASON + "certificates/", certificates.of_season, name="season_certificates"),
    path(EVENT + "recap/", recap.recap, name="recap"),
    path(SEASON + "recap/", recap.season_recap, name="season_recap"),
    path(EVENT + "picture-<slug:shape>.png", recap.night_picture, name="night_picture"),
    path(SEASON + "picture-<slug:shape>.png", recap.season_picture, name="season_picture"),
    path(
        SEASON + "players/<int:player>/picture-<slug:shape>.png",
        recap.player_picture,
        name="player_picture",
    ),
]
