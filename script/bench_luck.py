"""Measures the luck of a season: intervals that hold, and what is left of the variance.

Four equal bots play games by RULESET; seasons of 12 nights of 4 games are drawn from them.
"""

import argparse
from random import Random
from statistics import fmean, pvariance

from engine.bots import judge, make
from engine.core import store
from engine.rules import game
from engine.rules.deal import deal
from engine.rules.ruleset import preset
from engine.rules.state import OVER, PLAY
from league.seasons.domain.luck import HandPlayed, lucks

NIGHTS, GAMES, SEASONS, PLAYERS = 12, 4, 1_000, 4
Played = list[tuple[float, float]]
"""Each seat's result and what its hand was worth, as shares of the opponents beaten."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="script/bench_luck.py", description=__doc__)
    parser.add_argument("ruleset")
    parser.add_argument("bot")
    parser.add_argument("--games", type=int, default=200)
    options = parser.parse_args()
    store.required()
    played = [play(options.ruleset, options.bot, number) for number in range(options.games)]
    told = [one for one in played if one]
    dice, inside = Random(1), 0
    raw, adjusted = [], []
    for _ in range(SEASONS):
        hands = season(told, dice)
        own = lucks(hands)[0].adjusted
        inside += own.low <= 0.5 <= own.high
        adjusted.append(own.mean)
        raw.append(fmean(hand.result for hand in hands if hand.player == 0))
    left = pvariance(adjusted) / pvariance(raw)
    print(f"{options.ruleset}, {options.bot}, {len(told)} games: intervals hold in")
    print(f"{100 * inside / SEASONS:.1f} %, variance {left:.0%}, mean {fmean(adjusted):.3f}")


def play(ruleset: str, bot: str, number: int) -> Played:
    """Return what a game came to; nothing of one that is not judged."""
    dice = Random(f"luck {number}")
    state = game.start(preset(ruleset), deal(preset(ruleset), PLAYERS, dice))
    bots = [make(bot, dice.getrandbits(16)) for _ in range(PLAYERS)]
    worths: list[float] = []
    while state.phase != OVER:
        if state.phase == PLAY and not worths:
            worths = judge.chances(state, judge.FULL.chances, f"luck {number}", 0)
        legal, seen = game.legal_actions(state), game.observe(state, state.turn)
        game.apply(state, bots[state.turn].choose(seen, legal))
    most = PLAYERS - 1
    return [
        (one / most, worth / most) for one, worth in zip(judge.beaten(state), worths, strict=False)
    ]


def season(games: list[Played], dice: Random) -> list[HandPlayed]:
    """Return a season of four equals, the chairs of each game drawn by lot."""
    return [
        HandPlayed(player, number // GAMES, number, PLAYERS, *hand)
        for number in range(NIGHTS * GAMES)
        for player, hand in enumerate(dice.sample(dice.choice(games), PLAYERS))
    ]


if __name__ == "__main__":
    main()
