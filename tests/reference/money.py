"""Betting: the schemes of section 9 of the rules."""

from __future__ import annotations

from functools import cache

from tests.reference import cards as c
from tests.reference.combos import Combo, combos_in
from tests.reference.table import Chop, Table


def twos_value(table: Table, cards) -> int:
    values = table.rules["values"]
    suits = [c.suit(card) for card in cards if c.rank(card) == c.TWO]
    return sum(values["red_two"] if suit in (2, 3) else values["black_two"] for suit in suits)


def bomb_value(table: Table, combo: Combo) -> int:
    values = table.rules["values"]
    if combo.kind == "quad":
        return values["quad"]
    return values["PR3"] if combo.length == 3 else values["PR4"]


def value(table: Table, combo: Combo) -> int:
    """What a beaten play is worth: twos by colour, bombs by kind."""
    return bomb_value(table, combo) if combo.is_bomb else twos_value(table, combo.cards)


def bombs_value(table: Table, hand) -> int:
    """The most valuable choice of quads and pair runs without a common card.

    Four 2s do not count, their worth is in the 2s.
    """

    @cache
    def best(left: tuple[int, ...]) -> int:
        bombs = [x for x in combos_in(left, table.shapes) if x.is_bomb and not x.only_twos]
        rests = [(bomb_value(table, x), tuple(c.without(left, x.cards))) for x in bombs]
        return max((worth + best(rest) for worth, rest in rests), default=0)

    return best(tuple(hand))


def settle_chain(table: Table) -> None:
    """Pay for the chops of the trick that has just ended."""
    chain, table.chain = table.chain, []
    if table.rules["betting"] == "mien_nam" and chain:
        last = chain[-1]
        if last.by != last.of:
            table.pay(last.of, last.by, sum(value(table, chop.on) for chop in chain), "chop")
    if table.rules["betting"] == "loser_pays_winner":
        for payer, payee, amount in standing_earnings(chain):
            table.pay(payer, payee, amount, "chop")


def standing_earnings(chain: list[Chop]) -> list[tuple[int, int, int]]:
    """What the chops of a trick have earned, without the earnings that were made void."""
    earned: dict[int, tuple[int, int, int]] = {}
    for number, chop in enumerate(chain):
        if chop.by == chop.of:
            continue
        if number and number - 1 in earned:
            del earned[number - 1]
            earned[number] = (chop.of, chop.by, 2)
        elif chop.on.name in ("2", "22") or chop.on.is_bomb:
            earned[number] = (chop.of, chop.by, 1)
    return list(earned.values())


def first_is_out(table: Table) -> None:
    """Mien nam: whoever has not played a card when the first goes out pays at once."""
    if table.rules["betting"] != "mien_nam":
        return
    first = table.placings[0][0]
    for seat in table.left:
        if seat not in table.has_played:
            table.cong.add(seat)
            held = twos_value(table, table.hands[seat]) + bombs_value(table, table.hands[seat])
            table.pay(seat, first, table.rules["values"]["cong"] + held, "cong")


def settle_game(table: Table, instant: bool) -> None:
    """Pay for the placings of a finished game."""
    first, last = table.placings[0][0], table.placings[-1]
    scheme = table.rules["betting"]
    if scheme == "loser_pays_winner":
        for loser in last:
            table.pay(loser, first, 1, "loser")
    if scheme == "loser_pays_all":
        for loser in last:
            for seat in table.seats:
                if seat not in last:
                    table.pay(loser, seat, 1, "loser")
    if scheme == "mien_nam" and instant:
        for seat in table.seats:
            if seat != first:
                table.pay(seat, first, table.rules["values"]["instant_win"], "instant_win")
    if scheme == "mien_nam" and not instant:
        settle_mien_nam(table)


def settle_mien_nam(table: Table) -> None:
    values = table.rules["values"]
    first = table.placings[0][0]
    for last in table.placings[-1]:
        if last not in table.cong:
            table.pay(last, first, values["last"], "loser")
            table.pay(last, first, twos_value(table, table.hands[last]), "twos_left")
            table.pay(last, first, bombs_value(table, table.hands[last]), "bombs_left")
    if len(table.hands) == 4 and all(len(group) == 1 for group in table.placings):
        second, third = table.placings[1][0], table.placings[2][0]
        if not {second, third} & table.cong:
            table.pay(third, second, values["third"], "third")
