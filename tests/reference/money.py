"""Betting: the schemes of section 9 of the rules."""

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


# A pair run of more than four pairs counts as four: as so many cards too.
CARDS = {"quad": 4, 3: 6}


def bombs_left(table: Table, hand) -> tuple[int, int]:
    """The worth and the cards of the most valuable choice of bombs without a common card.

    Four 2s do not count, their worth is in the 2s. Of equal choices the one with fewer cards.
    """

    @cache
    def best(left: tuple[int, ...]) -> tuple[int, int]:
        bombs = [x for x in combos_in(left, table.shapes) if x.is_bomb and not x.only_twos]
        found = [(0, 0)]
        for bomb in bombs:
            worth, cards = best(tuple(c.without(left, bomb.cards)))
            size = 4 if bomb.kind == "quad" else CARDS.get(bomb.length, 8)
            found.append((worth + bomb_value(table, bomb), cards + size))
        return max(found, key=lambda choice: (choice[0], -choice[1]))

    return best(tuple(hand))


def bombs_value(table: Table, hand) -> int:
    return bombs_left(table, hand)[0]


def settle_chain(table: Table) -> None:
    """Pay for the chops of the trick that has just ended."""
    chain, table.chain = table.chain, []
    rules = table.rules
    if rules["betting"] == "mien_nam" and chain and rules["chops_paid"] == "last":
        last = chain[-1]
        if last.by != last.of:
            units = sum(value(table, chop.on) for chop in chain) * rules["chop_multiple"]
            table.pay(last.of, last.by, units, "chop")
    if rules["betting"] == "loser_pays_winner":
        for payer, payee, amount in standing_earnings(chain):
            table.pay(payer, payee, amount, "chop")


def settle_link(table: Table, chop: Chop) -> None:
    """Pay for a chop at once, where each link of a chain is paid."""
    rules = table.rules
    if rules["betting"] == "mien_nam" and rules["chops_paid"] == "each" and chop.by != chop.of:
        units = value(table, chop.on) * rules["chop_multiple"]
        table.pay(chop.of, chop.by, units, "chop")


def standing_earnings(chain: list[Chop]) -> list[tuple[int, int, int]]:
    """What the chops of a trick have earned, without the earnings that were made void.

    Who beats the own bomb has still earned what that one did: with the bomb now on top.
    """
    earned: dict[int, tuple[int, int, int]] = {}
    for number, chop in enumerate(chain):
        if chop.by == chop.of:
            if number - 1 in earned:
                earned[number] = earned.pop(number - 1)
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
    table.cong.update(seat for seat in table.left if seat not in table.has_played)
    doubles, last = table.rules["winner_doubles"], table.last_play
    table.doubled = (
        ("three_spades" in doubles and last.cards == (0,))
        or ("bomb" in doubles and last.is_bomb)
        or ("sweep" in doubles and table.cong == set(table.left))
    )
    for seat in sorted(table.cong):
        units = table.rules["values"]["cong"]
        if table.rules["left_paid"]:
            hand = table.hands[seat]
            held = twos_value(table, hand) + bombs_value(table, hand)
            units += held * table.rules["cong_multiple"]
        table.pay_at_end(seat, first, units, "cong")


def settle_game(table: Table, instant: bool) -> None:
    """Pay for the placings of a finished game."""
    firsts, last = table.placings[0], table.placings[-1]
    first, scheme = firsts[0], table.rules["betting"]
    if scheme == "loser_pays_winner":
        for loser in last:
            for winner in firsts:
                table.pay(loser, winner, 1, "loser")
    if scheme == "loser_pays_all":
        for loser in last:
            for seat in table.seats:
                if seat not in last:
                    table.pay(loser, seat, 1, "loser")
    if scheme == "mien_nam" and instant:
        for seat in table.seats:
            if seat != first:
                table.pay_at_end(seat, first, table.rules["values"]["instant_win"], "instant_win")
    if scheme == "mien_nam" and not instant:
        settle_mien_nam(table)


def settle_mien_nam(table: Table) -> None:
    rules, values = table.rules, table.rules["values"]
    first = table.placings[0][0]
    if table.last_twos:
        loser = table.placings[-1][0]
        for seat in table.seats:
            if seat != loser:
                table.pay_at_end(loser, seat, values["last_two"] * table.last_twos, "last_two")
        return
    if (holder := table.last_three_spades) is not None:
        for seat in [holder] if holder != first else table.seats:
            if seat != first:
                table.pay_at_end(seat, first, values["three_spades"], "three_spades")
        return
    spared = set() if rules["cong_place"] else table.cong
    if rules["losers_pay"] == "first":
        for seat in table.seats:
            if seat != first and seat not in spared:
                table.pay_at_end(seat, first, for_the_place(table), "loser")
    if rules["losers_pay"] == "places":
        for last in table.placings[-1]:
            if last not in spared:
                table.pay_at_end(last, first, for_the_place(table), "loser")
    for last in table.placings[-1]:
        if last not in table.cong:
            settle_last(table, last, first)
    places = len(table.hands) == 4 and all(len(group) == 1 for group in table.placings)
    if rules["losers_pay"] == "places" and places:
        second, third = table.placings[1][0], table.placings[2][0]
        if not {second, third} & spared:
            table.pay_at_end(third, second, values["third"], "third")


def for_the_place(table: Table) -> int:
    """What the last place costs with so many players."""
    values = table.rules["values"]
    return values.get(f"loser_{len(table.hands)}") or values["last"]


def settle_last(table: Table, last: int, first: int) -> None:
    """What a seat in the last place pays for its cards, its 2s and its bombs."""
    rules, values, hand = table.rules, table.rules["values"], table.hands[last]
    worth, cards = bombs_left(table, hand)
    if rules["losers_pay"] == "cards":
        counted = len(hand)
        if rules["left_paid"] and not rules["left_counted"]:
            counted -= cards + sum(c.rank(card) == c.TWO for card in hand)
        table.pay_at_end(last, first, counted * values["card"], "cards_left")
    if rules["left_paid"]:
        table.pay_at_end(last, first, twos_value(table, hand), "twos_left")
        table.pay_at_end(last, first, worth, "bombs_left")
