"""Strengths of the people of a season or a club, their curves, and what is outdated."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest
from typing import Any, NamedTuple

from django.db.models import Count, F, Max, QuerySet, Sum
from django.db.models.functions import Least
from django.utils.translation import gettext as _

from engine.statistics.strengths import LEAST, MODEL
from league.base.facts.interval_rows import IntervalRow, drawn
from league.models import (
    Audit,
    Club,
    Event,
    Player,
    RatingState,
    Season,
    Strength,
    StrengthPoint,
    StrengthState,
)
from tables.models import Run

MEAN = 1000
"""The rating shown for the mean of the bots that met, so that none is negative."""
_MERGES = ("player.merged", "player.unmerged")

NightVersion = list[Any]
"""The key, version and date of a rated event."""


_Key = tuple[int, int | None]
"""The keys of a club and of one of its seasons, or None for all seasons."""


class Scope(NamedTuple):
    """A season, or a club over all of its seasons."""

    club: Club
    season: Season | None


class RatedBot(NamedTuple):
    """A bot's rating with its interval and number of games."""

    row: IntervalRow
    games: int


def of_season(season: Season) -> QuerySet[Strength]:
    """Return the strengths of the season's people, the surely strongest first."""
    return _listed(season.strengths.all())


def of_club(club: Club) -> QuerySet[Strength]:
    """Return the strengths of people over all seasons of the club, the surely strongest first."""
    return _listed(club.strengths.filter(season=None))


def _listed(found: QuerySet[Strength]) -> QuerySet[Strength]:
    """Order by the interval's lower end; who has too few games comes last."""
    enough = Least("games", LEAST)
    low = F("mu") - 1.96 * F("sigma")
    return found.select_related("player").order_by(-enough, -low, "player__sort_key")


def curve_of(player: int, season: Season) -> list[StrengthPoint]:
    """Return the player's strength after each night of the season, oldest first."""
    points = season.strength_points.filter(player=player)
    return list(points.select_related("event").order_by("event__date", "event_id"))


def state_of(club: Club, season: Season | None) -> RatingState | None:
    """Return the state of the bots' ratings; None if nothing was rated."""
    return RatingState.objects.filter(club=club, season=season).first()


def nights_of(club: Club, season: Season | None) -> tuple[list[NightVersion], str]:
    """Return the nights that count, in order, and the stamp of strengths by them."""
    of = {"season__club": club} if season is None else {"season": season}
    found = Event.objects.filter(kind=Event.Kind.NIGHT, **of).order_by("date", "pk")
    nights: list[NightVersion] = [
        [pk, version, day.isoformat()]
        for pk, version, day in found.values_list("pk", "version", "date")
    ]
    versions: int = sum(version for _event, version, _date in nights)
    latest: int = max((event for event, _version, _date in nights), default=0)
    return nights, _stamp(len(nights), versions, latest, names_of(club))


def names_of(club: Club) -> int:
    """Return the key of the last log entry of a merge or its undoing."""
    merges = Audit.objects.filter(club=club, action__in=_MERGES)
    return merges.aggregate(last=Max("pk"))["last"] or 0


def behind() -> list[Scope]:
    """Return the seasons and clubs with a changed night or a merge since they were counted.

    The longest uncounted come first, alternating with those never counted, so that no night waits
    for a whole import.
    """
    merges = Audit.objects.filter(action__in=_MERGES).order_by()
    names: dict[int, int] = dict(merges.values_list("club_id").annotate(Max("pk")))
    states = StrengthState.objects.order_by(F("computed_at").asc(nulls_first=True))
    stamps: dict[_Key, str] = {
        (club, season): stamp
        for club, season, stamp in states.values_list("club_id", "season_id", "stamp")
    }
    # Of an import that was undone no night is left.
    nights = dict.fromkeys(stamps, (0, 0, 0))
    nights |= _counted(Event.objects.filter(kind=Event.Kind.NIGHT))
    wanted = {key: _stamp(*seen, names.get(key[0], 0)) for key, seen in nights.items()}
    turn = {key: number for number, key in enumerate(stamps)}
    late = [key for key, stamp in wanted.items() if stamps.get(key) != stamp]
    rated = sorted((key for key in late if key in turn), key=turn.__getitem__)
    never = [key for key in late if key not in turn]
    in_turn = [key for pair in zip_longest(rated, never) for key in pair if key]
    return _scopes(in_turn)


def tournaments_of(scope: Scope) -> QuerySet[Run]:
    """Return the runs of the closed bot tournaments, in order of creation."""
    of = {"season__club": scope.club} if scope.season is None else {"season": scope.season}
    closed = Event.objects.filter(status=Event.Status.CLOSED, run__isnull=False, **of)
    return Run.objects.filter(pk__in=closed.values("run")).order_by("created_at", "pk")


def bots_behind() -> list[tuple[Scope, str]]:
    """Return seasons and clubs with outdated bot ratings, and their new stamps."""
    states = RatingState.objects.exclude(bots_stamp="")
    stamps: dict[_Key, str] = {
        (club, season): stamp
        for club, season, stamp in states.values_list("club_id", "season_id", "bots_stamp")
    }
    closed = Event.objects.filter(run__isnull=False, status=Event.Status.CLOSED)
    wanted = dict.fromkeys(stamps, "") | {
        key: f"{count}:{versions}" for key, (count, versions, _last) in _counted(closed).items()
    }
    late = {key: stamp for key, stamp in wanted.items() if stamps.get(key, "") != stamp}
    return list(zip(_scopes(late), late.values(), strict=True))


def _counted(events: QuerySet[Event]) -> dict[_Key, tuple[int, int, int]]:
    """Return the number of events of each season and club, their versions' sum and the last key."""
    found: dict[_Key, tuple[int, int, int]] = {}
    for club, season, *seen in (
        events.order_by().values_list("season__club_id", "season_id")
        .annotate(Count("pk"), Sum("version"), Max("pk"))
    ):  # fmt: skip
        of_club = found.get((club, None), (0, 0, 0))
        found[club, season] = (seen[0], seen[1], seen[2])
        found[club, None] = (of_club[0] + seen[0], of_club[1] + seen[1], max(of_club[2], seen[2]))
    return found


def rated_bots(state: RatingState | None) -> list[dict[str, Any]]:
    """Return the rated bots as stored, pool by pool, with the pool's number."""
    return [
        {"pool": number, **bot}
        for number, pool in enumerate(stored_pools(state), 1)
        for bot in pool
    ]


def ranked_bots(club: Club) -> list[dict[str, Any]]:
    """Return the newest version of each bot by the club's closed tournaments, the strongest first.

    They are of the largest group of bots that met. A bot entered twice is one bot.
    """
    pool = max(stored_pools(state_of(club, None)), key=len, default=[])
    newest = {bot["name"]: bot for bot in sorted(pool, key=lambda bot: bot["version"])}
    return [bot for bot in pool if newest[bot["name"]] is bot]


class BotRating(NamedTuple):
    """A bot's rating, half of its 95% interval, and its place among `of` bots."""

    rating: int
    margin: float
    place: int
    of: int


def rating_of_bot(player: Player) -> BotRating | None:
    """Return a bot's rating by the club's closed tournaments, None if none has it."""
    ranked = ranked_bots(player.club)
    for place, bot in enumerate(ranked, start=1):
        if bot["name"] == player.bot:
            margin = (bot["high"] - bot["low"]) / 2
            return BotRating(round(MEAN + bot["rating"]), margin, place, len(ranked))
    return None


def bot_pools(state: RatingState | None) -> list[list[RatedBot]]:
    """Return the rated bots by pool, strongest first, with a chart row on the pool's scale."""
    return [_pool(pool) for pool in stored_pools(state)]


def unrated_bots(state: RatingState | None) -> list[dict[str, Any]]:
    """Return the bots with too many faults to be rated; `faults` in percent."""
    found = [bot for pool in (state.bots if state else []) for bot in pool if "faults" in bot]
    return [bot | {"faults": 100 * bot["faults"]} for bot in found]


def stored_pools(state: RatingState | None) -> list[list[dict[str, Any]]]:
    """Return the pools as stored, without the last list of unrated bots."""
    return [pool for pool in (state.bots if state else []) if "rating" in pool[0]]


def _pool(bots: list[dict[str, Any]]) -> list[RatedBot]:
    names = [bot["name"] for bot in bots]
    labels = [
        bot["name"]
        if names.count(bot["name"]) == 1
        else _("%(bot)s, version %(version)s") % {"bot": bot["name"], "version": bot["version"]}
        for bot in bots
    ]
    rows = drawn(labels, [(bot["rating"], bot["low"], bot["high"]) for bot in bots], 0.0)
    return [RatedBot(row, bot["games"]) for row, bot in zip(rows, bots, strict=True)]


def _scopes(keys: Iterable[_Key]) -> list[Scope]:
    found = list(keys)
    clubs = Club.everything.in_bulk({club for club, _season in found})
    seasons = Season.everything.in_bulk({season for _club, season in found if season})
    return [Scope(clubs[club], seasons[season] if season else None) for club, season in found]


def _stamp(count: int, versions: int, latest: int, names: int) -> str:
    """Return the stamp of nights; those in place of deleted ones have a higher `latest` key."""
    return f"{MODEL}:{count}:{versions}:{latest}:{names}"
