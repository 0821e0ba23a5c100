"""The game with the interface of OpenSpiel: chance nodes deal the cards, then seats act by numbers.

OpenSpiel itself is not needed: code for the usual methods of a `pyspiel` game works with this one.
A deal is a chain of chance nodes, each one card for the next seat; their outcomes are cards.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import groupby

from ..rules.cards import format_card, format_cards
from ..rules.cardset import unpack
from ..rules.errors import EngineError
from ..rules.game import start
from ..rules.ruleset import Ruleset, preset
from . import actions, observations
from .numbered import NumberedGame
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
        self._deck = sorted([*range(52)] * game.ruleset.decks_for(game.num_players()))
        self._position: NumberedGame | None = None
        self._seats: list[int] = []  # who acted, since the deal

    def current_player(self) -> int:
        """Return the seat to act, CHANCE while cards are dealt, TERMINAL at the end."""
        if self._position is None:
            return CHANCE
        return TERMINAL if self._position.turn < 0 else self._position.turn

    def is_chance_node(self) -> bool:
        return self._position is None

    def is_terminal(self) -> bool:
        return self.current_player() == TERMINAL

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the cards that may be dealt next, with their probabilities."""
        if not self.is_chance_node():
            return []
        return [(card, len([*some]) / len(self._deck)) for card, some in groupby(self._deck)]

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the legal action numbers of the seat to act, rising; none for other seats."""
        if self._position is None:
            return list(dict.fromkeys(self._deck))
        if self._position.turn < 0 or player not in (None, self._position.turn):
            return []
        return self._position.legal()

    def apply_action(self, action: int) -> None:
        """Deal a card, or apply the action of a legal number."""
        if self._position is None:
            self._deal(action)
        else:
            seat = self._position.turn
            self._position.act(action)
            self._history.append(action)
            self._seats.append(seat)

    def _deal(self, card: int) -> None:
        at = bisect_left(self._deck, card)
        if self._deck[at : at + 1] != [card]:
            raise EngineError(f"action {card} is not legal here")
        del self._deck[at]
        self._history.append(card)
        players = self._game.num_players()
        if len(self._history) == self._game.cards_dealt():
            hands = [tuple(sorted(self._history[seat::players])) for seat in range(players)]
            self._position = NumberedGame(start(self._game.ruleset, hands))

    def clone(self) -> SpielState:
        twin = SpielState(self._game)
        twin._history = self._history[:]
        twin._deck, twin._seats = self._deck[:], self._seats[:]
        twin._position = self._position and self._position.copy()
        return twin

    def child(self, action: int) -> SpielState:
        twin = self.clone()
        twin.apply_action(action)
        return twin

    def returns(self) -> list[float]:
        """Return each seat's reward; all 0 before the end."""
        if self._position is None or self._position.turn >= 0:
            return [0.0] * self._game.num_players()
        return rewards(self._position.outcome(), self._game.reward)

    def rewards(self) -> list[float]:
        """Return the rewards of the last action: they all come at the end."""
        return self.returns()

    def player_return(self, player: int) -> float:
        return self.returns()[player]

    def history(self) -> list[int]:
        """Return all dealt cards and action numbers, oldest first."""
        return self._history[:]

    def action_to_string(self, player: int, action: int) -> str:
        return f"deal {format_card(action)}" if player == CHANCE else actions.text_of(action)

    def observation_tensor(self, player: int | None = None) -> list[int]:
        """Return a seat's observation as numbers (engine.adapters.observations)."""
        if self._position is None:
            return [0] * observations.SIZE
        return list(self._position.seen(self._seat(player)))

    def observation_string(self, player: int | None = None) -> str:
        """Return a seat's cards, how many all have, from it on, and the cards to beat."""
        if self._position is None:
            return ""
        seen = self._position.seen(self._seat(player))
        hand, top, left = (
            [int(number) for number in seen[observations.FIELDS[field]]]
            for field in ("hand", "top", "left")
        )
        cards, to_beat = (
            format_cards(card for card, count in enumerate(some) for _ in range(count))
            for some in (hand, top)
        )
        counts = " ".join("?" if count < 0 else str(count) for count in left[: len(self.returns())])
        return f"hand {cards} | left {counts} | to beat {to_beat or '-'}"

    def information_state_string(self, player: int | None = None) -> str:
        """Return all that a seat has seen since the deal as text, equal for equal knowledge."""
        if self._position is None:
            return ""
        seat = self._seat(player)
        hand = format_cards(unpack(self._position.hands()[seat]))
        asked = self._position.is_asking()
        known = [
            f"{who} {actions.text_of(action)}"
            for who, action in zip(
                self._seats, self._history[self._game.cards_dealt() :], strict=True
            )
            # Whether a seat declares is public once all have answered; a refusal never is.
            if who == seat
            or (action != actions.DECLINE and not (asked and action == actions.DECLARE))
        ]
        return f"seat {seat} hand {hand} | {', '.join(known)}"

    def _seat(self, player: int | None) -> int:
        assert self._position is not None
        return self._position.turn if player is None else player
