"""URLs of webhooks, sign-up requests, debt reminders and the e-mail opt-out."""

from django.urls import path

from league.base.paths import EVENT
from league.news.views import news

urlpatterns = [
    path("<slug:slug>/webhooks/", news.webhooks, name="webhooks"),
    path("<slug:slug>/webhooks/<int:hook>/", news.webhook_change, name="webhook_change"),
    path(EVENT + "sign-up/ask/", news.sign_up_ask, name="sign_up_ask"),
    path("<slug:slug>/seasons/<int:pk>/money/remind/", news.debt_remind, name="debt_remind"),
    path("~me/<int:pk>/browser/", news.phone_browser, name="phone_browser"),
    path("~news/<str:token>/", news.news_off, name="news_off"),
]
