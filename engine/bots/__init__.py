"""Bots: they take what a seat may see and the legal actions, and never the game."""

from __future__ import annotations

from collections.abc import Callable

from engine.bots.base import Bot
from engine.bots.dreamer import DreamerBot, SageBot
from engine.bots.greedy import GreedyBot
from engine.bots.lowest import LowestBot
from engine.bots.planner import PlannerBot
from engine.bots.rand import RandomBot

__all__ = ["BOTS", "Bot", "make"]

BOTS: dict[str, Callable[[int], Bot]] = {
    "random": RandomBot,
    "lowest": LowestBot,
    "greedy": GreedyBot,
    "planner": PlannerBot,
    "dreamer": DreamerBot,
    "sage": SageBot,
}


def make(name: str, seed: int) -> Bot:
    """Return a fresh bot; `seed` decides its own dice. KeyError for a name that is not in BOTS."""
    return BOTS[name](seed)
