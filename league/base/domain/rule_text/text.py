"""A whole ruleset as sections of sentences."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from engine.rules.ruleset import Ruleset
from engine.rules.texts import mark as _
from league.base.domain.rule_text import (
    cards,
    chops,
    combinations,
    exchanges,
    money,
    source,
    tricks,
    wins,
)
from league.base.domain.rule_text.words import Words


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with its sentences; `key` is the same in every language."""

    key: str
    title: str
    sentences: tuple[Words, ...]


_SECTIONS: tuple[tuple[str, str, Callable[[Ruleset], Iterator[Words]]], ...] = (
    ("deal", _("Players and cards"), cards.sentences),
    ("combinations", _("Combinations"), combinations.sentences),
    ("lead", _("Who leads"), tricks.leading),
    ("trick", _("Beating and passing"), tricks.playing),
    ("chops", _("Chops"), chops.sentences),
    ("instant", _("Instant wins"), wins.sentences),
    ("exchange", _("Before the first play"), exchanges.sentences),
    ("money", _("Payments"), money.sentences),
    ("source", _("These rules"), source.sentences),
)


def rule_text(rules: Ruleset) -> list[Section]:
    """Return the rules in plain words, in the order in which people learn them.

    Every field that changes play changes a sentence.
    """
    return [Section(key, title, tuple(say(rules))) for key, title, say in _SECTIONS]
