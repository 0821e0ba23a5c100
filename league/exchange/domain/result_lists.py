"""Past results as a table of text: one line per game, names from first to last place."""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from engine.rules.texts import mark as _
from league.base.domain.csv_text import MOST_PROBLEMS, LineError, LineProblem, plain, read_rows
from league.base.domain.names import NameProblem, clean_name, identity

MOST_GAMES = 1000
PLACES = tuple(str(place) for place in range(1, 9))
COLUMNS = ("night", "date", "round", "table", "game")
WANTED = ("night", "date", "round", "table", "1", "2")

Groups = tuple[tuple[str, ...], ...]


class ListedNight(NamedTuple):
    """The name and date of a night; several dates may share a name."""

    date: datetime.date
    name: str


RoundsOfNight = dict[int, dict[int, list[Groups]]]
"""A night's games by round and table."""


def games_of(rounds: RoundsOfNight) -> list[list[Groups]]:
    """Return the games of each table in each round."""
    return [games for tables in rounds.values() for games in tables.values()]


@dataclass
class ResultList:
    """A table's games by night, round and table, in order, and its problems.

    Names are clean. `lines` holds each night's first line number.
    """

    nights: dict[ListedNight, RoundsOfNight] = field(default_factory=dict)
    problems: list[LineProblem] = field(default_factory=list)
    lines: dict[ListedNight, int] = field(default_factory=dict)

    @property
    def games(self) -> int:
        return sum(len(games) for rounds in self.nights.values() for games in games_of(rounds))

    @property
    def names(self) -> list[str]:
        """The players' names without duplicates, each as first written."""
        seen: dict[str, str] = {}
        for rounds in self.nights.values():
            for games in games_of(rounds):
                for name in chain.from_iterable(games[0]):
                    seen.setdefault(identity(name), name)
        return list(seen.values())


def parse_results(text: str) -> ResultList:
    """Return the games of a table with columns night, date, round, table, game, places 1 to 8.

    Without `game`, a table's games are numbered in line order. Players who share a place stand in
    one cell, separated by `=`. Commas, semicolons and tabs separate cells. Never raises: unreadable
    lines become problems.
    """
    found = ResultList()
    rows, found.problems = read_rows(text, {name: [] for name in WANTED})
    for line, row in rows:
        if found.games >= MOST_GAMES or len(found.problems) >= MOST_PROBLEMS:
            template = _("The file is too long; reading stopped here. Split it.")
            found.problems.append(LineProblem(line, template, {}))
            break
        try:
            _take(found, line, row)
        except LineError as wrong:
            found.problems.append(LineProblem(line, wrong.template, wrong.params))
    if not found.games and not found.problems:
        found.problems.append(LineProblem(1, _("There are no games in this file."), {}))
    return found


def _take(found: ResultList, line: int, row: Mapping[str, str]) -> None:
    night = ListedNight(_date(row.get("date", "")), plain(row.get("night", ""))[:80])
    if not night.name:
        raise LineError(_("The night needs a name."))
    number, table = _number(row, "round", 60), _number(row, "table", 500)
    groups = _groups(row)
    rounds = found.nights.get(night, {})
    games = rounds.get(number, {}).get(table, [])
    if row.get("game") and _number(row, "game", 1000) != len(games) + 1:
        raise LineError(_("The next game at this table is number %(game)s."), game=len(games) + 1)
    people = {identity(name) for group in groups for name in group}
    if games and people != {identity(name) for group in games[0] for name in group}:
        raise LineError(_("In one round, the same people must play all games at a table."))
    for other, others in rounds.get(number, {}).items():
        met = people & {identity(name) for group in others[0] for name in group}
        if other != table and met:
            raise LineError(
                _("One of these players also sits at table %(table)s in this round."), table=other
            )
    found.lines.setdefault(night, line)
    tables = found.nights.setdefault(night, {}).setdefault(number, {})
    tables.setdefault(table, []).append(groups)


def _groups(row: Mapping[str, str]) -> Groups:
    groups: list[tuple[str, ...]] = []
    for place in PLACES:
        names = [_name(part) for part in plain(row.get(place, "")).split("=") if part.strip()]
        if names:
            groups.append(tuple(names))
    people = [identity(name) for group in groups for name in group]
    if not 2 <= len(people) <= len(PLACES):
        raise LineError(_("A game has 2 to 8 players; this one has %(count)s."), count=len(people))
    if len(set(people)) < len(people):
        raise LineError(_("The same player has two places in this game."))
    return tuple(groups)


def _name(text: str) -> str:
    try:
        return clean_name(text)
    except NameProblem as problem:
        raise LineError(problem.template, **problem.params) from problem


def _date(text: str) -> datetime.date:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise LineError(
            _("“%(text)s” is not a date. Write it as 2026-01-31."), text=text[:20]
        ) from None


def _number(row: Mapping[str, str], column: str, most: int) -> int:
    text = row.get(column, "")
    if not (text.isascii() and text.isdecimal() and len(text) < 6 and 1 <= int(text) <= most):
        raise LineError(
            _("“%(text)s” is not a valid %(column)s. Enter a number from 1 to %(most)s."),
            text=text[:20],
            column=column,
            most=most,
        )
    return int(text)


def write_groups(groups: Sequence[Sequence[str]]) -> list[str]:
    """Return the cells of places 1 to 8; the inverse of parsing them."""
    cells = [" = ".join(group) for group in groups]
    return cells + [""] * (len(PLACES) - len(cells))
