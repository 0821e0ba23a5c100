"""API URLs of nights."""

from django.urls import path

from league.base.api.paths import CLUB, EVENT
from league.nights.api import views

urlpatterns = [
    path(CLUB + "bin/", views.Bin.as_view(), name="bin"),
    path(CLUB + "events/", views.Events.as_view(), name="events"),
    path(EVENT, views.EventDetail.as_view(), name="event"),
    path(EVENT + "now/", views.EventNow.as_view(), name="event_now"),
    path(EVENT + "places/", views.EventPlaces.as_view(), name="event_places"),
    path(EVENT + "standings/", views.EventStandings.as_view(), name="event_standings"),
    path(EVENT + "entrants/", views.Entrants.as_view(), name="entrants"),
    path(EVENT + "team/", views.EventTeam.as_view(), name="event_team"),
    path(EVENT + "rounds/", views.Rounds.as_view(), name="rounds"),
    path(EVENT + "call/", views.EventCall.as_view(), name="event_call"),
    path(EVENT + "ceremony/", views.EventCeremony.as_view(), name="event_ceremony"),
    path(EVENT + "status/", views.EventStatus.as_view(), name="event_status"),
    path(EVENT + "rounds/<int:number>/", views.RoundDetail.as_view(), name="round"),
    path(
        EVENT + "rounds/<int:number>/release/", views.ReleaseRound.as_view(), name="round_release"
    ),
    path(
        EVENT + "rounds/<int:number>/discard/", views.DiscardRound.as_view(), name="round_discard"
    ),
    path(EVENT + "stake/", views.TableStake.as_view(), name="table_stake"),
    path(EVENT + "results/", views.Results.as_view(), name="results"),
]
