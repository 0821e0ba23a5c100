"""A trial of the strengths: people whose true strengths are known play, and the fit is compared.

docs/ratings.md has its table, which `manage.py rating_trial` prints. Strengths are in nats: who is
one nat stronger comes first e times as often. A year has twelve months of as many nights.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from statistics import fmean

from engine.statistics.ratings import Order
from engine.statistics.strengths import LEAST, PER_NAT, Fit, GameHistory, chance

True_ = dict[int, float]
"""The true strength of each person."""
SPREADS = (0.4, 1.0)
SIZES = (3, 4, 6)
SHARED = (0, 3, 20, 100)
WAYS: dict[str, tuple[float, int]] = {
    "all games alike": (math.inf, 999),
    "the last 24 months": (math.inf, 24),
    "the last 12 months": (math.inf, 12),
    "half after 36 months": (36, 999),
    "half after 24 months": (24, 999),
    "half after 12 months": (12, 999),
}
"""Which games may count: the months until one counts half, and those until it counts no more."""


def table(repeats: int, tell: Callable[[str], object]) -> None:
    """Tell the table line by line; every line repeats with other people."""
    for spread in SPREADS:
        for size in SIZES:
            for winner_only in (False, True):
                rules = "others share the last place" if winner_only else "all places"
                found = _mean(_recovery(seed, spread, size, winner_only) for seed in range(repeats))
                tell(
                    f"| spread {spread}, tables of {size}, {rules} | order {100 * found[0]:.1f}%, "
                    f"slope {found[1]:.2f}, within two sigma {100 * found[2]:.0f}% |"
                )
    for shared in SHARED:
        gap, error, true = _mean(_two_clubs(seed, shared) for seed in range(repeats))
        tell(
            f"| two clubs, {shared} shared games | {gap:.2f} ± {error:.2f}, true {true:.2f} nats |"
        )
    for how in ("one person", "guests"):
        gain, before, after = _mean(_invented(seed, how) for seed in range(repeats))
        tell(f"| 20 invented nights, {how} | {gain:+.1f} points, rank {before:.0f} → {after:.0f} |")
    for ranked in (1, LEAST):
        led = fmean(_newcomer_leads(seed, ranked) for seed in range(10 * repeats))
        tell(f"| a newcomer leads, ranked from {ranked} games on | {100 * led:.0f}% of evenings |")
    tell(f"| the same nights shuffled | {_shuffled(0)} figures differ |")
    worst, games = _calibration(repeats)
    tell(f"| chances against another, deciles | {worst:.3f} apart at most, {games:,} pairs |")
    for what, drifts in (("who learn", True), ("who stay as they are", False)):
        for way, lost in _left_out(repeats, drifts=drifts).items():
            tell(f"| nights left out, people {what}: {way} | {1000 * lost:.2f} millinats a game |")


def _mean(rows: Iterable[Sequence[float]]) -> list[float]:
    return [fmean(column) for column in zip(*rows, strict=True)]


def _people(seed: int, spread: float, count: int = 60) -> tuple[Random, True_]:
    dice = Random(f"rating trial {seed}")
    return dice, {person: dice.gauss(0, spread) for person in range(count)}


def play(dice: Random, seats: Sequence[int], true: True_, winner_only: bool = False) -> Order:
    """Return a game's order by exponential races, which follow Plackett and Luce."""
    ends = {one: dice.expovariate(1) * math.exp(-true[one]) for one in seats}
    first, *others = sorted(seats, key=ends.__getitem__)
    return ((first,), tuple(others)) if winner_only else ((first,), *((one,) for one in others))


def night(
    dice: Random, here: Sequence[int], true: True_, size: int = 4, *, shared: bool = False
) -> Iterator[Order]:
    """Yield twelve games of each person here: three rounds of four games."""
    for _round in range(3):
        seats = dice.sample(here, len(here))
        for at in range(0, len(seats) - size + 1, size):
            for _game in range(4):
                yield play(dice, seats[at : at + size], true, shared)


def _history(games: Iterable[Order]) -> GameHistory:
    history = GameHistory()
    for game in games:
        history.add(game)
    return history


def _season(
    seed: int, spread: float = SPREADS[0], size: int = 4, *, shared: bool = False
) -> tuple[Random, True_, list[Order]]:
    dice, true = _people(seed, spread)
    games = [g for _ in range(40) for g in night(dice, list(true), true, size, shared=shared)]
    return dice, true, games


def _recovery(seed: int, spread: float, size: int, winner_only: bool) -> tuple[float, ...]:
    """Return the share of pairs in order, the slope, and the share within two errors."""
    _dice, true, games = _season(seed, spread, size, shared=winner_only)
    fit = _history(games).fit()
    told, mean = fit.published(), fmean(true.values())
    centred = {person: value - mean for person, value in true.items()}
    slope = sum(centred[p] * fit.nats[p] for p in true) / sum(v * v for v in centred.values())
    right = fmean(
        (true[a] > true[b]) == (fit.nats[a] > fit.nats[b]) for a in true for b in range(a)
    )
    inside = fmean(abs(told[p].mu - 25 - PER_NAT * centred[p]) < 2 * told[p].sigma for p in true)
    return right, slope, inside


def _two_clubs(seed: int, shared: int) -> tuple[float, ...]:
    """Return the gap told between two clubs, its error, and the true one."""
    dice, true = _people(seed, SPREADS[0])
    true = {person: value + 0.5 * (person >= 30) for person, value in true.items()}
    clubs = range(30), range(30, 60)
    games = [g for _ in range(40) for c in clubs for g in night(dice, dice.sample(c, 28), true)]
    games += [
        play(dice, dice.sample(clubs[0], 2) + dice.sample(clubs[1], 2), true) for _ in range(shared)
    ]
    fit = _history(games).fit({person: person // 30 for person in true})
    weigh = {person: (1 if person >= 30 else -1) / 30 for person in true}
    gap, real = (sum(w * of[p] for p, w in weigh.items()) for of in (fit.nats, true))
    return gap, fit.error(weigh), real


def _invented(seed: int, how: str) -> tuple[float, float, float]:
    """Return what a club of eight gains of 20 invented nights, and the rank of one of them."""
    dice, _true, games = _season(seed)
    before = _history(games).fit()
    eight = sorted(range(8), key=before.nats.__getitem__)
    hero, guest = eight[4], 60
    for _ in range(20):
        others = [person for person in eight if person != hero]
        pairs = dice.sample(eight, 8)
        for _game in range(12):
            if how == "one person":
                dice.shuffle(others)
                games += [tuple((p,) for p in (hero, *others[:3])), tuple((p,) for p in others[3:])]
            else:
                for at in range(0, 8, 2):
                    pair = dice.sample(pairs[at : at + 2], 2)
                    games.append(tuple((p,) for p in (*pair, guest + at, guest + at + 1)))
        guest += 8
    after = _history(games).fit()
    rise = {person: after.nats[person] - before.nats[person] for person in range(60)}
    rise = {p: value - fmean(list(rise.values())[8:]) for p, value in rise.items()}
    gain = rise[hero] if how == "one person" else fmean(rise[person] for person in eight)
    ranks = [1 + sum(of.nats[p] > of.nats[hero] for p in range(60)) for of in (before, after)]
    return PER_NAT * gain, ranks[0], ranks[1]


def _newcomer_leads(seed: int, ranked: int) -> bool:
    """Return whether one of ten newcomers leads the list after four games of each."""
    dice, true, games = _season(seed)
    true |= {person: dice.gauss(0, SPREADS[0]) for person in range(60, 70)}
    for newcomer in range(60, 70):
        seats = [newcomer, *dice.sample(range(60), 3)]
        games += [play(dice, seats, true) for _ in range(4)]
    told = _history(games).fit().published()
    listed = [person for person, one in told.items() if one.games >= ranked]
    return max(listed, key=lambda person: told[person].low) >= 60


def _shuffled(seed: int) -> int:
    dice, _true, games = _season(seed)
    told = _history(games).fit().published()
    return len(told.items() ^ _history(dice.sample(games, len(games))).fit().published().items())


def _calibration(repeats: int) -> tuple[float, int]:
    """Return how far the deciles of told chances are from what happens, and how many were told."""
    bins: list[list[tuple[float, float]]] = [[] for _ in range(10)]
    for seed in range(repeats):
        for spread in SPREADS:
            dice, true = _people(seed, spread)
            games = [g for _ in range(5) for g in night(dice, list(true), true)]
            told = _history(games).fit().published()
            for one in true:
                for other in true:
                    if one != other:
                        p = chance(told[one], told[other])
                        real = 1 / (1 + math.exp(true[other] - true[one]))
                        bins[min(9, int(10 * p))].append((p, real))
    apart = [abs(fmean(p for p, _r in own) - fmean(r for _p, r in own)) for own in bins if own]
    return max(apart), sum(map(len, bins))


def _left_out(repeats: int, *, drifts: bool) -> dict[str, float]:
    """Return by which games count how much likelier nights left out were by the best of them."""
    found: dict[str, list[float]] = {way: [] for way in WAYS}
    for seed in range(repeats):
        dice, true = _people(seed, SPREADS[0], 80)
        comes = {person: dice.randrange(0, 36) if person >= 40 else 0 for person in true}
        lag = {person: dice.uniform(0, 1.2) * drifts for person in true}
        walk = dict.fromkeys(true, 0.0)
        played: list[tuple[int, list[Order]]] = []
        for month in range(48):
            now = {}
            for person, since in comes.items():
                walk[person] += dice.gauss(0, 0.04) * drifts
                behind = lag[person] * math.exp((since - month) / 8)
                now[person] = true[person] + walk[person] - behind
            here = [person for person, since in comes.items() if since <= month]
            played.append((month, list(night(dice, dice.sample(here, 20), now))))
        for way, (half, most) in WAYS.items():
            for month in range(24, 48, 6):
                history = GameHistory()
                for when, games in played[max(0, month - most) : month]:
                    for game in games:
                        history.add(game, when)
                fit = history.fit(half_life=half)
                found[way] += [_likelihood(game, fit) for game in played[month][1]]
    best = max(map(fmean, found.values()))
    return {way: best - fmean(values) for way, values in found.items()}


def _likelihood(order: Order, fit: Fit) -> float:
    nats = [fit.nats.get(group[0], 0.0) for group in order]
    return sum(one - math.log(sum(map(math.exp, nats[at:]))) for at, one in enumerate(nats[:-1]))
