"""The kernels as plain Python and as machine code made by numba, behind one interface.

numba and numpy are imported only when `compiled` runs: `engine.core.store` calls it in the
processes that asked for the core.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

from .kernels import (
    abreast,
    dice,
    explained,
    foreseen,
    games,
    imagined,
    inputs,
    judged,
    layout,
    matching,
    mind_layout,
    opinions,
    past_layout,
    plan_layout,
    planned,
    plans,
    plays,
)
from .mind import INSTEAD, Mind

MODULES: tuple[ModuleType, ...] = (
    layout, plan_layout, mind_layout, past_layout, dice, plays, matching, plans, planned, games,
    imagined, inputs, opinions, explained, foreseen, judged, abreast,
)  # fmt: skip
_ARRAY = "int64[::1]"
_SHORT = "int32[::1]"
_BYTES = "int8[::1]"
# The kernels called from outside; all others are compiled into them. An entry precedes the entries
# that call it: compiled on a caller's behalf it would be cached differently, and the first process
# to load it would compile it again.
ENTRIES = {
    "list_plays": f"({_ARRAY}, {_ARRAY})",
    "seed_die": f"({_ARRAY}, int64, {_ARRAY}, int64, int64, int64)",
    "finish_round": f"({_ARRAY}, int64)",
    "regret": f"({', '.join(4 * [_ARRAY])}, int64, int64, int64)",
    "play_game": f"({_ARRAY}, {_ARRAY}, {_ARRAY})",
    "seed_deals": f"({_ARRAY}, {_ARRAY}, int64, int64, int64, int64)",
    "play_deals": f"({_ARRAY}, {_ARRAY}, {_ARRAY}, int64, int64, int64, int64)",
    "deal_games": f"({_ARRAY}, {_ARRAY}, {_ARRAY}, int64)",
    "imagine": f"({_ARRAY}, {_ARRAY}, {_ARRAY})",
    "step_games": f"({', '.join(6 * [_ARRAY] + 2 * [_BYTES])}, int64)",
    "foresee": f"({', '.join(5 * [_ARRAY] + 2 * [_SHORT] + [_ARRAY])})",
    "judge": f"({', '.join(5 * [_ARRAY] + 2 * [_SHORT] + 3 * [_ARRAY])})",
}
# The installed package compiles it with the others, the product only if it is ever called.
_FOR_LEARNERS = "step_games"
# Recursive kernels: numba cannot infer their types.
RECURSIVE = {"least_cost": f"int64({_ARRAY}, {_ARRAY}, int64)"}
Numbers = Any  # A list of int, or a numpy array of int64.


class Core(NamedTuple):
    """The kernels that are called from outside, and the constructors of their arrays."""

    array: Callable[[Any], Numbers]
    blank: Callable[[int], Numbers]
    bytes: Callable[[int], Numbers]
    mind: Callable[[Mind], Any]
    sums: Callable[[], Any]
    play_game: Callable[..., int]
    seed_deals: Callable[..., None]
    play_deals: Callable[..., int]
    deal_games: Callable[..., int]
    list_plays: Callable[..., int]
    seed_die: Callable[..., None]
    finish_round: Callable[..., None]
    imagine: Callable[..., int]
    step_games: Callable[..., int]
    foresee: Callable[..., int]
    judge: Callable[..., int]
    regret: Callable[..., int]


def plain(array: Callable[[Any], Numbers] = list) -> Core:
    """Return the kernels as plain Python: for tests, debugging, and the master without a core."""
    names = _twins(MODULES, lambda _name, twin: twin)
    names |= INSTEAD
    return Core(
        array, lambda size: array([0] * size), lambda size: array([0] * size), lambda mind: mind,
        lambda: [0], **_entries(names),
    )  # fmt: skip


def compiled(folder: Path | None, **options: Any) -> Core:
    """Return the kernels as machine code cached in `folder`; numba's and disk errors propagate."""
    import numpy

    names = machine_code(MODULES, folder, **options)
    for name, signature in ENTRIES.items():
        if name != _FOR_LEARNERS or not __name__.startswith("engine."):
            names[name].compile(signature)
    return Core(
        lambda values: numpy.array(values, numpy.int64),
        lambda size: numpy.zeros(size, numpy.int64),
        lambda size: numpy.zeros(size, numpy.int8),
        lambda mind: numpy.array(mind.numbers, numpy.int32),
        lambda: numpy.zeros(mind_layout.SUMS_OF_MIND, numpy.int32),
        **_entries(names),
    )


def machine_code(
    modules: Iterable[ModuleType], folder: Path | None, **options: Any
) -> dict[str, Any]:
    """Return all names of some modules, their functions compiled when they are first called.

    The entries and the recursive kernels are cached in the folder.
    """
    import numba

    numba.config.CACHE_DIR = str(folder or "")  # type: ignore[attr-defined]
    jit = functools.partial(numba.njit, nogil=True, error_model="numpy", **options)

    def compile_twin(name: str, twin: FunctionType) -> Any:
        signature = RECURSIVE.get(name)
        kept = folder is not None and (name in ENTRIES or signature is not None)
        return jit(signature, cache=kept)(twin) if signature else jit(cache=kept)(twin)

    return _twins(modules, compile_twin)


def _twins(
    modules: Iterable[ModuleType], made: Callable[[str, FunctionType], Any]
) -> dict[str, Any]:
    """Return all names of the kernels' modules; a name means the same in all of them.

    `made` gets a copy of each function whose calls resolve in this namespace: the modules' own
    functions call the uncompiled ones.
    """
    names: dict[str, Any] = {"__name__": __name__}
    for module in modules:
        names |= {name: value for name, value in vars(module).items() if not name.startswith("__")}
    for name, kernel in list(names.items()):
        if isinstance(kernel, FunctionType):
            names[name] = made(name, FunctionType(kernel.__code__, names, name))
    return names


def _entries(names: dict[str, Any]) -> dict[str, Any]:
    return {name: names[name] for name in ENTRIES}
