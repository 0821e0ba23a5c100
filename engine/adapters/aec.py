"""The game as a PettingZoo environment: ``from engine.adapters.aec import env``.

It needs PettingZoo (the extra ``pettingzoo`` of the package).
"""

from functools import cache
from random import Random
from typing import Any

from ..rules.cards import format_cards
from ..rules.cardset import unpack
from ..rules.deal import deal
from ..rules.errors import EngineError
from ..rules.game import start
from ..rules.ruleset import Ruleset
from . import actions, observations
from .numbered import NumberedGame
from .rewards import rewards
from .spiel import SpielGame


def env(
    ruleset: Ruleset | str = "tien-len",
    players: int = 4,
    reward: str = "places",
    render_mode: str | None = None,
) -> Any:
    """Return a fresh environment; `reward` is one of `engine.adapters.rewards.REWARDS`.

    An observation is a dictionary: `observation` as `engine.adapters.observations` encodes it, and
    `action_mask` with a 1 for each legal number of `engine.adapters.actions`. The agents are
    ``seat_0`` and so on. An illegal action raises ValueError.
    """
    return _environment()(SpielGame(ruleset, players, reward), render_mode)


@cache
def _environment() -> Any:
    """Return the environment class; its base class needs PettingZoo."""
    import numpy
    from gymnasium import spaces
    from pettingzoo import AECEnv

    class Environment(AECEnv):  # type: ignore[misc]
        """A game between agents that act in turn."""

        metadata = {"name": "tien_len_v1", "render_modes": ["ansi"], "is_parallelizable": False}

        def __init__(self, game: SpielGame, render_mode: str | None) -> None:
            super().__init__()
            self.render_mode = render_mode
            self.possible_agents = [f"seat_{seat}" for seat in range(game.num_players())]
            self._game = game
            self._random = Random()
            low, high = observations.LEAST, observations.MOST
            box = spaces.Box(low, high, (observations.SIZE,), numpy.int8)
            mask = spaces.Box(0, 1, (actions.ACTIONS,), numpy.int8)
            self.observation_spaces = {
                agent: spaces.Dict({"observation": box, "action_mask": mask})
                for agent in self.possible_agents
            }
            self.action_spaces = {
                agent: spaces.Discrete(actions.ACTIONS) for agent in self.possible_agents
            }

        def observation_space(self, agent: str) -> Any:
            return self.observation_spaces[agent]

        def action_space(self, agent: str) -> Any:
            return self.action_spaces[agent]

        def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
            if seed is not None:
                self._random = Random(seed)
            ruleset, players = self._game.ruleset, self._game.num_players()
            self.agents = self.possible_agents[:]
            self.rewards = dict.fromkeys(self.agents, 0.0)
            self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
            self.terminations = dict.fromkeys(self.agents, False)
            self.truncations = dict.fromkeys(self.agents, False)
            self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
            self._position = NumberedGame(start(ruleset, deal(ruleset, players, self._random)))
            self._after()

        def observe(self, agent: str) -> dict[str, Any]:
            """Return an agent's observation and its mask of legal actions."""
            seat = self.possible_agents.index(agent)
            return {
                "observation": numpy.array(self._position.seen(seat), numpy.int8),
                "action_mask": numpy.array(self._position.mask(seat), numpy.int8),
            }

        def step(self, action: int | None) -> None:
            agent = self.agent_selection
            if self.terminations[agent] or self.truncations[agent]:
                self._was_dead_step(action)
                return
            try:
                self._position.act(-1 if action is None else int(action))
            except EngineError:
                raise ValueError(f"action {action} is not legal for {agent}") from None
            self._after()

        def _after(self) -> None:
            if self._position.turn < 0:
                found = rewards(self._position.outcome(), self._game.reward)
                self.rewards = dict(zip(self.possible_agents, found, strict=True))
                self._accumulate_rewards()
                self.terminations = dict.fromkeys(self.agents, True)
                self.agent_selection = self.agents[0]
                return
            self.agent_selection = self.possible_agents[self._position.turn]

        def render(self) -> str | None:
            if self.render_mode != "ansi":
                return None
            return "\n".join(format_cards(unpack(hand)) for hand in self._position.hands())

        def close(self) -> None:
            """Do nothing: the environment holds no resources."""

    return Environment
