"""Rewards of a finished game for machine learning."""

from ..rules.outcome import Outcome

REWARDS = ("places", "money")


def rewards(result: Outcome, kind: str = "places") -> list[float]:
    """Return each seat's reward; the rewards of a game add up to 0.

    `places` is 1 for the first, -1 for the last and even steps between; seats that share a place
    get the mean of the places they share. `money` is each seat's net amount.

    >>> from tien_len import outcome, preset, start
    >>> from tien_len.rules.deal import deal
    >>> from random import Random
    >>> result = outcome(start(preset("tien-len"), deal(preset("tien-len"), 4, Random(1))))
    >>> rewards(result._replace(placings=((2,), (0,), (1,), (3,))))
    [0.3333333333333333, -0.3333333333333333, 1.0, -1.0]
    """
    if kind == "money":
        return [float(amount) for amount in result.net]
    players = len(result.net)
    found = [0.0] * players
    before = 0
    for group in result.placings:
        mean = before + (len(group) - 1) / 2
        for seat in group:
            found[seat] = (players - 1 - 2 * mean) / (players - 1)
        before += len(group)
    return found
