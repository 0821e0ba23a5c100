"""URLs of imports and exports."""

from django.urls import path

from league.base.paths import EVENT, SEASON
from league.exchange.views import archives, exports, imports

urlpatterns = [
    path("import/", archives.club_import, name="club_import"),
    path("<slug:slug>/archive/", archives.club_archive, name="club_archive"),
    path("<slug:slug>/<slug:what>.csv", exports.club_csv, name="club_csv"),
    path("<slug:slug>/players/import/", imports.import_players, name="import_players"),
    path(
        "<slug:slug>/players/<int:pk>/seasons/<int:season>/<slug:what>.csv",
        exports.player_csv,
        name="player_csv",
    ),
    path(SEASON + "<slug:what>.csv", exports.season_csv, name="season_csv"),
    path(EVENT + "<slug:what>.csv", exports.event_csv, name="event_csv"),
    path(SEASON + "import/", imports.import_results, name="import_results"),
]
