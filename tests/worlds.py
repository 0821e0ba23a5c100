"""Worlds that a module's tests share: made once, and found by each test as they were made."""

import inspect
import sys
from collections.abc import Callable, Iterator
from copy import deepcopy
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.db import connection

from tables.base.fifo_cache import forget_all


def made_once(make: Callable[..., Any]) -> Any:
    """Return a fixture of what `make` returns, with rows that are made once a module.

    Each test has its own transaction and a deep copy of the objects. The caches are emptied,
    because keys and versions repeat. `make` may ask for other fixtures that are made once. Tests
    with real transactions can use none of them.
    """
    stored = _stored(make.__name__)
    asked = {_stored(name): name for name in inspect.signature(make).parameters}

    def once(kept: None, **given: Any) -> Any:
        made = make(**{asked[name]: value for name, value in given.items()})
        connection.check_constraints()  # What waits for the end of a transaction, once for all.
        return made

    def fixture(**given: Any) -> Any:
        forget_all()
        cache.clear()
        return deepcopy(given[stored])

    fixture.__doc__ = make.__doc__
    module = sys._getframe(1).f_globals
    module[stored] = pytest.fixture(scope="module", name=stored)(_asking(once, "kept", *asked))
    # Asked for by name, so that the rows are made before the first test's transaction begins.
    return pytest.fixture(name=make.__name__)(_asking(fixture, stored, "db"))


def lived_from(moment: str) -> Any:
    """Return a fixture by which a module's tests, and its worlds, live from this moment on.

    Neither PostgreSQL's clock nor other processes follow.
    """
    return _lived(lambda: moment)


def lived_at(hour: int) -> Any:
    """Return a fixture as `lived_from`, from this hour (UTC) of the day that it is.

    For tests of what PostgreSQL's clock decides, which is less than a day away.
    """
    return _lived(lambda: datetime.now(UTC).replace(hour=hour, minute=0))


def _lived(moment: Callable[[], datetime | str]) -> Any:
    def lived() -> Iterator[None]:
        with time_machine.travel(moment()):
            yield

    # Fixtures that ask for themselves come first: `kept` makes the module's worlds later.
    return pytest.fixture(scope="module", autouse=True)(lived)


def _stored(name: str) -> str:
    return f"_made_{name}"


def _asking(function: Callable[..., Any], *fixtures: str) -> Callable[..., Any]:
    """Return the function with the parameters by which pytest gives it fixtures."""
    parameters = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in fixtures]
    function.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return function
