from django.conf import settings
from django.contrib.sitemaps import views as sitemaps
from django.urls import include, path
from django.views.generic import TemplateView

from accounts import views as account_views
from config import health, metrics
from config.server import views as server
from league.arena.views.arena import bots_door
from league.arena.views.records import record_page, shared
from league.clubs.views import account_data, clubs, members
from league.clubs.views.search import search
from league.learn.views import help as questions
from league.learn.views import learn
from league.me.views import me
from league.money.views import bank
from league.news.views import news
from league.nights.views import home as app
from league.online.views import evening
from league.proof.views import verification
from league.recap.views import feeds, home
from league.recap.views.recap import puzzle_picture

# Without a mail server no reset mail can arrive: the page says so, and who helps.
no_mail = path(
    "accounts/password/reset/",
    account_views.no_mail,
    name="account_reset_password",
)

urlpatterns = [
    # Looked at first: these are asked for with every move.
    path("tables/<slug:key>/evening/", evening.evening, name="evening"),
    path("tables/", include("tables.urls")),
    path("", home.door, name="home"),
    path("manifest.webmanifest", app.manifest, name="manifest"),
    path("sw.js", app.service_worker, name="service_worker"),
    path("robots.txt", feeds.robots, name="robots"),
    path("sitemap.xml", sitemaps.index, {"sitemaps": feeds.SITEMAPS}, name="sitemap"),
    path(
        "sitemap-<slug:section>.xml",
        sitemaps.sitemap,
        {"sitemaps": feeds.SITEMAPS},
        name="django.contrib.sitemaps.views.sitemap",
    ),
    path("offline/", app.offline, name="offline"),
    path("health/", health.alive, name="alive"),
    path("health/ready/", health.ready, name="ready"),
    path("metrics/", metrics.metrics, name="metrics"),
    path("health/verify/", verification.health, name="verified"),
    path("design/", TemplateView.as_view(template_name="design.html"), name="design"),
    *([] if settings.HAS_MAIL else [no_mail]),
    path("accounts/", include("allauth.account.urls")),
    path("accounts/2fa/", include("allauth.mfa.urls")),
    path("people/", include("accounts.urls")),
    path("people/verification/", verification.verification, name="verification"),
    path("people/server/", server.server, name="server"),
    path("people/server/mail/", server.test_mail, name="server_mail"),
    path("people/server/report/", server.bug_report, name="server_report"),
    path("people/server/licences/", server.licences, name="server_licences"),
    path("people/me/", me.me, name="me"),
    path("people/me/clubs/", me.my_clubs, name="my_clubs"),
    path("people/me/face/", me.my_face, name="my_face"),
    path("people/me/clock/", me.my_clock, name="my_clock"),
    path("people/me/notice/", me.my_notice, name="my_notice"),
    path("people/me/account/", account_data.account, name="account"),
    path("people/me/data.json", account_data.my_data, name="my_data"),
    path("privacy/", me.privacy, name="privacy"),
    path("people/me/insights/", me.my_insights, name="my_insights"),
    path("people/me/news/", news.my_news, name="my_news"),
    path("people/me/news/browser/", news.my_browser, name="my_browser"),
    path("news/renewed/", news.renewed_browser, name="renewed_browser"),
    path("people/me/news/telegram/", news.my_telegram, name="my_telegram"),
    path("people/me/bank/", bank.my_bank, name="my_bank"),
    path("people/me/bin/", clubs.my_bin, name="my_bin"),
    path("people/me/offers/", members.offers, name="offers"),
    path("people/me/offers/<int:offer>/", members.answer, name="offer_answer"),
    path("people/me/erase/", account_data.erase_me, name="erase_me"),
    path("people/<int:pk>/lock/", account_data.lock_person, name="lock_person"),
    path("people/<int:pk>/erase/", account_data.erase_person, name="erase_person"),
    path("language/", include("django.conf.urls.i18n")),
    path("learn/", learn.course, name="learn"),
    path("learn/<slug:rules>/<slug:lesson>/", learn.lesson, name="lesson"),
    path("help/", questions.index, name="help"),
    path("help/<slug:question>/", questions.question, name="help_question"),
    path("rules/<slug:rules>/", learn.rules_card, name="rules_card"),
    path("search/", search, name="search"),
    path("bots/", bots_door, name="bots"),
    path("records/", record_page, name="records"),
    path("shared/", shared, name="shared"),
    path("puzzles/<int:pk>/picture-<slug:shape>.png", puzzle_picture, name="puzzle_picture"),
    path("clubs/", include("league.urls")),
    path("api/v1/tables/", include("tables.api.urls")),
    path("api/", include("league.api.urls")),
]

handler400 = "config.errors.bad_request"
handler403 = "config.errors.forbidden"
handler404 = "config.errors.not_found"
handler500 = "config.errors.server_error"
