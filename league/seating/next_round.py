"""The draw of one more round for the players present."""

import random
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Literal

from league.seating.anneal import anneal
from league.seating.chair_choice import choose_chairs
from league.seating.checks import check_apart, check_table_size
from league.seating.comparing import compare_evenly
from league.seating.history import Past, read_history
from league.seating.planner import EXCHANGES, plan
from league.seating.quality import make_wishes
from league.seating.round_quality import RoundQuality, round_quality
from league.seating.single_round import round_costs, search_round
from league.seating.sizes import FULL, SeatedRound, SeatingError, table_sizes
from league.seating.wishes import Wishes

Method = Literal["few repeats", "swiss"]
PROPOSALS, EACH = 30_000, 80
AHEAD_LIMIT = 200
AS_PLANNED = "few repeats, as planned"
SPREAD_OUT, LEVELLED = (150.0, 8.0), (4.0, 0.02)


@dataclass(frozen=True)
class _Night:
    """The players present as 0 to n - 1, their past, and the constraints on the next round."""

    past: Past
    wishes: Wishes
    scores: list[float] | None
    seed: int
    ahead: int | None
    size: int
    compare: bool

    @property
    def players(self) -> int:
        return len(self.past.present)

    @property
    def sizes(self) -> list[int]:
        return table_sizes(self.players, size=self.size)


def next_round(
    history: Sequence[SeatedRound],
    present: Iterable[int],
    *,
    seed: int,
    method: Method = "few repeats",
    scores: Mapping[int, float] | None = None,
    apart: Iterable[Sequence[int]] = (),
    clubs: Mapping[int, int | None] | None = None,
    ahead: int | None = None,
    together: bool = False,
    size: int = FULL,
    compare: bool = False,
) -> tuple[SeatedRound, RoundQuality]:
    """Return the tables of one more round, in seat order, and the round's quality.

    `history` holds the tables of the earlier rounds. Players are any integers and may come late
    or leave. `method` "swiss" seats players of similar `scores` together. `ahead` is the number of
    rounds left, this one included; with it, "few repeats" follows one whole plan as long as the
    seed and the players stay the same, and then optimises the remaining rounds together.
    A table seats at most `size` players; `together` seats everyone at one table. `compare` chooses
    the chairs of a duplicate night. The same arguments give the same round. Raises SeatingError
    for impossible ones.
    """
    started = time.perf_counter()
    apart = [tuple(pair) for pair in apart]
    keys = sorted(set(present))
    if method == "swiss" and scores is None:
        raise SeatingError(
            "A Swiss round needs the scores so far; give 0 to everybody at the start."
        )
    if ahead is not None and ahead < 1:
        raise SeatingError(f"Look at least 1 round ahead, not {ahead}.")
    check_apart(apart)
    check_table_size(size)
    wishes = _wishes_of(keys, apart, clubs or {})
    night = _Night(
        read_history(history, keys),
        wishes,
        [float(scores.get(key, 0)) for key in keys] if scores and method == "swiss" else None,
        seed,
        ahead,
        size,
        compare,
    )
    rng = random.Random(f"{seed}:{len(history)}")
    how, drawn = _one_table(night, rng) if together else _draw(night, rng, method)
    tables = [[keys[player] for player in table] for table in drawn]
    if compare and how != AS_PLANNED:
        (tables,) = compare_evenly([tables], rng, past=history, teams=clubs)
    measured = round_quality(
        history,
        tables,
        present=keys,
        scores=scores,
        apart=apart,
        clubs=clubs,
        method=how,
        seconds=round(time.perf_counter() - started, 3),
    )
    return tables, measured


def _wishes_of(
    keys: Sequence[int], apart: Iterable[Sequence[int]], clubs: Mapping[int, int | None]
) -> Wishes:
    """Return the wishes of the players present, numbered in the order of their keys."""
    index = {key: number for number, key in enumerate(keys)}
    return make_wishes(
        [(index[a], index[b]) for a, b in apart if a in index and b in index],
        {index[key]: club for key, club in clubs.items() if key in index},
    )


def _draw(night: _Night, rng: random.Random, method: Method) -> tuple[str, SeatedRound]:
    """Return the method used and the tables in seat order."""
    if method == "few repeats" and night.ahead and sum(night.sizes) == night.players:
        planned = _planned(night, night.ahead)
        if planned:
            return AS_PLANNED, planned
        if night.ahead > 1 and night.players <= AHEAD_LIMIT:
            method_used = f"few repeats, {night.ahead} rounds ahead"
            tables = _looking_ahead(night, night.ahead, rng)
            return method_used, choose_chairs(tables, night.past, rng)
    return method, choose_chairs(_searched(night, rng), night.past, rng)


def _one_table(night: _Night, rng: random.Random) -> tuple[str, SeatedRound]:
    tables = [list(range(night.players))]
    return "one table", choose_chairs(tables, night.past, rng)


def _planned(night: _Night, ahead: int) -> SeatedRound | None:
    """Return the next round of the whole plan, None if the earlier rounds did not follow it."""
    played = night.past.rounds
    if any(sum(map(len, tables)) != night.players for tables in played):
        return None
    whole = _whole_plan(
        night.players,
        len(played) + ahead,
        night.seed,
        tuple(sorted(night.wishes.apart)),
        tuple(night.wishes.clubs.get(player) for player in range(night.players)),
        night.size,
        night.compare,
    )
    same = all(
        sorted(map(sorted, tables)) == sorted(map(sorted, planned))
        for tables, planned in zip(played, whole, strict=False)
    )
    return [list(table) for table in whole[len(played)]] if same else None


@lru_cache(maxsize=32)
def _whole_plan(
    players: int,
    rounds: int,
    seed: int,
    apart: tuple[tuple[int, int], ...],
    clubs: tuple[int | None, ...],
    size: int,
    compare: bool,
) -> list[SeatedRound]:
    """Return the rounds of a plan, cached because each draw of a night needs it again."""
    return plan(
        players, rounds, seed=seed, apart=apart, clubs=clubs, size=size, effort="quick",
        compare=compare,
    ).rounds  # fmt: skip


def _looking_ahead(night: _Night, ahead: int, rng: random.Random) -> SeatedRound:
    """Search all rounds ahead together and return the best of them."""
    past, avoided = night.past, night.wishes.weights()
    everyone = range(night.players)
    weights = [
        [past.met[p][q] + avoided.get(p, {}).get(q, 0) if p != q else 0 for q in everyone]
        for p in everyone
    ]
    least = min(past.short)
    shortage = [2 * (past.short[p] - least) for p in everyone]
    drawn = [_dealt_out(rng.sample(everyone, night.players), night.sizes) for _ in range(ahead)]
    found = anneal(drawn, weights, rng, iterations=EXCHANGES["normal"] // 2, shortage=shortage)
    return min(
        found, key=lambda tables: sum(weights[p][q] for t in tables for p, q in combinations(t, 2))
    )


def _searched(night: _Night, rng: random.Random) -> SeatedRound:
    """Return one round, seated by score or at random and then improved by exchanges."""
    sizes, scores, past = night.sizes, night.scores, night.past
    chance = rng.sample(range(night.players), night.players)
    rank = {player: (-(scores[player] if scores else 0), chance[player]) for player in chance}
    order = sorted(chance, key=rank.__getitem__)[: sum(sizes)]
    chairs = sum(size for size in sizes if size < max(sizes))
    place = {player: number for number, player in enumerate(order)}
    last = set(sorted(order, key=lambda p: (past.short[p], -place[p]))[:chairs])
    order.sort(key=lambda player: (player in last, place[player]))
    costs = round_costs(past, night.wishes, scores, sizes)
    hot, cold = LEVELLED if scores else SPREAD_OUT
    proposals = PROPOSALS + EACH * night.players
    tables = _dealt_out(order, sizes)
    return search_round(tables, costs, rng, proposals=proposals, hot=hot, cold=cold)


def _dealt_out(order: Sequence[int], sizes: Sequence[int]) -> SeatedRound:
    following = iter(order)
    return [[next(following) for _ in range(size)] for size in sizes]
