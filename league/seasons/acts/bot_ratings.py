"""Ratings of frozen bots, fitted at once over all closed tournaments of a season or a club.

People change, so older games of theirs count less (`league.seasons.acts.ratings`). A frozen bot
does not, and has no prior either: it plays as many games as it takes.
"""

from league.base.acts.sweeps import each
from league.models import RatingState
from league.seasons.facts import ratings as selector
from tables.bots.facts import member_bots
from tables.models import Run
from tables.runs import run_ratings


def rate_behind() -> int:
    """Rate the bots of seasons and clubs with outdated ratings; return how many were rated."""
    return each(selector.bots_behind(), lambda late: _rate(*late))


def _rate(scope: selector.Scope, stamp: str) -> bool:
    # Takes seconds for long tournaments, so it runs before anything is locked.
    runs = [run for run in selector.tournaments_of(scope) if not _is_own(run)]
    pools = [
        [
            {"name": bot.name, "version": bot.version, "games": bot.games}
            | run_ratings.as_json(bot.rating)
            for bot in pool
        ]
        for pool in run_ratings.rate_pools(runs)
        if pool
    ]
    if unrated := [bot._asdict() for bot in run_ratings.unrated(runs)]:
        pools.append(unrated)
    values = {"bots": pools, "bots_stamp": stamp}
    RatingState.objects.update_or_create(club=scope.club, season=scope.season, defaults=values)
    return True


def _is_own(run: Run) -> bool:
    """Return whether two bots of one author shared a table of it, so that it rates nobody."""
    return member_bots.meets_itself([bot["name"] for bot in run.bots], 4) is not None
