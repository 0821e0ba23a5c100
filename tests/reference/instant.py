"""Instant wins: who holds one, who is asked, and in which order they place."""

from itertools import combinations, product

from tests.reference import cards as c
from tests.reference.rulesets import INSTANT_ORDER
from tests.reference.table import Table

THREE_TO_ACE = set(range(13)) - {c.TWO}


def consecutive(ranks, how_many: int) -> bool:
    """Whether that many of the ranks follow one another; 2s follow nothing."""
    return any(set(range(low, low + how_many)) <= set(ranks) for low in range(13 - how_many))


def pairs_of(rules: dict, hand, in_run: bool) -> list[dict]:
    """For each colour that a win may be made of, the pairs of each rank by their higher card.

    One entry where colours do not matter, or where each pair may have its own.
    """
    by_rank = {rank: sorted(card for card in hand if c.rank(card) == rank) for rank in range(13)}
    colours = [{rank: [x for x in by_rank[rank] if c.suit(x) // 2 == red] for rank in by_rank}
               for red in (0, 1)]  # fmt: skip

    def tops(cards) -> list[int]:
        return [cards[i] for i in range(len(cards) - 1, 0, -2)]

    black, red = ({rank: tops(held[rank]) for rank in held} for held in colours)
    kind = rules["instant_pairs"]
    if kind == "one_colour" or (
        kind == "playable" and in_run and rules["pair_runs_match"] != "any"
    ):
        return [black, red]
    if kind == "playable" and rules["pairs_match"] == "colour":
        return [{rank: black[rank] + red[rank] for rank in range(12)} | {12: tops(by_rank[12])}]
    return [{rank: tops(by_rank[rank]) for rank in by_rank}]


def bombs_apart(rules: dict, hand) -> int:
    """The most fours of a kind and runs of three pairs that share no card; 2s make no run."""
    best = 0
    for rank in range(13):
        four = [card for card in hand if c.rank(card) == rank][:4]
        if len(four) == 4:
            best = max(best, 1 + bombs_apart(rules, c.without(hand, four)))
    for low in range(10):
        for run in runs_of_three(rules, hand, low):
            best = max(best, 1 + bombs_apart(rules, c.without(hand, run)))
    return best


def runs_of_three(rules: dict, hand, low: int):
    """Cards of each run of three pairs from a rank on that counts."""
    by_rank = [[card for card in hand if c.rank(card) == low + i] for i in range(3)]
    minds = rules["instant_pairs"] != "any"
    for pairs in product(*(combinations(cards, 2) for cards in by_rank)):
        colours = [{c.suit(card) // 2 for card in pair} for pair in pairs]
        if minds and rules["pair_runs_match"] == "colour" and len(set.union(*colours)) > 1:
            continue
        if minds and rules["pairs_match"] == "colour" and any(len(one) > 1 for one in colours):
            continue
        yield [card for pair in pairs for card in pair]


def holds(name: str, hand, rules: dict) -> bool:
    """Whether the hand is the instant win of that name."""
    held = c.counts(hand)
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
        return any(sum(map(len, p.values())) >= 6 for p in pairs_of(rules, hand, in_run=False))
    if name == "one_colour":
        return len({c.suit(card) in (2, 3) for card in hand}) == 1
    if name == "three_consecutive_triples":
        return consecutive(triples, 3)
    if name in ("five_consecutive_pairs", "six_consecutive_pairs"):
        length = 5 if name == "five_consecutive_pairs" else 6
        found = pairs_of(rules, hand, in_run=True)
        return any(consecutive([r for r in pairs if pairs[r]], length) for pairs in found)
    if name == "three_pairs_with_three_spades":
        return three_pairs_with_three_spades(rules, hand)
    if name == "four_threes":
        return held.get(0, 0) >= 4
    if name == "two_bombs":
        return bombs_apart(rules, hand) >= 2
    if name == "one_suit":
        return any({r * 4 + s for r in THREE_TO_ACE} <= set(hand) for s in range(4))
    raise ValueError(name)


def three_pairs_with_three_spades(rules: dict, hand) -> bool:
    """Whether a run of three pairs from the 3s on that counts has 3♠ in it."""
    minds = {**rules, "pairs_match": "colour", "pair_runs_match": "colour"}
    strict = rules["instant_pairs"] == "one_colour"
    runs = runs_of_three(minds if strict else rules, hand, 0)
    return any(0 in run for run in runs)


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
        first = ("four_threes", "three_pairs_with_three_spades")
        names = [name for name in names if name not in first]
    if seat in table.swapped:
        names = [name for name in names if name == "ultimate_dragon"]
        dragon = rules["trading_allows_dragon"] and names
        return (
            ["ultimate_dragon"]
            if dragon and holds("ultimate_dragon", table.hands[seat], rules)
            else []
        )
    if seat in table.debtors:
        names = [name for name in names if name != "four_twos"]
    return [name for name in names if holds(name, dealt, rules)]


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
    place = (table.rules["instant_rank"] or INSTANT_ORDER).index(best)
    if table.rules["instant_win_ties"] == "turn":
        return (place,)
    return (place, *(-card for card in cards_that_count(table.rules, best, table.dealt[seat])))


def cards_that_count(rules: dict, name: str, hand) -> list[int]:
    """What decides between two hands with the same win, the most important first."""
    if name == "one_suit":
        return [s for s in range(4) if {r * 4 + s for r in THREE_TO_ACE} <= set(hand)]
    if name == "one_colour" or not name.endswith(("pairs", "spades")):
        return [int(all(c.suit(card) > 1 for card in hand)), *sorted(hand, reverse=True)]
    found = pairs_of(rules, hand, in_run=name != "six_pairs")
    return sorted((top for pairs in found for tops in pairs.values() for top in tops), reverse=True)


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
        return rules["betting"] in ("none", "points")  # Points are no money.
    return rules["instant_then"] == "end"
