"""Django's own command, with retries that let readers and writers pass."""

import itertools
import time
from collections.abc import Iterator, Sequence
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import OperationalError, connection
from django.db.migrations import (
    AddConstraint,
    AddField,
    AlterField,
    CreateModel,
    Migration,
)
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from psycopg.errors import LockNotAvailable

from launcher.upgrade import NEWER_DATA

PATIENCE = 300.0
PAUSE = 1.0


TOGETHER = ((CreateModel,), (AddField, AlterField, AddConstraint))


class Together(Operation):
    """Neighbours of which none needs in the state what another of them makes.

    Django renders models again after each, which takes most of the time: a fresh database is ready
    in half of it.
    """

    def __init__(self, operations: Sequence[Operation]) -> None:
        self.operations = operations

    def state_forwards(self, app_label: str, state: Any) -> None:
        state.__dict__.pop("apps", None)  # Rendered once, by the first that asks for it.
        for operation in self.operations:
            operation.state_forwards(app_label, state)

    def database_forwards(self, *place: Any) -> None:
        for operation in self.operations:
            operation.database_forwards(*place)


class Executor(MigrationExecutor):
    def apply_migration(
        self, state: Any, migration: Migration, fake: bool = False, fake_initial: bool = False
    ) -> Any:
        if not fake_initial:
            migration.operations = list(together(migration.operations))  # type: ignore[misc]
        return super().apply_migration(state, migration, fake, fake_initial)


def together(operations: Sequence[Operation]) -> Iterator[Operation]:
    """Yield them, neighbours of one kind as one."""
    for kinds, run in itertools.groupby(operations, _kinds):
        found = list(run)
        yield from [Together(found)] if kinds and len(found) > 1 else found


def _kinds(operation: Operation) -> tuple[type[Operation], ...]:
    return next((kinds for kinds in TOGETHER if isinstance(operation, kinds)), ())


migrate.MigrationExecutor = Executor  # type: ignore[attr-defined]


class Command(migrate.Command):
    """Migrate; retry a migration that cannot lock its tables at once.

    Each attempt waits for one second (`config.postgres`), because later queries queue behind it.
    """

    def handle(self, *args: Any, **options: Any) -> None:
        if newer := _of_newer_releases():
            raise CommandError(
                f"A newer release wrote this data ({', '.join(newer)}): start that release or a "
                f"later one, or restore a backup from before it.{_way_back()}",
                returncode=NEWER_DATA,
            )
        if halfway := _halfway():
            raise CommandError(
                f"This data stands between two releases ({', '.join(halfway)}): start release "
                "574bd93 with it once, then this one.",
                returncode=NEWER_DATA,
            )
        until = time.monotonic() + PATIENCE
        while True:
            try:
                super().handle(*args, **options)
                return
            except OperationalError as error:
                if not isinstance(error.__cause__, LockNotAvailable):
                    raise
            held = ", ".join(_holders()) or "nobody any more"
            if time.monotonic() > until:
                raise CommandError(
                    f"The tables were in use for {PATIENCE:.0f} s, last by {held}: "
                    "end what reads them for so long, then migrate again."
                )
            self.stderr.write(f"The tables are in use by {held}: it is tried again.")
            time.sleep(PAUSE)


def _way_back() -> str:
    """Return how the data of before the last upgrade is had again, if that was saved here."""
    saved = max(settings.BACKUPS.glob("upgrade-*.dump"), default=None)
    if saved is None:
        return ""
    return (
        " To go back to before its upgrade: check out the newer release, run "
        f"python -m launcher restore {saved} --data {settings.DATA_DIR} there, which keeps the "
        "newer data for a week, then check out this release and start it."
    )


def _of_newer_releases() -> list[str]:
    """Return the applied migrations that this release neither has nor replaces.

    Squashes are ignored, because their single steps are recorded too.
    """
    loader = MigrationLoader(connection, replace_migrations=False)
    known = set(loader.disk_migrations)
    known.update(step for found in loader.disk_migrations.values() for step in found.replaces)
    return sorted(
        f"{app}.{name}"
        for app, name in set(loader.applied_migrations) - known
        if app in loader.migrated_apps and "_squashed_" not in name
    )


def _halfway() -> list[str]:
    """Return the squashes of which only some single steps are applied.

    Django silently skips such a squash: later migrations would miss its tables.
    """
    loader = MigrationLoader(connection, replace_migrations=False)
    applied = set(loader.applied_migrations)
    return sorted(
        f"{app}.{name}"
        for (app, name), found in loader.disk_migrations.items()
        if applied.intersection(found.replaces) and not applied.issuperset(found.replaces)
    )


def _holders() -> list[str]:
    """Return the processes in a transaction for longer than a migration waits."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT format('%s (%s, for %s s)', pid, coalesce(nullif(application_name, ''),"
            " backend_type), round(extract(epoch FROM now() - xact_start)))"
            " FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid() AND now() - xact_start > interval '1 s'"
        )
        return [row[0] for row in cursor.fetchall()]
