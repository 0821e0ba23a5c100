"""A worker on a machine of its own that stores other results than its games had, for kill-run."""

from __future__ import annotations

import dataclasses
import os
import sys
from typing import Any

import django

from config.celery import app

os.environ["TABLES_MACHINE"] = "liar"
django.setup()

from tables.runs import runs  # noqa: E402

play = runs.play_on


def lie(unit: Any) -> Any:
    """Play the unit, and exchange the first two bots in what came of it."""
    block = play(unit)
    scores = [[b, a, *rest] for a, b, *rest in block.tally["deal_scores"]]
    return dataclasses.replace(
        block, tally=block.tally | {"deal_scores": scores}, digest=block.digest[::-1]
    )


if __name__ == "__main__":
    runs.play_on = lie
    app.worker_main(sys.argv[1:])
