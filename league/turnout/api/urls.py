"""API URLs of sign-up lists."""

from django.urls import path

from league.turnout.api import views

EVENT = "v1/clubs/<slug:slug>/events/<int:pk>/"

urlpatterns = [
    path(EVENT + "sign-up/", views.SignUps.as_view(), name="sign_up"),
    path(EVENT + "sign-up/answers/", views.Answers.as_view(), name="sign_up_answers"),
]
