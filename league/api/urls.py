"""Every address of the API, and the page where people make tokens."""

from django.urls import path
from drf_spectacular.views import SpectacularAPIView

from league.arena.api import urls as arena
from league.base.views import tokens
from league.clubs.api import urls as clubs
from league.money.api import urls as money
from league.news.api import urls as news
from league.nights.api import urls as nights
from league.schedules.api import urls as schedules
from league.seasons.api import urls as seasons
from league.turnout.api import urls as turnout

app_name = "api"

urlpatterns = [
    path("tokens/", tokens.token_list, name="tokens"),
    path("tokens/<int:pk>/revoke/", tokens.token_revoke, name="token_revoke"),
    path("v1/schema/", SpectacularAPIView.as_view(), name="schema"),
    *clubs.urlpatterns,
    *seasons.urlpatterns,
    *money.urlpatterns,
    *nights.urlpatterns,
    *turnout.urlpatterns,
    *arena.urlpatterns,
    *schedules.urlpatterns,
    *news.urlpatterns,
]
