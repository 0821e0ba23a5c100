"""Untrusted classes: `host.py` plays them as programs in the jail."""

import base64
import pickle
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engine.rules.actions import SeatAction
from engine.rules.observation import Observation

_HOST = Path(__file__).with_name("host.py")
_ENGINE = Path(__file__).resolve().parents[2] / "engine"
READ = (_HOST, _ENGINE)


def command(entry: str, folders: Sequence[Path]) -> tuple[str, ...]:
    """Return the command that plays a class from a module in one of the folders."""
    words = (str(_HOST), str(_ENGINE), entry, *map(str, folders))
    return (sys.executable, "-I", "-S", *words)


def question(observation: Observation, legal: Sequence[SeatAction]) -> dict[str, Any]:
    """Return a turn as the class expects it; pickles enter the jail and never leave it."""
    pickled = base64.b64encode(pickle.dumps((observation, tuple(legal)))).decode()
    return {"type": "turn", "pickled": pickled}
