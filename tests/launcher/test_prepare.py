"""Static files over releases: open pages of the last ones load some of theirs late."""

import os
import time
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders, storage
from django.contrib.staticfiles.management.commands import collectstatic

from launcher import prepare

DAY = 24 * 3600
CONFIG = {"BACKEND": "config.static.StaticFiles"}


@pytest.fixture
def collect(tmp_path, settings, monkeypatch):
    """Collects a release whose one script has this text."""
    source, folder = tmp_path / "source", tmp_path / "static"
    (source / "js").mkdir(parents=True)
    settings.STATICFILES_DIRS, settings.STATIC_ROOT = [source], folder
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]

    def collect(text: str, name: str = "app.js") -> set[str]:
        (source / "js" / name).write_text(text)
        settings.STORAGES = settings.STORAGES | {"staticfiles": CONFIG}
        monkeypatch.setattr(storage, "staticfiles_storage", storage.ConfiguredStorage())
        monkeypatch.setattr(collectstatic, "staticfiles_storage", storage.staticfiles_storage)
        finders.get_finder.cache_clear()
        prepare.collect_static(folder)
        return served(folder)

    yield collect
    finders.get_finder.cache_clear()


def served(folder: Path) -> set[str]:
    return {path.read_text().strip() for path in folder.glob("js/app.*.js")}


def older(folder: Path, days: float) -> None:
    """The time that passes while a release stands."""
    for path in folder.rglob("*.*"):
        then = path.stat().st_mtime - days * DAY
        os.utime(path, (then, then))


def test_a_file_of_the_last_releases_stays_for_a_week_after_their_end(collect, tmp_path):
    folder = tmp_path / "static"
    assert collect("first();") == {"first();"}
    older(folder, 100)  # It was current until the next.
    assert collect("second();") == {"first();", "second();"}
    older(folder, 6)
    assert collect("third();") == {"first();", "second();", "third();"}
    older(folder, 2)
    assert collect("fourth();") == {"second();", "third();", "fourth();"}
    older(folder, 8)
    assert collect("fourth();") == {"fourth();"}
    assert not folder.with_name("static-before").exists()


def test_what_has_no_name_by_its_content_is_this_release_s(collect, tmp_path):
    plain = tmp_path / "static" / "js" / "app.js"
    collect("first();")
    os.utime(plain, (time.time() + DAY,) * 2)  # Newer than its source.
    collect("second();")
    assert plain.read_text().strip() == "second();"


def test_an_upgrade_that_was_killed_on_its_way_loses_no_file(collect, tmp_path, monkeypatch):
    collect("first();")

    def killed(*_args: object, **_more: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as during:
        during.setattr("django.core.management.call_command", killed)
        with pytest.raises(KeyboardInterrupt):
            prepare.collect_static(tmp_path / "static")
    assert collect("second();") == {"first();", "second();"}
