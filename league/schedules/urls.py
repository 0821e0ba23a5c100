"""Addresses of schedules, and of a tournament that begins now or by one."""

from django.urls import path

from league.schedules.views import bots, schedules

SEASON = "<slug:slug>/seasons/<int:pk>/"

urlpatterns = [
    path(SEASON + "bots/new/", bots.bots_create, name="bots_create"),
    path(SEASON + "schedules/", schedules.schedule_list, name="schedules"),
    path(
        SEASON + "schedules/new/",
        schedules.schedule_create,
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
]
