"""The game with the interface of OpenSpiel: chance nodes deal the cards, then seats act by numbers.

OpenSpiel itself is not needed: code for the usual methods of a `pyspiel` game works with this one.
A deal is a chain of chance nodes, each one card for the next seat; their outcomes are cards.
"""

from __future__ import annotations

from collections import Counter

from ..rules import game as engine_game
from ..rules.actions import SeatAction, action_text
from ..rules.cards import format_card, format_cards
from ..rules.errors import EngineError
from ..rules.ruleset import Ruleset, preset
from ..rules.state import OVER
from ..rules.state import State as EngineState
from . import actions, observations
from .rewards import REWARDS, rewards

CHANCE, TERMINAL = -1, -4
"""The player numbers of nodes at which no seat acts."""


class SpielGame:
    """A ruleset with a number of players; `reward` is one of `rewards.REWARDS`."""

    def __init__(
        self, ruleset: Ruleset | str = "tien-len", players: int = 4, reward: str = "places"
    ) -> None:
        self.ruleset = preset(ruleset) if isinstance(ruleset, str) else ruleset
        self.reward = reward
        self._players = players
        if not self.ruleset.min_players <= players <= self.ruleset.max_players:
            raise EngineError(f"{players} players cannot play this ruleset")
        if reward not in REWARDS:
            raise EngineError(f"there is no reward {reward[:40]!r}: choose {', '.join(REWARDS)}")

    def new_initial_state(self) -> SpielState:
        return SpielState(self)

    def num_players(self) -> int:
        return self._players

    def num_distinct_actions(self) -> int:
        return actions.ACTIONS

    def max_chance_outcomes(self) -> int:
        return 52

    def observation_tensor_shape(self) -> list[int]:
        """Return the length of an observation, as a list."""
        return [observations.SIZE]

    def cards_dealt(self) -> int:
        ruleset, players = self.ruleset, self._players
        if ruleset.deal_all:
            return 52 * ruleset.decks_for(players)
        return ruleset.cards_for(players) * players


class SpielState:
    """A node of the game tree, changed by `apply_action`."""

    def __init__(self, game: SpielGame) -> None:
        self._game = game
        self._history: list[int] = []
        self._deck = Counter(dict.fromkeys(range(52), game.ruleset.decks_for(game.num_players())))
        self._hands: list[list[int]] = [[] for _ in range(game.num_players())]
        self._state: EngineState | None = None

    def current_player(self) -> int:
        """Return the seat to act, CHANCE while cards are dealt, TERMINAL at the end."""
        if self._state is None:
            return CHANCE
        return TERMINAL if self._state.phase == OVER else self._state.turn

    def is_chance_node(self) -> bool:
        return self._state is None

    def is_terminal(self) -> bool:
        return self.current_player() == TERMINAL

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the cards that may be dealt next, with their probabilities."""
        if not self.is_chance_node():
            return []
        left = self._deck.total()
        return [(card, count / left) for card, count in sorted(self._deck.items()) if count]

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the legal action numbers of the seat to act, rising; none for other seats."""
        if self._state is None:
            return [card for card, _ in self.chance_outcomes()]
        if self.is_terminal() or player not in (None, self.current_player()):
            return []
        return list(self._choices())

    def apply_action(self, action: int) -> None:
        """Deal a card, or apply the action of a legal number."""
        if action not in self.legal_actions():
            raise EngineError(f"action {action} is not legal here")
        if self._state is None:
            self._hands[len(self._history) % len(self._hands)].append(action)
            self._deck[action] -= 1
            if len(self._history) + 1 == self._game.cards_dealt():
                hands = [tuple(sorted(hand)) for hand in self._hands]
                self._state = engine_game.start(self._game.ruleset, hands)
        else:
            engine_game.apply(self._state, self._choices()[action])
        self._history.append(action)

    def clone(self) -> SpielState:
        twin = SpielState(self._game)
        twin._history = self._history[:]
        twin._deck = self._deck.copy()
        twin._hands = [hand[:] for hand in self._hands]
        twin._state = self._state and self._state.copy()
        return twin

    def child(self, action: int) -> SpielState:
        twin = self.clone()
        twin.apply_action(action)
        return twin

    def returns(self) -> list[float]:
        """Return each seat's reward; all 0 before the end."""
        if not self.is_terminal():
            return [0.0] * self._game.num_players()
        assert self._state is not None
        return rewards(engine_game.outcome(self._state), self._game.reward)

    def rewards(self) -> list[float]:
        """Return the rewards of the last action: they all come at the end."""
        return self.returns()

    def player_return(self, player: int) -> float:
        return self.returns()[player]

    def history(self) -> list[int]:
        """Return all dealt cards and action numbers, oldest first."""
        return self._history[:]

    def action_to_string(self, player: int, action: int) -> str:
        if player == CHANCE:
            return f"deal {format_card(action)}"
        if not self.is_chance_node() and action in (choices := self._choices()):
            return action_text(choices[action])
        return actions.text_of(action)

    def observation_tensor(self, player: int | None = None) -> list[int]:
        """Return a seat's observation as numbers (engine.adapters.observations)."""
        if self._state is None:
            return [0] * observations.SIZE
        return observations.encode(engine_game.observe(self._state, self._seat(player)))

    def observation_string(self, player: int | None = None) -> str:
        if self._state is None:
            return ""
        seen = engine_game.observe(self._state, self._seat(player))
        top = format_cards(seen.to_beat) or "-"
        left = " ".join("?" if count is None else str(count) for count in seen.counts)
        return f"hand {format_cards(seen.hand)} | left {left} | to beat {top}"

    def information_state_string(self, player: int | None = None) -> str:
        """Return all that a seat has seen since the deal as text, equal for equal knowledge."""
        if self._state is None:
            return ""
        seen = engine_game.observe(self._state, self._seat(player))
        events = [f"{event.action.seat} {action_text(event.action)}" for event in seen.history]
        return f"seat {seen.seat} hand {format_cards(seen.hand)} | {', '.join(events)}"

    def _seat(self, player: int | None) -> int:
        assert self._state is not None
        return self._state.turn if player is None else player

    def _choices(self) -> dict[int, SeatAction]:
        assert self._state is not None
        return actions.by_number(engine_game.legal_actions(self._state))
