"""The draw of a whole schedule at once."""

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from league.seating.anneal import HOT, anneal
from league.seating.checks import check_request
from league.seating.comparing import compare_evenly
from league.seating.constructions import constructions, longest
from league.seating.dealers import first_dealers
from league.seating.ghosts import even_out_short_tables, remove_ghosts, share_short_tables
from league.seating.neighbours import vary_neighbours
from league.seating.quality import Quality, make_wishes, quality
from league.seating.relabel import relabel
from league.seating.request import CostTerms, Effort, Request
from league.seating.seats import Chairs
from league.seating.sizes import FULL, SeatedRound, byes

EXCHANGES = {"quick": 150_000, "normal": 1_000_000, "thorough": 10_000_000}
MILD = 0.25
FEW, RESTARTS = 13, 4
SLOWER = 40
SCRATCH, MANY = 48, 1200  # above: no search from random rounds; no search at all
MEETING_WEIGHTS = (3, 1)  # relative to even short tables; the second search is the fairer one
Draft = tuple[str, list[SeatedRound]]


@dataclass(frozen=True)
class SeatingPlan:
    """A draw of all rounds: tables in seat order, their first dealers, and the quality."""

    rounds: list[SeatedRound]
    dealers: list[list[int]]
    quality: Quality


def plan(
    players: int,
    rounds: int,
    *,
    seed: int,
    apart: Sequence[tuple[int, int]] = (),
    clubs: Sequence[int | None] = (),
    effort: Effort = "normal",
    size: int = FULL,
    compare: bool = False,
) -> SeatingPlan:
    """Return a schedule for players 0 to N - 1 with as few repeat meetings as can be found.

    The same arguments give the same schedule on every machine: chance comes from the seed, and
    searches count steps, not seconds. `clubs` lists each player's club or None; a meeting of
    club-mates costs as much as a repeat meeting. Pairs in `apart` are kept apart first of all. A
    table seats at most `size` players. `compare` chooses the chairs of a duplicate night. Raises
    SeatingError for an impossible request.
    """
    started = time.perf_counter()
    check_request(players, rounds, apart, clubs, size)
    wishes = make_wishes(apart, clubs)
    rng = random.Random(seed)
    method, draft = _best_draft(Request(players, rounds, wishes, effort, size), rng)
    if compare:
        seated = compare_evenly(draft, rng, teams=wishes.clubs)
    else:
        chairs = Chairs(draft)
        vary_neighbours(chairs, rng)
        seated = chairs.rounds()
    dealers = first_dealers(seated)
    measured = quality(
        seated,
        apart=apart,
        clubs=clubs,
        size=size,
        dealers=dealers,
        players=range(players),
        method=method,
        seconds=round(time.perf_counter() - started, 3),
    )
    return SeatingPlan(seated, dealers, measured)


def _best_draft(request: Request, rng: random.Random) -> Draft:
    """Return the method and the tables of the cheapest draft, not yet in seat order.

    With tables of two, one of an odd number rests: who would meet a player more.
    """
    if len(request.sizes) > 1 and byes(request.players, request.size):
        method, paired = _best_draft(replace(request, players=request.players + 1), rng)
        return method, [[two for two in tables if request.players not in two] for tables in paired]
    least, avoided = request.least_cost(), request.wishes.weights()
    best: Draft = ("", [])
    best_cost: CostTerms | None = None
    for method, draft in _drafts(request, rng):
        if request.size > FULL and share_short_tables(draft, avoided):
            draft = _search(request, draft, rng, hot=MILD, meeting=1)
            share_short_tables(draft, avoided)
        cost = request.cost(draft)
        if best_cost is None or cost < best_cost:
            best, best_cost = (method, draft), cost
        if best_cost[:2] <= least:
            break
    return best


def _drafts(request: Request, rng: random.Random) -> Iterator[Draft]:
    if len(request.sizes) == 1:
        yield "one table", _one_table(request, rng)
        return
    ghosts, size = _ghosts(request), request.size
    is_known = bool(longest(request.players + ghosts, size)[1])
    constructed: list[Draft] = []
    for method, schedule in _constructions(request, request.rounds):
        draft = remove_ghosts(schedule, request.rounds, ghosts, rng)
        if draft:
            even_out_short_tables(draft, rng)
            name = f"{method}, {ghosts} removed" if ghosts else method
            constructed.append((name, relabel(draft, request.wishes, rng)))
            yield constructed[-1]
    if constructed and request.players > MANY:
        return
    if constructed:
        method, draft = min(constructed, key=lambda known: request.cost(known[1]))
        yield f"{method}, then search", _search(request, draft, rng, hot=MILD)
    elif request.players >= FEW and is_known:
        yield from _extended(request, rng)
    if request.players > SCRATCH and is_known:
        return
    restarts = RESTARTS if request.players < FEW else 2 if ghosts else 1
    for turn in range(restarts):
        drawn = _random_rounds(request, request.rounds, rng)
        meeting = MEETING_WEIGHTS[turn % 2]
        yield "search", _search(request, drawn, rng, share=restarts, meeting=meeting)


def _ghosts(request: Request) -> int:
    """Return the number of players missing to fill every table."""
    return len(request.sizes) * request.size - request.players


def _constructions(request: Request, rounds: int) -> Iterator[Draft]:
    """Yield the constructions that fit the request with at most one ghost per table."""
    ghosts = _ghosts(request)
    if request.players > 5 and ghosts <= len(request.sizes):
        yield from constructions(request.players + ghosts, rounds, request.size)


def _extended(request: Request, rng: random.Random) -> Iterator[Draft]:
    """Yield a draft of copies of the longest construction, the remaining rounds searched."""
    ghosts = _ghosts(request)
    method, whole = longest(request.players + ghosts, request.size)
    lengths = (min(length, request.rounds) for length in (len(whole), len(whole) - 1))
    block = next(filter(None, (remove_ghosts(whole, n, ghosts, rng) for n in lengths)), None)
    if block is None:
        block = _random_rounds(request, 1, rng)
    even_out_short_tables(block, rng)
    draft: list[SeatedRound] = []
    while len(draft) + len(block) <= request.rounds:
        draft += relabel(block, request.wishes, rng)
    copied = len(draft)
    draft += _random_rounds(request, request.rounds - copied, rng)
    if copied < request.rounds:
        draft = _search(request, draft, rng, share=2, frozen=copied)
    yield f"{method}, extended", _search(request, draft, rng, hot=MILD)


def _search(
    request: Request,
    draft: Sequence[SeatedRound],
    rng: random.Random,
    *,
    share: int = 1,
    frozen: int = 0,
    hot: float = HOT,
    meeting: int = MEETING_WEIGHTS[0],
) -> list[SeatedRound]:
    return anneal(
        draft,
        request.weights(),
        rng,
        iterations=EXCHANGES[request.effort] // share // max(1, request.players // SLOWER),
        frozen=frozen,
        hot=hot,
        meeting=meeting,
    )


def _one_table(request: Request, rng: random.Random) -> list[SeatedRound]:
    order = rng.sample(range(request.players), request.players)
    if not byes(request.players, request.size):
        return [[list(order)] for _ in range(request.rounds)]
    turns = (order[index % request.players] for index in range(request.rounds))
    return [[[player for player in order if player != out]] for out in turns]


def _random_rounds(request: Request, rounds: int, rng: random.Random) -> list[SeatedRound]:
    drawn = []
    for _ in range(rounds):
        order = iter(rng.sample(range(request.players), request.players))
        drawn.append([[next(order) for _ in range(size)] for size in request.sizes])
    return drawn
