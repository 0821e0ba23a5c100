"""The same cards, draws and delays in every run of a test: what chance decides follows its name.

Tables, deals, bots and draws take their bits from the `secrets` module. A test that met a rare
deal once would fail once and never again; so each test has its own fixed source instead. Property
tests search the same examples each time, a third as many as with `script/test --long`, which
searches new ones.
"""

import random
import string
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from types import ModuleType

import pytest
from hypothesis import settings

DRAWS = "league.nights.acts.draws"
"""Seeds of draws are the same in every test: the plan of a seed is searched once."""
DRAWN_BY_CHANCE = (
    "tables.base.tokens.secrets",
    "tables.chairs.acts.seats.secrets",
    "tables.bots.facts.autopilot.secrets",
    "tables.runs.runs.secrets",
    f"{DRAWS}.secrets",
    "tables.play.acts.clocks._random",
)


class Chance(random.Random):
    """The part of `secrets` that the product uses, from a seed."""

    def randbits(self, count: int) -> int:
        return self.getrandbits(count)

    def randbelow(self, limit: int) -> int:
        return self.randrange(limit)

    def token_hex(self, size: int) -> str:
        return self.randbytes(size).hex()

    def token_urlsafe(self, size: int) -> str:
        return "".join(self.choices(string.ascii_letters + string.digits, k=size * 4 // 3))


@contextmanager
def chance_of(name: str) -> Iterator[Chance]:
    """All that the product draws by chance comes from one source, which follows this name."""
    source = Chance(name)
    with pytest.MonkeyPatch.context() as patch:
        for module, attribute in places():
            own = Chance("seeds") if module.__name__ == DRAWS else source
            patch.setattr(module, attribute, own)
        yield source


@cache
def places() -> list[tuple[ModuleType, str]]:
    """Return what to replace in which modules: finding them takes longer than many tests."""
    found = [place.rpartition(".") for place in DRAWN_BY_CHANCE]
    return [(import_module(module), attribute) for module, _dot, attribute in found]


@pytest.fixture(autouse=True)
def chance(request: pytest.FixtureRequest) -> Iterator[Chance]:
    """The source of this test's chance."""
    with chance_of(request.node.nodeid) as source:
        yield source


def pytest_configure(config: pytest.Config) -> None:
    long = config.getoption("--long")
    # A busy machine is slow, not wrong: no deadline.
    settings.register_profile(
        "tests", deadline=None, derandomize=not long, max_examples=100 if long else 33
    )
    settings.load_profile("tests")


def examples(most: int) -> int:
    """How many examples a property test with its own number searches now."""
    return most if settings().max_examples == 100 else most // 3
