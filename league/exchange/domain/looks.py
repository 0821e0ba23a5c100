"""What a table of text would bring, kept as JSON from its reading until someone confirms it."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

MOST_SHOWN = 50
MOST_NAMED = 20


class FreshPlayer(NamedTuple):
    """A player whom the club does not know yet, with what draws heed."""

    name: str
    group: str
    fixed_table: int | None


class LookedNight(NamedTuple):
    """A night of the table by its name and date."""

    name: str
    date: datetime.date


@dataclass(frozen=True)
class PlayersLook:
    """Who would be added, the first of them; who is there already; and what is wrong."""

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
    def from_json(cls, told: Mapping[str, Any]) -> PlayersLook:
        return cls(**{**told, "fresh": [FreshPlayer(*one) for one in told["fresh"]]})


@dataclass(frozen=True)
class ResultsLook:
    """Which nights would be added, which are there, who is new to the club, and what is wrong."""

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
    def from_json(cls, told: Mapping[str, Any]) -> ResultsLook:
        nights = {
            key: [LookedNight(name, datetime.date.fromisoformat(day)) for name, day in told[key]]
            for key in ("fresh", "there")
        }
        return cls(**{**told, **nights})
