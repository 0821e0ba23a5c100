"""A bot and its way to the ranking, in one file.

CLUB=https://SERVER/api/v1/clubs/CLUB TOKEN=tl_… python3 docs/examples/push_bot.py my-bot

The token has the scopes read and arena. It sends this file, waits for the check, plays a test match
against a house bot and prints the ranking: `tien-len push` does the same for any file.
"""

import sys


class Bot:
    """Sheds the longest combination of the lowest cards, and keeps its 2s for the end."""

    def __init__(self, seed):
        pass

    def choose(self, observation, legal):
        plays = [action for action in legal if action.do == "play"]
        if not plays:
            return legal[0]
        kept = [action for action in plays if not any(card >= 48 for card in action.cards)]
        return min(kept or plays, key=lambda action: (-len(action.cards), sum(action.cards)))


if __name__ == "__main__":
    from tien_len.cli import main

    sys.exit(main(["push", __file__, "--entry-point", "push_bot:Bot", "--name", *sys.argv[1:]]))
