"""A worker that stores other results than its games had: for script/lab/kill-run alone."""

from __future__ import annotations

import dataclasses
import sys
from typing import Any

import django

from config.celery import app

django.setup()

from tables.runs import runs  # noqa: E402

play = runs.play


def lie(unit: Any, *logs: Any) -> Any:
    """Play the unit, and exchange the first two bots in what came of it."""
    block = play(unit, *logs)
    scores = [[b, a, *rest] for a, b, *rest in block.tally["deal_scores"]]
    return dataclasses.replace(
        block, tally=block.tally | {"deal_scores": scores}, digest=block.digest[::-1]
    )


if __name__ == "__main__":
    runs.play = lie
    app.worker_main(sys.argv[1:])
