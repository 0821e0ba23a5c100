"""What `tables` keeps: rulesets as they were played, runs of bots, and people's tables."""

from tables.models.arrangement import Arrangement, Successor
from tables.models.challenge import BotAccount, Challenge
from tables.models.play import Action, Game, Message, Seat, Table
from tables.models.requests import SentRequest
from tables.models.runs import FrozenRuleset, KeptGames, Run, Unit

__all__ = [
    "Action",
    "Arrangement",
    "BotAccount",
    "Challenge",
    "FrozenRuleset",
    "Game",
    "KeptGames",
    "Message",
    "Run",
    "Seat",
    "SentRequest",
    "Successor",
    "Table",
    "Unit",
]
