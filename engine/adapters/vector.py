"""Many games at once on the compiled core, for learners: numpy arrays in, numpy arrays out."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from ..bots.imagination import worths
from ..bots.suited import is_suited
from ..bots.weights import shipped_weights
from ..core.games import POLICIES
from ..core.kernels import abreast, layout
from ..core.rows import ACT, AGAIN, LOOK, Rows
from ..core.rules_data import fits
from ..core.store import required
from ..rules.errors import EngineError
from ..rules.game import outcome
from ..rules.ruleset import Ruleset, preset
from .rewards import REWARDS, rewards

Array = Any  # A numpy array: numpy is optional.


class VectorGames:
    """Games of one ruleset that go on together; each is dealt again as soon as it is over.

    Arrays, with a row for each game; `step` writes them again, so copy what you keep:

    * `seats`: the seat to act
    * `observations`: what it sees, by `tien_len.adapters.observations`
    * `masks`: 1 for each legal action of `tien_len.adapters.actions`
    * `legal`, `counts`: the legal actions once more, as numbers in no order, and how many there are

    `bots` plays some of the seats by bots of the ladder up to `planner`: ``(None, "greedy")``.
    Deals in which a hand may be an instant win are left out.
    """

    def __init__(
        self,
        ruleset: Ruleset | str = "tien-len",
        players: int = 4,
        games: int = 256,
        *,
        seed: int = 0,
        reward: str = "places",
        bots: Sequence[str | None] = (),
    ) -> None:
        rules = preset(ruleset) if isinstance(ruleset, str) else ruleset
        _check(rules, players, games, reward, bots)
        self.players, self.games, self.reward = players, games, reward
        suited = is_suited(rules)
        house = ["greedy" if bot == "planner" and suited else bot for bot in bots]
        core = required()
        self._rows = Rows(core, rules, players, house)
        if "planner" in house:
            self._rows.plan(worths(rules, players, shipped_weights()))
        dice = Random(seed)
        self._rows.seat((), [dice.getrandbits(64) for _ in range(players)])
        self._rows.seed_deck(dice.getrandbits(64))
        self._sheet = self._rows.sheet(games)
        self._none = core.blank(games)
        self._grid = self._sheet.rows.reshape(games, -1)
        self.seats, self.counts = self._grid[:, layout.TURN], self._grid[:, abreast.ROW_COUNT]
        self.legal = self._sheet.legal[: games * abreast.LEGAL_SIZE].reshape(games, -1)
        self.legal = self.legal[:, :: abreast.LEGAL]
        self.observations = self._sheet.seen.reshape(games, -1)
        self.masks = self._sheet.masks.reshape(games, -1)
        self._rows.go(self._sheet, self._none, AGAIN | LOOK)

    def step(self, actions: Array) -> tuple[Array, Array]:
        """Carry out an action in each game; return the rewards by seat, and which games ended.

        Rewards are 0 but for games that ended, which are dealt again. An action that is not legal
        raises EngineError, and no game changes.
        """
        import numpy

        chosen = numpy.ascontiguousarray(actions, numpy.int64)
        if chosen.shape != (self.games,):
            raise EngineError(f"actions must be {self.games} numbers, one for each game")
        money = self.reward == "money"
        self._rows.go(self._sheet, chosen, ACT if money else ACT | AGAIN | LOOK)
        done = self._grid[:, abreast.ROW_DONE] == 1
        found = numpy.zeros((self.games, self.players), numpy.float32)
        ended = numpy.flatnonzero(done)
        if len(ended):
            worth = self._grid[ended, abreast.ROW_WORTH : abreast.ROW_WORTH + self.players]
            found[ended] = self._money(ended) if money else worth / (self.players - 1)
        if money:
            self._rows.go(self._sheet, self._none, AGAIN | LOOK)
        return found, done

    def random_actions(self, dice: Any) -> Array:
        """Return a legal action of each game, all alike; `dice` is a generator of numpy's."""
        import numpy

        chosen = (dice.random(self.games) * self.counts).astype(numpy.int64)
        return self.legal[numpy.arange(self.games), chosen]

    def save(self) -> Array:
        """Return all positions as an array with a row for each game."""
        return self._grid.copy()

    def load(self, positions: Array) -> None:
        """Go to positions that `save` gave here or in other games of the same kind.

        A row may repeat, to try several actions. Coming deals are not part of a position.
        """
        self._grid[:] = positions
        self.masks[:] = 0
        self._rows.go(self._sheet, self._none, AGAIN | LOOK)

    def _money(self, ended: Array) -> list[list[float]]:
        states = [self._rows.last_state(self._grid[game].tolist()) for game in ended]
        return [rewards(outcome(state), "money") for state in states]


def _check(
    ruleset: Ruleset, players: int, games: int, reward: str, bots: Sequence[str | None]
) -> None:
    if not ruleset.min_players <= players <= ruleset.max_players:
        raise EngineError(f"{players} players cannot play this ruleset")
    if not fits(ruleset):
        raise EngineError("the core knows no openings out of turn and no locked tricks")
    if games < 1:
        raise EngineError("games must be at least 1")
    if reward not in REWARDS:
        raise EngineError(f"there is no reward {reward[:40]!r}: choose {', '.join(REWARDS)}")
    if bots and (len(bots) != players or all(bots) or not {*POLICIES, None} >= {*bots}):
        known = ", ".join(POLICIES)
        raise EngineError(f"bots must name one of {known}, or None, for each seat, not for all")
