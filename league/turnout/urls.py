"""URLs of sign-up lists: below the night for accounts, or by the list's link."""

from django.urls import path

from league.turnout.views import sign_ups

EVENT = "<slug:slug>/events/<int:pk>/"

urlpatterns = [
    path(EVENT + "sign-up/", sign_ups.sign_up, name="sign_up"),
    path(EVENT + "sign-up/answer/", sign_ups.sign_up_answer, name="sign_up_answer"),
    path(EVENT + "sign-up/link/", sign_ups.sign_up_link, name="sign_up_link"),
    path("~sign-up/<str:sign_up>/", sign_ups.by_link, name="link_sign_up"),
]
