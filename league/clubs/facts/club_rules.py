"""The rulesets of a club, presets and house rules: to list, to read and to choose."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext

from engine.rules import ruleset as engine_ruleset
from engine.rules.cards import parse_cards
from engine.rules.cardset import pack
from engine.rules.rule_tables import table
from engine.rules.ruleset import Ruleset
from engine.rules.texts import mark
from league.base.domain import rule_text
from league.base.domain.rule_text import say
from league.models import Club, ClubRuleset, ClubRulesetVersion, Event, Season
from league.models.spelling import Alphabetical
from tables.base import rulesets
from tables.base.lookup import or_raise
from tables.models import FrozenRuleset

SAMPLES = (
    (mark("pairs"), ("9S 9D", "9S 9C")),
    (mark("triples"), ("JS JC JD",)),
    (mark("Four of a kind"), ("8S 8C 8D 8H",)),
    (mark("straights"), ("5S 6D 7C", "5S 6S 7S")),
    (mark("three consecutive pairs"), ("5S 5D 6C 6H 7S 7C", "5S 5C 6S 6C 7S 7C")),
)
"""Cards that show a kind of combination; the first that a ruleset allows is drawn."""
PAYING = ("loser_pays_winner", "loser_pays_all", "mien_nam")
"""Kinds of betting in which a game has a stake."""


@dataclass(frozen=True)
class SentenceView:
    """A sentence in the reader's language; `changed` if the preset lacks it."""

    text: str
    changed: bool


@dataclass(frozen=True)
class SectionView:
    """A heading with its sentences."""

    key: str
    title: str
    sentences: list[SentenceView]


@dataclass(frozen=True)
class DifferenceView:
    """A field's value in the preset and in these rules."""

    label: str
    before: str
    after: str


@dataclass(frozen=True)
class RulesInWords:
    """A ruleset in the reader's language, with its differences from the preset.

    `own` is the club's ruleset of which this is the `version`, None for a preset. `newest` is the
    version and the digest of the newest version if this is an older one.
    """

    rules: Ruleset
    kinds: list[tuple[str, list[str]]]
    preset: Ruleset | None
    sections: list[SectionView]
    source: list[str]
    differences: list[DifferenceView]
    own: ClubRuleset | None = None
    version: int = 0
    newest: tuple[int, str] | None = None


@dataclass(frozen=True)
class RulesOfClub:
    """A club's own rules, current and archived, and the presets with their digests.

    `played` are the rules of its open seasons, the latest season's first, with their digests.
    """

    played: dict[str, str]
    own: list[ClubRuleset]
    archived: list[ClubRuleset]
    presets: list[tuple[Ruleset, str]]


def in_words(rules: Ruleset, preset: Ruleset | None = None) -> RulesInWords:
    """Return the rules in the reader's language, with their differences from the preset."""
    usual = [s for section in rule_text.rule_text(preset or rules) for s in section.sentences]
    sections = [
        SectionView(
            section.key,
            gettext(section.title),
            [SentenceView(say(s, gettext), s not in usual) for s in section.sentences],
        )
        for section in rule_text.rule_text(rules)
    ]
    differing = rule_text.differences(preset, rules) if preset else []
    return RulesInWords(
        rules=rules,
        kinds=_kinds(rules),
        preset=preset,
        sections=[section for section in sections if section.key != "source"],
        source=[sentence.text for sentence in sections[-1].sentences],
        differences=[
            DifferenceView(*(say(value, gettext) for value in (d.label, d.before, d.after)))
            for d in differing
        ],
    )


def _kinds(rules: Ruleset) -> list[tuple[str, list[str]]]:
    """Return the names of combinations that these rules know, each with cards that make one."""
    known = table(rules)
    shown = [
        (gettext(name), next(filter(lambda one: known.classify(pack(parse_cards(one))), hands), ""))
        for name, hands in SAMPLES
    ]
    return [(name, hand.split()) for name, hand in shown if hand]


def rules_of(club: Club, seasons: QuerySet[Season]) -> RulesOfClub:
    """Return the rules that the club may choose from, and those that these seasons play by."""
    found = ClubRuleset.objects.filter(club=club).select_related("frozen")
    own = list(found.order_by(Alphabetical("name")))
    now = seasons.filter(status=Season.Status.OPEN).select_related("ruleset").order_by("-pk")
    return RulesOfClub(
        played={season.ruleset_id: season.ruleset.body["name"] for season in now},
        own=[ruleset for ruleset in own if ruleset.archived_at is None],
        archived=[ruleset for ruleset in own if ruleset.archived_at is not None],
        presets=[(rules, digest) for digest, rules in _presets().items()],
    )


def card(club: Club, digest: str) -> RulesInWords | None:
    """Return a ruleset in words; None if the club may not read it.

    A club may read the presets, all versions of its own rules and what its seasons and events
    froze.
    """
    versions = ClubRulesetVersion.objects.filter(ruleset__club=club, frozen=digest)
    version = versions.select_related("ruleset", "frozen").first()
    if version is not None:
        key = version.ruleset.based_on
        preset = engine_ruleset.preset(key) if key in engine_ruleset.preset_keys() else None
        words = replace(in_words(rulesets.thaw(version.frozen), preset), version=version.number)
        own = version.ruleset
        newest = (own.version, own.frozen_id) if own.version != version.number else None
        return replace(words, own=own, newest=newest)
    if digest in _presets():
        return in_words(_presets()[digest])
    rules = _frozen(club, digest)
    newer = newer_preset(rules) if rules else None
    if rules is None or newer is None:
        return in_words(rules) if rules else None
    words = in_words(rules, newer)
    return replace(
        words, version=rules.version, newest=(newer.version, engine_ruleset.digest(newer))
    )


def newer_preset(rules: Ruleset) -> Ruleset | None:
    """Return the newer version of the preset that these rules are an old version of, or None."""
    if rules.key not in engine_ruleset.preset_keys():
        return None
    newest = engine_ruleset.preset(rules.key)
    is_old = rules.document == newest.document and rules.version < newest.version
    return newest if is_old else None


def _frozen(club: Club, digest: str) -> Ruleset | None:
    played = (
        Season.objects.filter(club=club, ruleset=digest).exists()
        or Event.objects.filter(season__club=club, ruleset=digest).exists()
    )
    frozen = FrozenRuleset.objects.filter(pk=digest).first() if played else None
    return rulesets.thaw(frozen) if frozen else None


def own_choices(club: Club) -> list[tuple[str, str]]:
    """Return the club's own rules as choices: the current version's digest, and the name.

    From version 2 on the name includes the number.
    """
    offered = ClubRuleset.objects.filter(club=club).offered().order_by(Alphabetical("name"))
    return [
        (own.frozen_id, f"{own.name} ({own.version})" if own.version > 1 else own.name)
        for own in offered
    ]


def paying_choices(
    club: Club, presets: Iterable[tuple[str, Any]], season: Season
) -> list[tuple[str, Any]]:
    """Return the rules that have payments as choices: the season's first, then the club's own."""
    first = key_or_digest(season.ruleset)
    known = dict(presets)
    choices = {first: known.get(first, rulesets.thaw(season.ruleset).name)}
    choices |= dict(own_choices(club)) | known
    return [(key, name) for key, name in choices.items() if chosen(club, key).betting in PAYING]


def chosen(club: Club, value: str) -> Ruleset:
    """Return the chosen ruleset, by a preset's key or the digest of one the club may read.

    Raises KeyError for anything else.
    """
    if value in engine_ruleset.preset_keys():
        return engine_ruleset.preset(value)
    found = or_raise(card(club, value), KeyError(value))
    return found.rules


def key_or_digest(frozen: FrozenRuleset) -> str:
    """Return the value by which `chosen` finds a frozen ruleset."""
    preset = _presets().get(frozen.pk)
    return preset.key if preset else frozen.pk


@cache
def _presets() -> dict[str, Ruleset]:
    presets = [engine_ruleset.preset(key) for key in engine_ruleset.preset_keys()]
    return {engine_ruleset.digest(rules): rules for rules in presets}
