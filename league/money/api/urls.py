"""URLs of the money API."""

from django.urls import path

from league.base.api.paths import SEASON
from league.money.api import views

urlpatterns = [
    path(SEASON + "balances/", views.SeasonBalances.as_view(), name="season_balances"),
    path(SEASON + "transfers/", views.SeasonTransfers.as_view(), name="season_transfers"),
    path(SEASON + "payments/", views.SeasonPayments.as_view(), name="season_payments"),
    path(SEASON + "postings/", views.Postings.as_view(), name="postings"),
    path(
        SEASON + "reported-payments/",
        views.ReportedPayments.as_view(),
        name="reported_payments",
    ),
    path(
        SEASON + "reported-payments/<int:report>/",
        views.AnswerReport.as_view(),
        name="report_answer",
    ),
    path(
        SEASON + "postings/<int:posting>/reverse/",
        views.ReversePosting.as_view(),
        name="posting_reverse",
    ),
]
