"""A data set of games, with every ruleset and several line-ups of bots, and its baselines."""

import gzip
import hashlib
import json
from collections.abc import Callable
from math import isfinite
from pathlib import Path
from typing import Any

from ..rules.errors import EngineError
from ..rules.ruleset import Ruleset, preset, preset_keys
from .command import Sums
from .designs import games_of_deal
from .faults import Conditions
from .simulation import play_block

LINE_UPS = (
    ("planner", "greedy", "lowest", "random"),
    ("planner", "planner", "greedy", "greedy"),
    ("planner", "planner", "planner", "planner"),
)
"""Line-ups of bots; if fewer than four may play, the last are left out."""
_DESIGN = "rotations"
_DEALS_A_BLOCK = 5


def write(
    folder: Path, games: int, seed: str, after_block: Callable[[int], None] = lambda _done: None
) -> dict[str, Any]:
    """Write `records.jsonl.gz` and `baselines.json` into a folder; return the baselines.

    There are at least `games` games, equally many for every ruleset and line-up; equal seeds write
    equal lines.
    """
    if games < 1:
        raise EngineError("games must be at least 1")
    folder.mkdir(parents=True, exist_ok=True)
    line_ups = [(key, line_up) for key in preset_keys() for line_up in LINE_UPS]
    digest = hashlib.sha256()
    baselines: list[dict[str, Any]] = []
    done = 0
    path = folder / "records.jsonl.gz"
    # The header has no name and no time, so that equal games are equal bytes.
    with path.open("wb") as raw, gzip.GzipFile("", "wb", mtime=0, fileobj=raw) as file:
        for key, line_up in line_ups:
            ruleset = preset(key)
            bots = list(line_up[: min(len(line_up), ruleset.max_players)])
            each = games_of_deal(len(bots), _DESIGN)
            deals = -(-games // (len(line_ups) * each))
            sums = Sums(len(bots))
            for first in range(0, deals, _DEALS_A_BLOCK):
                some = min(_DEALS_A_BLOCK, deals - first)
                for line in _lines(ruleset, bots, f"{seed}|{key}", first, some, sums):
                    file.write(line)
                    digest.update(line)
                    done += 1
                after_block(done)
            baselines.append({"ruleset": key, "deals": deals, "bots": _baseline(bots, sums)})
    found = {
        "games": done, "seed": seed, "design": _DESIGN, "sha256": digest.hexdigest(),
        "baselines": baselines,
    }  # fmt: skip
    text = json.dumps(found, ensure_ascii=False, indent=1)
    (folder / "baselines.json").write_text(text + "\n", encoding="utf-8")
    return found


def _lines(
    ruleset: Ruleset, bots: list[str], seed: str, first: int, deals: int, sums: Sums
) -> list[bytes]:
    block = play_block(ruleset, bots, seed, first, deals, _DESIGN, conditions=Conditions(keep=True))
    sums.add(block)
    return [
        json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        for record in block.records
    ]


def _baseline(bots: list[str], sums: Sums) -> list[dict[str, Any]]:
    """Return each bot's games by rank, mean points with the 95% margin, and money."""
    return [
        {
            "bot": bots[result.bot],
            "ranks": list(result.ranks),
            "points": round(result.points, 4),
            "margin": round(result.margin, 4) if isfinite(result.margin) else None,
            "net": result.net,
        }
        for result in sums.standings()
    ]
