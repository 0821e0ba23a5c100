"""The arrows of docs/architecture.md, held by a walk over imports and foreign keys."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings

ROOT = Path(settings.BASE_DIR)

MAY_IMPORT = {
    "engine": {"engine"},
    "accounts": {"accounts"},
    "tables": {"tables", "engine", "accounts"},
    "league": {"league", "tables", "engine", "accounts"},
    "config": {"config", "league", "tables", "engine", "accounts"},
}
OURS = {*MAY_IMPORT, "tests"}

LAYERS = ["domain", "models", "services", "selectors", "views"]
"""Inside an app, later rooms import earlier ones; services and selectors also see each other."""


def modules(package: str) -> list[Path]:
    return [p for p in sorted((ROOT / package).rglob("*.py")) if "migrations" not in p.parts]


def imported(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_a_package_imports_only_what_lies_below_it(package):
    wrong = {
        (str(path.relative_to(ROOT)), name)
        for path in modules(package)
        for name in imported(path)
        if name.split(".")[0] in OURS - MAY_IMPORT[package]
    }
    assert wrong == set()


@pytest.mark.parametrize("package", ["engine", "league/domain"])
def test_rules_and_domain_are_plain_python(package):
    known = {"engine"} if package == "engine" else {"league", "engine"}
    wrong = {
        (str(path.relative_to(ROOT)), name)
        for path in modules(package)
        for name in imported(path)
        if name.split(".")[0] not in known | set(sys.stdlib_module_names)
        or (
            package != "engine"
            and name.startswith("league.")
            and not name.startswith("league.domain")
        )
    }
    assert wrong == set()


def test_the_engine_has_no_clock_and_no_dice_of_its_own():
    forbidden = {"time", "datetime", "secrets", "random.random", "random.randint", "random.choice"}
    wrong = {(path.name, name) for path in modules("engine") for name in imported(path) & forbidden}
    assert wrong - {("bench.py", "time"), ("simulate.py", "time")} == set()


@pytest.mark.parametrize("app", ["tables", "league"])
def test_inside_an_app_pages_call_services_and_never_the_other_way(app):
    wrong = set()
    for path in modules(app):
        room = path.relative_to(ROOT / app).parts[0].removesuffix(".py")
        if room not in LAYERS:
            continue
        above = {f"{app}.{later}" for later in LAYERS[LAYERS.index(room) + 1 :]}
        if room == "services":
            above -= {f"{app}.selectors"}
        above.add(f"{app}.tasks")
        wrong |= {
            (str(path.relative_to(ROOT)), name)
            for name in imported(path)
            if any(name == upper or name.startswith(f"{upper}.") for upper in above)
        }
    assert wrong == set()


def test_no_foreign_key_points_upward():
    allowed = {
        "accounts": set(),
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
