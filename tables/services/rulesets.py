"""Freezing rulesets, so that what was played keeps its rules."""

from __future__ import annotations

from engine import ruleset as engine_ruleset
from engine.ruleset import Ruleset
from tables.kept import Kept
from tables.models import FrozenRuleset, Table

_kept: Kept[str, Ruleset] = Kept(200)


def freeze(ruleset: Ruleset) -> FrozenRuleset:
    """The stored copy of `ruleset`; the same rules give the same row, however often."""
    frozen, _created = FrozenRuleset.objects.get_or_create(
        digest=engine_ruleset.digest(ruleset),
        defaults={"key": ruleset.key, "body": engine_ruleset.to_json(ruleset)},
    )
    return frozen


def thaw(frozen: FrozenRuleset) -> Ruleset:
    """The ruleset that was frozen."""
    return engine_ruleset.from_json(frozen.body)


def of(table: Table) -> Ruleset:
    """The rules of a table: what is frozen never changes, so each process thaws them once."""
    kept = _kept.get(table.ruleset_id)
    if kept is None:
        kept = thaw(table.ruleset)
        _kept.put(table.ruleset_id, kept)
    return kept


def are_known(table: Table) -> bool:
    """Whether `of` asks the database nothing."""
    return _kept.get(table.ruleset_id) is not None


def find(digest: str) -> Ruleset | None:
    """The ruleset with this digest: one that was frozen, or a preset; None for an unknown one."""
    frozen = FrozenRuleset.objects.filter(digest=digest).first()
    if frozen:
        return thaw(frozen)
    presets = map(engine_ruleset.preset, engine_ruleset.preset_keys())
    return next((rules for rules in presets if engine_ruleset.digest(rules) == digest), None)
