"""Ratings of frozen bots over all closed tournaments of a season or a club, fitted at once.

People change from game to game, so that theirs follow the order of play (`services.ratings`); a
frozen bot does not, and the order of its games would only add noise.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction

from league.models import RatingState
from league.selectors import ratings as selector
from league.services.sweeps import each
from tables.services import run_ratings
from tables.services.run_ratings import RatedBot


def rate_behind() -> int:
    """Rates the bots wherever a tournament has ended since; in how many seasons and clubs."""
    return each(selector.bots_behind(), lambda late: _rate(*late))


def _rate(scope: selector.Scope, stamp: str) -> bool:
    # Seconds for long tournaments: before anything is locked.
    pools = run_ratings.rate_pools(selector.tournaments_of(scope))
    _keep(scope, stamp, [[_kept(bot) for bot in pool] for pool in pools if pool])
    return True


@transaction.atomic
def _keep(scope: selector.Scope, stamp: str, pools: list[Any]) -> None:
    RatingState.objects.get_or_create(club=scope.club, season=scope.season)
    state = RatingState.objects.filter(club=scope.club, season=scope.season)
    state.update(bots=pools, bots_stamp=stamp)


def _kept(bot: RatedBot) -> dict[str, Any]:
    rating = run_ratings.as_json(bot.rating)
    return {"name": bot.name, "version": bot.version, "games": bot.games} | rating
