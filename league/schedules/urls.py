"""URLs of schedules, of bot tournaments and leagues to create, and of calendars."""

from django.urls import path

from league.base.paths import EVENT, SEASON
from league.schedules.views import bots, calendars, schedules

urlpatterns = [
    path("<slug:slug>/events/new/", schedules.event_create, name="night_create"),
    path(SEASON + "events/new/", schedules.event_create, name="event_create"),
    path(SEASON + "bots/new/", bots.bots_create, name="bots_create"),
    path(SEASON + "leagues/new/", schedules.league_create, name="league_create"),
    path(SEASON + "next/", schedules.season_next, name="season_next"),
    path(SEASON + "schedules/", schedules.schedule_list, name="schedules"),
    path(
        SEASON + "schedules/new/",
        schedules.schedule_edit,
        name="schedule_create",
    ),
    path(
        SEASON + "schedules/<int:schedule>/",
        schedules.schedule_edit,
        name="schedule_edit",
    ),
    path(
        SEASON + "schedules/<int:schedule>/change/",
        schedules.schedule_change,
        name="schedule_change",
    ),
    path(EVENT + "calendar.ics", calendars.night_calendar, name="night_calendar"),
    path("<slug:slug>/calendar/", calendars.calendar, name="calendar"),
    path("<slug:slug>/calendar.ics", calendars.club_calendar, name="club_calendar"),
    path(
        "<slug:slug>/seasons/<int:pk>/calendar.ics",
        calendars.season_calendar,
        name="season_calendar",
    ),
    path("~calendar/<str:feed>.ics", calendars.link_calendar, name="link_calendar"),
    path(
        "~night/<str:night>/calendar.ics",
        calendars.link_night_calendar,
        name="link_night_calendar",
    ),
    path(
        "~sign-up/<str:night>/calendar.ics",
        calendars.link_night_calendar,
        name="link_sign_up_calendar",
    ),
]
