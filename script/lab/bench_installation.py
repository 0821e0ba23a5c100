"""Fills an installation with many clubs and prints what its sweeps, its proof and its pages cost.

Works in a database of its own, in a folder that is removed at the end, unless `--data` names one:
then it is filled once and measured again. Run it with ten times the clubs to see what grows.
Each night has 16 players, four tables and five games at each, paid at a stake of five.
`bench_standings` fills one large club in the same way.
"""

from __future__ import annotations

import argparse
import importlib
import logging
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import contextmanager
from functools import partial
from typing import Any

import entrance  # noqa: F401
import installation
import processes

OF_TESTS = {"DJANGO_SETTINGS_MODULE": "tests.settings"}
SIZES = {"players": 50, "seated": 16, "tables": 4, "rounds": 1, "games": 5, "losers": 3}

# Model, from where its rows come, and what each has of its own; the rest is the template's.
ROWS = (
    ("Club", "generate_series(1, {clubs}) c",
     "'id', c, 'name', 'Hội ' || c, 'slug', 'club-' || c, 'is_public', true"),
    ("Player", """generate_series(1, {clubs}) c, generate_series(1, {players}) i, LATERAL (SELECT
        (ARRAY['Nguyễn', 'Trần', 'Lê', 'Phạm', 'Huỳnh', 'Võ', 'Đặng'])[1 + (c + i) % 7] || ' ' ||
        (ARRAY['An', 'Bình', 'Châu', 'Đạt', 'Giang', 'Hạnh', 'Khôi', 'Lan', 'Mai', 'Nga', 'Phúc'])
        [1 + (c * 3 + i) % 11] || ' ' || i) AS word (name)""",
     """'id', (c - 1) * {players} + i, 'club_id', c, 'name', word.name, 'user_id', NULL,
        'name_key', lower(word.name), 'sort_key', lower(word.name)"""),
    ("Season", "generate_series(1, {clubs}) c, generate_series(1, {seasons}) s",
     "'id', (c - 1) * {seasons} + s, 'club_id', c, 'name', 'Mùa ' || s"),
    ("Event", "generate_series(1, {clubs} * {seasons}) s, generate_series(1, {nights}) n",
     """'id', (s - 1) * {nights} + n, 'season_id', s, 'name', 'Buổi ' || n, 'version', 3,
        'date', date '2020-01-01' + n, 'status', 'closed', 'closed_at', now(), 'stake', 5"""),
    ("Entrant", "league_event e JOIN league_season s ON s.id = e.season_id,"
     " generate_series(1, {seated}) i",
     """'id', (e.id - 1) * {seated} + i, 'event_id', e.id, 'ticket', NULL,
        'player_id', (s.club_id - 1) * {players} + (e.id * 37 + i) % {players} + 1"""),
    ("Round", "league_event e, generate_series(1, {rounds}) n",
     "'id', (e.id - 1) * {rounds} + n, 'event_id', e.id, 'number', n"),
    ("Sitting", "league_round r, generate_series(1, {tables}) t",
     "'id', (r.id - 1) * {tables} + t, 'round_id', r.id, 'table_no', t"),
    # In each seat sits a quarter of the night's people, each time at another table.
    ("Place", "league_sitting g JOIN league_round r ON r.id = g.round_id,"
     " generate_series(0, 3) chair",
     """'id', g.id * 4 + chair, 'sitting_id', g.id, 'round_id', g.round_id, 'seat', chair,
        'entrant_id', (r.event_id - 1) * {seated} + {tables} * chair
        + (g.table_no + 7 * chair * r.number) % {tables} + 1"""),
    ("Result", "league_sitting g, generate_series(1, {games}) n",
     """'id', (g.id - 1) * {games} + n, 'sitting_id', g.id, 'game_no', n, 'version', 1,
        'current', true, 'client_id', gen_random_uuid()"""),
)  # fmt: skip
# What follows from the results, as services would have made it.
DERIVED = """
INSERT INTO league_placing (result_id, entrant_id, seat, rank, tied, size)
SELECT r.id, p.entrant_id, p.seat,
    row_number() OVER (PARTITION BY r.id ORDER BY md5(r.id::text || p.seat)), 1, 4
FROM league_result r JOIN league_place p ON p.sitting_id = r.sitting_id;

INSERT INTO league_tally (event_id, sitting_id, entrant_id, size, rank, tied, games)
SELECT n.event_id, r.sitting_id, p.entrant_id, p.size, p.rank, p.tied, count(*)
FROM league_placing p JOIN league_result r ON r.id = p.result_id
JOIN league_sitting g ON g.id = r.sitting_id JOIN league_round n ON n.id = g.round_id
GROUP BY 1, 2, 3, 4, 5, 6;

INSERT INTO league_account (club_id, player_id) SELECT club_id, id FROM league_player;

INSERT INTO league_transfer (payer_id, payee_id, amount, reason, detail, event_id, result_id, at)
SELECT loser.id, winner.id, 5, 'loser', '{{}}', a.event_id, p.result_id, now()
FROM league_placing p JOIN league_placing q ON q.result_id = p.result_id AND q.rank = 4
JOIN league_entrant a ON a.id = p.entrant_id
JOIN league_account winner ON winner.player_id = a.player_id
JOIN league_entrant b ON b.id = q.entrant_id
JOIN league_account loser ON loser.player_id = b.player_id
WHERE p.rank <= {losers};
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="script/lab/bench-installation", description=__doc__)
    parser.add_argument("--clubs", type=int, default=200)
    parser.add_argument("--seasons", type=int, default=2, help="of each club")
    parser.add_argument("--nights", type=int, default=10, help="of each season")
    parser.add_argument("--data", help="a folder to keep the database in")
    parser.add_argument("--without-proof", action="store_true")
    options = parser.parse_args()
    with installation.own("bench-installation", data=options.data, **OF_TESTS):
        logging.disable(logging.WARNING)
        measure(options)


def measure(options: argparse.Namespace) -> None:
    from league.models import Club, Player, Result

    if Club.objects.count() != options.clubs:
        with timed("filled in"):
            fill(clubs=options.clubs, seasons=options.seasons, nights=options.nights, **SIZES)
    print(f"{Club.objects.count():,} clubs, {Player.objects.count():,} players,"
          f" {Result.objects.count():,} results, {installation.load()}")  # fmt: skip
    measure_sweeps("first")
    measure_sweeps("again")
    measure_pages()
    if not options.without_proof:
        from league.proof.acts import verification

        show("the proof of a night", verification.verify_tonight)
        show("the whole proof", prove)
    print(installation.load())


def fill(**sizes: int) -> None:
    """Make one of everything by the services, then as many by the database."""
    from django.core.management import call_command
    from django.db import connection

    from league import models
    from tests.factories import make_club, make_night, make_season, make_table, names_at, play

    call_command("flush", verbosity=0, interactive=False)
    sitting = make_table(make_night(season=make_season(make_club())))
    play(sitting, names_at(sitting))
    made = [(getattr(models, name), source, own) for name, source, own in ROWS]
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        for model, _source, _own in made:
            table = model._meta.db_table
            cursor.execute(f"DROP TABLE IF EXISTS of_{table}")
            cursor.execute(f"CREATE TEMP TABLE of_{table} AS SELECT * FROM {table} LIMIT 1")
        cursor.execute("TRUNCATE league_club CASCADE")
        for model, source, own in made:
            table, columns = model._meta.db_table, written(model)
            chosen = ", ".join(f"made.{column}" for column in columns)
            cursor.execute(
                f"INSERT INTO {table} ({', '.join(columns)}) SELECT {chosen}"
                f" FROM {source.format(**sizes)} CROSS JOIN of_{table} AS one CROSS JOIN LATERAL"
                f" jsonb_populate_record(NULL::{table}, to_jsonb(one)"
                f" || jsonb_build_object({own.format(**sizes)})) AS made"
            )
        cursor.execute(DERIVED.format(**sizes))
        add = importlib.import_module(
            "league.migrations.0001_squashed_0140_invitations_of_players"
        ).ADD
        cursor.execute(add.replace("FROM added", "FROM league_transfer"))
        cursor.execute("SET session_replication_role = origin")
        for model, _source, _own in made:
            table = model._meta.db_table
            cursor.execute(
                f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}"
            )
        cursor.execute("VACUUM ANALYZE")


def measure_sweeps(which: str) -> None:
    """Do once what beat asks for, but for the proof."""
    from django.conf import settings

    from config.celery import app

    app.loader.import_default_modules()
    for entry in settings.CELERY_BEAT_SCHEDULE.values():
        if entry["task"] != "league.verify":
            name = f"{entry['task']} each {entry['schedule']:.0f} s, {which}"
            show(name, app.tasks[entry["task"]])


def measure_pages() -> None:
    from league.models import Event

    night = Event.objects.select_related("season__club").latest("pk")
    season, club = night.season, night.season.club
    client = owners_browser(club)
    player = club.players.latest("pk")
    here = f"/clubs/{club.slug}"
    for name, path in (
        ("home", "/"),
        ("clubs", "/clubs/"),
        ("clubs, the last page", "/clubs/?page=99999"),
        ("search", "/search/?q=nguyen+lan"),
        ("club", f"{here}/"),
        ("season", f"{here}/seasons/{season.pk}/"),
        ("money of a season", f"{here}/seasons/{season.pk}/money/"),
        ("night", f"{here}/events/{night.pk}/"),
        ("player", f"{here}/players/{player.pk}/"),
        ("past seasons", f"{here}/seasons/"),
        ("API: clubs", "/api/v1/clubs/"),
    ):
        open_page(client, path)
        show(name, partial(open_page, client, path))


def prove() -> None:
    from league.proof.acts import verification

    problems: list[Any] = list(verification.everything(Counter()))
    print(f"{len(problems)} differences {problems[:2]}")


def written(model: Any) -> list[str]:
    """Return the columns of a model that the database does not compute."""
    return [f'"{field.column}"' for field in model._meta.concrete_fields if not field.generated]


def owners_browser(club: Any) -> Any:
    """Return a signed-in browser: money is for members only. The club gets an owner if needed."""
    from django.test import Client

    from accounts.models import User
    from league.models import Membership

    owner, _made = Membership.objects.get_or_create(
        club=club, role=Membership.Role.OWNER, defaults={"user": User.objects.earliest("pk")}
    )
    client = Client()
    client.force_login(owner.user)
    return client


def open_page(client: Any, path: str) -> None:
    check(client.get(path).status_code == 200, path)


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
    main()
