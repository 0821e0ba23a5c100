"""The game as a Gymnasium environment: one learner against bots of the house.

It needs Gymnasium (in the extra ``pettingzoo`` of the package) and the compiled core.
"""

from collections.abc import Sequence
from functools import cache, partial
from typing import Any

from ..rules.ruleset import Ruleset
from . import actions, observations
from .vector import VectorGames


def env(
    ruleset: Ruleset | str = "tien-len",
    bots: Sequence[str] = ("greedy", "greedy", "greedy"),
    reward: str = "places",
) -> Any:
    """Return an environment for seat 0; `bots` take the other seats, in order.

    Observations are those of `tien_len.adapters.aec`. An illegal action raises EngineError. The
    last observation of an episode is the first of the next, which `reset` returns again.
    """
    return _environment()(ruleset, bots, reward)


@cache
def _environment() -> Any:
    """Return the environment class; its base class needs Gymnasium."""
    import numpy
    from gymnasium import Env, spaces

    class Environment(Env):  # type: ignore[misc]
        """A game of one learner."""

        metadata: dict[str, Any] = {"render_modes": []}

        def __init__(self, ruleset: Ruleset | str, bots: Sequence[str], reward: str) -> None:
            self._wanted = partial(
                VectorGames, ruleset, len(bots) + 1, 1, reward=reward, bots=(None, *bots)
            )
            self._games: VectorGames | None = None
            low, high = observations.LEAST, observations.MOST
            self.action_space = spaces.Discrete(actions.ACTIONS)
            self.observation_space = spaces.Dict(
                {
                    "observation": spaces.Box(low, high, (observations.SIZE,), numpy.int8),
                    "action_mask": spaces.Box(0, 1, (actions.ACTIONS,), numpy.int8),
                }
            )

        def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, Any]:
            super().reset(seed=seed)
            if seed is not None or self._games is None:
                self._games = self._wanted(seed=int(self.np_random.integers(1 << 62)))
            return self._seen(), {}

        def step(self, action: int) -> tuple[Any, float, bool, bool, Any]:
            assert self._games is not None, "call reset first"
            rewards, done = self._games.step([action])
            return self._seen(), float(rewards[0, 0]), bool(done[0]), False, {}

        def _seen(self) -> dict[str, Any]:
            assert self._games is not None
            return {
                "observation": self._games.observations[0].copy(),
                "action_mask": self._games.masks[0].copy(),
            }

    return Environment
