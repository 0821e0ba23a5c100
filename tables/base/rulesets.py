"""Frozen rulesets: games keep the rules they were played by."""

from typing import Any

from engine.rules import ruleset as engine_ruleset
from engine.rules.ruleset import Ruleset
from tables.base.fifo_cache import FifoCache
from tables.models import FrozenRuleset, Table

_cached: FifoCache[str, Ruleset] = FifoCache(200)


def freeze(ruleset: Ruleset) -> FrozenRuleset:
    """Return the stored copy of `ruleset`; equal rules share one row."""
    frozen, _created = FrozenRuleset.objects.get_or_create(
        digest=engine_ruleset.digest(ruleset),
        defaults={"key": ruleset.key, "body": engine_ruleset.to_json(ruleset)},
    )
    return frozen


def thaw(frozen: FrozenRuleset) -> Ruleset:
    """Return the frozen ruleset; it never changes, so each process parses it once."""
    cached = _cached.get(frozen.digest)
    if cached is None:
        cached = engine_ruleset.from_json(frozen.body)
        _cached.put(frozen.digest, cached)
    return cached


def of(row: Any) -> Ruleset:
    """Return the rules of a row with a `ruleset`, without a query if they are cached."""
    return _cached.get(row.ruleset_id) or thaw(row.ruleset)


def are_known(table: Table) -> bool:
    """Return whether `of` needs no query."""
    return _cached.get(table.ruleset_id) is not None


def find(digest: str) -> Ruleset | None:
    """Return the frozen ruleset or preset with this digest.

    Return `None` for an unknown digest.
    """
    frozen = FrozenRuleset.objects.filter(digest=digest).first()
    if frozen:
        return thaw(frozen)
    presets = map(engine_ruleset.preset, engine_ruleset.preset_keys())
    return next((rules for rules in presets if engine_ruleset.digest(rules) == digest), None)


def body_of(digest: str) -> dict[str, Any]:
    """Return the frozen ruleset with this digest as data."""
    found: dict[str, Any] = FrozenRuleset.objects.values_list("body", flat=True).get(digest=digest)
    return found
