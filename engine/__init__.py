"""The rules of Tiến Lên as a pure package: no Django, no clock, no dice of its own.

The few verbs: load a ruleset, start a game, list what is legal, apply an action, observe as a
seat, and read the outcome. Wings: `rules`, `records`, `bots`, `sim`, `statistics`.
"""

from engine.rules.game import apply, legal_actions, observe, outcome, start
from engine.rules.ruleset import preset

__all__ = ["apply", "legal_actions", "observe", "outcome", "preset", "start"]
