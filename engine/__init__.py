"""The rules of Tiến Lên as a pure package: no Django, no clock, no random source of its own.

README.md describes these names; `rules`, `records`, `adapters`, `bots`, `core`, `sim` and
`statistics` hold the rest. Bots, games of bots and numpy are imported when they are first asked
for.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .rules.actions import SeatAction
from .rules.cards import format_cards, parse_cards
from .rules.deal import deal
from .rules.errors import EngineError
from .rules.game import Observation, Outcome, State, apply, legal_actions, observe, outcome, start
from .rules.ruleset import Ruleset, preset, preset_keys

if TYPE_CHECKING:
    from .adapters.vector import VectorGames
    from .bots import Bot, make
    from .sim.play import play_games

__all__ = [
    "Bot", "EngineError", "Observation", "Outcome", "Ruleset", "SeatAction", "State", "VectorGames",
    "apply", "deal", "format_cards", "legal_actions", "make", "observe", "outcome", "parse_cards",
    "play_games", "preset", "preset_keys", "start",
]  # fmt: skip

_LATER = {
    "Bot": ".bots", "make": ".bots", "play_games": ".sim.play", "VectorGames": ".adapters.vector",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_LATER[name], __name__), name)
    return found
