"""The assignment of drawn tables to the tables of the room."""

from collections.abc import Mapping

from league.seating.sizes import SeatedRound


def place_tables(tables: SeatedRound, wanted: Mapping[int, int]) -> SeatedRound:
    """Return the tables in an order that puts each player of `wanted` at that number, from 0.

    This serves a wheelchair place or a scorer who stays put. Of two conflicting wishes the first
    one wins. The other tables keep their order.
    """
    placed: dict[int, list[int]] = {}
    for player, number in wanted.items():
        table = next((table for table in tables if player in table), None)
        free = table is not None and not any(table is other for other in placed.values())
        if table is not None and free and number not in placed and 0 <= number < len(tables):
            placed[number] = table
    taken = {id(table) for table in placed.values()}
    rest = iter([table for table in tables if id(table) not in taken])
    return [placed[number] if number in placed else next(rest) for number in range(len(tables))]
