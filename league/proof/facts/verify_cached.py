"""Comparison of cached data with a rebuild from results alone.

A cache that lags behind newer results is no difference, because pages say so. This selector imports
a service, because only that service can compute the same ratings.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from engine.statistics.strengths import MODEL
from league.models import Club, Season, Strength, StrengthPoint, StrengthState
from league.seasons.acts import ratings as services
from league.seasons.domain.standings import StandingsRow
from league.seasons.facts import honours, ratings, season_cache
from tables.models import CountedGame, TableStrength
from tables.people.facts import ratings as table_ratings

FIGURES = ("mu", "sigma", "games")


def standings(season: Season, rebuilt: list[StandingsRow]) -> Iterator[str]:
    """Yield the season's cached rows, specials and honours that differ from a rebuild."""
    cached = season_cache.cached_standings(season)
    if cached.waiting:
        return
    rows = list(cached.rows)
    if [standing.row for standing in rows] != [replace(row, nights=()) for row in rebuilt]:
        yield f"season {season.pk} ({season.name}): the rows kept differ from a rebuild"
    if [standing.nights for standing in rows] != [len(row.nights) for row in rebuilt]:
        yield f"season {season.pk} ({season.name}): the nights kept differ from a rebuild"
    here = {standing.player.pk for standing in rows}
    specials = honours.season_specials(season)
    happened = {own for own in specials if own.player in here}
    if set(cached.rows.specials()) != happened:
        yield f"season {season.pk} ({season.name}): the specials kept differ from the results"
    held = honours.season_honours(specials, rows)
    if set(cached.rows.honours()) != {own for own in held if own.player in here}:
        yield f"season {season.pk} ({season.name}): the honours kept differ from the results"


def strengths(club: Club, seasons: Iterable[Season]) -> Iterator[str]:
    """Yield strengths of the club or its seasons that differ from another fit of all games."""
    for scope in (*seasons, None):
        state = StrengthState.objects.filter(club=club, season=scope).first()
        nights, stamp = ratings.nights_of(club, scope)
        if state is None or state.stamp != stamp:
            continue
        told, points = services.figures([event for event, *_rest in nights], state.begins)
        shown = Strength.objects.filter(club=club, season=scope).values_list("player", *FIGURES)
        curve = StrengthPoint.objects.filter(season=scope).values_list("event", "player", *FIGURES)
        where = f"club {club.pk}" if scope is None else f"season {scope.pk} ({scope.name})"
        if {player: rest for player, *rest in shown} != {p: list(s) for p, s in told.items()}:
            yield f"{where}: the ratings differ from rating all games anew"
        if set(curve) != {(event, player, *figures) for event, player, figures in points}:
            yield f"{where}: the rating curves differ from rating all games anew"


def rated_tables() -> Iterator[str]:
    """Yield whether strengths at rated tables differ from another fit, unless one is due."""
    rows = TableStrength.objects.filter(model=MODEL)
    if CountedGame.objects.filter(rated_at=None).exists() or not rows.exists():
        return
    told, _seated = table_ratings.figures()
    if {one.bot or one.user_id: (one.mu, one.sigma, one.games) for one in rows} != told:
        yield "rated tables: the ratings differ from rating all games again"
