"""URLs of a club's log."""

from django.urls import path

from league.log import views

urlpatterns = [
    path("<slug:slug>/audit/", views.audit, name="audit"),
]
