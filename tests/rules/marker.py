"""`@rule`: which sentences a test is the example of, and which flips must break it."""

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.rules.flip import Flip


@dataclass(frozen=True)
class RuleTest:
    """A test function with the sentences it cites and the flips that must make it fail."""

    function: Callable[[], None]
    cites: tuple[str, ...]
    flips: tuple[Flip, ...]

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def module(self) -> str:
        return self.function.__module__.rpartition(".")[2]


def rule(*cites: str, flip: Flip | list[Flip] | None = None) -> Callable:
    """Mark a test as the example of sentences; `flip` is options under which it must fail."""
    flips = () if flip is None else tuple(flip) if isinstance(flip, list) else (flip,)

    def mark(function: Callable[[], None]) -> Callable[[], None]:
        function.rule = RuleTest(function, cites, flips)
        return function

    return mark


@cache
def rule_tests() -> tuple[RuleTest, ...]:
    """Return all marked tests of this package, in the order of modules and lines."""
    return tuple(_collect())


def _collect() -> Iterator[RuleTest]:
    for info in pkgutil.iter_modules([str(Path(__file__).parent)]):
        if info.name.startswith("test_"):
            module = importlib.import_module(f"{__package__}.{info.name}")
            found = [value.rule for value in vars(module).values() if hasattr(value, "rule")]
            yield from (test for test in found if test.function.__module__ == module.__name__)


@cache
def examples_of() -> dict[str, tuple[RuleTest, ...]]:
    """Return the tests that cite each sentence id."""
    found: dict[str, list[RuleTest]] = {}
    for test in rule_tests():
        for id_ in test.cites:
            found.setdefault(id_, []).append(test)
    return {id_: tuple(tests) for id_, tests in found.items()}
