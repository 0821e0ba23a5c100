"""URLs of all pages below /clubs/, collected from the packages."""

from league.arena import urls as arena
from league.clubs import urls as clubs
from league.exchange import urls as exchange
from league.log import urls as log
from league.money import urls as money
from league.news import urls as news
from league.nights import urls as nights
from league.online import urls as online
from league.recap import urls as recap
from league.schedules import urls as schedules
from league.seasons import urls as seasons
from league.turnout import urls as turnout

app_name = "league"

# A club's own page comes last: it would also match /clubs/new/ and /clubs/import/.
urlpatterns = [
    *exchange.urlpatterns,
    *nights.urlpatterns,
    *turnout.urlpatterns,
    *news.urlpatterns,
    *online.urlpatterns,
    *arena.urlpatterns,
    *schedules.urlpatterns,
    *log.urlpatterns,
    *money.urlpatterns,
    *seasons.urlpatterns,
    *clubs.urlpatterns,
    *recap.urlpatterns,
]
