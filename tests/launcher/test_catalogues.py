"""The compiled catalogues are made on each machine, from those under version control."""

import os
import shutil

import polib
import pytest

from launcher import catalogues
from launcher.locations import ROOT

ENGLISH = "locale/en/LC_MESSAGES/django.po"


@pytest.fixture
def checkout(tmp_path):
    folder = tmp_path / "locale/en/LC_MESSAGES"
    folder.mkdir(parents=True)
    shutil.copy(ROOT / ENGLISH, folder)
    return tmp_path


def test_only_what_has_changed_is_compiled(checkout):
    source = checkout / ENGLISH
    assert catalogues.compile_changed(checkout) == [source]
    assert catalogues.compile_changed(checkout) == []
    [entry, *_others] = catalogue = polib.pofile(str(source))
    entry.msgstr = "other words"
    catalogue.save()
    os.utime(source, ns=(later := source.with_suffix(".mo").stat().st_mtime_ns + 1, later))
    assert catalogues.compile_changed(checkout) == [source]
    found = {one.msgid: one.msgstr for one in polib.mofile(str(source.with_suffix(".mo")))}
    assert found[entry.msgid] == "other words"


def test_nothing_half_made_is_left(checkout):
    catalogues.compile_changed(checkout)
    names = sorted(path.name for path in (checkout / ENGLISH).parent.iterdir())
    assert names == ["django.mo", "django.po"]
