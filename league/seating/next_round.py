"""The draw of one more round for the players present."""

import random
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from league.seating.adapting import (
    adapt,
    cheapest_first,
    faults,
    restrict,
    search_ahead,
    search_alone,
    share_places,
)
from league.seating.chair_choice import choose_chairs
from league.seating.checks import check_apart, check_table_size
from league.seating.comparing import compare_evenly
from league.seating.history import Past, read_history
from league.seating.planner import plan
from league.seating.quality import make_wishes, meetings
from league.seating.round_quality import RoundQuality, round_quality
from league.seating.single_round import round_costs, search_round
from league.seating.sizes import FULL, SeatedRound, SeatingError, table_sizes
from league.seating.wishes import Wishes, ordered_pairs

Method = Literal["few repeats", "swiss"]
PROPOSALS, EACH = 30_000, 80
AHEAD_LIMIT = 400
AS_PLANNED = "few repeats, as planned"
SPREAD_OUT, LEVELLED = (150.0, 8.0), (8000.0, 0.02)
# A draw by scores has to find the few rounds without a meeting of the last ones.
CAREFUL, TIGHT = 2, 24


class Drawn(NamedTuple):
    """One more round in seat order, its quality, and the rounds now planned after it."""

    tables: SeatedRound
    quality: RoundQuality
    planned: list[SeatedRound]


@dataclass(frozen=True)
class _Night:
    """The players present as 0 to n - 1, their past, and the constraints on the next round.

    `planned` are the remaining rounds of the night's plan, without those who are not present.
    It `is_kept` where all rounds so far were of it.
    """

    past: Past
    wishes: Wishes
    scores: list[float] | None
    seed: int
    ahead: int | None
    size: int
    compare: bool
    planned: list[SeatedRound]
    is_kept: bool
    turn: int
    shorted: list[float]

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
    united: Iterable[Sequence[int]] = (),
    clubs: Mapping[int, int | None] | None = None,
    ahead: int | None = None,
    together: bool = False,
    size: int = FULL,
    compare: bool = False,
    planned: Sequence[SeatedRound] | None = None,
    changed: bool = False,
    turn: int = 0,
    shorted: Mapping[int, float] | None = None,
) -> Drawn:
    """Return one more round and the rounds planned after it.

    `history` holds the tables of the earlier rounds. Players are any integers and may come late
    or leave. `method` "swiss" seats players of similar `scores` together. `ahead` is the number of
    rounds left, this one included; with it, "few repeats" follows the rounds `planned` by the draw
    before. None stands for what is left of the plan that the first round's players have by the
    seed. After a change of the players, or if the last round was `changed` by hand, it adapts them
    and searches from there. `turn` is 1 and more for other draws of the same round. Pairs in
    `apart` share no table, pairs in `united` share one, while any draw allows it. `shorted` is what
    players had of small tables on earlier nights above their share: a new plan gives those who had
    most the places with the fewest. A table seats at most `size` players; `together` seats everyone
    at one table. `compare` chooses the chairs of a duplicate night. The same arguments give the
    same round. Raises SeatingError for impossible ones.
    """
    started = time.perf_counter()
    apart, united = [tuple(pair) for pair in apart], [tuple(pair) for pair in united]
    keys = sorted(set(present))
    if method == "swiss" and scores is None:
        raise SeatingError(
            "A Swiss round needs the scores so far; give 0 to everybody at the start."
        )
    if ahead is not None and ahead < 1:
        raise SeatingError(f"Look at least 1 round ahead, not {ahead}.")
    check_apart(apart)
    check_table_size(size)
    wishes = _wishes_of(keys, apart, united, clubs or {})
    is_kept = bool(planned or not history) and not changed
    few = method == "few repeats" and not together and len(keys) <= AHEAD_LIMIT
    if few and ahead and history and planned is None:
        planned = _plan_by_seed(history, ahead, seed, size, compare)
    night = _Night(
        read_history(history, keys),
        wishes,
        [float(scores.get(key, 0)) for key in keys] if scores and method == "swiss" else None,
        seed,
        ahead,
        size,
        compare,
        [restrict(tables, keys) for tables in planned or ()],
        is_kept,
        turn,
        [(shorted or {}).get(key, 0.0) for key in keys],
    )
    rng = random.Random(f"{seed}:{len(history)}:{turn}" if turn else f"{seed}:{len(history)}")
    how, drawn, later = _one_table(night, rng) if together else _draw(night, rng, method)
    tables = [[keys[player] for player in table] for table in drawn]
    if compare and how != AS_PLANNED:
        (tables,) = compare_evenly([tables], rng, past=history, teams=clubs)
    measured = round_quality(
        history,
        tables,
        present=keys,
        scores=scores,
        apart=apart,
        united=[pair for pair in united if {*pair} <= {*keys}],
        clubs=clubs,
        method=how,
        seconds=round(time.perf_counter() - started, 3),
    )
    return Drawn(tables, measured, [[[keys[p] for p in table] for table in each] for each in later])


def _wishes_of(
    keys: Sequence[int],
    apart: Iterable[Sequence[int]],
    united: Iterable[Sequence[int]],
    clubs: Mapping[int, int | None],
) -> Wishes:
    """Return the wishes of the players present, numbered in the order of their keys."""
    index = {key: number for number, key in enumerate(keys)}
    kept_apart, together = (
        ordered_pairs((index[a], index[b]) for a, b in wished if a in index and b in index)
        for wished in (apart, united)
    )
    return make_wishes(
        kept_apart,
        {index[key]: club for key, club in clubs.items() if key in index},
        together - kept_apart,
    )


def _draw(
    night: _Night, rng: random.Random, method: Method
) -> tuple[str, SeatedRound, list[SeatedRound]]:
    """Return the method used, the tables in seat order, and the rounds planned after them."""
    if method == "few repeats" and night.ahead and sum(night.sizes) == night.players:
        planned = _plan_of(night, night.ahead)
        is_whole = len(planned) == night.ahead and _fits(night, [*night.past.rounds, *planned])
        is_new = night.turn < night.ahead
        if (
            is_whole
            and night.is_kept
            and is_new
            and (_grants(night, planned) or night.players > AHEAD_LIMIT)
        ):
            at = night.turn
            return AS_PLANNED, planned[at], planned[:at] + planned[at + 1 :]
        if night.players <= AHEAD_LIMIT:
            return _looking_ahead(night, night.ahead, planned, rng)
    return method, choose_chairs(_searched(night, rng), night.past, rng), night.planned


def _one_table(night: _Night, rng: random.Random) -> tuple[str, SeatedRound, list[SeatedRound]]:
    tables = [list(range(night.players))]
    return "one table", choose_chairs(tables, night.past, rng), night.planned


def _plan_of(night: _Night, ahead: int) -> list[SeatedRound]:
    """Return the remaining rounds of the night's plan; a new plan for the first round."""
    if night.planned or night.past.rounds:
        return night.planned[:ahead]
    whole = _whole_plan(
        night.players,
        ahead,
        night.seed,
        tuple(sorted(night.wishes.apart)),
        tuple(night.wishes.clubs.get(player) for player in range(night.players)),
        night.size,
        night.compare,
    )
    return share_places(whole, night.shorted, night.wishes.weights().keys())


def _plan_by_seed(
    history: Sequence[SeatedRound], ahead: int, seed: int, size: int, compare: bool
) -> list[SeatedRound]:
    """Return the plan of the first round's players without the rounds most like those played."""
    keys = sorted(player for table in history[0] for player in table)
    nobody = (None,) * len(keys)
    whole = _whole_plan(len(keys), len(history) + ahead, seed, (), nobody, size, compare)
    left = [[[keys[p] for p in table] for table in tables] for tables in whole]
    for played in history:
        met = meetings([played]).keys()
        left.remove(max(left, key=lambda tables: len(met & meetings([tables]).keys())))
    return left


def _fits(night: _Night, rounds: Sequence[SeatedRound]) -> bool:
    """Return whether the rounds seat exactly the players present."""
    sizes = sorted(night.sizes)
    return all(sorted(map(len, tables)) == sizes for tables in rounds)


def _grants(night: _Night, planned: Sequence[SeatedRound]) -> bool:
    """Return whether pairs are apart and together in every planned round, as they wish."""
    met = meetings(planned)
    apart, together = night.wishes.apart, night.wishes.together
    return not any(met[pair] for pair in apart) and all(
        met[pair] == len(planned) for pair in together
    )


def _looking_ahead(
    night: _Night, ahead: int, planned: Sequence[SeatedRound], rng: random.Random
) -> tuple[str, SeatedRound, list[SeatedRound]]:
    """Search the remaining rounds together, from the adapted plan and from chance."""
    past, avoided = night.past, night.wishes.weights()
    everyone = range(night.players)
    weights = [
        [past.met[p][q] + avoided.get(p, {}).get(q, 0) if p != q else 0 for q in everyone]
        for p in everyone
    ]
    at = night.turn % ahead
    if night.turn >= ahead:  # Every round of the plan was drawn: seek another one.
        planned = [*planned[:at], *planned[at + 1 :]]
    fits = len(planned) == ahead and _fits(night, planned)
    found = adapt(planned, night.sizes, weights, rng)
    found += _by_chance(night, ahead - len(found), rng)
    if not fits or faults(found, weights):
        found = search_ahead(found, _by_chance(night, ahead, rng), weights, past.short, rng)
    chosen = search_alone(found.pop(at), found, weights, past.short, rng)
    return f"few repeats, {ahead} rounds ahead", choose_chairs(chosen, past, rng), found


def _by_chance(night: _Night, rounds: int, rng: random.Random) -> list[SeatedRound]:
    everyone = range(night.players)
    return [_dealt_out(rng.sample(everyone, night.players), night.sizes) for _ in range(rounds)]


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
    whole = plan(
        players, rounds, seed=seed, apart=apart, clubs=clubs, size=size, effort="quick",
        compare=compare,
    ).rounds  # fmt: skip
    return cheapest_first(whole)


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
    if scores:
        proposals *= CAREFUL * (2 if night.players <= TIGHT else 1)
    tables = _dealt_out(order, sizes)
    return search_round(tables, costs, rng, proposals=proposals, hot=hot, cold=cold)


def _dealt_out(order: Sequence[int], sizes: Sequence[int]) -> SeatedRound:
    following = iter(order)
    return [[next(following) for _ in range(size)] for size in sizes]
