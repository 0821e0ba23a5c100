"""The kernels as plain Python and as machine code made by numba, behind one face.

numba and numpy are imported by `compiled` alone, which `engine.core.store` calls in the processes
that asked for the core.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

from engine.core.kernels import (
    dice,
    foreseen,
    games,
    imagined,
    layout,
    matching,
    plan_layout,
    planned,
    plans,
    plays,
)

MODULES: tuple[ModuleType, ...] = (
    layout, plan_layout, dice, plays, matching, plans, planned, games, imagined, foreseen,
)  # fmt: skip
_ARRAY = "int64[::1]"
# What is called from outside; the rest is compiled into these.
ENTRIES = {
    "play_game": f"({_ARRAY}, {_ARRAY}, {_ARRAY})",
    "play_deals": f"({_ARRAY}, {_ARRAY}, {_ARRAY}, int64, int64, int64, int64)",
    "deal_games": f"({_ARRAY}, {_ARRAY}, {_ARRAY}, int64)",
    "list_plays": f"({_ARRAY}, {_ARRAY})",
    "seed_die": f"({_ARRAY}, int64, {_ARRAY}, int64, int64, int64)",
    "finish_round": f"({_ARRAY}, int64)",
    "imagine": f"({_ARRAY}, {_ARRAY}, {_ARRAY})",
    "imagine_all": f"({_ARRAY}, {_ARRAY}, {_ARRAY}, int64)",
    "foresee": f"({_ARRAY}, {_ARRAY}, {_ARRAY}, {_ARRAY})",
}
# Kernels that call themselves: their types cannot be found out.
RECURSIVE = {"least_cost": f"int64({_ARRAY}, {_ARRAY}, int64)"}
Numbers = Any  # A list of int, or a numpy array of int64.


class Core(NamedTuple):
    """The kernels that are called from outside, and the arrays that they take."""

    array: Callable[[Any], Numbers]
    blank: Callable[[int], Numbers]
    play_game: Callable[..., int]
    play_deals: Callable[..., int]
    deal_games: Callable[..., int]
    list_plays: Callable[..., int]
    seed_die: Callable[..., None]
    finish_round: Callable[..., None]
    imagine: Callable[..., int]
    imagine_all: Callable[..., int]
    foresee: Callable[..., int]


def plain(array: Callable[[Any], Numbers] = list) -> Core:
    """Return the kernels as plain Python: for tests, and to look into them."""
    names = _names()
    return Core(array, lambda size: array([0] * size), **_entries(names))


def compiled(folder: Path | None, **options: Any) -> Core:
    """Return the kernels as machine code, kept in the folder; raises what numba and disks raise."""
    import numba
    import numpy

    numba.config.CACHE_DIR = str(folder or "")  # type: ignore[attr-defined]
    names = _names()
    jit = functools.partial(numba.njit, nogil=True, error_model="numpy", **options)
    for name, kernel in list(names.items()):
        if isinstance(kernel, FunctionType):
            # A twin that calls the compiled kernels: the module's own calls the plain ones.
            twin = FunctionType(kernel.__code__, names, name)
            signature = RECURSIVE.get(name)
            kept = folder is not None and (name in ENTRIES or signature is not None)
            names[name] = jit(signature, cache=kept)(twin) if signature else jit(cache=kept)(twin)
    for name, signature in ENTRIES.items():
        names[name].compile(signature)
    return Core(
        lambda values: numpy.array(values, numpy.int64),
        lambda size: numpy.zeros(size, numpy.int64),
        **_entries(names),
    )


def _entries(names: dict[str, Any]) -> dict[str, Any]:
    return {name: names[name] for name in ENTRIES}


def _names() -> dict[str, Any]:
    """Return all names of the kernels' modules; each stands for one thing in all of them."""
    names: dict[str, Any] = {"__name__": __name__}
    for module in MODULES:
        names |= {name: value for name, value in vars(module).items() if not name.startswith("__")}
    return names
