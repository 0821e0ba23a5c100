"""Settling up: few payments that bring every balance to zero."""

from collections.abc import Iterable, Iterator, Mapping
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from league.base.domain.keys import Key, order

# The exact search tries every subset of the people: 2^12 = 4096 take milliseconds.
EXACT_UP_TO = 12

NetBalance = tuple[Key, int]


class Settlement(NamedTuple):
    """A payment from `payer` to `payee`; `amount` is above 0, in minor units."""

    payer: Key
    payee: Key
    amount: int


def settle(balances: Mapping[Key, int]) -> list[Settlement]:
    """Return the payments that bring every balance to zero; a positive balance is owed money.

    Opposite balances are paired first, which never adds a payment. If at most 12 people are left,
    the number of payments is minimal: n people in g groups that each sum to zero need n - g, so
    the most groups are sought. With more, the largest debtor pays the largest creditor: at most
    n - 1 payments. The same balances give the same payments.

    Raises `ValueError` if the balances do not sum to zero.
    """
    total = sum(balances.values())
    if total:
        raise ValueError(f"the balances sum to {total}, not 0, so they cannot be settled")
    uneven = ((key, units) for key, units in balances.items() if units)
    pairs, rest = _opposites(sorted(uneven, key=lambda b: (-abs(b[1]), order(b[0]))))
    groups = _zero_groups(rest) if len(rest) <= EXACT_UP_TO else [rest]
    return _largest_first(payment for group in (*pairs, *groups) for payment in _within(group))


def settle_further(
    balances: Mapping[Key, int], paid: Mapping[tuple[Key, Key], int]
) -> list[Settlement]:
    """Return what is left of the payments that settled before anyone paid, as `settle` does.

    `paid` are the amounts that payers gave payees, with which the balances have come down. Who paid
    a part changes nobody else's debt. Payments beyond the plan make a new one.
    """
    before = dict(balances)
    for (payer, payee), amount in paid.items():
        before[payer] = before.get(payer, 0) - amount
        before[payee] = before.get(payee, 0) + amount
    plan = {(one.payer, one.payee): one.amount for one in settle(before)}
    if any(amount > plan.get(pair, 0) for pair, amount in paid.items()):
        return settle(balances)
    left = {pair: amount - paid.get(pair, 0) for pair, amount in plan.items()}
    return _largest_first(Settlement(*pair, amount) for pair, amount in left.items() if amount)


def _largest_first(payments: Iterable[Settlement]) -> list[Settlement]:
    return sorted(payments, key=lambda p: (-p.amount, order(p.payer), order(p.payee)))


def _opposites(balances: list[NetBalance]) -> tuple[list[list[NetBalance]], list[NetBalance]]:
    """Return pairs of balances that sum to zero, and the balances left over."""
    pairs: list[list[NetBalance]] = []
    waiting: dict[int, list[NetBalance]] = {}
    for balance in balances:
        partners = waiting.get(-balance[1])
        if partners:
            pairs.append([partners.pop(0), balance])
        else:
            waiting.setdefault(balance[1], []).append(balance)
    return pairs, [balance for alone in waiting.values() for balance in alone]


def _zero_groups(balances: list[NetBalance]) -> list[list[NetBalance]]:
    """Partition the balances into as many zero-sum groups as possible.

    `most[s]` is the number of zero sums met when the set s (bits) is filled one by one in the best
    order; `last[s]` is the index that comes last in that order. Each zero sum closes a group.
    """
    size = 1 << len(balances)
    sums, most, last = [0] * size, [0] * size, [0] * size
    for members in range(1, size):
        lowest = members & -members
        sums[members] = sums[members ^ lowest] + balances[lowest.bit_length() - 1][1]
        inside = [i for i in range(len(balances)) if members >> i & 1]
        last[members] = max(inside, key=lambda i: most[members ^ (1 << i)])
        most[members] = most[members ^ (1 << last[members])] + (sums[members] == 0)
    groups: list[list[NetBalance]] = []
    members = size - 1
    while members:
        if sums[members] == 0:
            groups.append([])
        groups[-1].append(balances[last[members]])
        members ^= 1 << last[members]
    return groups


def _within(group: list[NetBalance]) -> Iterator[Settlement]:
    """Yield the payments of a zero-sum group: the largest debtor pays the largest creditor.

    Each payment settles at least one of the two and the last settles both, so there are fewer
    payments than people.
    """
    owing = [(units, order(key), key) for key, units in group if units < 0]
    owed = [(-units, order(key), key) for key, units in group if units > 0]
    heapify(owing)
    heapify(owed)
    while owing:
        debt, _, payer = heappop(owing)
        claim, _, payee = heappop(owed)
        amount = min(-debt, -claim)
        yield Settlement(payer, payee, amount)
        if debt + amount:
            heappush(owing, (debt + amount, order(payer), payer))
        if claim + amount:
            heappush(owed, (claim + amount, order(payee), payee))
