"""Games between bots in one call: names of the ladder and one's own classes or objects."""

from collections.abc import Callable, Sequence
from typing import cast

from ..bots import BOTS, Bot
from ..rules.errors import EngineError
from ..rules.ruleset import Ruleset, preset
from .command import BotResult, Sums
from .designs import entry_names
from .simulation import play_block


def play_games(
    bots: Sequence[str | Bot | Callable[[int], Bot]],
    deals: int = 100,
    *,
    ruleset: Ruleset | str = "tien-len",
    seed: str | int = 1,
    design: str = "rotations",
) -> dict[str, BotResult]:
    """Play each deal once in every rotation of the seats; return each bot's result by its name.

    A bot is a name of the ladder, a class that takes a seed, or an object with `choose`. One that
    fails or chooses what is not legal raises EngineError with its reason.
    """
    rules = preset(ruleset) if isinstance(ruleset, str) else ruleset
    own = {f"own-{seat}": bot for seat, bot in enumerate(bots) if not isinstance(bot, str)}
    names = [bot if isinstance(bot, str) else f"own-{seat}" for seat, bot in enumerate(bots)]
    shown = [bot if isinstance(bot, str) else getattr(bot, "name", "own") for bot in bots]
    BOTS.update((name, _maker(bot)) for name, bot in own.items())
    try:
        block = play_block(rules, names, seed, 0, deals, design)
    finally:
        for name in own:
            del BOTS[name]
    if block.tally["notes"]:
        raise EngineError(str(block.tally["notes"][0][4]))
    sums = Sums(len(bots))
    sums.add(block)
    return dict(zip(entry_names(shown), sums.standings(), strict=True))


def _maker(bot: Bot | Callable[[int], Bot]) -> Callable[[int], Bot]:
    if isinstance(bot, type) or not hasattr(bot, "choose"):
        return cast("Callable[[int], Bot]", bot)
    return lambda _seed: cast("Bot", bot)
