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
from django.db.migrations.operations.fields import FieldOperation

from launcher.binaries import postgres_program
from league.management.commands.migrate import NEWER_DATA, Together, together

# pg_dump of a filled database of fe8c5a2, the first release.
FIRST_RELEASE = Path(__file__).parent / "data/fe8c5a2.sql.gz"
# What these replace ran before any release was replaced while it served, or with the site away.
RULES_FROM = 3
OURS = ("accounts", "tables", "league")
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
        if app in OURS and int(name[:4]) >= RULES_FROM
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


def test_operations_that_run_together_change_no_field_twice():
    """Each finds the field as it was before all of them, and as it is after all."""
    joined = [
        operation
        for migration in MigrationLoader(None).disk_migrations.values()
        for operation in together(migration.operations)
        if isinstance(operation, Together)
    ]
    assert len(joined) > 30
    for one in joined:
        fields = [
            (operation.model_name_lower, operation.name_lower)
            for operation in one.operations
            if isinstance(operation, FieldOperation)
        ]
        assert len(fields) == len(set(fields)), fields


COMMANDS = """
import json, sys
from django.core.management import execute_from_command_line
for command in json.loads(sys.argv[1]):
    execute_from_command_line(["manage.py", *command])
"""


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

    def run(self, *commands: list[str], status: int = 0) -> str:
        """Run commands of manage.py in one process of their own; return what they print."""
        environment = os.environ | {
            "DJANGO_SETTINGS_MODULE": "tests.settings",
            "TEST_DATABASE": self.name,
        }
        done = subprocess.run(
            [sys.executable, "-c", COMMANDS, json.dumps(commands)],
            cwd=settings.BASE_DIR, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == status, done.stderr[-3000:]
        return done.stdout + done.stderr

    def create(self, *, template: str = "template1") -> None:
        self.drop()
        # What a thread of an earlier test left open; nobody may be connected to a template.
        others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s"
        self.sql(others, template, database="postgres")
        made = f'CREATE DATABASE "{self.name}" TEMPLATE "{template}"'
        self.sql(made, database="postgres")

    def drop(self) -> None:
        self.sql(f'DROP DATABASE IF EXISTS "{self.name}" WITH (FORCE)', database="postgres")

    def restore(self, dump: Path) -> None:
        subprocess.run(
            [postgres_program("psql"), "--quiet", "--set=ON_ERROR_STOP=1", *server(), self.name],
            env=password(), input=gzip.decompress(dump.read_bytes()),
            stdout=subprocess.DEVNULL, check=True,
        )  # fmt: skip

    def rows(self) -> dict[str, list[Any]]:
        """Return the rows of our tables as JSON, by table, in their own order."""
        names = self.sql(
            "SELECT relname FROM pg_stat_user_tables WHERE relname ~ '^(accounts|tables|league)_'"
        )
        found = {name: self.sql(f'SELECT to_jsonb(x) FROM "{name}" x') for (name,) in names}
        return {name: [row for (row,) in rows] for name, rows in found.items() if rows}


def server() -> list[str]:
    """Return the options that lead PostgreSQL's programs to the tests' server."""
    given = connection.get_connection_params()
    address = [f"--{part}={given[part]}" for part in ("host", "port") if part in given]
    return [*address, f"--username={given['user']}"]


def password() -> dict[str, str]:
    return os.environ | {"PGPASSWORD": str(connection.get_connection_params().get("password", ""))}


@pytest.fixture
def installation(transactional_db: None) -> Iterator[Installation]:
    made = Installation(f"{connection.settings_dict['NAME']}_first")
    made.create()
    yield made
    made.drop()


def schema_of(database: str) -> str:
    """Return a database's schema as PostgreSQL writes it once that text was restored.

    A restored check has other brackets than a migrated one, and keeps them from then on.
    """
    written = _dump(database)
    again = Installation(f"{database}_schema")
    again.create()
    subprocess.run(
        [postgres_program("psql"), "--quiet", "--set=ON_ERROR_STOP=1", *server(), again.name],
        env=password(), input=written, stdout=subprocess.DEVNULL, text=True, check=True,
    )  # fmt: skip
    written = _dump(again.name)
    again.drop()
    return written


def _dump(database: str) -> str:
    done = subprocess.run(
        [postgres_program("pg_dump"), "--schema-only", "--restrict-key=same", *server(), database],
        env=password(), capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout


def test_an_installation_of_the_first_release_keeps_everything(installation):
    installation.restore(FIRST_RELEASE)
    before = installation.rows()
    assert sum(map(len, before.values())) == 497
    printed = installation.run(["migrate", "-v0"], ["migrate", "--check", "-v0"], ["verify"])
    assert printed.startswith("No differences: 3 seasons, 18 results")
    assert schema_of(installation.name) == schema_of(str(connection.settings_dict["NAME"]))
    public = [row["id"] for row in before["league_club"] if row["is_public"]]
    hidden = "SELECT club_id FROM league_audit WHERE action = 'club.money_hidden' ORDER BY id"
    assert [club for (club,) in installation.sql(hidden)] == sorted(public) != []
    after = installation.rows()
    chained = {row["entry_id"] for row in after["league_auditmark"]}
    assert chained == {row["id"] for row in after["league_audit"]}
    named = [row["data"] for row in before["league_audit"] if "name" in row["data"]]
    still = [row["data"] for row in after["league_audit"] if "name" in row["data"]]
    assert len(still) < len(named)
    for table, rows in before.items():
        key = "id" if "id" in rows[0] else "digest"
        now = {row[key]: row for row in after[table]}
        for row in rows:
            found = now[row[key]]
            kept = row.keys() & found.keys() - ({"data"} if table == "league_audit" else set())
            assert {name: found[name] for name in kept} == {name: row[name] for name in kept}, table


def record_single_steps(installation: Installation) -> int:
    """Let the database know the steps of 574bd93 instead of what replaces them; return how many."""
    loader = MigrationLoader(None)
    replacing = {key: found for key, found in loader.disk_migrations.items() if found.replaces}
    for (app, name), found in replacing.items():
        installation.sql("DELETE FROM django_migrations WHERE (app, name) = (%s, %s)", app, name)
        for one in found.replaces:
            installation.sql(
                "INSERT INTO django_migrations (app, name, applied) VALUES (%s, %s, now())", *one
            )
    return sum(len(found.replaces) for found in replacing.values())


@pytest.mark.long
def test_an_installation_of_574bd93_is_told_apart_from_an_empty_one(installation):
    installation.run(*(["migrate", app, "0002", "-v0"] for app in OURS))
    assert record_single_steps(installation) == 88
    installation.run(["migrate", "-v0"], ["migrate", "--check", "-v0"])
    assert schema_of(installation.name) == schema_of(str(connection.settings_dict["NAME"]))


def test_data_between_two_releases_is_refused_before_anything_is_touched(installation):
    """Django would leave out the rest of a half applied migration without a word."""
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]
    installation.create(template=str(connection.settings_dict["NAME"]))
    later = "DELETE FROM django_migrations WHERE app = %s AND name > '0003'"
    for app in OURS:
        installation.sql(later, app)
    assert record_single_steps(installation) == 88
    installation.sql("DELETE FROM django_migrations WHERE name = '0360_log_outlasts_nights'")
    before = _dump(installation.name)
    printed = installation.run(["migrate", "-v0"], status=NEWER_DATA)
    assert (
        "This data stands between two releases (league.0002_squashed_0360_log_outlasts_nights):"
        " start release 574bd93 with it once, then this one." in printed
    )
    assert _dump(installation.name) == before
