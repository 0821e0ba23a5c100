"""Roles in the database: what each may not do is tried (launcher/roles.py)."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from django.db import connection, transaction
from django.db.utils import IntegrityError, ProgrammingError
from django.utils import timezone

from accounts.models import SecurityEvent
from config.server import facts
from launcher import backup, roles, services, upgrade
from launcher.locations import locations
from launcher.postgres import NAME
from league.base.acts import audit
from league.clubs.acts import forgetting, holding
from league.me.acts import retention
from league.models import Audit, Club, Transfer
from league.nights.acts import bins
from tests.factories import make_club, make_paid_night, make_prize, owner_of

DDL = (
    "CREATE TABLE mine (id int)",
    "CREATE TEMPORARY TABLE mine (id int)",
    "ALTER TABLE league_audit DISABLE TRIGGER ALL",
    "DROP TRIGGER league_audit_only_grows ON league_audit",
    "CREATE OR REPLACE FUNCTION league_refuse_change() RETURNS trigger LANGUAGE plpgsql"
    " AS $$ BEGIN RETURN NEW; END $$",
    "DROP TABLE league_club CASCADE",
    "SET session_replication_role = replica",
    "COPY league_audit TO PROGRAM 'cat'",
    "SELECT pg_read_file('pg_hba.conf')",
    "CREATE ROLE another SUPERUSER",
    "SET ROLE tienlen",
    "DELETE FROM django_migrations",
    "DELETE FROM league_auditmark",
    "UPDATE league_auditmark SET digest = ''",
    "INSERT INTO league_auditmark (club_id, entry_id, digest) VALUES (1, 1, '')",
)
REWRITES = tuple(
    statement
    for table in roles.GROW
    for statement in (
        f"UPDATE {table} SET id = id + 1",
        f"TRUNCATE {table} CASCADE",
        f"DELETE FROM {table}",
    )
)
WRITES = ("INSERT INTO django_session VALUES ('a', 'b', now())",)
READS = ("SELECT * FROM league_club", "SELECT * FROM accounts_user")


def grant() -> None:
    """Give the grants until the test ends, and mark the log as a commit does."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")
        cursor.execute(roles.grants())


@pytest.fixture
def night(db: None) -> Club:
    """A club with rows in logs and ledgers, in a database with its grants, until the test ends."""
    event = make_paid_night(stake=5)
    club = event.season.club
    make_prize(event.season, event.order[0])  # type: ignore[attr-defined]
    audit.log("player.renamed", club=club, by=None, old="Cô Ba")
    SecurityEvent.objects.create(user=owner_of(club), kind=SecurityEvent.Kind.SIGNED_IN)
    grant()
    return club


@contextmanager
def as_(role: str) -> Iterator[None]:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL SESSION AUTHORIZATION {role}")
        yield
        cursor.execute("RESET SESSION AUTHORIZATION")


def is_refused(role: str, statement: str) -> bool:
    """Return whether it is, by its rights or by a trigger."""
    try:
        with as_(role), connection.cursor() as cursor:
            cursor.execute(statement)
    except (ProgrammingError, IntegrityError) as error:
        reason = (psycopg.errors.InsufficientPrivilege, psycopg.errors.RestrictViolation)
        return isinstance(error.__cause__, reason)
    return False


@pytest.mark.usefixtures("night")
@pytest.mark.parametrize(
    ("role", "statements"),
    [
        (roles.APPLICATION, DDL + REWRITES),
        (roles.READER, DDL + REWRITES + WRITES),
        (roles.BEAT, DDL + REWRITES + WRITES + READS),
    ],
)
def test_a_role_is_refused(role: str, statements: tuple[str, ...]) -> None:
    assert [each for each in statements if not is_refused(role, each)] == []


@pytest.mark.usefixtures("night")
@pytest.mark.parametrize("role", [roles.APPLICATION, roles.READER, roles.BEAT])
def test_no_role_sets_up_the_server(role: str) -> None:
    """In no transaction, where it would be refused to all."""
    there = settings.DATABASES["default"]
    with (
        psycopg.connect(
            host=there["HOST"], port=there["PORT"], user=role, dbname="postgres", autocommit=True
        ) as own,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        own.execute("ALTER SYSTEM SET archive_command = ''")


@pytest.mark.django_db
def test_every_table_that_only_grows_is_among_those_that_the_roles_know() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tgrelid::regclass::text FROM pg_trigger"
            " WHERE tgname LIKE '%only_grows' ORDER BY 1"
        )
        assert tuple(name for (name,) in cursor.fetchall()) == roles.GROW


def test_the_application_writes_forgets_and_sweeps_as_the_triggers_let_it(night: Club) -> None:
    with as_(roles.APPLICATION):
        audit.log("player.renamed", club=night, by=None, old="Cô Tư")
        forgetting.forget_names(clubs=[night], known=["Cô Ba"])
        assert not Audit.objects.filter(data__old="Cô Ba").exists()
        make_paid_night(stake=2)
        assert facts.database() is not None
        assert facts.locks() == []
        retention.forget(timezone.now())
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # The marks of the log.


def test_the_application_empties_the_bin(db: None) -> None:
    club = make_club()
    audit.log("club.binned", club=club, by=None)
    long_ago = timezone.now() - timedelta(days=31)
    Club.objects.filter(pk=club.pk).update(closed_at=long_ago, binned_at=long_ago)
    grant()
    with as_(roles.APPLICATION):
        assert bins.empty_bin(timezone.now()) == 1
    assert not Audit.objects.filter(club=club.pk).exists()


def test_the_application_deletes_clubs_that_are_over(night: Club) -> None:
    Club.objects.filter(pk=night.pk).update(
        held_by="phone", held_until=timezone.now() - timedelta(days=1), is_public=False
    )
    with as_(roles.APPLICATION):
        assert holding.sweep(timezone.now()) == 1
    assert not Transfer.objects.exists()
    assert not Audit.objects.filter(club=night.pk).exists()


def test_a_cluster_made_before_gets_roles_and_backups_are_the_readers(tmp_path: Path) -> None:
    data = tmp_path / "var"
    places = locations(data)
    with services(data, what="test", durable=False):
        drop = "; ".join(f"DROP ROLE {role}" for role in (roles.APPLICATION, roles.BEAT))
        backup.sql(places, f"DROP OWNED BY {roles.READER}, {roles.APPLICATION}; {drop};"
                           f" DROP ROLE {roles.READER}")  # fmt: skip
    with services(data, what="test", durable=False):
        with psycopg.connect(host=str(places.sockets), user=roles.OWNER, dbname=NAME) as owner:
            owner.execute("CREATE TABLE club AS SELECT 1 AS number")
        assert backup.save(places).stat().st_size > 0


def test_each_part_has_its_role() -> None:
    code = "import launcher; print(launcher.database_settings('.')['USER'])"
    for role in ("", roles.APPLICATION):
        said = subprocess.check_output(
            [sys.executable, "-c", code], env=os.environ | {roles.VARIABLE: role}, text=True
        )
        assert said.strip() == (role or roles.OWNER)


@pytest.mark.django_db
def test_an_upgrade_gives_an_outside_database_its_roles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With their passwords, whatever signs they have; without, nothing changes there."""
    asked: list[str] = []
    monkeypatch.setattr(upgrade, "_is_up_to_date", lambda places: True)
    monkeypatch.setattr(upgrade, "_manage", lambda _places, *_command: None)
    monkeypatch.setattr(backup, "ask", lambda _places, _name, query: asked.append(query))
    upgrade.upgrade(locations(tmp_path), {})
    assert asked == []
    upgrade.upgrade(locations(tmp_path), {roles.APPLICATION: "a'b"})
    with connection.cursor() as cursor:
        for query in asked:
            cursor.execute(query)
        cursor.execute(
            "SELECT rolpassword IS NOT NULL, has_table_privilege(rolname, 'league_club', 'DELETE'),"
            " has_table_privilege(rolname, 'league_audit', 'UPDATE')"
            " FROM pg_authid WHERE rolname = %s",
            [roles.APPLICATION],
        )
        assert cursor.fetchone() == (True, True, False)
