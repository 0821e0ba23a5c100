"""Stacked deals: hands in which twos, bombs and instant wins are frequent."""

from random import Random

from tests.reference import cards as c

RED, BLACK = (2, 3), (0, 1)


class Deck:
    """The cards not dealt yet, from which wishes are granted as far as they can be."""

    def __init__(self, rng: Random, copies: int, ranks) -> None:
        self.rng = rng
        self.cards = [r * 4 + s for r in ranks for s in range(4)] * copies
        rng.shuffle(self.cards)

    def take(self, count: int, wanted=lambda card: True) -> list[int] | None:
        """That many of the wanted cards, or None and nothing taken."""
        found = [card for card in self.cards if wanted(card)][:count]
        if len(found) < count:
            return None
        self.cards = c.without(self.cards, found)
        return found

    def take_each(self, ranks, count: int, wanted=lambda card: True) -> list[int] | None:
        """That many of each rank, or None and nothing taken."""
        before, taken = list(self.cards), []
        for rank in ranks:
            some = self.take(count, lambda card, rank=rank: c.rank(card) == rank and wanted(card))
            if some is None:
                self.cards = before
                return None
            taken += some
        return taken


def run_of(rng: Random, length: int, highest: int = c.ACE) -> range:
    low = rng.randrange(max(1, highest - length + 2))
    return range(low, min(low + length, highest + 1))


def grant(deck: Deck, wish: str, highest: int) -> list[int]:
    """The cards of a wish such as PR4, Q, QR2, 22, flush or triple; none if they are not there."""
    rng = deck.rng
    if wish.startswith("PR"):
        return deck.take_each(run_of(rng, int(wish[2:]), highest), 2) or []
    if wish.startswith("QR"):
        return deck.take_each(run_of(rng, int(wish[2:]), highest), 4) or []
    if wish.startswith("2"):
        return deck.take_each([c.TWO], len(wish)) or []
    if wish == "flush" or wish[0] == "S":
        color = rng.randrange(4)
        length = rng.choice((3, 3, 4, 5) if wish == "flush" else (5, 6, 6))
        return deck.take_each(run_of(rng, length, highest), 1, lambda x: c.suit(x) == color) or []
    return deck.take_each([rng.randrange(12)], 4 if wish == "Q" else 3) or []


def instant_hand(deck: Deck, name: str) -> list[int]:
    """Thirteen cards or fewer that make the instant win; none if they are not there."""
    rng, to_ace = deck.rng, range(12)
    if name == "four_twos":
        return deck.take_each([c.TWO], 4) or []
    if name in ("dragon_to_ace", "dragon_to_two"):
        return deck.take_each(range(13 if name == "dragon_to_two" else 12), 1) or []
    if name == "ultimate_dragon":
        ends = deck.take(2, lambda card: c.text([card]) in ("3S", "AH"))
        return (ends or []) + (deck.take_each(range(1, 11), 1) or [])
    if name == "one_colour":
        color = rng.choice((RED, BLACK))
        return deck.take(13, lambda card: c.suit(card) in color) or []
    if name == "one_suit":
        suit = rng.randrange(4)
        return deck.take_each(to_ace, 1, lambda card: c.suit(card) == suit) or []
    if name in ("three_triples", "four_triples"):
        return deck.take_each(rng.sample(range(13), 3 if name == "three_triples" else 4), 3) or []
    if name == "three_consecutive_triples":
        return deck.take_each(run_of(rng, 3), 3) or []
    if name == "six_pairs":
        return deck.take_each(rng.sample(range(13), 6), 2) or []
    return deck.take_each(run_of(rng, 5 if name == "five_consecutive_pairs" else 6), 2) or []


def deal(rng: Random, rules: dict, seats: int, size: int | None = None) -> list[tuple[int, ...]]:
    """A random deal for so many seats: plain, or with wishes and instant wins granted."""
    size = size or rng.choice(rules["sizes"][seats])
    if rules["deal_all"]:
        size = 52 // seats
    copies = 1 if seats <= 4 else 2
    spare = 13 - -(-seats * size // (4 * copies))
    ends_games = rules["instant_then"] == "end"
    if rules["deal_all"] or rng.random() < (0.9 if ends_games else 0.5):
        spare = 0
    dropped = rng.sample(range(12), rng.randint(0, spare))
    deck = Deck(rng, copies, [r for r in range(13) if r not in dropped])
    hands: list[list[int]] = [[] for _ in range(seats)]
    if rng.random() < (0.05 if ends_games else 0.25) and rules["instant_wins"]:
        for seat in rng.sample(range(seats), rng.choice((1, 1, 2, min(3, seats)))):
            hands[seat] = instant_hand(deck, rng.choice(rules["instant_wins"]))
    if rng.random() < 0.9:
        grant_wishes(deck, rules, hands, size, 1 if ends_games else 3)
    for hand in hands:
        hand += deck.take(size - len(hand)) or []
    if rules["deal_all"]:
        hands[rng.randrange(seats)] += deck.cards
    return [tuple(sorted(hand)) for hand in hands]


def grant_wishes(deck: Deck, rules: dict, hands: list[list[int]], size: int, more: int) -> None:
    """Give a hand twos and others what beats them, then so many wishes more."""
    rng = deck.rng
    target = rng.choice([name for name in rules["chops"] if name[0] == "2" and name != "2222"])
    bombs = rules["chops"][target] or ["PR3"]
    others = [name for names in rules["chops"].values() for name in names] + ["flush", "triple"]
    wishes = [rng.choice(bombs), target, rng.choice(bombs), *rng.choices([*others, "2"], k=more)]
    if rules["instant_then"] == "end" and "five_consecutive_pairs" in rules["instant_wins"]:
        wishes = ["PR4" if wish == "PR5" else wish for wish in wishes]
    highest = c.TWO if rules["twos_top_pair_runs"] else c.ACE
    seats = list(range(len(hands)))
    rng.shuffle(seats)
    for number, wish in enumerate(wishes):
        hand = hands[seats[number % len(seats)]]
        before = list(deck.cards)
        granted = grant(deck, wish, highest)
        if len(hand) + len(granted) <= size:
            hand += granted
        else:
            deck.cards = before
