"""Previews of table imports, stored as JSON until the uploader confirms them."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

MOST_SHOWN = 50
MOST_NAMED = 20


class FreshPlayer(NamedTuple):
    name: str
    group: str
    fixed_table: int | None


@dataclass(frozen=True)
class PlayersLook:
    """The preview of a player import: new players, existing names and problems.

    `fresh` and `there` hold only the first; `count` and `there_count` count all.
    """

    fresh: list[FreshPlayer]
    count: int
    there: list[str]
    there_count: int
    bots: int
    problems: list[str]
    alike: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)

    @property
    def saves(self) -> bool:
        return bool(self.count and not self.problems)

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> PlayersLook:
        return cls(**{**stored, "fresh": [FreshPlayer(*one) for one in stored["fresh"]]})


@dataclass(frozen=True)
class SheetLook:
    """A sheet's first rows, with the head and the meaning of each column."""

    name: str
    heads: list[str]
    meanings: list[str]
    rows: list[list[str]]
    titles: list[str]
    count: int
    doubled: list[int]
    unknown: list[int]


class DoubtLook(NamedTuple):
    kind: str
    about: str
    facts: list[str]
    yes: bool


class NightLook(NamedTuple):
    """A night with its games in words, and the reasons for which it waits."""

    name: str
    date: datetime.date | None
    games: list[str]
    waits: list[str]


@dataclass(frozen=True)
class NotebookLook:
    """The preview of sheets: columns, questions, totals, and every game by night."""

    sheets: list[SheetLook]
    doubts: list[DoubtLook]
    totals: list[tuple[str, str, str]]
    fresh: list[NightLook]
    there: int
    waiting: list[NightLook]
    left: list[str]
    people: int
    new_names: list[str]
    problems: list[str]
    alike: list[str]
    chosen: dict[str, str]
    answers: dict[str, bool]
    told: list[str] = field(default_factory=list)
    left_count: int = 0

    @property
    def saves(self) -> bool:
        return bool(self.fresh and not self.problems)

    @property
    def games(self) -> int:
        return sum(len(night.games) for night in self.fresh)

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> NotebookLook:
        def night(name: str, day: str | None, *rest: Any) -> NightLook:
            return NightLook(name, datetime.date.fromisoformat(day) if day else None, *rest)

        return cls(
            **{
                **stored,
                "sheets": [SheetLook(**one) for one in stored["sheets"]],
                "doubts": [DoubtLook(*one) for one in stored["doubts"]],
                "fresh": [night(*one) for one in stored["fresh"]],
                "waiting": [night(*one) for one in stored["waiting"]],
            }
        )
