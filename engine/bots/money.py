"""The value of places and chops to a player, in the units of imagined games' rewards."""

from ..core.kernels.plan_layout import PLACE_AT
from ..rules.rule_tables import table
from ..rules.ruleset import Ruleset


class Money:
    """The value of places and chops to a player, in the units of imagined games' rewards.

    `stake` is the number of those units in a stake.
    """

    def __init__(self, ruleset: Ruleset, players: int) -> None:
        places = [2 * (players - 1 - place) for place in range(players)]
        self.chop = 0
        self.stake = 1 if ruleset.betting == "mien_nam" else 2
        if ruleset.betting == "loser_pays_winner":
            places[0] += 2
            places[-1] -= 2
            self.chop = 2
        elif ruleset.betting == "loser_pays_all":
            places = [worth + 2 for worth in places]
            places[-1] -= 2 * players
        elif ruleset.betting == "mien_nam":
            self._southern(ruleset, places)
        self.places = places

    def _southern(self, ruleset: Ruleset, places: list[int]) -> None:
        money = dict(ruleset.money)
        self.chop = money["quad"] * ruleset.chop_multiple
        each = ruleset.losers_pay == "first" or ruleset.game_ends == "first_out"
        if each or ruleset.losers_pay == "cards":
            # On average half a hand is left; the player who would go out next holds fewer cards.
            units = 6 * money["card"] if ruleset.losers_pay == "cards" else money["loser"]
            losers = range(1, len(places)) if each else range(len(places) - 1, len(places))
            places[0] += units * len(losers)
            for place in losers:
                places[place] -= units
            return
        places[0] += money["loser"]
        places[-1] -= money["loser"]
        if len(places) == 4:
            places[1] += money["third"]
            places[2] -= money["third"]


class Ledger(Money):
    """Money that keeps the place at a game's end apart from the money, for `split`.

    Places are doubled: players who share places get the mean of these.
    """

    def __init__(self, ruleset: Ruleset, players: int) -> None:
        super().__init__(ruleset, players)
        shared = table(ruleset).first_out_ends
        for place, worth in enumerate(self.places):
            doubled = players + 2 if shared and place else 2 * place + 2
            self.places[place] = (doubled << PLACE_AT) + worth - 2 * (players - 1 - place)


def split(reward: int) -> tuple[int, int]:
    """Return twice the place and the ledger's money of a reward, or of a sum of rewards."""
    place = reward + (1 << PLACE_AT - 1) >> PLACE_AT
    return place, reward - (place << PLACE_AT)
