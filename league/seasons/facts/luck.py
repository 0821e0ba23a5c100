"""The hands of online games that were reviewed, with what each was worth before the first play."""

from collections import Counter
from collections.abc import Mapping
from itertools import groupby

from django.db.models import F, Q

from league.base.domain.keys import Key
from league.models import Placing
from league.seasons.domain.luck import HandPlayed
from league.seasons.domain.scoring import Scoring, points_for
from league.seasons.facts.same_deals import owner

_GAME = "result__live__game"
_WORTHS = f"{_GAME}__review__body__values__0"
_COLUMNS = ("result_id", owner("entrant"), "entrant__event_id", "result__sitting_id")


def hands_of(by_event: Mapping[Key, Scoring]) -> list[HandPlayed]:
    """Return everyone's hands in the reviewed games of these events, game by game."""
    placings = Placing.objects.filter(entrant__event__in=list(by_event), result__current=True)
    columns = (*_COLUMNS, "size", "rank", "tied", F(_WORTHS))
    # A deal that others still play is told nowhere.
    number = F(f"{_GAME}__no") + F(f"{_GAME}__table__arrangement__shared_from") - 1
    revealed = Q(**{f"{_GAME}__table__arrangement__shared__told__gte": number})
    counted = revealed | Q(**{f"{_GAME}__table__arrangement__shared": None})
    found = placings.filter(counted, **{f"{_WORTHS}__isnull": False}).values_list(*columns)
    rows = list(found.order_by("result", "seat"))
    # A sitting or a night may be worth the mean of its games: each then gives its part of it.
    together = [
        (row[1], row[2 if by_event[row[2]].counting == "night_average" else 3]) for row in rows
    ]
    games = Counter(together)
    parts = {
        (result, player): 1 if by_event[event].counting == "fixed" else games[among]
        for (result, player, event, *_rest), among in zip(rows, together, strict=True)
    }
    return [
        HandPlayed(
            player, event, result, size, (size - rank - (tied - 1) / 2) / (size - 1),
            worths[chair] / (size - 1), _spread(by_event[event], size) / parts[result, player],
        )
        for _result, seats in groupby(rows, key=lambda row: row[0])
        for chair, (result, player, event, _sitting, size, rank, tied, worths) in enumerate(seats)
    ]  # fmt: skip


def _spread(scoring: Scoring, size: int) -> float:
    """Return the points of all opponents of a game; 0 where points are not those of games."""
    table = scoring.points_table
    if scoring.gives != "games" or table.stake:
        return 0.0
    return float((points_for(table, size, 1) - points_for(table, size, size)) * scoring.weight)
