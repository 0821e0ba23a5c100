"""Strengths of people: Plackett-Luce with a normal prior, fitted to all their games at once.

docs/ratings.md has the formulas, the parameters and test vectors. The order in which games are
added means nothing. The arithmetic is plain, in a fixed order and without `sum`, which adds
differently since Python 3.12; the published figures are rounded.
"""

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from .ratings import Order

MODEL = 1
"""The version of the model; raise it with anything that changes a published figure."""
MEAN, PER_NAT = 25.0, 8.3
LEAST = 10
"""The games from which on a strength is shown and ranked."""
HALF_LIFE = 24.0
"""The months after which a game counts half."""
WIDTH, BELIEVED = 0.5, 5
"""The width of strengths at first, believed as firmly as if that many people told it."""
BETWEEN = 0.7
"""The width of the means of clubs, where several meet."""
EXACT = 200
"""The people up to which errors follow from everyone's games; above, from one's own alone."""
_ROUNDS, _CLOSE, _LONGEST, _KEPT, _CERTAIN = 300, 1e-10, 1.0, 10, 1e30

_Move = tuple[list[float], list[float], float]
"""A step, how it changed the slope, and the product of both."""


class Figures(NamedTuple):
    """A published strength and its error, rounded, and the number of games."""

    mu: float
    sigma: float
    games: int

    @property
    def low(self) -> float:
        """The lower end of its 95 % interval, by which people are ranked."""
        return self.mu - 1.96 * self.sigma


def chance(one: Figures, other: Figures) -> float:
    """Return the chance that one comes before the other, by how sure both strengths are."""
    gap, error = (one.mu - other.mu) / PER_NAT, math.hypot(one.sigma, other.sigma) / PER_NAT
    return 1 / (1 + math.exp(-gap / math.sqrt(1 + math.pi / 8 * error**2)))


@dataclass(frozen=True)
class Fit:
    """Strengths in nats by person, their mean at 0; `width` is that of the prior.

    `roots` hold each person's row of a root of the covariance, which has as many columns as there
    are people, or a single error where nobody's is known to depend on another's.
    """

    nats: dict[int, float]
    width: float
    games: Mapping[int, int]
    clubs: Mapping[int, int]
    roots: dict[int, list[float]]

    def error(self, weights: Mapping[int, float]) -> float:
        """Return the standard error of a weighted sum of strengths, such as a difference."""
        rows = [[weight * value for value in self.roots[p]] for p, weight in weights.items()]
        if len(rows[0]) == 1:
            return math.hypot(*(row[0] for row in rows))
        return math.hypot(*map(math.fsum, zip(*rows, strict=True)))

    def published(self) -> dict[int, Figures]:
        """Return the figures to publish; an error is that of the difference to the club's mean."""
        members = defaultdict(list)
        for person in self.nats:
            members[self.clubs.get(person, 0)].append(person)
        found = {}
        for own in members.values():
            rows = zip(*(self.roots[person] for person in own), strict=True)
            mean = [math.fsum(row) / len(own) for row in rows]
            for person in own:
                of = self.roots[person]
                error = math.dist(of, mean) if len(of) > 1 else of[0]
                mu = MEAN + PER_NAT * self.nats[person]
                sigma = max(PER_NAT * error, 0.01)
                found[person] = Figures(round(mu, 2), round(sigma, 2), self.games[person])
        return found


class GameHistory:
    """Games of people, counted by the month they were played in."""

    def __init__(self) -> None:
        self.games: Counter[int] = Counter()
        self._chosen: defaultdict[int, Counter[tuple[int, ...]]] = defaultdict(Counter)
        self._firsts: defaultdict[int, Counter[int]] = defaultdict(Counter)

    def add(self, order: Order, month: int = 0) -> None:
        """Count a game; of those who share its last place it tells only who came before them."""
        left = sorted({person for group in order for person in group})
        if len(left) < 2:
            return
        self.games.update(left)
        for group in order:
            own = [person for person in group if person in left]
            if len(left) <= len(own):
                break
            self._chosen[month][tuple(left)] += len(own)
            self._firsts[month].update(own)
            left = [person for person in left if person not in own]

    def fit(
        self,
        clubs: Mapping[int, int] | None = None,
        half_life: float = HALF_LIFE,
        fixed: Mapping[int, float] | None = None,
    ) -> Fit:
        """Return everyone's most probable strength; `clubs` are theirs, where several meet.

        `fixed` are known strengths, such as those of bots: they are no part of the prior.
        """
        clubs = clubs or {}
        people = sorted(self.games)
        number = {person: at for at, person in enumerate(people)}
        chosen: defaultdict[tuple[int, ...], float] = defaultdict(float)
        firsts = [0.0] * len(people)
        last = max(self._chosen, default=0)
        for month in sorted(self._chosen):
            weight = 0.5 ** ((last - month) / half_life)
            for left, times in self._chosen[month].items():
                chosen[tuple(number[person] for person in left)] += times * weight
            for person, times in self._firsts[month].items():
                firsts[number[person]] += times * weight
        known = {number[one]: value for one, value in (fixed or {}).items() if one in number}
        found = _Solver(chosen, firsts, [clubs.get(person) for person in people], known)
        found.solve()
        roots = found.roots() if len(people) <= EXACT else [[e] for e in found.own_errors()]
        return Fit(
            {person: found.nats[at] for person, at in number.items()},
            found.width,
            self.games,
            clubs,
            {person: roots[at] for person, at in number.items()},
        )


class _Solver:
    """The most probable strengths of people, then those of clubs, with `width` of the prior.

    L-BFGS (Nocedal, 1980) over the diagonal of the second derivatives: a pass over the games each.
    """

    def __init__(
        self,
        chosen: Mapping[tuple[int, ...], float],
        firsts: list[float],
        clubs: list[int | None],
        fixed: Mapping[int, float],
    ) -> None:
        self.stages, self.people = sorted(chosen), len(clubs)
        self.times = array("d", map(chosen.__getitem__, self.stages))
        known = sorted({club for club in clubs if club is not None})
        place = {club: self.people + at for at, club in enumerate(known)}
        self.parent = {
            one: None if club is None else place[club]
            for one, club in enumerate(clubs)
            if one not in fixed
        }
        self.firsts = firsts + [0.0] * len(known)
        self.nats = [fixed.get(one, 0.0) for one in range(len(self.firsts))]
        self.fixed = fixed
        self.width = WIDTH

    def solve(self) -> None:
        """Find the width, round it, and find the strengths with it."""
        kept: list[_Move] = []
        told = self._told()
        for is_free in (True, False):
            for _ in range(_ROUNDS):
                pull = self._pull(self.nats)
                slope = [a - b for a, b in zip(told, pull, strict=True)]
                step = self._step(slope, kept)
                longest = max(map(abs, step), default=0.0)
                short = min(1.0, _LONGEST / longest) if longest else 1.0
                step = [short * move for move in step]
                self.nats = [old + move for old, move in zip(self.nats, step, strict=True)]
                was, told = told, self._told()
                bend = [
                    old - new + by for old, new, by in zip(was, told, self._pull(step), strict=True)
                ]
                if (along := _dot(step, bend)) > 0:
                    kept = [*kept[1 - _KEPT :], (step, bend, along)]
                width = self._told_width() if is_free else self.width
                moved, self.width = abs(width - self.width), width
                if longest < _CLOSE and moved < _CLOSE:
                    break
            self.width = round(self.width, 3)

    def own_errors(self) -> list[float]:
        """Return everyone's error as if the others' strengths were known."""
        return [1 / math.sqrt(value) for value in self._whole_diagonal()]

    def roots(self) -> list[list[float]]:
        """Return a matrix whose product with its transpose is the inverse: Cholesky's, inverted."""
        pairs = self._pairs()
        lower: list[list[float]] = []
        for i, value in enumerate(self._whole_diagonal()):
            row = [pairs[j, i] for j in range(i)]
            for j in range(i):
                row[j] = (row[j] - _dot(row[:j], lower[j])) / lower[j][j]
            lower.append([*row, math.sqrt(value - _dot(row, row))])
        columns: list[list[float]] = []
        for i in range(len(lower)):
            column = [1 / lower[i][i]]
            for k in range(i + 1, len(lower)):
                column.append(-_dot(column, lower[k][i:]) / lower[k][k])
            columns.append([0.0] * i + column)
        return columns

    def _told(self) -> list[float]:
        """Return the slope that the games alone have at the strengths, and set its diagonal."""
        powers = [math.exp(value) for value in self.nats]
        once, twice = [0.0] * len(powers), [0.0] * len(powers)
        for left, times in zip(self.stages, self.times, strict=True):
            total = 0.0
            for one in left:
                total += powers[one]
            part = times / total
            square = part / total
            for one in left:
                once[one] += part
                twice[one] += square
        self.diagonal = [
            power * (part - power * square)
            for power, part, square in zip(powers, once, twice, strict=True)
        ]
        return [
            0.0 if one in self.fixed else won - powers[one] * once[one]
            for one, won in enumerate(self.firsts)
        ]

    def _pull(self, nats: Sequence[float]) -> list[float]:
        """Return how strongly the prior pulls these strengths back."""
        within = self.width**-2
        found = [BETWEEN**-2 * value if at >= self.people else 0.0 for at, value in enumerate(nats)]
        for one, above in self.parent.items():
            force = within * (nats[one] - (0.0 if above is None else nats[above]))
            found[one] = force
            if above is not None:
                found[above] -= force
        return found

    def _whole_diagonal(self) -> list[float]:
        """Return the diagonal of the second derivatives, with the prior's part."""
        within = self.width**-2
        found = [value + within for value in self.diagonal[: self.people]]
        found += [BETWEEN**-2 for _club in self.nats[self.people :]]
        for above in self.parent.values():
            if above is not None:
                found[above] += within
        for one in self.fixed:
            found[one] = _CERTAIN
        return found

    def _pairs(self) -> defaultdict[tuple[int, int], float]:
        """Return the second derivatives by pairs, the lower number first."""
        powers = [math.exp(value) for value in self.nats]
        pairs: defaultdict[tuple[int, int], float] = defaultdict(float)
        for left, times in zip(self.stages, self.times, strict=True):
            total = 0.0
            for one in left:
                total += powers[one]
            square = times / total / total
            for pair in combinations(left, 2):
                pairs[pair] -= square
        for one, other in pairs:
            pairs[one, other] *= powers[one] * powers[other]
        for one, above in self.parent.items():
            if above is not None:
                pairs[one, above] -= self.width**-2
        return pairs

    def _told_width(self) -> float:
        """Return the width that the strengths tell, together with what is believed at first."""
        squares, sure = BELIEVED * WIDTH**2, float(BELIEVED)
        for one, above in self.parent.items():
            squares += (self.nats[one] - (0.0 if above is None else self.nats[above])) ** 2
            sure += self.diagonal[one] / (self.diagonal[one] + self.width**-2)
        return math.sqrt(squares / sure)

    def _step(self, slope: list[float], kept: "list[_Move]") -> list[float]:
        """Return about the step of Newton's method, learnt from the last moves."""
        found, parts = slope, []
        for step, bend, along in reversed(kept):
            parts.append(_dot(step, found) / along)
            found = [a - parts[-1] * b for a, b in zip(found, bend, strict=True)]
        found = [a / b for a, b in zip(found, self._whole_diagonal(), strict=True)]
        for step, bend, along in kept:
            part = parts.pop() - _dot(bend, found) / along
            found = [a + part * b for a, b in zip(found, step, strict=True)]
        return found


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the sum of products from left to right, up to the end of the shorter."""
    found = 0.0
    for a, b in zip(one, other, strict=False):
        found += a * b
    return found
