"""The rules of Tiến Lên as a pure package: no Django, no clock, no random source of its own.

The API: load a ruleset, start a game, list the legal actions, apply one, observe as a seat, and
read the outcome. Subpackages: `rules`, `records`, `adapters`, `bots`, `core`, `sim`, `statistics`.
"""

from .rules.game import apply, legal_actions, observe, outcome, start
from .rules.ruleset import preset

__all__ = ["apply", "legal_actions", "observe", "outcome", "preset", "start"]
