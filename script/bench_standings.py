"""Measures a season's pages and recounts with a thousand to a million results.

Works in a database of its own, in a folder that is removed at the end, unless `--data` names one:
then what was filled last is still there and measured again.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from collections.abc import Callable
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import installation
import processes

ROOT = Path(__file__).resolve().parent.parent
OF_TESTS = {"DJANGO_SETTINGS_MODULE": "tests.settings"}
TABLES, ROUNDS, GAMES = 25, 5, 4
PER_EVENT = TABLES * ROUNDS * GAMES

# One night has 100 players at 25 tables; the players of a night are a stretch of all of them.
FILL = """
DROP TABLE IF EXISTS one, who, sitting, result, draw, place;
CREATE TEMP TABLE one AS SELECT * FROM league_event LIMIT 1;
CREATE TEMP TABLE who AS SELECT * FROM league_entrant LIMIT 1;
CREATE TEMP TABLE sitting AS SELECT * FROM league_sitting LIMIT 1;
CREATE TEMP TABLE result AS SELECT * FROM league_result LIMIT 1;
CREATE TEMP TABLE place AS SELECT * FROM league_place LIMIT 1;
CREATE TEMP TABLE draw AS SELECT * FROM league_round LIMIT 1;
TRUNCATE league_event CASCADE;


INSERT INTO league_event ({event}) SELECT {event_of_r} FROM generate_series(1, {events}) n, one,
    jsonb_populate_record(one, jsonb_build_object('id', n, 'name', 'Night ' || n, 'date',
        date '2020-01-01' + n, 'status', 'closed', 'closed_at', now(), 'stake', 5)) r;

INSERT INTO league_entrant SELECT r.* FROM generate_series(1, {events}) e,
    generate_series(0, 99) p, who, jsonb_populate_record(who, jsonb_build_object('id',
        (e - 1) * 100 + p + 1, 'event_id', e, 'player_id', {first} + (e * 37 + p) % {players})) r;

INSERT INTO league_round SELECT r.* FROM generate_series(1, {events}) e,
    generate_series(1, 5) n, draw, jsonb_populate_record(draw, jsonb_build_object('id',
        (e - 1) * 5 + n, 'event_id', e, 'number', n)) r;

INSERT INTO league_sitting SELECT r.* FROM generate_series(1, {events} * 5) n,
    generate_series(1, 25) t, sitting, jsonb_populate_record(sitting, jsonb_build_object('id',
        (n - 1) * 25 + t, 'round_id', n, 'table_no', t)) r;

INSERT INTO league_place SELECT r.* FROM league_sitting s
    JOIN league_round n ON n.id = s.round_id CROSS JOIN generate_series(0, 3) g (chair)
    CROSS JOIN place,
    jsonb_populate_record(place, jsonb_build_object('id', s.id * 4 + chair, 'sitting_id', s.id,
        'round_id', s.round_id, 'seat', chair, 'entrant_id', (n.event_id - 1) * 100 + (25 * chair
        + (s.table_no - 1) + 7 * chair * n.number) % 25 + 25 * chair + 1)) r;

INSERT INTO league_result SELECT r.* FROM league_sitting s, generate_series(1, 4) g, result,
    jsonb_populate_record(result, jsonb_build_object('id', (s.id - 1) * 4 + g, 'sitting_id', s.id,
        'game_no', g, 'client_id', gen_random_uuid())) r;

INSERT INTO league_placing (result_id, entrant_id, seat, rank, tied, size)
SELECT r.id, p.entrant_id, p.seat,
    row_number() OVER (PARTITION BY r.id ORDER BY md5(r.id::text || p.seat)), 1, 4
FROM league_result r JOIN league_place p ON p.sitting_id = r.sitting_id;

INSERT INTO league_tally (event_id, sitting_id, entrant_id, size, rank, tied, games)
SELECT n.event_id, r.sitting_id, p.entrant_id, p.size, p.rank, p.tied, count(*)
FROM league_placing p JOIN league_result r ON r.id = p.result_id
JOIN league_sitting s ON s.id = r.sitting_id JOIN league_round n ON n.id = s.round_id
GROUP BY 1, 2, 3, 4, 5, 6;

INSERT INTO league_account (club_id, player_id) SELECT club_id, id FROM league_player
ON CONFLICT DO NOTHING;

INSERT INTO league_transfer (payer_id, payee_id, amount, reason, detail, event_id, result_id, at)
SELECT loser.id, winner.id, 5, 'loser', '{{}}', a.event_id, r.id, now()
FROM league_result r
JOIN league_placing p ON p.result_id = r.id AND p.rank = 1
JOIN league_placing q ON q.result_id = r.id AND q.rank = 4
JOIN league_entrant a ON a.id = p.entrant_id
JOIN league_account winner ON winner.player_id = a.player_id
JOIN league_entrant b ON b.id = q.entrant_id
JOIN league_account loser ON loser.player_id = b.player_id;
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="script/bench-standings", description=__doc__)
    parser.add_argument("--results", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--data", help="a folder to keep the database in")
    options = parser.parse_args()
    with installation.own("bench-standings", data=options.data, **OF_TESTS):
        for number in options.results:
            measure(number)


def measure(number: int) -> None:
    from django.core.management import call_command

    from league.models import Result, Season

    print(f"\n{number:,} results, {installation.load()}")
    if Result.objects.filter(current=True).count() == events_of(number) * PER_EVENT:
        season = Season.objects.select_related("club").get()
    else:
        call_command("flush", verbosity=0, interactive=False)
        with timed("made in"):
            season = fill(number)
    measure_pages(season)
    measure_changes(season)
    print(installation.load())


def events_of(number: int) -> int:
    return max(1, number // PER_EVENT)


def fill(number: int) -> Any:
    from django.db import connection

    from league.models import Event

    players = min(10_000, max(100, number // 50))
    season = make_season(players)
    first = season.club.players.order_by("pk").values_list("pk", flat=True)[0]
    columns = written(Event)
    values = {
        "events": events_of(number),
        "players": players,
        "first": first,
        "event": ", ".join(columns),
        "event_of_r": ", ".join(f"r.{column}" for column in columns),
    }
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        cursor.execute(FILL.format(**values))
        add = importlib.import_module(
            "league.migrations.0001_squashed_0140_invitations_of_players"
        ).ADD
        cursor.execute(add.replace("FROM added", "FROM league_transfer"))
        cursor.execute("SET session_replication_role = origin")
        for table in ("event", "entrant", "round", "sitting", "place", "result"):
            cursor.execute(
                f"SELECT setval(pg_get_serial_sequence('league_{table}', 'id'),"
                f" (SELECT max(id) FROM league_{table}))"
            )
        cursor.execute("VACUUM ANALYZE")
    return season


def written(model: Any) -> list[str]:
    """Return the columns of a model that the database does not compute."""
    return [f'"{field.column}"' for field in model._meta.concrete_fields if not field.generated]


def make_season(players: int) -> Any:
    from league.models import Player
    from tests.factories import make_club, make_night, make_table, names_at, play
    from tests.factories import make_season as factory

    club = make_club()
    Player.objects.bulk_create(
        (
            Player(club=club, name=f"P{n}", name_key=f"p{n}", sort_key=f"p{n:06}")
            for n in range(players)
        ),
        batch_size=5000,
    )
    season = factory(club)
    sitting = make_table(make_night(season=season))
    play(sitting, names_at(sitting))
    return season


def measure_pages(season: Any) -> None:
    from django.test import Client
    from django.urls import reverse

    from league.seasons.acts import ratings, season_cache

    show("make the season's table ready", lambda: season_cache.prepare(season=season))
    show("rate all nights", lambda: ratings.rebuild_ratings(club=season.club, season=season))
    ratings.rebuild_ratings(club=season.club)
    client, club, night = Client(), season.club, latest(season)
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
    show("recount a night", lambda: tallies.rebuild_event(event=event))
    show("make the table ready again", lambda: season_cache.prepare(season=season))
    show("which seasons are behind", lambda: season_cache.prepare_behind())
    show("check all counts", lambda: check(not list(verify.kept_counts()), "a count"))
    show("check all sums of money", lambda: check(not list(verify.kept_sums()), "a sum"))


def open_page(client: Any, path: str) -> None:
    check(client.get(path).status_code == 200, path)


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


def show(name: str, work: Callable[[], Any]) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with timed(name) as line, CaptureQueriesContext(connection) as queries:
        work()
        line.append(f"{len(queries):>5} queries")


@contextmanager
def timed(name: str) -> Any:
    """Print the seconds that passed, and those that this process and the database worked."""
    line: list[str] = []
    started, worked = time.perf_counter(), processor_time()
    yield line
    passed, worked = time.perf_counter() - started, processor_time() - worked
    print(f"{name:<28} {passed:9.3f} s {worked:9.3f} s worked {''.join(line)}", flush=True)


def processor_time() -> float:
    """Seconds that this process and all processes of the database have worked so far."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        [backend] = cursor.fetchone()
    server = processes.family(processes.parent_of(backend))
    return time.process_time() + sum(map(processes.used, server))


def check(holds: bool, what: str) -> None:
    if not holds:
        sys.exit(f"{what} is wrong")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    main()
