"""Evenings as they are lived, simulated: what one change costs, what restless nights cost."""

import random
from itertools import combinations
from statistics import mean

from league.seating import table_sizes, who_rests
from league.seating.anneal import anneal
from league.seating.evening import Coming, play_evening
from tests.league.seating.helpers import meetings, repeats

ONE_CHANGE = {
    "nothing": {},
    "one leaves before round 2": {2: Coming(leave={5}, again=1)},
    "one sits out round 3": {3: Coming(rest={5}, again=1)},
    "one comes in round 2": {2: Coming(come={999}, again=1)},
    "rounds 2, 3, 4 drawn again": {n: Coming(again=1) for n in (2, 3, 4)},
}
SIZES = ((22, 7), (24, 7), (28, 8), (32, 8), (36, 8), (48, 8), (60, 8), (300, 8))
RESTLESS = [(players, churn) for players in (9, 13, 17, 22) for churn in (0.1, 0.25)]
RESTING = (9, 10, 11, 13)


def churned(players, rounds, churn, rng, breaks=True):
    """Return the changes of a night: a third of the churn leaves, comes and rests each round."""
    here, new, changes = list(range(players)), players, {}
    for number in range(2, rounds + 1):
        change = changes[number] = Coming()
        change.leave = {p for p in here if rng.random() < churn / 3 and len(here) > 7}
        change.come = {new + k for k in range(sum(rng.random() < churn / 3 for _ in here))}
        new += len(change.come)
        here = sorted({*here, *change.come} - change.leave)
        change.rest = {p for p in here if breaks and rng.random() < churn / 3}
    return changes


def least_of(history, here, tries=3):
    """Return the fewest repeat meetings that a long search finds for one more round."""
    keys, met = sorted(here), meetings(history)
    many = range(len(keys))
    weights = [[int(met[frozenset((keys[a], keys[b]))] > 0) * (a != b) for b in many] for a in many]
    found = []
    for attempt in range(tries):
        order = iter(random.Random(attempt).sample(many, len(keys)))
        start = [[next(order) for _ in range(size)] for size in table_sizes(len(keys))]
        (tables,) = anneal([start], weights, random.Random(attempt), iterations=200_000)
        found.append(sum(weights[a][b] for t in tables for a, b in combinations(t, 2)))
    return min(found)


def one_change(players, rounds, seeds=range(900, 910)):
    """Return the mean repeat meetings of nights with one change, whose round is drawn twice."""
    return {
        name: mean(
            repeats([d.tables for d in play_evening(players, rounds, changes, seed=seed)])
            for seed in seeds
        )
        for name, changes in ONE_CHANGE.items()
    }


def at_most(players):
    """Return the most that one change may cost on average, in the order of `ONE_CHANGE`."""
    if players == 22:
        return [0, 4, 4, 4, 0]
    return [0, 0.25, 0.25, 0 if players >= 32 else 1.5, 0]


def restless(players, churn, seeds=range(3)):
    """Return the repeat meetings of restless nights and what each draw could have had at least,
    and the small tables of latecomers beside their fair share.
    """
    drew = possible = late = fair = 0
    for seed in seeds:
        rng = random.Random(f"{players}:{churn}:{seed}")
        rounds = rng.randint(5, 8)
        drawn = play_evening(players, rounds, churned(players, rounds, churn, rng), seed=seed)
        history = []
        for one in drawn:
            here = {player for table in one.tables for player in table}
            drew += one.quality.repeats
            possible += least_of(history, here) if one.quality.repeats else 0
            small = [t for t in one.tables if len(t) < max(map(len, one.tables))]
            new = {p for p in here if p >= players}
            late += sum(p in new for t in small for p in t)
            fair += len(new) * sum(map(len, small)) / len(here)
            history.append(one.tables)
    return drew, possible, late, fair


def rests(players, nights=200):
    """Return the rests of latecomers, their fair share, and how often one rested twice running."""
    rested = offered = twice = 0
    for seed in range(nights):
        rng, rounds = random.Random(f"{players}:{seed}"), []
        changes, here = churned(players, 8, 0.1, rng, breaks=False), set(range(players))
        for number in range(1, 9):
            change = changes.get(number, Coming())
            here = (here | change.come) - change.leave
            out = who_rests(rounds, here, len(here) % 4, rng)
            twice += len(out & rounds[-1][1]) if rounds else 0
            rested += sum(p >= players for p in out)
            offered += len(here) % 4 * sum(p >= players for p in here) / len(here)
            rounds.append((here - out, out))
    return rested, offered, twice
