"""Migrations run while the release before them still serves: first expand, then contract.

CONTRIBUTING.md has the rules. Every run of the suite migrates an empty database; here an
installation of the first release, with everything that was kept then, comes to the newest state.
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import connection, migrations, models
from django.db.migrations.loader import MigrationLoader

from launcher.binaries import postgres_program

FIRST_RELEASE = Path(__file__).parent / "data/first_release.json.gz"
FIRST = [("accounts", "0001"), ("tables", "0011"), ("league", "0040")]
# A database that has none of the steps is made at once; an old installation took them one by one.
STEP_BY_STEP = """
from django.db.migrations.loader import MigrationLoader
load = MigrationLoader.load_disk
def load_steps(self):
    load(self)
    found = self.disk_migrations.items()
    self.disk_migrations = {key: migration for key, migration in found if not migration.replaces}
MigrationLoader.load_disk = load_steps
"""
# Migrations with lower numbers ran before any release was replaced while it served, or make a
# database that nobody uses yet.
RULES_FROM = {"accounts": 2, "tables": 100, "league": 110}
CONTRACTS = (
    migrations.RemoveField,
    migrations.DeleteModel,
    migrations.RenameField,
    migrations.RenameModel,
    migrations.AlterModelTable,
)


def dangers(migration: migrations.Migration) -> Iterator[str]:
    """What the release before could not live with, and what locks a table of many rows.

    A migration with `contract = "why nobody needs it any more"` may take away; it comes one
    release after the one that stopped using what it takes.
    """
    made = {o.name_lower for o in migration.operations if isinstance(o, migrations.CreateModel)}
    may_take = bool(getattr(migration, "contract", ""))
    for operation in migration.operations:
        what = operation.describe()
        if getattr(operation, "model_name_lower", None) in made:
            continue
        if isinstance(operation, CONTRACTS) and not may_take:
            yield f"{what}: the release before still uses it"
        elif isinstance(operation, migrations.AddField) and not _filled(operation.field):
            yield f"{what}: the release before inserts rows without it; give it a db_default"
        elif isinstance(operation, migrations.AlterField) and not may_take:
            yield f"{what}: may refuse what the release before writes"
        elif isinstance(operation, migrations.AddIndex) and not isinstance(
            operation, AddIndexConcurrently
        ):
            yield f"{what}: nobody can write meanwhile; use AddIndexConcurrently"
        elif isinstance(operation, migrations.RunSQL) and not may_take:
            for word in ("DROP COLUMN", "DROP TABLE", "SET NOT NULL", "RENAME"):
                if word in str(operation.sql).upper():
                    yield f"{what}: {word}"


def _filled(field: Any) -> bool:
    """Whether an INSERT that does not name the column works."""
    return bool(field.null or field.many_to_many or field.has_db_default() or field.generated)


def test_no_migration_breaks_the_release_before_it():
    loader = MigrationLoader(None)
    found = {
        f"{app}.{name}": list(dangers(migration))
        for (app, name), migration in loader.disk_migrations.items()
        if app in RULES_FROM and int(name[:4]) >= RULES_FROM[app]
    }
    assert {name: told for name, told in found.items() if told} == {}


FIELD = {"model_name": "player", "name": "shirt"}


@pytest.mark.parametrize(
    ("operation", "is_danger"),
    [
        (migrations.RemoveField(**FIELD), True),
        (migrations.RenameField("player", "name", "title"), True),
        (migrations.DeleteModel("Player"), True),
        (migrations.AddField(**FIELD, field=models.IntegerField()), True),
        (migrations.AddField(**FIELD, field=models.IntegerField(default=0)), True),
        (migrations.AddField(**FIELD, field=models.IntegerField(db_default=0)), False),
        (migrations.AddField(**FIELD, field=models.IntegerField(null=True)), False),
        (migrations.AlterField(**FIELD, field=models.IntegerField()), True),
        (migrations.AddIndex("player", models.Index(fields=["name"], name="x")), True),
        (AddIndexConcurrently("player", models.Index(fields=["name"], name="x")), False),
        (migrations.RunSQL("ALTER TABLE league_player DROP COLUMN name"), True),
        (migrations.RunSQL("UPDATE league_player SET name = name"), False),
    ],
)
def test_what_is_dangerous_is_found(operation, is_danger):
    migration = migrations.Migration("0999_x", "league")
    migration.operations = [operation]
    assert bool(list(dangers(migration))) is is_danger


def test_a_contract_may_take_away_and_a_new_table_may_be_anything():
    contract = migrations.Migration("0999_x", "league")
    contract.operations = [migrations.RemoveField(**FIELD)]
    contract.contract = "nothing reads it since 0998"
    assert list(dangers(contract)) == []
    new = migrations.Migration("0999_y", "league")
    new.operations = [
        migrations.CreateModel("Shirt", [("id", models.BigAutoField(primary_key=True))]),
        migrations.AddField("shirt", "number", models.IntegerField(default=0)),
        migrations.AddIndex("shirt", models.Index(fields=["number"], name="x")),
    ]
    assert list(dangers(new)) == []


class Installation:
    """A database of its own, which commands of the product work on."""

    def __init__(self, name: str) -> None:
        self.name = name

    def sql(self, statement: str, *values: Any, database: str | None = None) -> list[Any]:
        target = connection.get_connection_params() | {"dbname": database or self.name}
        wanted = {k: v for k, v in target.items() if k in ("dbname", "user", "password", "host",
                                                           "port")}  # fmt: skip
        with psycopg.connect(**wanted, autocommit=True) as opened:
            found = opened.execute(statement, values or None)
            return found.fetchall() if found.description else []

    def run(self, *commands: list[str], before: str = "") -> str:
        """Runs commands of manage.py one after the other in a process of their own."""
        lines = [
            before,
            "import django",
            "django.setup()",
            "from django.core.management import call_command",
        ]
        lines += [f"call_command(*{command!r})" for command in commands]
        environment = os.environ | {
            "DJANGO_SETTINGS_MODULE": "tests.settings",
            "TEST_DATABASE": self.name,
        }
        done = subprocess.run(
            [sys.executable, "-c", "\n".join(lines)],
            cwd=settings.BASE_DIR, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout


@pytest.fixture
def installation(transactional_db: None) -> Iterator[Installation]:
    made = Installation(f"{connection.settings_dict['NAME']}_first")
    there = str(connection.settings_dict["NAME"])
    made.sql(f'DROP DATABASE IF EXISTS "{made.name}" WITH (FORCE)', database=there)
    made.sql(f'CREATE DATABASE "{made.name}"', database=there)
    yield made
    made.sql(f'DROP DATABASE IF EXISTS "{made.name}" WITH (FORCE)', database=there)


def schema_of(database: str) -> str:
    """The whole schema of a database, as PostgreSQL writes it down."""
    server = connection.get_connection_params()
    address = [f"--{part}={server[part]}" for part in ("host", "port") if part in server]
    done = subprocess.run(
        [postgres_program("pg_dump"), "--schema-only", "--restrict-key=same", *address,
         f"--username={server['user']}", database],
        env=os.environ | {"PGPASSWORD": str(server.get("password", ""))},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout


def test_an_installation_of_the_first_release_keeps_everything(installation):
    """It takes every step, and is then the same as a fresh one, made by what replaces them."""
    replacing = {key for key, one in MigrationLoader(None).disk_migrations.items() if one.replaces}
    assert {app for app, _name in replacing} == {"tables", "league"}
    assert replacing <= MigrationLoader(connection).applied_migrations.keys()
    kept = json.loads(gzip.decompress(FIRST_RELEASE.read_bytes()))
    assert len(kept) == 32
    installation.run(
        *(["migrate", app, number, "-v0"] for app, number in FIRST), before=STEP_BY_STEP
    )
    for table, rows in kept.items():
        installation.sql(
            f"SET session_replication_role = 'replica';"
            f'INSERT INTO "{table}" SELECT * FROM jsonb_populate_recordset(NULL::"{table}",'
            f" '{json.dumps(rows).replace(chr(39), chr(39) * 2)}'::jsonb)"
        )
    installation.sql(  # What an earlier release had in one, and this one has in another.
        "INSERT INTO django_migrations (app, name, applied)"
        " VALUES ('league', '0001_squashed_0140_invitations_of_players', now())"
    )
    told = installation.run(["migrate", "-v0"], ["migrate", "--check", "-v0"], ["verify"])
    assert told.startswith("No differences: 3 seasons, 18 results")
    assert schema_of(installation.name) == schema_of(str(connection.settings_dict["NAME"]))
    for table, rows in kept.items():
        now = {row["id" if "id" in row else "digest"]: row for (row,) in installation.sql(
            f'SELECT to_jsonb(x) FROM "{table}" x')}  # fmt: skip
        for row in rows:
            found = now[row["id" if "id" in row else "digest"]]
            assert (table, {key: found[key] for key in row if key in found}) == (
                table,
                {key: value for key, value in row.items() if key in found},
            )
