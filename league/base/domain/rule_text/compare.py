"""Differences between two rulesets, field by field, in words."""

from dataclasses import dataclass

from engine.rules import ruleset as engine_ruleset
from engine.rules.ruleset import Ruleset
from engine.rules.texts import mark as _
from league.base.domain.rule_text.labels import CHOICES, FIELDS, MONEY
from league.base.domain.rule_text.terms import combination
from league.base.domain.rule_text.words import Value, row_of, words

# Fields that identify a ruleset and do not change play.
IDENTITY = ("key", "name", "version", "document")


@dataclass(frozen=True, slots=True)
class Difference:
    """A field with its value in both rulesets; `part` is the player count, target or sum."""

    field: str
    label: Value
    before: Value
    after: Value
    part: str = ""


def differences(before: Ruleset, after: Ruleset) -> list[Difference]:
    """Return the differences in play, in the order of the fields.

    Cards, decks, chops and amounts are compared part by part.
    """
    found: list[Difference] = []
    for field, left, right in engine_ruleset.compare(before, after):
        if field in IDENTITY:
            continue
        if isinstance(left, dict):
            for part in dict.fromkeys([*left, *right]):
                old, new = left.get(part), right.get(part)
                if (old or []) != (new or []):
                    label = part_label(field, part)
                    found.append(Difference(field, label, _part(old), _part(new), part))
        else:
            label = words(FIELDS[field])
            found.append(Difference(field, label, _value(field, left), _value(field, right)))
    return found


def part_label(field: str, part: str) -> Value:
    """Return the name of one entry of a field: a player count, a target, a sum of money."""
    if field == "chops":
        return words(_("On %(target)s"), target=combination(part))
    if field == "money":
        return words(MONEY[part])
    if field == "decks":
        return words(_("Decks for %(players)s"), players=part)
    return words(_("Cards each with %(players)s players"), players=part)


def _part(value: int | list[str] | None) -> Value:
    if isinstance(value, list) and value:
        return row_of([combination(name) for name in value])
    return value if isinstance(value, int) else "–"


def _value(field: str, value: bool | int | str | list[str]) -> Value:
    names = CHOICES.get(field, {})
    if isinstance(value, bool):
        return words(_("yes") if value else _("no"))
    if isinstance(value, list):
        return row_of([words(names[name]) for name in value]) if value else "–"
    if isinstance(value, str):
        return words(names[value]) if value in names else value or "–"
    return value
