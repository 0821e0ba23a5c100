"""What a network that has learnt from games against itself thinks of plays."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import exp
from pathlib import Path

from engine.bots.belief import Reading
from engine.bots.candidates import Candidate
from engine.bots.features import CARDS, INPUTS, SEATS, Columns, Outlook
from engine.bots.network import Network
from engine.rules.observation import Observation

SHIPPED = Path(__file__).parent / "data" / "master.net"
WORTH = (0.6, 0.25, 0.15)
"""What it is worth to be first, to be among the first two, among the first three; as it learnt."""
_FIRST = 600
"""A first place in hundredths of a turn, a turn being worth half a place (engine.bots.search)."""


@lru_cache(maxsize=1)
def shipped_network() -> tuple[Network, Columns]:
    """Return the network that this version ships."""
    network = Network(SHIPPED, INPUTS)
    return network, Columns(network)


def is_learnt(observation: Observation) -> bool:
    """Tell whether the network has learnt games of this kind: one deck, and a pass locks out."""
    ruleset, players = observation.ruleset, observation.players
    if players > SEATS or ruleset.decks_for(players) > 1 or ruleset.cards_for(players) > CARDS:
        return False
    return ruleset.pass_locks and not observation.opening


def weigh_again(
    candidates: Iterable[Candidate], observation: Observation, reading: Reading
) -> list[Candidate]:
    """Return candidates with the network's score instead of the planner's, best first."""
    network, columns = shipped_network()
    outlook = Outlook(observation, reading, columns)

    def score(candidate: Candidate) -> int:
        opinions = network.opinions(outlook.after(candidate))
        chances = [1 / (1 + exp(-opinion)) for opinion in opinions]
        return round(_FIRST * sum([w * x for w, x in zip(WORTH, chances, strict=True)]))

    found = [candidate._replace(score=score(candidate)) for candidate in candidates]
    return sorted(found, key=lambda c: (-c.score, c.action.cards))
