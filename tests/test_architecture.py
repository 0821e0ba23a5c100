"""The order of docs/architecture.md holds, and each way to break it is caught."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping

import pytest
from django.apps import apps
from django.conf import settings

from tests.architecture import ALLOWED, faults, imports_of, read_sources


@functools.cache
def sources() -> dict[str, str]:
    return read_sources()


@functools.cache
def real_faults() -> frozenset[str]:
    return frozenset(faults(sources()))


@pytest.mark.always
def test_every_import_points_downward_and_none_runs_in_a_circle():
    assert sorted(real_faults()) == []


def test_every_exception_is_needed():
    made = {(each.importer, each.target) for each in imports_of(sources())}
    assert [pair for pair in ALLOWED if pair not in made] == []


VIOLATIONS = [
    # The fourteen that the first architecture test was tried with; it let the last eight through.
    ("league.seasons.domain.standings.table", "from league.models import Event"),
    ("league.models.season", "from league.nights.acts import events"),
    ("tables.play.acts.games", "from league.models import Club"),
    ("league.seasons.domain.scoring.points", "from django.db import models"),
    ("engine.rules.state", "import datetime"),
    ("engine.rules.trick", "from time import monotonic"),
    ("league.seasons.domain.standings.rows", "from ....models import Event"),
    ("league.nights.acts.results", "from league.nights.forms.events import NightForm"),
    ("league.nights.acts.results", "from league.nights.api import serializers"),
    ("league.nights.acts.results", "from league import receivers"),
    ("league.models.event", "from league.seasons.forms.settings import POINTS_NAMES"),
    ("league.nights.facts.sittings", "from league.nights.acts import results"),
    ("tables.play.acts.games", "from tables.live import hub"),
    ("tables.play.facts.positions", "from tables.play.acts import games"),
    ("tables.chairs.acts.seats", "from tables.play.facts import standings"),
    ("engine.rules.state", "import random"),
    # Ten more.
    ("league.nights.acts.draws", "from ...online.services import results_in"),
    (
        "league.nights.acts.draws",
        "def f():\n    from league.online.acts import live_tables",
    ),
    ("league.seasons.facts.standings", "from league.nights.facts import events"),
    ("league.clubs.acts.clubs", "from league.base.acts.audit import _log"),
    ("league.nights.api.views", "from league.nights.views import events"),
    ("launcher.server", "from league.models import Club"),
    ("accounts.services", "import importlib\nimportlib.import_module('tables.models')"),
    ("engine.rules.game", "from engine.bots import BOTS"),
    ("league.money.acts.ledger", "from django.http import HttpRequest"),
    ("league.base.acts.audit", "from league.base.acts import links"),
    # An import for types ties two files as any other does.
    (
        "league.nights.facts.clock",
        "if TYPE_CHECKING:\n    from league.nights.facts.events import Gap",
    ),
    # The compiled core stands on the rules alone, and its compiler waits to be called.
    ("engine.core.compiled", "import numba"),
    ("engine.core.games", "def f():\n    import numpy"),
    ("engine.core.store", "from engine.bots import BOTS"),
    ("engine.rules.trick", "from engine.core import store"),
]


@pytest.mark.always
def test_each_deliberate_violation_is_caught():
    """In one test: each process that has one reads all sources."""
    missed = [(module, line) for module, line in VIOLATIONS if not seen(module, line)]
    assert missed == []


def seen(module: str, line: str) -> set[str]:
    broken = sources() | {module: f"{sources()[nearest(module)]}\n{line}\n"}
    return faults(broken) - real_faults()


def nearest(module: str) -> str:
    """The module itself, or one of its package where its file has another name by now."""
    return (
        module
        if module in sources()
        else next(name for name in sources() if name.startswith(module.rpartition(".")[0]))
    )


def test_no_foreign_key_points_upward():
    allowed = {
        "accounts": {"accounts"},
        "tables": {"accounts", "tables"},
        "league": {"accounts", "tables", "league"},
    }
    wrong = {
        (model.__name__, field.name)
        for label, targets in allowed.items()
        for model in apps.get_app_config(label).get_models()
        for field in model._meta.get_fields()
        if field.is_relation
        and field.concrete
        and field.related_model._meta.app_label in {"accounts", "tables", "league"} - targets
    }
    assert wrong == set()


DRAWS = re.compile(r"\b(?:render_to_string|get_template|format_html|mark_safe|SafeString)\b")
"""What makes HTML, or shows as HTML what was kept."""
OF_ALL_RELEASES = re.compile(r"\bdjango\.core\.cache\b|\bcache_page\b|CacheMiddleware\b")
OF_ONE_RELEASE = "league.base.drawn_html"
BY_RELEASE = sorted(
    name for name, text in sources().items() if OF_ONE_RELEASE in text and DRAWS.search(text)
)


def shared_html(sources: Mapping[str, str]) -> list[str]:
    """Return the modules that draw and use the cache of all releases."""
    return [
        name
        for name, text in sources.items()
        if DRAWS.search(text) and OF_ALL_RELEASES.search(text)
    ]


def test_no_release_shows_html_that_another_one_kept():
    assert shared_html(sources()) == []
    templates = (settings.BASE_DIR / "templates").rglob("*.*")
    tag = re.compile(r"{%\s*(?:cache|load\s[^%]*\bcache)\b")
    assert [path for path in templates if tag.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize("module", BY_RELEASE)
def test_html_in_the_cache_of_all_releases_is_caught(module):
    text = sources()[module].replace(OF_ONE_RELEASE, "django.core.cache")
    assert shared_html(sources() | {module: text}) == [module]


def test_few_answers_have_a_tag():
    """A tag that leaves out what a page shows, or whose release drew it, keeps the old page."""
    tags = re.compile(
        r"""["']ETag["']|\bstatus=304|NotModified|ConditionalGet|\w*conditional_response\b"""
        r"""|\bhttp import [^#]*\b(?:condition|etag|last_modified)\b"""
    )
    assert {name for name, text in sources().items() if tags.search(text)} == {
        "league.base.views.conditional",
        "league.recap.views.recap",
        "tables.api.manners",
    }
