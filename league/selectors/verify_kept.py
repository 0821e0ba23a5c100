"""What is kept ready beside the results, compared with the same made from results alone.

Where newer results are not counted in yet, pages say so: that is no difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from league.domain.standings import Row
from league.models import Club, Rating, RatingPoint, Season, SeasonTable
from league.selectors import honours, ratings
from league.selectors.ready_rows import standing_of
from league.selectors.stamps import stamp_of
from league.services import ratings as services
from league.services.ratings import NIGHTS, Strength


def ready_rows(season: Season, rebuilt: list[Row]) -> Iterator[str]:
    """Rows, specials and honours that pages of the season read and that do not follow from it."""
    table = SeasonTable.objects.filter(season=season).first()
    if table is None or table.stamp != stamp_of(season):
        return
    rows = season.rows.select_related("player")
    kept = [standing_of(row) for row in rows]
    if [standing.row for standing in kept] != [replace(row, nights=()) for row in rebuilt]:
        yield f"season {season.pk} ({season.name}): the rows kept differ from a rebuild"
    if [standing.nights for standing in kept] != [len(row.nights) for row in rebuilt]:
        yield f"season {season.pk} ({season.name}): the nights kept differ from a rebuild"
    here = {standing.player.pk for standing in kept}
    specials = honours.season_specials(season)
    happened = {own for own in specials if own.player in here}
    if set(honours.kept_specials(season)) != happened:
        yield f"season {season.pk} ({season.name}): the specials kept differ from the results"
    held = honours.season_honours(specials, kept)
    if set(honours.kept_honours(season)) != {own for own in held if own.player in here}:
        yield f"season {season.pk} ({season.name}): the honours kept differ from the results"


def strengths(club: Club, season: Season | None = None) -> Iterator[str]:
    """Ratings of a season, or of the club, that rating all games from the first does not give."""
    state = ratings.state_of(club, season)
    nights, stamp = ratings.nights_of(club, season)
    if state is None or state.stamp != stamp or state.waiting:
        return
    rated: dict[int, Strength] = {}
    events = [event for event, *_rest in nights]
    for at in range(0, len(events), NIGHTS):
        games = services.games_of(events[at : at + NIGHTS])
        for event in events[at : at + NIGHTS]:
            rated |= services.strengths_after(games.get(event, []), rated)
    columns = ("player", "mu", "sigma", "games")
    shown = Rating.objects.filter(club=club, season=season).values_list(*columns)
    latest = (
        RatingPoint.objects.filter(club=club, season=season)
        .order_by("player_id", "-event__date", "-event_id")
        .distinct("player_id")
        .values_list(*columns)
    )
    where = f"club {club.pk}" if season is None else f"season {season.pk} ({season.name})"
    for what, kept in (("ratings", shown), ("rating curves", latest)):
        if {player: Strength(*rest) for player, *rest in kept} != rated:
            yield f"{where}: the {what} differ from rating all games anew"
