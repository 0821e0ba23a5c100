"""The division of hands into groups at the least cost, as in `engine.bots.decompose`.

A hand is the number of its cards of each rank, four bits per rank.
"""

from . import layout as L
from . import plan_layout as P
from .layout import Numbers


def lowest_stretch(counts: int) -> int:
    """Return the part of a hand from its lowest rank to the first gap."""
    end = 0
    while not counts >> 4 * end & 15:
        end += 1
    while counts >> 4 * end & 15:
        end += 1
    return counts & (1 << 4 * end) - 1


def place_found(plan: Numbers, stretch: int) -> int:
    """Return the cache slot of a stretch, or the free slot for it."""
    at = (stretch & 0x3FFFFFF) * 0x9E3779B1 + (stretch >> 26) * 0x85EBCA6B >> 17
    at &= P.MOST_FOUND - 1
    while plan[P.FOUND_KEY + at] != 0 and plan[P.FOUND_KEY + at] != stretch:
        at = at + 1 & P.MOST_FOUND - 1
    return at


def least_cost(rules: Numbers, plan: Numbers, counts: int) -> int:
    """Return 64 * the least cost of dividing a hand + the number of groups of that division."""
    total = 0
    while counts:
        stretch = lowest_stretch(counts)
        counts -= stretch
        at = place_found(plan, stretch)
        if plan[P.FOUND_KEY + at] == stretch:
            total += plan[P.FOUND_COST + at]
            continue
        rank = 0
        while not stretch >> 4 * rank & 15:
            rank += 1
        count = stretch >> 4 * rank & 15
        size = min(count, 4)
        group = size << 4 | rank
        best = least_cost(rules, plan, stretch - (size << 4 * rank)) + 64 * plan[P.COST + group] + 1
        if rank >= 11 and count > 1:
            cost = least_cost(rules, plan, stretch - (1 << 4 * rank))
            cost += 64 * plan[P.COST + (16 | rank)] + 1
            if cost >> 6 <= best >> 6:
                best = cost
                group = 16 | rank
        for each in range(1, 3):
            end = rules[L.STRAIGHT_END]
            if each == 2:
                end = min(rules[L.PAIR_END], rank + rules[L.LONGEST])
            left = stretch
            for top in range(rank, end):
                if left >> 4 * top & 15 < each:
                    break
                left -= each << 4 * top
                length = top - rank + 1
                if length >= 3:
                    run = 16 * each + length << 4 | top
                    cost = least_cost(rules, plan, left) + 64 * plan[P.COST + run] + 1
                    if cost >> 6 < best >> 6:
                        best = cost
                        group = run
        at = place_found(plan, stretch)
        plan[P.FOUND_KEY + at] = stretch
        plan[P.FOUND_COST + at] = best
        plan[P.FOUND_GROUP + at] = group
        plan[P.REMEMBERED] += 1
        total += best
    return total


def forget_when_full(plan: Numbers) -> None:
    """Clear the cache of divisions once it is more than half full."""
    if plan[P.REMEMBERED] > P.MOST_FOUND // 2:
        for at in range(P.MOST_FOUND):
            plan[P.FOUND_KEY + at] = 0
        plan[P.REMEMBERED] = 0


def divide(rules: Numbers, plan: Numbers, counts: int, into: Numbers, at: int) -> int:
    """Write the groups of the cheapest division from `at` on; return their number."""
    n = 0
    while counts:
        stretch = lowest_stretch(counts)
        found = place_found(plan, stretch)
        if plan[P.FOUND_KEY + found] != stretch:
            least_cost(rules, plan, stretch)
            found = place_found(plan, stretch)
        group = plan[P.FOUND_GROUP + found]
        into[at + n] = group
        n += 1
        counts -= plan[P.RANKS + (group << 2)]
    return n
