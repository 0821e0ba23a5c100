"""Comparison of cached data with a rebuild from results alone.

A cache that lags behind newer results is no difference, because pages say so. This selector imports
a service, because only that service can compute the same ratings.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace

from league.models import Club, Rating, RatingPoint, Season
from league.seasons.acts import ratings as services
from league.seasons.acts.ratings import Skill
from league.seasons.domain.standings import StandingsRow
from league.seasons.facts import honours, ratings, season_cache

NIGHTS = 50  # Nights whose games are read in one batch.


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
    """Yield ratings of the club or its seasons that differ from a fresh rating of all games.

    Each game is read once, for both its season and its club.
    """
    rated: dict[Season | None, dict[int, Skill]] = {}
    scopes: defaultdict[int, list[Season | None]] = defaultdict(list)
    order: dict[int, str] = {}
    for scope in (*seasons, None):
        state = ratings.state_of(club, scope)
        nights, stamp = ratings.nights_of(club, scope)
        if state is None or state.stamp != stamp or state.waiting:
            continue
        rated[scope] = {}
        for event, _version, day in nights:
            scopes[event].append(scope)
            order[event] = day
    events = sorted(order, key=lambda event: (order[event], event))
    for at in range(0, len(events), NIGHTS):
        games = services.games_of(events[at : at + NIGHTS])
        for event in events[at : at + NIGHTS]:
            for scope in scopes[event]:
                believed = rated[scope]
                believed |= services.strengths_after(games.get(event, []), believed)
    for scope, strong in rated.items():
        yield from _stored_ratings(club, scope, strong)


def _stored_ratings(club: Club, season: Season | None, rated: dict[int, Skill]) -> Iterator[str]:
    columns = ("player", "mu", "sigma", "games")
    cached = Rating.objects.filter(club=club, season=season).values_list(*columns)
    latest = (
        RatingPoint.objects.filter(club=club, season=season)
        .order_by("player_id", "-event__date", "-event_id")
        .distinct("player_id")
        .values_list(*columns)
    )
    where = f"club {club.pk}" if season is None else f"season {season.pk} ({season.name})"
    for what, stored in (("ratings", cached), ("rating curves", latest)):
        if {player: Skill(*rest) for player, *rest in stored} != rated:
            yield f"{where}: the {what} differ from rating all games anew"
