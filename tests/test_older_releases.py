"""Installations and archives of earlier releases, with data, show the same in this one."""

import json
import os
import subprocess
import sys
from collections import Counter
from typing import Any

import pytest
from django.conf import settings

from league.exchange.acts import archives
from league.models import Event
from league.proof.facts import verify
from tests import older_releases
from tests.factories import make_user
from tests.older_releases import FOLDER, RELEASES, exports_of, in_words_of_now, shown_then
from tests.test_migrations import Installation, installation

__all__ = ["installation"]


@pytest.mark.limit(120, reason="a process that migrates a database of before")
@pytest.mark.parametrize("release", RELEASES)
def test_an_installation_with_data_shows_the_same_after_the_upgrade(
    installation: Installation, release
):
    """Standings, money, replays and plain exports are equal, to the byte."""
    installation.restore(FOLDER / f"{release}.sql.gz")
    done = subprocess.run(
        [sys.executable, "-m", "tests.older_releases", release],
        cwd=settings.BASE_DIR, capture_output=True, text=True, check=True,
        env=os.environ | {
            "DJANGO_SETTINGS_MODULE": "tests.settings", "TEST_DATABASE": installation.name
        },
    )  # fmt: skip
    verified, _, shown = done.stdout.rstrip().rpartition("\n")
    assert verified.startswith("No differences: 2 seasons")
    now, then = json.loads(shown), shown_then(release)
    assert now.keys() == then.keys()
    assert different(then, now) == {}


@pytest.mark.django_db
@pytest.mark.parametrize("release", RELEASES)
def test_an_archive_of_an_earlier_release_comes_in_whole(release):
    left_out: Counter[str] = Counter()
    by = make_user("owner@club.example")
    data = (FOLDER / f"{release}.zip").read_bytes()
    club = archives.read_archive(data=data, by=by, left_out=left_out)
    assert (left_out, list(verify.everything(club))) == (Counter(), [])
    keys = [
        list(rows.order_by("pk").values_list("pk", flat=True))
        for rows in (club.seasons, Event.objects.filter(season__club=club))
    ]
    then = shown_then(release)
    exports = {name: then[name] for name in exports_of(then)}
    addresses = {}
    for name in exports:
        _, _, _, *rest = name.split("/")
        if rest[0] in ("seasons", "events"):
            rest[1] = str(keys[rest[0] == "events"][int(rest[1]) - 1])
        addresses[name] = "/".join(["", "clubs", club.slug, *rest])
    shown = older_releases.shown_now(list(addresses.values()))
    assert different(exports, {name: shown[addresses[name]] for name in exports}) == {}


def different(then: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    """Return what is shown now and is not what was shown then, in this release's words."""
    told = {
        name: in_words_of_now(name, shown) if name.startswith("/") else shown
        for name, shown in then.items()
    }
    return {
        name: now[name] for name in told if ordered(name, told[name]) != ordered(name, now[name])
    }


def ordered(name: str, shown: Any) -> Any:
    """Return an export's lines sorted if people with as many share a place without order.

    Of the race, its nights and people: its sums have penalties and bonuses since.
    """
    if name.endswith("race.csv"):
        head, *rows = shown.splitlines()
        return [head, *(row.partition(",")[0] for row in rows)]
    return sorted(shown.splitlines()) if name.endswith("specials.csv") else shown
