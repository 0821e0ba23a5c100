"""Cards that change hands between the deal and the first play."""

from itertools import combinations
from typing import NamedTuple

from tests.reference import cards as c
from tests.reference.table import Illegal, Table


class Debt(NamedTuple):
    owed_to: int
    owed_by: int
    cards: int


def settle(table: Table) -> None:
    """Settle what the previous game left owing, kind by kind as listed, then take the trades."""
    kinds = table.rules["exchange"]
    for kind in kinds if table.previous else []:
        if kind != "negotiated":
            SETTLE[kind](table)
    if "negotiated" in kinds:
        trades(table)


def chains_on_twos(table: Table) -> list[list[dict]]:
    """The chains of the previous game that began on twos, each as its entries in order."""
    chains: list[list[dict]] = []
    for entry in (table.previous or {}).get("chops") or []:
        if entry["level"] == 1:
            chains.append([])
        chains[-1].append(entry)
    return [chain for chain in chains if all(c.rank(x) == c.TWO for x in c.parse(chain[0]["on"]))]


def stands(table: Table, entry: dict) -> bool:
    """Whether a chop leaves a debt: not on one's own play, and both are still at the table."""
    return entry["by"] != entry["of"] and not {entry["by"], entry["of"]} & set(table.gone)


def combos_of_cards(hand, count: int) -> set[str]:
    return {c.text(some) for some in combinations(sorted(hand), count)}


def give_back(table: Table, seat: int, to: int, count: int) -> None:
    """The seat returns that many cards of its choice."""
    legal = [f"return {cards}" for cards in combos_of_cards(table.hands[seat], count)]
    answer = table.ask(seat, "exchange", legal)
    table.move(seat, to, c.parse(answer.removeprefix("return ")))


def go_fish_debts(table: Table) -> list[Debt]:
    return [
        Debt(entry["by"], entry["of"], entry["level"])
        for chain in chains_on_twos(table)
        for entry in chain
        if stands(table, entry)
    ]


def go_fish(table: Table) -> None:
    for debt in go_fish_debts(table):
        ask_for_cards(table, debt)


def ask_for_cards(table: Table, debt: Debt) -> None:
    asker, victim, how_many = debt
    for _ in range(how_many):
        ranks = list(c.RANKS)
        while True:
            asked = table.ask(asker, "exchange", [f"ask {rank}" for rank in ranks])[-1]
            held = [x for x in table.hands[victim] if c.rank(x) == c.RANKS.index(asked)]
            if held:
                break
            ranks.remove(asked)
        table.move(victim, asker, [max(held)])
        give_back(table, asker, victim, 1)
        table.swapped.update((asker, victim))


def winner_takes(table: Table) -> None:
    placings = table.previous["placings"]
    if any(len(group) > 1 for group in placings):
        return
    order = [group[0] for group in placings]
    swaps = [(order[0], order[-1], 2)]
    if len(order) >= 4:
        swaps.append((order[1], order[-2], 1))
    swaps = [swap for swap in swaps if not set(swap[:2]) & set(table.gone)]
    for taker, giver, count in swaps:
        table.move(giver, taker, table.hands[giver][-count:])
    for taker, giver, count in swaps:
        give_back(table, taker, giver, count)


def chop_debts(table: Table) -> None:
    for chain in chains_on_twos(table):
        chopped = [entry for entry in chain if entry["by"] != entry["of"]]
        for entry in chopped if table.rules["chop_debt_from"] == "each" else chopped[-1:]:
            if stands(table, entry):
                twos = len(c.parse(chain[0]["on"]))
                count = cards_owed(table.rules["chop_debt_count"], twos, entry["level"])
                chop_debt(table, Debt(entry["by"], entry["of"], count))


def cards_owed(how: str, twos: int, level: int) -> int:
    if how == "stacking":
        return twos + level - 1
    return 2 ** (twos + level - 2) if how == "doubling" else twos


def chop_debt(table: Table, debt: Debt) -> None:
    taker, giver, count = debt
    table.debtors.add(giver)
    hand = table.hands[giver]
    which = table.rules["chop_debt_which"]
    could_be = hand if which == "highest_card" else [x for x in hand if c.rank(x) == c.TWO]
    count = min(count, len(could_be))
    if count == 0:
        return
    given = tuple(could_be[-count:])
    if which == "any_two":
        legal = [f"give {cards}" for cards in combos_of_cards(could_be, count)]
        given = c.parse(table.ask(giver, "exchange", legal).removeprefix("give "))
    table.move(giver, taker, given)
    give_back(table, taker, giver, count)


def twos_left(table: Table) -> None:
    """Each seat that came last owes the winner its 2s."""
    hands = table.previous.get("hands")
    if not hands:
        return
    winner = table.previous["placings"][0][0]
    for loser in table.previous["placings"][-1]:
        owed = sum(c.rank(card) == c.TWO for card in c.parse(hands[loser]))
        if not owed or {winner, loser} & set(table.gone):
            continue
        table.debtors.add(loser)
        twos = [card for card in table.hands[loser] if c.rank(card) == c.TWO]
        count = min(owed, len(twos))
        if count:
            table.move(loser, winner, twos[-count:])
            give_back(table, winner, loser, count)


def trades(table: Table) -> None:
    """Take the agreed trades, each a dict of the seats and the two lists of cards."""
    while trade := table.next_trade(table):
        seat, other = trade["seat"], trade["with"]
        give, take = c.parse(trade["give"]), c.parse(trade["take"])
        check_trade(table, seat, other, give, take)
        table.move(seat, other, give)
        table.move(other, seat, take)
        table.swapped.update((seat, other))


def check_trade(table: Table, seat: int, other: int, give, take) -> None:
    """Refuse a trade that the rules do not allow."""
    if seat == other or not (give or take):
        raise Illegal("a trade needs two seats and a card")
    if table.rules["trade_equal"]:
        if len(give) != len(take):
            raise Illegal("equal numbers only")
        return
    for who, change in ((seat, len(take) - len(give)), (other, len(give) - len(take))):
        size = len(table.hands[who]) + change
        if size < len(table.dealt[who]) - 2:
            raise Illegal("nobody gives more than two cards net")
        if len(table.dealt[who]) == 13 and size > 15:
            raise Illegal("nobody ends above fifteen cards")


SETTLE = {
    "go_fish": go_fish,
    "winner_takes": winner_takes,
    "chop_debt": chop_debts,
    "twos_left": twos_left,
}
