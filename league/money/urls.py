"""URLs of the money pages of seasons, nights and players."""

from django.urls import path

from league.base.paths import EVENT, SEASON
from league.money.views import bank, money, player, reports

urlpatterns = [
    path("<slug:slug>/players/<int:pk>/", player.player, name="player"),
    path("<slug:slug>/players/<int:pk>/pay/", bank.pay, name="pay"),
    path("<slug:slug>/players/<int:pk>/bank/", bank.player_bank, name="player_bank"),
    path(EVENT + "money/", money.event_money, name="event_money"),
    path(EVENT + "money/sheet/", money.night_sheet, name="night_sheet"),
    path(SEASON + "money/", money.season_money, name="season_money"),
    path(SEASON + "money/settle/", money.settle, name="settle"),
    path(
        SEASON + "money/new/<slug:kind>/",
        money.posting_create,
        name="posting_create",
    ),
    path(
        SEASON + "money/postings/<int:posting>/reverse/",
        money.posting_reverse,
        name="posting_reverse",
    ),
    path(
        SEASON + "money/postings/<int:posting>/doubt/",
        money.posting_doubt,
        name="posting_doubt",
    ),
    path(SEASON + "money/reports/", reports.report, name="payment_report"),
    path(
        SEASON + "money/<int:one>/<int:other>/",
        money.money_between,
        name="money_between",
    ),
]
