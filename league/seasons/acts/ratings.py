"""Strengths of people, fitted to all games of a season or a club (docs/ratings.md).

Games are read on one snapshot, without locks. If another count has published since, this one is
dropped and the next sweep looks again: a correction during a count ends in one true state.
"""

import time
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from django.db import connection, transaction
from django.utils import timezone

from engine.statistics.ratings import Order
from engine.statistics.strengths import MODEL, Figures, GameHistory
from league.base.acts.snapshots import snapshot
from league.base.acts.sweeps import each
from league.models import Club, Result, Season, Strength, StrengthPoint, StrengthState
from league.seasons.facts import ratings as selector

SECONDS = 5.0  # Per sweep; sweeps run once a minute, so they use at most a twelfth of a core.
CURVE, CURVE_GAMES = 50, 500_000
"""The last nights of a curve at most, and the games that all its fits together may read."""

Told = dict[int, Figures]
Point = tuple[int, int, Figures]
"""A night, a player, and the strength after the night."""


def rate_behind(*, seconds: float = SECONDS) -> int:
    """Rate what changed; begin nothing after `seconds`. Return how many were published."""
    end = time.monotonic() + seconds
    return each(
        selector.behind(),
        lambda of: time.monotonic() < end and rate(club=of.club, season=of.season),
    )


def rebuild_ratings(*, club: Club, season: Season | None = None) -> int:
    """Rate a season or the club again, with its whole curve; return the number of people."""
    StrengthState.objects.filter(club=club, season=season).delete()
    rate(club=club, season=season)
    return Strength.objects.filter(club=club, season=season).count()


def rate(*, club: Club, season: Season | None = None) -> bool:
    """Fit and publish the strengths; return False if another count has published since."""
    states = StrengthState.objects.filter(club=club, season=season)
    with snapshot():
        old = states.first() or StrengthState()
        nights, stamp = selector.nights_of(club, season)
        names = selector.names_of(club)
        begins = _begins(season, len(nights))
        same = _same(old.nights, nights) if old.begins <= begins and old.names == names else 0
        since = max(begins, same if old.stamp.startswith(f"{MODEL}:") else 0)
        told, points = figures([event for event, *_rest in nights], since)
    with transaction.atomic():
        StrengthState.objects.get_or_create(club=club, season=season)
        state = states.select_for_update().get()
        if (state.stamp, state.computed_at) != (old.stamp, old.computed_at):
            return False
        state.nights, state.names, state.begins, state.stamp = nights, names, begins, stamp
        state.computed_at = timezone.now()
        state.save()
        strengths = Strength.objects.filter(club=club, season=season)
        strengths.delete()
        of = {"club": club, "season": season, "model": MODEL, "computed_at": state.computed_at}
        strengths.bulk_create(
            Strength(player_id=player, **own._asdict(), **of) for player, own in told.items()
        )
        curve = StrengthPoint.objects.filter(season=season)
        curve.exclude(event__in=[event for event, *_rest in nights[begins:since]]).delete()
        curve.bulk_create(
            StrengthPoint(season=season, event_id=event, player_id=player, **own._asdict())
            for event, player, own in points
        )
    return True


def _begins(season: Season | None, nights: int) -> int:
    """Return from which night on there is a curve; the club as a whole has none."""
    if season is None:
        return nights
    of_season = Result.objects.filter(current=True, sitting__round__event__season=season)
    return max(0, nights - max(1, min(CURVE, CURVE_GAMES // max(1, of_season.count()))))


def _same(old: Sequence[selector.NightVersion], new: Sequence[selector.NightVersion]) -> int:
    """Return how many nights from the start are the same in both."""
    pairs = enumerate(zip(old, new, strict=False))
    return next((at for at, (one, other) in pairs if one != other), min(len(old), len(new)))


def figures(events: Sequence[int], since: int) -> tuple[Told, list[Point]]:
    """Return the strengths by these nights, and after each of them from number `since` on."""
    history, told, points = GameHistory(), Told(), list[Point]()
    late = set(events[since:])
    for event, games in groupby(_games(events), itemgetter(0)):
        here: set[int] = set()
        for _event, month, order in games:
            history.add(order, month)
            here.update(player for group in order for player in group)
        if event in late:
            told = history.fit().published()
            points += [(event, player, told[player]) for player in sorted(here & told.keys())]
    return told or history.fit().published(), points


_GAMES = """
    SELECT v.id, (12 * extract(year FROM v.date) + extract(month FROM v.date))::int,
           array_agg(coalesce(o.merged_into_id, o.id) ORDER BY p.rank, p.seat),
           array_agg(p.rank ORDER BY p.rank, p.seat)
    FROM league_event v
    JOIN league_round n ON n.event_id = v.id
    JOIN league_sitting s ON s.round_id = n.id
    JOIN league_result r ON r.sitting_id = s.id AND r.current
    JOIN league_placing p ON p.result_id = r.id
    JOIN league_entrant e ON e.id = p.entrant_id
    JOIN league_player o ON o.id = e.player_id AND o.bot = ''
    WHERE v.id = ANY(%s)
        AND (v.confirmed_by = 'none' OR r.source = 'live'
            OR EXISTS (SELECT FROM league_confirmation c WHERE c.result_id = r.id))
        AND NOT EXISTS (SELECT FROM jsonb_array_elements(n.settings -> 'pools') AS pool
            WHERE pool ->> 'kind' = 'others' AND pool -> 'tables' @> to_jsonb(s.table_no))
    GROUP BY v.id, v.date, r.id
    ORDER BY v.date, v.id
"""


def _games(events: Sequence[int]) -> Iterator[tuple[int, int, Order]]:
    """Yield the games of people that count, night by night, with the months of the nights.

    Games at side tables and those that wait for a confirmation do not count.
    """
    with transaction.atomic(), connection.chunked_cursor() as cursor:
        cursor.execute(_GAMES, [list(events)])
        for event, month, players, ranks in cursor:
            placed = groupby(zip(ranks, players, strict=True), itemgetter(0))
            yield event, month, tuple(tuple(one for _r, one in group) for _rank, group in placed)
