"""First dealers of the tables, spread evenly."""

from collections import deque
from collections.abc import Mapping, Sequence

from league.seating.sizes import SeatedRound

Dealings = dict[int, list[int]]


def first_dealers(
    schedule: Sequence[SeatedRound], dealt: Mapping[int, int] | None = None
) -> list[list[int]]:
    """Return the player who deals first, for each round and table.

    `dealt` is the number of earlier first deals by player. Of the players with the fewest, the one
    in the first seat deals. Deals are then passed along chains of tables, so that players whom
    such a chain connects differ by at most one.
    """
    tables = [table for tables in schedule for table in tables]
    load = {player: (dealt or {}).get(player, 0) for table in tables for player in table}
    dealer: list[int] = []
    for table in tables:
        least = min(load[player] for player in table)
        dealer.append(next(player for player in table if load[player] == least))
        load[dealer[-1]] += 1
    deals: Dealings = {player: [] for player in load}
    for index, player in enumerate(dealer):
        deals[player].append(index)
    for giver in sorted(load, key=lambda player: -load[player]):
        while load[giver] > min(load.values()) + 1 and _relieve(giver, tables, deals, load):
            pass
    of_table = {index: player for player, indices in deals.items() for index in indices}
    chosen = deque(of_table[index] for index in range(len(tables)))
    return [[chosen.popleft() for _ in tables] for tables in schedule]


def _relieve(
    giver: int, tables: Sequence[Sequence[int]], deals: Dealings, load: dict[int, int]
) -> bool:
    """Pass a deal along tables to a player with at least two fewer; return whether one exists."""
    came: dict[int, tuple[int, int]] = {}
    todo = deque([giver])
    while todo:
        player = todo.popleft()
        for table in deals[player]:
            for other in tables[table]:
                if other == giver or other in came:
                    continue
                came[other] = (player, table)
                if load[other] <= load[giver] - 2:
                    _pass_along(giver, other, came, deals)
                    load[giver] -= 1
                    load[other] += 1
                    return True
                todo.append(other)
    return False


def _pass_along(
    giver: int, taker: int, came: Mapping[int, tuple[int, int]], deals: Dealings
) -> None:
    while taker != giver:
        previous, table = came[taker]
        deals[previous].remove(table)
        deals[taker].append(table)
        taker = previous
