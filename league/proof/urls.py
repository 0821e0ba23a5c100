"""Addresses of a club's log."""

from django.urls import path

from league.proof.views import log

urlpatterns = [
    path("<slug:slug>/audit/", log.audit, name="audit"),
]
