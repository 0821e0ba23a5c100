"""The order of docs/architecture.md holds, and each way to break it is caught."""

from __future__ import annotations

import functools

import pytest
from django.apps import apps

from tests.architecture import ALLOWED, faults, imports_of, read_sources


@functools.cache
def sources() -> dict[str, str]:
    return read_sources()


@functools.cache
def real_faults() -> frozenset[str]:
    return frozenset(faults(sources()))


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


@pytest.mark.parametrize(("module", "line"), VIOLATIONS, ids=lambda text: text.split("\n")[-1])
def test_each_deliberate_violation_is_caught(module, line):
    broken = sources() | {module: f"{sources()[nearest(module)]}\n{line}\n"}
    assert faults(broken) - real_faults()


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
