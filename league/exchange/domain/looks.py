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


class LookedNight(NamedTuple):
    name: str
    date: datetime.date


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

    @property
    def saves(self) -> bool:
        return bool(self.count and not self.problems)

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> PlayersLook:
        return cls(**{**stored, "fresh": [FreshPlayer(*one) for one in stored["fresh"]]})


@dataclass(frozen=True)
class ResultsLook:
    """The preview of a results import: new and existing nights, new names and problems."""

    fresh: list[LookedNight]
    there: list[LookedNight]
    games: int
    new_names: list[str]
    problems: list[str]
    alike: list[str] = field(default_factory=list)

    @property
    def saves(self) -> bool:
        return bool(self.fresh and not self.problems)

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> ResultsLook:
        nights = {
            key: [LookedNight(name, datetime.date.fromisoformat(day)) for name, day in stored[key]]
            for key in ("fresh", "there")
        }
        return cls(**{**stored, **nights})
