"""Measures a season's pages and recounts with a thousand to a million results.

Works in a database of its own, in a folder that is removed at the end, unless `--data` names one:
then what was filled last is still there and measured again.
"""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

import entrance  # noqa: F401
import installation
from bench_installation import OF_TESTS, check, fill, open_page, owners_browser, show, timed

TABLES, ROUNDS, GAMES = 25, 5, 4
PER_EVENT = TABLES * ROUNDS * GAMES


def main() -> None:
    parser = argparse.ArgumentParser(prog="script/lab/bench-standings", description=__doc__)
    parser.add_argument("--results", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--data", help="a folder to keep the database in")
    options = parser.parse_args()
    with installation.own("bench-standings", data=options.data, **OF_TESTS):
        for number in options.results:
            measure(number)


def measure(number: int) -> None:
    from league.models import Result, Season

    print(f"\n{number:,} results, {installation.load()}")
    nights = max(1, number // PER_EVENT)
    if Result.objects.filter(current=True).count() != nights * PER_EVENT:
        with timed("made in"):
            people = {"players": min(10_000, max(100, number // 50)), "seated": 4 * TABLES}
            each = {"tables": TABLES, "rounds": ROUNDS, "games": GAMES, "losers": 1}
            fill(clubs=1, seasons=1, nights=nights, **people, **each)
    season = Season.objects.select_related("club").get()
    measure_pages(season)
    measure_changes(season)
    print(installation.load())


def measure_pages(season: Any) -> None:
    from django.urls import reverse

    from league.seasons.acts import ratings, season_cache

    show("make the season's table ready", lambda: season_cache.prepare(season=season))
    show("rate all nights", lambda: ratings.rebuild_ratings(club=season.club, season=season))
    ratings.rebuild_ratings(club=season.club)
    client, club, night = owners_browser(season.club), season.club, latest(season)
    player = season.rows.order_by("-games")[0].player_id
    for name, view, *keys in (
        ("season page", "season", season.pk),
        ("season page, the last rows", "season", season.pk),
        ("sum behind a row", "season_explain", season.pk, player),
        ("player page", "player", player),
        ("race and crosstable", "season_pictures", season.pk),
        ("ratings", "season_ratings", season.pk),
        ("money of the season", "season_money", season.pk),
        ("past seasons", "past_seasons"),
        ("page of the latest night", "event", night),
        ("money of the latest night", "event_money", night),
    ):
        path = reverse(f"league:{view}", args=[club.slug, *keys])
        path += "?page=99999" if name.endswith("rows") else ""
        show(name, partial(open_page, client, path))


def measure_changes(season: Any) -> None:
    from league.nights.acts import tallies
    from league.proof.facts import verify
    from league.seasons.acts import ratings, season_cache

    event = season.events.get(pk=latest(season))
    show("correct a result", lambda: correct(season, event))
    show("season page after it", lambda: open_season(season))
    show("rate what changed", lambda: ratings.rate_behind(seconds=600))
    show("recount a night", lambda: tallies.rebuild(event))
    show("make the table ready again", lambda: season_cache.prepare(season=season))
    show("which seasons are behind", lambda: season_cache.prepare_behind())
    show("check all counts", lambda: check(not list(verify.stored_tallies()), "a count"))
    show("check all sums of money", lambda: check(not list(verify.stored_sums()), "a sum"))


def open_season(season: Any) -> None:
    from django.test import Client

    Client().get(f"/clubs/{season.club.slug}/seasons/{season.pk}/")


def correct(season: Any, event: Any) -> None:
    import uuid

    from league.models import Result
    from league.nights.acts import closing, results
    from tests.factories import owner_of

    by = owner_of(season.club)
    closing.reopen_event(event=event, by=by)
    result = Result.objects.filter(sitting__round__event=event, current=True).order_by("pk")[0]
    keys = list(result.placings.order_by("-rank").values_list("entrant_id", flat=True))
    results.correct(
        sitting_id=result.sitting_id,
        game_no=result.game_no,
        version=result.version,
        groups=[[key] for key in keys],
        client_id=uuid.uuid4(),
        by=by,
    )


def latest(season: Any) -> int:
    return int(season.events.order_by("-pk").values_list("pk", flat=True)[0])


if __name__ == "__main__":
    main()
