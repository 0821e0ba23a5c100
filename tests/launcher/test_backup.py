from __future__ import annotations

from pathlib import Path

import pytest

from config.embedded import LaunchError, backup, services
from config.embedded.locations import locations
from tests.launcher.test_services import connect


def test_a_restored_backup_holds_what_was_there_and_nothing_later(data: Path) -> None:
    places = locations(data)
    with services(data, what="test", durable=False):
        with connect(data) as connection:
            connection.execute("CREATE TABLE club AS SELECT 'Đà Nẵng' AS name")
        file = backup.save(places)
        with connect(data) as connection:
            connection.execute("INSERT INTO club VALUES ('later')")
            backup.restore(places, file)
        with connect(data) as connection:
            assert connection.execute("SELECT name FROM club").fetchall() == [("Đà Nẵng",)]


def test_a_broken_backup_replaces_nothing(data: Path) -> None:
    places = locations(data)
    with services(data, what="test", durable=False):
        with connect(data) as connection:
            connection.execute("CREATE TABLE club AS SELECT 1 AS number")
        broken = data / "broken.dump"
        broken.write_bytes(b"PGDMP and then nothing")
        with pytest.raises(LaunchError, match="pg_restore failed, nothing was replaced"):
            backup.restore(places, broken)
        with connect(data) as connection:
            assert connection.execute("SELECT number FROM club").fetchall() == [(1,)]


def test_a_missing_backup_says_where_backups_are(data: Path) -> None:
    places = locations(data)
    with pytest.raises(LaunchError, match=f"the backups are in {places.backups}"):
        backup.restore(places, data / "none.dump")
