"""A bot that keeps its 2s for as long as it may pass."""

TWO = 12  # A card is a number: 4 * rank + suit. 3♠ is 0, 2♥ is 51.


class MiserBot:
    name = "miser"
    version = 1

    def __init__(self, seed):
        pass  # It rolls no dice; otherwise keep random.Random(seed) and use nothing else.

    def choose(self, observation, legal):
        plays = [action for action in legal if action.do == "play"]
        cheap = [action for action in plays if action.cards[-1] // 4 != TWO]
        if cheap:
            return min(cheap, key=lambda action: action.cards)
        passes = [action for action in legal if action.do == "pass"]
        return passes[0] if passes else legal[0]
