"""One thing, one name: a reader who meets a class's name knows which one is meant."""

import ast
from collections import Counter
from pathlib import Path

from django.conf import settings

PACKAGES = ["engine", "accounts", "tables", "league", "config", "launcher"]
NAMED_BY_DJANGO = {"Command"}


def module_names() -> tuple[Counter[str], Counter[str]]:
    """The names of classes, and of what else modules give a name."""
    classes: Counter[str] = Counter()
    aliases: Counter[str] = Counter()
    for package in PACKAGES:
        for path in (Path(settings.BASE_DIR) / package).rglob("*.py"):
            if "migrations" in path.parts:
                continue
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef):
                    classes[node.name] += 1
                elif isinstance(node, ast.Assign):
                    aliases.update(t.id for t in node.targets if isinstance(t, ast.Name))
    return classes, aliases


def test_no_class_name_is_given_twice():
    classes, _ = module_names()
    assert {name for name, count in classes.items() if count > 1} - NAMED_BY_DJANGO == set()


def test_no_alias_has_the_name_of_a_class():
    classes, aliases = module_names()
    assert classes.keys() & aliases.keys() == set()
