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
# The kernels called from outside; all others are compiled into them.
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
    "step_games": f"({', '.join(6 * [_ARRAY] + 2 * [_BYTES])}, int64, int64)",
    "foresee": f"({', '.join(5 * [_ARRAY] + 2 * [_SHORT] + [_ARRAY])})",
    "judge": f"({', '.join(5 * [_ARRAY] + 2 * [_SHORT] + 3 * [_ARRAY])})",
}
# The installed package compiles it with the others, the product only if it is ever called.
_FOR_LEARNERS = "step_games"
# Recursive kernels: numba cannot infer their types.
RECURSIVE = {"least_cost": f"int64({_ARRAY}, {_ARRAY}, int64)"}
# The kernels of one turn, copied into their callers: a sixth of a game's time, for a fifth more to
# compile. All the others together gain a twentieth more, for twice that.
INLINED = {
    "play_game", "list_plays", "list_leads", "list_answers", "list_suited_answers", "add_shape",
    "add_chops", "add_group", "keep_allowed", "keep_matching", "keep_unrestricted", "forms",
    "follows", "choose_play", "take_turn", "put_down", "next_turn", "_log_turn",
}  # fmt: skip
_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
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


def compiled(folder: Path | None) -> Core:
    """Return the kernels as machine code cached in `folder`; numba's and disk errors propagate.

    Between kernels an array is a pointer. As an array numba would count its references at each
    call, pass it as seven numbers, and check the sign of each index.
    """
    import numba

    kernels = machine_code(MODULES, folder, are_pointers=True)
    pointers = _pointers()
    entries = {}
    for name, signature in ENTRIES.items():
        entry = _entry(name, {"__name__": __name__, "kernel": kernels[name], "pointers": pointers})
        entries[name] = numba.njit(cache=folder is not None, **_OPTIONS)(entry)
        if name != _FOR_LEARNERS or not __name__.startswith("engine."):
            entries[name].compile(signature)
    return on_arrays(entries)


def on_arrays(entries: dict[str, Any]) -> Core:
    """Return a core of these entries, with numpy's arrays."""
    import numpy

    return Core(
        lambda values: numpy.array(values, numpy.int64),
        lambda size: numpy.zeros(size, numpy.int64),
        lambda size: numpy.zeros(size, numpy.int8),
        lambda mind: numpy.array(mind.numbers, numpy.int32),
        lambda: numpy.zeros(mind_layout.SUMS_OF_MIND, numpy.int32),
        **_entries(entries),
    )


def _entry(name: str, names: dict[str, Any]) -> Any:
    """Return a function that calls a kernel with pointers in place of its arrays."""
    code = names["kernel"].py_func.__code__
    given = ", ".join(code.co_varnames[: code.co_argcount])
    body = f"def {name}({given}): return kernel(*pointers(({given},)))"
    exec(compile(body, __file__, "exec"), names)  # numba caches by this file's name.
    return names[name]


def machine_code(
    modules: Iterable[ModuleType],
    folder: Path | None,
    *,
    are_pointers: bool = False,
    **options: Any,
) -> dict[str, Any]:
    """Return all names of some modules, their functions compiled when they are first called.

    The recursive kernels are compiled now, and cached in the folder.
    """
    import numba

    numba.config.CACHE_DIR = str(folder or "")  # type: ignore[attr-defined]
    jit = functools.partial(numba.njit, **_OPTIONS, **options)

    def compile_twin(name: str, twin: FunctionType) -> Any:
        if name not in RECURSIVE:
            return jit(twin, forceinline=name in INLINED)
        types = RECURSIVE[name]
        if are_pointers:
            types = types.replace(_ARRAY, "CPointer(int64)")
        return jit(types, cache=folder is not None)(twin)

    return _twins(modules, compile_twin)


def _pointers() -> Any:
    """Return the intrinsic that puts pointers to their numbers in place of a tuple's arrays."""
    from numba import types
    from numba.extending import intrinsic

    @intrinsic
    def pointers(_context: Any, given: Any) -> Any:
        kinds = [
            types.CPointer(kind.dtype)  # type: ignore[no-untyped-call]
            if isinstance(kind, types.Array)
            else kind
            for kind in given
        ]

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            found = []
            for at, kind in enumerate(given):
                value = builder.extract_value(values[0], at)
                if isinstance(kind, types.Array):
                    value = context.make_array(kind)(context, builder, value).data
                found.append(value)
            return context.make_tuple(builder, signature.return_type, found)

        return types.Tuple(kinds)(given), generate  # type: ignore[no-untyped-call]

    return pointers


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
