"""API URLs of sign-up lists."""

from django.urls import path

from league.base.api.paths import EVENT
from league.turnout.api import views

urlpatterns = [
    path(EVENT + "sign-up/", views.SignUps.as_view(), name="sign_up"),
    path(EVENT + "sign-up/answers/", views.Answers.as_view(), name="sign_up_answers"),
]
