"""Schedules by formula, with full tables and no repeat meeting."""

import random
from collections.abc import Callable, Sequence

from league.seating.galois import Field, field, prime_power, prime_powers
from league.seating.sizes import SeatedRound

SEARCH_EFFORT = 4000


def resolvable_design(players: int) -> list[SeatedRound]:
    """Return rounds in which every pair meets exactly once, [] if the formula does not apply.

    Bose's resolvable (3q + 1, 4, 1) design, for q a prime power with q % 4 == 1. Its points are
    infinity and three copies of the field; its rounds are the translates of one round.
    """
    q, rest = divmod(players - 1, 3)
    if rest or q % 4 != 1 or prime_power(q) is None:
        return []
    f = field(q)
    quarter = (q - 1) // 4
    base: list[list[tuple[int, int]]] = []
    for copy in range(3):
        for i in range(quarter):
            own, other = (f.power(i), f.power(i + 2 * quarter)), (i + quarter, i + 3 * quarter)
            base.append([(x, copy) for x in own] + [(f.power(e), (copy + 1) % 3) for e in other])
    zeros = [3 * q, 0, q, 2 * q]
    return [
        [[zeros[0], *(z + shift for z in zeros[1:])]]
        + [[f.add(x, shift) + copy * q for x, copy in block] for block in base]
        for shift in range(q)
    ]


def transversal(group: int, rounds: int) -> list[SeatedRound]:
    """Return up to `rounds` rounds for four classes of `group` players; class-mates never meet.

    Round r seats x, x + a, x + b, x + c from the four classes, for every x. No pair repeats if the
    a, the b, the c and their differences are each distinct over all rounds. If every prime power
    of the group's order is at least 4, products of fields give `group` rounds; otherwise a short
    search in the cyclic group finds as many as it can.
    """
    factors = prime_powers(group)
    if factors and min(factors) >= 4:
        offsets, add = _field_offsets(factors, group), _in_each_field(factors, Field.add)
    else:
        offsets, add = _searched_offsets(group, rounds), lambda x, y: (x + y) % group
    return [
        [
            [copy * group + add(x, offset) for copy, offset in enumerate((0, *row))]
            for x in range(group)
        ]
        for row in offsets[:rounds]
    ]


def lines(size: int, group: int) -> list[SeatedRound]:
    """Return `group` rounds for `size` classes of `group` players; class-mates never meet.

    Round r seats t + r * a from class a, for every t, in a field of `group` elements or a product
    of fields of at least `size` elements each; [] if there is none. If `size` equals `group`, the
    classes themselves make one more round: an affine plane.
    """
    factors = prime_powers(group)
    if not factors or min(factors) < size:
        return []
    add, multiply = _in_each_field(factors, Field.add), _in_each_field(factors, Field.multiply)
    classes = [_diagonal(factors, digit) for digit in range(size)]
    rounds = [
        [
            [copy * group + add(t, multiply(r, a)) for copy, a in enumerate(classes)]
            for t in range(group)
        ]
        for r in range(group)
    ]
    whole = [[[copy * group + x for x in range(group)] for copy in range(size)]]
    return rounds + whole if size == group else rounds


def _diagonal(factors: Sequence[int], digit: int) -> int:
    """Return the element with that digit in every field: differences of such are invertible."""
    total, place = 0, 1
    for q in factors:
        total += digit * place
        place *= q
    return total


def _in_each_field(
    factors: Sequence[int], of_field: Callable[[Field, int, int], int]
) -> Callable[[int, int], int]:
    """Return the operation of a product of fields that does this in every field."""

    def of_product(x: int, y: int) -> int:
        total, place = 0, 1
        for q in factors:
            total += of_field(field(q), x // place % q, y // place % q) * place
            place *= q
        return total

    return of_product


def _field_offsets(factors: Sequence[int], group: int) -> list[tuple[int, int, int]]:
    multipliers = [
        (1, field(q).power(1), field(q).power(2) if q == 4 else _third(q)) for q in factors
    ]
    rows = []
    for element in range(group):
        row = [0, 0, 0]
        place = 1
        for q, scale in zip(factors, multipliers, strict=True):
            digit = element // place % q
            for column in range(3):
                row[column] += field(q).multiply(digit, scale[column]) * place
            place *= q
        rows.append((row[0], row[1], row[2]))
    return rows


def _third(q: int) -> int:
    """Return an element of the field other than 0, 1 and the generator."""
    return next(x for x in range(2, q) if x != field(q).power(1))


def _searched_offsets(group: int, rounds: int) -> list[tuple[int, int, int]]:
    best: list[tuple[int, int, int]] = []
    rng = random.Random(group)
    for _ in range(max(2, SEARCH_EFFORT // group)):
        rows = _greedy_offsets(group, rounds, rng)
        if len(rows) > len(best):
            best = rows
        if len(best) == rounds:
            break
    return best


def _greedy_offsets(group: int, rounds: int, rng: random.Random) -> list[tuple[int, int, int]]:
    used: list[set[int]] = [set() for _ in range(5)]
    rows: list[tuple[int, int, int]] = []
    thirds = list(range(group))
    for a in range(min(rounds, group)):
        row = _free_row(group, a, used, rng, thirds)
        if row is None:
            break
        _, b, c = row
        for taken, difference in zip(used, (b, c, b - a, c - a, c - b), strict=True):
            taken.add(difference % group)
        rows.append(row)
    return rows


def _free_row(
    group: int, a: int, used: Sequence[set[int]], rng: random.Random, order: list[int]
) -> tuple[int, int, int] | None:
    b_used, c_used, ba_used, ca_used, cb_used = used
    rng.shuffle(order)
    seconds = [b for b in order if b not in b_used and (b - a) % group not in ba_used]
    thirds = [c for c in order if c not in c_used and (c - a) % group not in ca_used]
    for b in seconds:
        for c in thirds:
            if (c - b) % group not in cb_used:
                return a, b, c
    return None
