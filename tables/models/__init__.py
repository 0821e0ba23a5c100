"""Models of `tables`: frozen rulesets, runs of bots, and people's tables."""

from tables.models.challenge import BotAccount, Challenge
from tables.models.friends import Friend, TableInvite
from tables.models.ladder import Ladder, Meeting
from tables.models.play import (
    Action,
    Arrangement,
    Game,
    Message,
    Mute,
    Seat,
    SharedDeals,
    Successor,
    Table,
)
from tables.models.puzzles import Attempt, Puzzle, Solver
from tables.models.ratings import (
    CountedGame,
    RatedPlace,
    StrengthFigure,
    TableRating,
    TableStrength,
)
from tables.models.remote import RemoteGame
from tables.models.requests import SentRequest
from tables.models.reviews import Review
from tables.models.runs import FrozenRuleset, KeptGames, QueueTurn, Run, Unit
from tables.models.shared import SharedPlace
from tables.models.sprint import Sprint, SprintEntry, SprintTable
from tables.models.uploads import Trial, Tryout, Upload
