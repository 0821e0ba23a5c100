"""The kernels in every form that they run in."""

from functools import cache
from importlib.util import find_spec

import pytest

from engine.bots.master import MasterBot
from engine.core.compiled import MODULES, machine_code, on_arrays, plain


class Opinionated(MasterBot):
    """A master that imagines nothing: the network alone."""

    style = MasterBot.style._replace(rounds=())


class Watched(list):
    """A list that refuses indices below 0: compiled kernels must never come up with them."""

    def __getitem__(self, at):
        if not isinstance(at, slice) and at < 0:
            raise IndexError(at)
        return super().__getitem__(at)

    def __setitem__(self, at, value):
        if isinstance(at, slice):
            assert 0 <= at.start <= at.stop <= len(self)
            assert at.stop - at.start == len(value)
        elif at < 0:
            raise IndexError(at)
        super().__setitem__(at, value)


@cache
def checked():
    """Machine code that looks whether an index is inside its array.

    Not optimised, which would double its time: test_store makes what is shipped.
    """
    import numba

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NUMBA_OPT", "0")
        numba.core.config.reload_config()
        return on_arrays(machine_code(MODULES, None, boundscheck=True))


CORES = {"plain": lambda: plain(Watched)}
FORMS = ["plain"]
if find_spec("numba"):
    CORES["checked"] = checked
    # Compiling takes as long as a whole room's tests, and kernels hardly ever change.
    FORMS.append(pytest.param("checked", marks=pytest.mark.long))
