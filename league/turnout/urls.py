"""URLs of sign-up lists, and of the night's one link."""

from django.urls import path

from league.base.paths import EVENT
from league.turnout.views import night_link, sign_ups

urlpatterns = [
    path(EVENT + "again/", sign_ups.event_again, name="event_again"),
    path(EVENT + "sign-up/", sign_ups.sign_up, name="sign_up"),
    path(EVENT + "sign-up/answer/", sign_ups.sign_up_answer, name="sign_up_answer"),
    path("~night/<str:night>/", night_link.by_link, name="link_night"),
    path("~check-in/<str:night>/", night_link.old_link, name="link_check_in"),
    path("~sign-up/<str:night>/", night_link.old_link, name="link_sign_up"),
]
