"""Instant wins: who holds one, who is asked, and in which order they place."""

from __future__ import annotations

from tests.reference import cards as c
from tests.reference.rulesets import INSTANT_ORDER
from tests.reference.table import Table

THREE_TO_ACE = set(range(13)) - {c.TWO}


def consecutive(ranks, how_many: int) -> bool:
    """Whether that many of the ranks follow one another; 2s follow nothing."""
    return any(set(range(low, low + how_many)) <= set(ranks) for low in range(13 - how_many))


def bombs_apart(held: dict) -> int:
    """The most fours of a kind and runs of three pairs that share no card; 2s make no run."""
    best = 0
    for rank, count in held.items():
        if count >= 4:
            best = max(best, 1 + bombs_apart({**held, rank: count - 4}))
    for low in range(10):
        run = (low, low + 1, low + 2)
        if all(held.get(rank, 0) >= 2 for rank in run):
            rest = {**held, **{rank: held[rank] - 2 for rank in run}}
            best = max(best, 1 + bombs_apart(rest))
    return best


def holds(name: str, hand) -> bool:
    """Whether the hand is the instant win of that name."""
    held = c.counts(hand)
    pairs = [rank for rank in held if held[rank] >= 2]
    triples = [rank for rank in held if held[rank] >= 3]
    every_rank = set(held) >= THREE_TO_ACE
    if name == "four_twos":
        return held.get(c.TWO, 0) >= 4
    if name == "ultimate_dragon":
        return every_rank and {c.parse("3S")[0], c.parse("AH")[0]} <= set(hand)
    if name == "dragon_to_ace":
        return every_rank
    if name == "dragon_to_two":
        return every_rank and c.TWO in held
    if name == "three_triples":
        return len(triples) >= 3
    if name == "four_triples":
        return len(triples) >= 4
    if name == "six_pairs":
        return sum(held[rank] // 2 for rank in held) >= 6
    if name == "one_colour":
        return len({c.suit(card) in (2, 3) for card in hand}) == 1
    if name == "three_consecutive_triples":
        return consecutive(triples, 3)
    if name == "five_consecutive_pairs":
        return consecutive(pairs, 5)
    if name == "six_consecutive_pairs":
        return consecutive(pairs, 6)
    if name == "four_threes":
        return held.get(0, 0) >= 4
    if name == "two_bombs":
        return bombs_apart(held) >= 2
    if name == "one_suit":
        return any({r * 4 + s for r in THREE_TO_ACE} <= set(hand) for s in range(4))
    raise ValueError(name)


def wins_of(table: Table, seat: int) -> list[str]:
    """The instant wins that the seat may claim, best first."""
    rules, dealt = table.rules, table.dealt[seat]
    if "winner_takes" in rules["exchange"] or len(dealt) != 13:
        return []
    if "negotiated" in rules["exchange"] and rules["trading_stops_instant"]:
        return []
    order = rules["instant_rank"] or INSTANT_ORDER
    names = [name for name in order if name in rules["instant_wins"]]
    if table.previous is not None:
        names = [name for name in names if name != "four_threes"]
    if seat in table.swapped:
        dragon = rules["trading_allows_dragon"] and "ultimate_dragon" in names
        return ["ultimate_dragon"] if dragon and holds("ultimate_dragon", table.hands[seat]) else []
    if seat in table.debtors:
        names = [name for name in names if name != "four_twos"]
    return [name for name in names if holds(name, dealt)]


def top_pair(hand) -> tuple[int, int]:
    """Rank and highest suit of the highest pair, (-1, -1) without one."""
    held = c.counts(hand)
    best = max((rank for rank in held if held[rank] >= 2), default=-1)
    return best, max((c.suit(card) for card in hand if c.rank(card) == best), default=-1)


def strength(table: Table, seat: int):
    """A key that sorts declarers, best first; ties are left in asking order."""
    best = wins_of(table, seat)[0]
    if table.rules["instant_order"] == "top_pair":
        rank, suit = top_pair(table.dealt[seat])
        return (best != "four_twos", -rank, -suit)
    if table.rules["instant_order"] == "previous_placings":
        groups = table.previous["placings"] if table.previous else []
        places = {other: place for place, group in enumerate(groups) for other in group}
        return len(groups) if seat in table.gone else places.get(seat, 0)
    return (table.rules["instant_rank"] or INSTANT_ORDER).index(best)


def declarers(table: Table, leader: int) -> list[int]:
    """The seats that declare, best first. Asks them where declaring is a choice."""
    order = table.around(leader)
    holders = [seat for seat in order if wins_of(table, seat)]
    if table.rules["instant_declared"] == "choice":
        choices = ["declare", "decline"]
        holders = [s for s in holders if table.ask(s, "instant_win", choices) == "declare"]
    ranked = sorted(holders, key=lambda seat: strength(table, seat))
    return ranked[:1] if table.rules["instant_order"] == "top_pair" else ranked


def ends_game(rules: dict) -> bool:
    if rules["game_ends"] == "first_out":
        return True
    if rules["instant_then"] == "end_without_betting":
        return rules["betting"] == "none"
    return rules["instant_then"] == "end"
