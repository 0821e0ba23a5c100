"""Tie-breaks: an ordered list of keys, each a comparison with a name for pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from engine.rules.texts import mark as _
from league.base.domain.keys import Key, Pair
from league.seasons.domain.scoring import FieldError

from .facts import Facts
from .rows import StandingsRow

Values = list[Fraction]


class TieBreak(NamedTuple):
    """A comparison of tied entrants: the higher of `values` comes first.

    `name` is a message id, `score` one with both numbers, `own` and `next`, of what people count.
    `needs` names the field of `Facts` that it reads.
    `within` says that it depends on which entrants are tied, so it is repeated after it has
    separated some of them.
    """

    name: str
    values: Callable[[Sequence[StandingsRow], _Index], Values]
    score: str = ""
    needs: str | None = None
    within: bool = False


DEFAULT = ("points", "firsts", "seconds", "fewest_lasts", "head_to_head", "strength")


def check_tie_breaks(keys: Any) -> tuple[str, ...]:
    """Return the tie-break keys as a tuple; raises `FieldError` for an invalid list.

    Invalid are an empty list, one without `points`, an unknown key, and a repeated key.
    """
    if isinstance(keys, str) or not isinstance(keys, Iterable):
        raise FieldError("tie_breaks", _("must be a list of names."))
    chosen = tuple(keys)
    for key in chosen:
        if not isinstance(key, str) or key not in TIE_BREAKS:
            raise FieldError(
                "tie_breaks",
                _("“%(key)s” is not a tie-break. Choose from: %(keys)s."),
                key=str(key)[:40],
                keys=", ".join(TIE_BREAKS),
            )
        if chosen.count(key) > 1:
            raise FieldError("tie_breaks", _("“%(key)s” is listed twice."), key=key)
    if "points" not in chosen:
        raise FieldError(
            "tie_breaks", _("must contain “%(key)s”, or points would not count."), key="points"
        )
    return chosen


def needs(keys: Iterable[str]) -> frozenset[str]:
    """Return the fields of `Facts` that these tie-breaks read: `money`, `ahead`, `met`."""
    return frozenset(need for key in keys if (need := TIE_BREAKS[key].needs))


def ranked(
    groups: Sequence[list[StandingsRow]],
    keys: Sequence[str],
    facts: Facts,
    everyone: Sequence[StandingsRow],
) -> list[list[StandingsRow]]:
    """Return the rows in groups of tied entrants, best group first.

    `groups` are the groups still tied after earlier keys; at the start all rows are one group. In
    each row, `values` holds the compared values and `separated_by` the key that puts its group
    below the previous one. `everyone` includes opponents who are not among the rows.
    """
    if not keys:
        return [group for group in groups if group]
    found: list[list[StandingsRow]] = []
    index = _Index(facts, everyone)
    values = {row.entrant: dict(row.values) for group in groups for row in group}
    # A stack, the next group last: its rows, the index of the next key, and `separated_by`.
    waiting = [(group, 0, group[0].separated_by) for group in reversed(groups) if group]
    while waiting:
        group, position, separated_by = waiting.pop()
        if position == len(keys) or len(group) < 2:
            found.append(
                [
                    replace(row, separated_by=separated_by, values=values[row.entrant])
                    for row in group
                ]
            )
            continue
        key = keys[position]
        parts = _parts(group, key, index, values)
        again = TIE_BREAKS[key].within and len(parts) > 1
        for i, part in reversed(list(enumerate(parts))):
            waiting.append((part, position + (not again), key if i else separated_by))
    return found


def _parts(
    group: list[StandingsRow], key: str, index: _Index, values: Mapping[Key, dict[str, Fraction]]
) -> list[list[StandingsRow]]:
    """Return the rows grouped by that key, best group first; store the compared values."""
    parts: dict[tuple[int, int], list[StandingsRow]] = {}
    for row, value in zip(group, TIE_BREAKS[key].values(group, index), strict=True):
        values[row.entrant][key] = value
        # Hashing a fraction is slow.
        parts.setdefault(value.as_integer_ratio(), []).append(row)
    if len(parts) == 1:
        return [group]
    return [parts[ratio] for ratio in sorted(parts, key=lambda r: Fraction(*r), reverse=True)]


class _Index:
    """The facts by entrant, indexed only when a tie-break reads them."""

    def __init__(self, facts: Facts, everyone: Sequence[StandingsRow]) -> None:
        self._facts = facts
        self._everyone = everyone

    @cached_property
    def ahead(self) -> Mapping[Key, Mapping[Key, int]]:
        return _by_entrant(self._facts.ahead)

    @cached_property
    def met(self) -> Mapping[Key, Mapping[Key, int]]:
        return _by_entrant(self._facts.met)

    @cached_property
    def beaten(self) -> Mapping[Key, Fraction]:
        return {row.entrant: row.beaten for row in self._everyone if row.beaten is not None}


def _by_entrant(pairs: Mapping[Pair, int]) -> dict[Key, dict[Key, int]]:
    table: dict[Key, dict[Key, int]] = {}
    for (a, b), games in pairs.items():
        table.setdefault(a, {})[b] = games
    return table


def _each(
    value: Callable[[StandingsRow], Fraction | int],
) -> Callable[[Sequence[StandingsRow], _Index], Values]:
    return lambda rows, index: [Fraction(value(row)) for row in rows]


def _head_to_head(rows: Sequence[StandingsRow], index: _Index) -> Values:
    """Return games finished ahead of the tied others minus games behind them, at shared tables."""
    level = {row.entrant for row in rows}
    net = dict.fromkeys(level, 0)
    for entrant in level:
        others = index.ahead.get(entrant, {})
        for other in others.keys() & level:
            net[entrant] += others[other]
            net[other] -= others[other]
    return [Fraction(net[row.entrant]) for row in rows]


def _strength(rows: Sequence[StandingsRow], index: _Index) -> Values:
    """Return the mean `beaten` of the opponents over all games."""
    met, beaten = index.met, index.beaten
    values = []
    for row in rows:
        games = {b: n for b, n in met.get(row.entrant, {}).items() if b in beaten}
        total = sum(games.values())
        mean = sum((beaten[b] * n for b, n in games.items()), Fraction(0)) / (total or 1)
        values.append(mean)
    return values


TIE_BREAKS: Mapping[str, TieBreak] = {
    "points": TieBreak(_("points"), _each(lambda row: row.points)),
    "firsts": TieBreak(
        _("more first places"),
        _each(lambda row: row.counts.get(1, 0)),
        _("first places %(own)s–%(next)s"),
    ),
    "seconds": TieBreak(
        _("more second places"),
        _each(lambda row: row.counts.get(2, 0)),
        _("second places %(own)s–%(next)s"),
    ),
    "fewest_lasts": TieBreak(
        _("fewer last places"), _each(lambda row: -row.lasts), _("last places %(own)s–%(next)s")
    ),
    "head_to_head": TieBreak(
        _("head-to-head at shared tables"), _head_to_head, needs="ahead", within=True
    ),
    "strength": TieBreak(_("stronger opponents"), _strength, needs="met"),
    "money": TieBreak(_("more money won"), _each(lambda row: row.money), needs="money"),
    "games": TieBreak(_("more games"), _each(lambda row: row.games)),
    "fewer_games": TieBreak(_("fewer games"), _each(lambda row: -row.games)),
}
