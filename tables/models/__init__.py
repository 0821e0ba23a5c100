"""What `tables` keeps: rulesets as they were played, runs of bots, and people's tables."""

from tables.models.play import Action, Game, Seat, Table
from tables.models.runs import FrozenRuleset, Run, Unit

__all__ = ["Action", "FrozenRuleset", "Game", "Run", "Seat", "Table", "Unit"]
