"""Try a bot that somebody else published: two adapters, for the two kinds of doors they have.

Install the package and the bot, put its call where `by_cards` or `by_number` stands, and run it.
"""

from tien_len import format_cards, parse_cards, play_games
from tien_len.adapters import actions, observations


class FromCards:
    """A bot that is asked with its hand and the cards to beat, and answers with cards or none."""

    name = "published"

    def __init__(self, ask):
        self.ask = ask

    def choose(self, observation, legal):
        hand, to_beat = (
            format_cards(each).split() for each in (observation.hand, observation.to_beat)
        )
        wanted = parse_cards(" ".join(self.ask(hand, to_beat)))
        return next((each for each in legal if each.cards == wanted), legal[0])


class FromNumbers(FromCards):
    """A network that sees numbers and answers with one of the legal numbers."""

    name = "network"

    def choose(self, observation, legal):
        numbered = actions.by_number(legal)
        chosen = self.ask(observations.encode(observation), list(numbered))
        return numbered.get(chosen, legal[0])


def by_cards(hand, to_beat):
    """Answer singles with the lowest card that is higher, and lead the lowest."""
    rank = "3456789TJQKA2".index
    least = -1 if not to_beat else rank(to_beat[0][0])
    return [] if len(to_beat) > 1 else [card for card in hand if rank(card[0]) > least][:1]


def by_number(seen, legal):
    """Prefer the play with the highest number, which is the longest kind."""
    return max(legal)


if __name__ == "__main__":
    bots = [FromCards(by_cards), FromNumbers(by_number), "greedy", "greedy"]
    for name, result in play_games(bots, deals=50).items():
        print(
            f"{name:10} first {result.ranks[0]:3} points {result.points:.2f} ± {result.margin:.2f}"
        )
