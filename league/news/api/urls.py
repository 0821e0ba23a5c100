"""URLs of webhooks in the API."""

from django.urls import path

from league.base.api.paths import CLUB
from league.news.api import views

HOOKS = CLUB + "webhooks/"

urlpatterns = [
    path(HOOKS, views.Webhooks.as_view(), name="webhooks"),
    path(HOOKS + "deliveries/", views.Deliveries.as_view(), name="webhook_deliveries"),
    path(HOOKS + "<int:hook>/test/", views.WebhookTest.as_view(), name="webhook_test"),
    path(HOOKS + "<int:hook>/remove/", views.WebhookRemove.as_view(), name="webhook_remove"),
]
