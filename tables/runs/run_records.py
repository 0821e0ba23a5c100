"""The game records of a run: its games are replayed, since only their results are stored.

Games of external programs are stored and read instead.
"""

import json
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

from django.db.models import F, QuerySet

from engine import bots as engine_bots
from engine.sim import designs, simulation
from engine.sim.faults import Conditions
from tables.base import rulesets
from tables.models import KeptGames, Run, Unit
from tables.programs.apart import play_apart


class OtherVersion(ValueError):
    """Raised if some bots are missing or have another version than in the run."""


def changed_bots(run: Run) -> list[str]:
    """Return the run's bots that are missing or have another version than the run froze."""
    changed = (bot["name"] for bot in run.bots if _version(bot["name"]) != bot["version"])
    return list(dict.fromkeys(changed))


def check_versions(run: Run) -> None:
    """Raise `OtherVersion` if a bot of the run is missing or has another version."""
    for bot in run.bots:
        name, here = bot["name"], _version(bot["name"])
        if here != bot["version"]:
            now = f"is version {here} here" if here is not None else "is not here"
            raise OtherVersion(f"{name} {now} and the run is of {bot['version']}")


def _version(name: str) -> int | None:
    try:
        return engine_bots.version_of(name)
    except (KeyError, engine_bots.PluggedError):
        return None


class RunGames:
    """The games of a run by deal and number, both from 0.

    All queries for those `deals` run at construction, so that any thread may use it. Raises
    `OtherVersion` if the games cannot be replayed.
    """

    def __init__(self, run: Run, deals: Sequence[int]) -> None:
        self.run = run
        self.ruleset = rulesets.thaw(run.ruleset)
        self.bots = [bot["name"] for bot in run.bots]
        self.entries = designs.entry_names(self.bots)
        self.count = designs.games_of_deal(len(self.bots), run.design)
        self.stored = self._stored_of(deals) if run.outside else {}
        if not run.outside:
            check_versions(run)

    def game(self, deal: int, number: int) -> dict[str, Any]:
        """Return the record of one game, with the entries' names."""
        run = self.run
        if run.outside:
            record = self.stored[deal][number]
        else:
            record = play_apart(
                self.bots,
                lambda guard, _alive: simulation.play_one(
                    self.ruleset, self.bots, run.seed, deal, number, run.design,
                    conditions=Conditions(substitute=run.substitute, guard=guard),
                ),
            )  # fmt: skip
        seating = simulation.seats(self.bots, run.seed, deal, number, run.design)
        return record | {"players": [self.entries[bot] for bot in seating]}

    def of_deal(self, deal: int) -> Iterator[dict[str, Any]]:
        """Yield the records of a deal's games; `event` numbers deal and game from 1."""
        for number in range(self.count):
            about = {"run": str(self.run.pk), "deal": deal + 1, "game": number + 1}
            yield self.game(deal, number) | {"event": about}

    def _stored_of(self, deals: Sequence[int]) -> dict[int, list[dict[str, Any]]]:
        if not deals:
            return {}
        stored = KeptGames.objects.filter(
            unit__run=self.run,
            unit__first_deal__lte=max(deals),
            unit__first_deal__gt=min(deals) - F("unit__deals"),
        ).select_related("unit")
        found: dict[int, list[dict[str, Any]]] = {}
        for one in stored:
            records = [json.loads(line) for line in zlib.decompress(one.body).splitlines()]
            for at in range(one.unit.deals):
                span = slice(at * self.count, (at + 1) * self.count)
                found[one.unit.first_deal + at] = records[span]
        return found


def game(run: Run, *, deal: int, rotation: int) -> dict[str, Any] | None:
    """Return the record of one game of a finished unit; `None` if there is no such game.

    `deal` and `rotation` count from 0. Raises `OtherVersion` as `RunGames` does.
    """
    games = designs.games_of_deal(len(run.bots), run.design)
    if not 0 <= rotation < games or not finished_deals(run, first_deal=deal, deals=1):
        return None
    return RunGames(run, [deal]).game(deal, rotation)


def finished_deals(run: Run, *, first_deal: int, deals: int) -> list[int]:
    """Return the numbers, from 0, of the finished deals in this range."""
    end = first_deal + deals
    done: QuerySet[Unit] = run.units.filter(state=Unit.State.DONE)
    units = done.alias(end=F("first_deal") + F("deals")).filter(
        first_deal__lt=end, end__gt=first_deal
    )
    spans = units.order_by("index").values_list("first_deal", "deals")
    return [
        deal
        for first, count in spans
        for deal in range(max(first, first_deal), min(first + count, end))
    ]
