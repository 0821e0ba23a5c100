"""Made-up games before: placings, chops and what was left, as a record's `previous` holds them."""

from random import Random

from tests.reference import cards as c


def previous_game(rng: Random, seats: int) -> dict:
    """A previous game with chains of chops; now and then a shared place, or seats that are gone."""
    order = rng.sample(range(seats), seats)
    placings = [[seat] for seat in order]
    if seats > 2 and rng.random() < 0.15:
        placings = [[order[0]], sorted(order[1:])]
    twos = [c.text([card]) for card in rng.sample(range(48, 52), rng.randint(0, 3))]
    hands = ["" for _ in range(seats)]
    for seat in placings[-1]:
        hands[seat] = "5D 9C"
    hands[order[-1]] = " ".join(["5D", "9C", *sorted(twos, key=c.parse)])
    previous = {"placings": placings, "chops": chops(rng, seats), "hands": hands}
    if rng.random() < 0.2:
        previous["gone"] = sorted(rng.sample(range(seats), rng.choice((1, 1, 2))))
    return previous


def chops(rng: Random, seats: int) -> list[dict]:
    entries = []
    for _ in range(rng.choice((0, 1, 1, 2))):
        twos = rng.choice(("2H", "2S", "2S 2D", "2C 2D 2H", "2H"))
        on = twos if rng.random() < 0.85 else "4S 4C 4D 4H"
        by, of = rng.sample(range(seats), 2)
        for level in range(1, rng.choice((1, 1, 2, 3)) + 1):
            rank = "56789T"[level]
            cards = " ".join(rank + suit for suit in "SCDH")
            entries.append({"by": by, "of": of, "cards": cards, "on": on, "level": level})
            on, of = cards, by
            if rng.random() < 0.9:
                by = rng.choice([seat for seat in range(seats) if seat != of])
    return entries
