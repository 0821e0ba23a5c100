"""Addresses of a club's webhooks and of turning e-mail off."""

from django.urls import path

from league.news.views import news

urlpatterns = [
    path("<slug:slug>/webhooks/", news.webhooks, name="webhooks"),
    path("<slug:slug>/webhooks/<int:hook>/", news.webhook_change, name="webhook_change"),
    path("~news/<str:token>/", news.news_off, name="news_off"),
]
