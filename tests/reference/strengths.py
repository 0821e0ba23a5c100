"""The strengths of docs/ratings.md by another program: game by game, dense, by Gauss and Newton.

Slow and plain on purpose; it shares nothing with `engine.statistics.strengths` but the document.
"""

import math

HALF_LIFE, BETWEEN, START, FIRM = 24, 0.7, 0.5, 5


def published(games, clubs=None, fixed=None):
    """Return (rating, error, games) by person for games as (month, places as groups)."""
    games = [(month, tidy(groups)) for month, groups in games]
    games = [(month, groups) for month, groups in games if sum(map(len, groups)) > 1]
    people = sorted({p for _month, groups in games for group in groups for p in group})
    told = [month for month, groups in games if len(groups) > 1]
    choices = []
    for month, groups in games:
        weight = 2 ** ((month - max(told, default=0)) / HALF_LIFE)
        for at, group in enumerate(groups[:-1]):
            left = [people.index(p) for later in groups[at:] for p in later]
            choices += [(people.index(p), left, weight) for p in group]
    of = [sorted(set(clubs.values())).index(clubs[p]) for p in people] if clubs else None
    known = {people.index(p): value for p, value in (fixed or {}).items() if p in people}
    width, was = START, 0.0
    while abs(width - was) > 1e-13:
        x, second = newton(choices, len(people), of, width, known)
        squares, sure = FIRM * START**2, FIRM
        for p in set(range(len(people))) - known.keys():
            own = second[p][p] - 1 / width**2
            squares += (x[p] - (x[len(people) + of[p]] if of else 0)) ** 2
            sure += own / second[p][p]
        width, was = math.sqrt(squares / sure), width
    x, second = newton(choices, len(people), of, round(width, 3), known)
    inverse = solve(second, [[float(i == j) for j in range(len(x))] for i in range(len(x))])
    found = {}
    for at, person in enumerate(people):
        same = [q for q in range(len(people)) if not of or of[q] == of[at]]
        variance = (
            inverse[at][at]
            - 2 * sum(inverse[at][q] for q in same) / len(same)
            + sum(inverse[q][r] for q in same for r in same) / len(same) ** 2
        )
        count = sum(any(person in group for group in groups) for _month, groups in games)
        error = max(8.3 * math.sqrt(max(variance, 0)), 0.01)
        found[person] = round(25 + 8.3 * x[at], 2), round(error, 2), count
    return found


def tidy(groups):
    """Return the places without who stands at a better one already."""
    seen, found = set(), []
    for group in groups:
        own = sorted(set(group) - seen)
        seen |= set(own)
        if own:
            found.append(own)
    return found


def newton(choices, people, of, width, known):
    """Return the most probable strengths, and minus the second derivatives there."""
    size = people + (max(of, default=-1) + 1 if of else 0)
    x = [known.get(p, 0.0) for p in range(size)]
    for _ in range(200):
        first, second = [0.0] * size, [[0.0] * size for _ in range(size)]
        for p in set(range(people)) - known.keys():
            over = x[p] - (x[people + of[p]] if of else 0)
            first[p] -= over / width**2
            second[p][p] += 1 / width**2
            if of:
                c = people + of[p]
                first[c] += over / width**2
                second[c][c] += 1 / width**2
                second[p][c] -= 1 / width**2
                second[c][p] -= 1 / width**2
        for c in range(people, size):
            first[c] -= x[c] / BETWEEN**2
            second[c][c] += 1 / BETWEEN**2
        for winner, left, weight in choices:
            total = sum(math.exp(x[p]) for p in left)
            first[winner] += weight
            for p in left:
                share = math.exp(x[p]) / total
                first[p] -= weight * share
                second[p][p] += weight * share
                for q in left:
                    second[p][q] -= weight * share * math.exp(x[q]) / total
        for p in known:
            first[p] = 0
            second[p] = [float(p == q) * 1e30 for q in range(size)]
            for row in second[:p] + second[p + 1 :]:
                row[p] = 0
        step = [row[0] for row in solve(second, [[value] for value in first])]
        slow = min(1.0, 1 / max([1.0, *map(abs, step)]))
        x = [value + slow * move for value, move in zip(x, step, strict=True)]
        if max(map(abs, step), default=0) < 1e-13:
            break
    return x, second


def solve(matrix, right):
    """Return the solution of a positive definite system, by elimination."""
    rows = [[*map(float, a), *b] for a, b in zip(matrix, right, strict=True)]
    size = len(rows)
    for i in range(size):
        for k in range(size):
            if k != i:
                by = rows[k][i] / rows[i][i]
                rows[k] = [a - by * b for a, b in zip(rows[k], rows[i], strict=True)]
    return [[value / row[i] for value in row[size:]] for i, row in enumerate(rows)]
