"""The games of a run as records: played anew, since only their results are kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import F, QuerySet

from engine import designs, simulation
from tables.models import Run, Unit
from tables.services import rulesets


class Games:
    """The games of a run by deal and number, both from 0; nothing of it asks the database."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.ruleset = rulesets.thaw(run.ruleset)
        self.bots = [bot["name"] for bot in run.bots]
        self.entries = designs.entry_names(self.bots)

    def game(self, deal: int, number: int) -> dict[str, Any]:
        """The record of one game, with a name for each entry."""
        run = self.run
        record = simulation.play_one(self.ruleset, self.bots, run.seed, deal, number, run.design)
        seating = simulation.seats(self.bots, run.seed, deal, number, run.design)
        return record | {"players": [self.entries[bot] for bot in seating]}

    def of_deal(self, deal: int) -> Iterator[dict[str, Any]]:
        """The records of a deal's games; `event` says which they are, counted from 1."""
        for number in range(designs.games_of_deal(len(self.bots), self.run.design)):
            about = {"run": str(self.run.pk), "deal": deal + 1, "game": number + 1}
            yield self.game(deal, number) | {"event": about}


def game(run: Run, *, deal: int, rotation: int) -> dict[str, Any] | None:
    """The record of one game of a finished unit; None for a game that is not there.

    `deal` and `rotation` count from 0.
    """
    games = designs.games_of_deal(len(run.bots), run.design)
    if not 0 <= rotation < games or not finished_deals(run, first_deal=deal, deals=1):
        return None
    return Games(run).game(deal, rotation)


def finished_deals(run: Run, *, first_deal: int, deals: int) -> list[int]:
    """The numbers, from 0, of the finished deals among these."""
    end = first_deal + deals
    done: QuerySet[Unit] = run.units.filter(state=Unit.State.DONE)
    units = done.filter(first_deal__lt=end, first_deal__gt=first_deal - F("deals"))
    spans = units.order_by("index").values_list("first_deal", "deals")
    return [
        deal
        for first, count in spans
        for deal in range(max(first, first_deal), min(first + count, end))
    ]
