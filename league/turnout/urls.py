"""Addresses of sign-up lists: by account below the night, else by the list's link."""

from django.urls import path

from league.turnout.views import calendars, sign_ups

EVENT = "<slug:slug>/events/<int:pk>/"

urlpatterns = [
    path(EVENT + "sign-up/", sign_ups.sign_up, name="sign_up"),
    path(EVENT + "sign-up/answer/", sign_ups.sign_up_answer, name="sign_up_answer"),
    path(EVENT + "sign-up/link/", sign_ups.sign_up_link, name="sign_up_link"),
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
        "~sign-up/<str:sign_up>/calendar.ics",
        calendars.link_night_calendar,
        name="link_night_calendar",
    ),
    path("~sign-up/<str:sign_up>/", sign_ups.by_link, name="link_sign_up"),
]
