"""Games that teach the master's network, and what it learns of them: kernels for numba.

They run as plain Python too, which the tests do. A network is six arrays of single precision:
`Net`; the second layer's and the last one's weights lie by output.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from engine.core.kernels.games import (
    deal_hands,
    list_plays,
    most_with_lowest,
    start_game,
    take_turn,
)
from engine.core.kernels.inputs import (
    choice_inputs,
    common_inputs,
    forget_habits,
    hand_inputs,
    note_habit,
    played_inputs,
)
from engine.core.kernels.layout import (
    CODE_AT,
    ENDED,
    EVENTS,
    FAULT,
    FINISHED,
    GREEDY,
    HANDS,
    HIGH_MASK,
    LIST_HIGH,
    LIST_LOW,
    PLANNER,
    POLICIES,
    TOP_BY,
    TOP_HIGH,
    TURN,
)
from engine.core.kernels.mind_layout import OPINIONS
from engine.core.kernels.opinions import place_of_last
from engine.core.kernels.plan_layout import DECISIONS
from engine.core.kernels.planned import choose_planned, was_weighed
from engine.core.kernels.plans import forget_when_full

Array = Any
LEARNS, PAST = 8, 9
"""Policies besides the kernels' own: the network that learns, and an earlier one."""


class Net(NamedTuple):
    """A network: by input what it gives to the first layer, and so on."""

    w1: Array
    b1: Array
    w2: Array
    b2: Array
    w3: Array
    b3: Array


class LessonBook(NamedTuple):
    """What a game's choices were: inputs and how many, who chose, the best choice's opinions.

    `strays` tells that another one was taken.
    """

    inputs: Array
    counts: Array
    seats: Array
    opinions: Array
    strays: Array


class Scratch(NamedTuple):
    """Room for the sums of a choice."""

    into: Array
    base: Array
    first: Array
    opinions: Array
    best: Array


def seed_noise(seed: int) -> None:
    """Seed the dice of the blur; machine code has its own."""
    np.random.seed(seed)


def add_columns(w1: Array, into: Array, start: int, end: int, sums: Array) -> None:
    for k in range(start, end):
        row = w1[into[k]]
        for j in range(len(sums)):
            sums[j] += row[j]


def take_columns(w1: Array, into: Array, start: int, end: int, sums: Array) -> None:
    for k in range(start, end):
        row = w1[into[k]]
        for j in range(len(sums)):
            sums[j] -= row[j]


def judge_sums(net: Net, sums: Array, opinions: Array) -> None:
    """Write the chances that a network gives, for the sums of its first layer."""
    for j in range(len(sums)):
        sums[j] = max(sums[j], np.float32(0))
    for o in range(OPINIONS):
        opinions[o] = net.b3[o]
    for k in range(len(net.b2)):
        row = net.w2[k]
        total = net.b2[k]
        for j in range(len(sums)):
            total += row[j] * sums[j]
        if total > 0:
            for o in range(OPINIONS):
                opinions[o] += total * net.w3[o, k]
    for o in range(OPINIONS):
        opinions[o] = np.float32(1) / (np.float32(1) + np.exp(-opinions[o]))


def choose_learnt(
    rules: Array, plan: Array, work: Array, notes: Array, net: Net, worth: Array, noise: float,
    n: int, scratch: Scratch, book: LessonBook, row: int,
) -> int:  # fmt: skip
    """Return the place of the play that a network chooses of `n`, or -1 for a pass.

    Its values are blurred by `noise`; the choice is written into the book's row if that is 0 or
    more.
    """
    turn = work[TURN]
    low = work[HANDS + 2 * turn]
    high = work[HANDS + 2 * turn + 1]
    forget_when_full(plan)
    into = scratch.into
    common = common_inputs(rules, work, notes, into, 0)
    own = hand_inputs(rules, low, high, into, common)
    for j in range(len(scratch.base)):
        scratch.base[j] = net.b1[j]
    add_columns(net.w1, into, 0, own, scratch.base)
    plan[DECISIONS] += 1
    best = chosen = -1
    best_value = most = -1e9
    first = 0 if work[TOP_HIGH] == 0 else -1
    for i in range(first, n):
        if i >= 0 and was_weighed(plan, work[LIST_HIGH + i] >> CODE_AT):
            continue
        for j in range(len(scratch.base)):
            scratch.first[j] = scratch.base[j]
        if i >= 0:
            end = played_inputs(rules, work, i, into, own)
            take_columns(net.w1, into, own, end, scratch.first)
        end = choice_inputs(rules, plan, work, notes, i, into, own)
        add_columns(net.w1, into, own, end, scratch.first)
        judge_sums(net, scratch.first, scratch.opinions)
        value = 0.0
        for o in range(OPINIONS):
            value += worth[o] * scratch.opinions[o]
        if value > best_value:
            best_value = value
            best = i
            for o in range(OPINIONS):
                scratch.best[o] = scratch.opinions[o]
        if noise > 0:
            value += noise * np.random.standard_normal()
        if value > most:
            most = value
            chosen = i
    if row >= 0:
        if chosen >= 0:
            low -= work[LIST_LOW + chosen]
            high -= work[LIST_HIGH + chosen] & HIGH_MASK
        end = hand_inputs(rules, low, high, into, common)
        end = choice_inputs(rules, plan, work, notes, chosen, into, end)
        for k in range(end):
            book.inputs[row, k] = into[k]
        book.counts[row] = end
        book.seats[row] = turn
        book.strays[row] = chosen != best
        for o in range(OPINIONS):
            book.opinions[row, o] = scratch.best[o]
    return chosen


def play_lesson(
    rules: Array, plan: Array, work: Array, notes: Array, net: Net, past: Net, worth: Array,
    noise: Array, scratch: Scratch, book: LessonBook, row: int,
) -> int:  # fmt: skip
    """Deal and play a game of POLICIES; return up to which row the book is filled."""
    work[EVENTS] = 0
    lowest = deal_hands(rules, work)
    start_game(rules, work, lowest & 7, lowest >> 3)
    forget_habits(notes)
    over = False
    while not over:
        n = list_plays(rules, work)
        if work[FAULT]:
            return -1
        turn = work[TURN]
        policy = work[POLICIES + turn]
        leads = work[TOP_HIGH] == 0
        if n == 0:
            i = -1
        elif n == 1 and leads:
            i = 0
        elif policy == PLANNER:
            i = choose_planned(rules, plan, work, n)
        elif policy == GREEDY:
            i = most_with_lowest(work, n) if leads else 0 if turn != work[TOP_BY] else -1
        else:
            i = place_of_last(work, n)
            if i < 0:
                mind = net if policy == LEARNS else past
                at = row if policy == LEARNS else -1
                i = choose_learnt(
                    rules, plan, work, notes, mind, worth, noise[turn], n, scratch, book, at
                )
                row += policy == LEARNS
        note_habit(work, notes, i)
        over = take_turn(rules, work, i)
    return row


def write_lessons(
    work: Array, keep: float, book: LessonBook, first: int, end: int, goals: Array
) -> None:
    """Write by row of the book how the game ended for who chose.

    Mixed with what the network thought on the way, as far as the seat did not stray.
    """
    now = np.zeros((8, OPINIONS), np.float32)
    for i in range(work[FINISHED]):
        for o in range(i, OPINIONS):
            now[work[ENDED + i], o] = 1
    for row in range(end - 1, first - 1, -1):
        seat = book.seats[row]
        k = np.float32(0.0 if book.strays[row] else keep)
        for o in range(OPINIONS):
            goals[row, o] = now[seat, o]
            now[seat, o] = k * now[seat, o] + (1 - k) * book.opinions[row, o]


def gather(net: Net, inputs: Array, counts: Array, chosen: Array, first: Array) -> None:
    """Write the first layer of some lessons."""
    for s in range(len(chosen)):
        sums = first[s]
        for j in range(len(sums)):
            sums[j] = net.b1[j]
        add_columns(net.w1, inputs[chosen[s]], 0, counts[chosen[s]], sums)
        for j in range(len(sums)):
            sums[j] = max(sums[j], np.float32(0))


def scatter(slopes: Array, inputs: Array, counts: Array, chosen: Array, to_first: Array) -> None:
    """Add to the slopes of the first layer's weights what some lessons say."""
    for s in range(len(chosen)):
        lesson = inputs[chosen[s]]
        say = to_first[s]
        for k in range(counts[chosen[s]]):
            row = slopes[lesson[k]]
            for j in range(len(say)):
                row[j] += say[j]


def step(
    weights: Array, slopes: Array, mean: Array, square: Array, calm: Array, rate: float,
    fresh: float, fresh_square: float, limit: float, calming: float,
) -> None:  # fmt: skip
    """Take a step of Adam on flat arrays, and set the slopes to 0.

    `fresh` and `fresh_square` correct the means of the first steps.
    """
    for i in range(len(weights)):
        slope = slopes[i]
        slopes[i] = 0
        mean[i] += np.float32(0.1) * (slope - mean[i])
        square[i] += np.float32(0.001) * (slope * slope - square[i])
        by = rate * (mean[i] * fresh) / (np.sqrt(square[i] * fresh_square) + np.float32(1e-8))
        weight = min(max(weights[i] - by, -limit), limit)
        weights[i] = weight
        calm[i] += calming * (weight - calm[i])
