"""Tests of the seating search as long as a club's night does."""

import pytest

from tests.searches import AS_ALWAYS


@pytest.fixture(autouse=True)
def _as_long_as_always(monkeypatch: pytest.MonkeyPatch) -> None:
    for searches, name, exchanges in AS_ALWAYS:
        monkeypatch.setattr(searches, name, exchanges)
