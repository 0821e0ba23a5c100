"""Worlds that tests of tables share."""

import pytest
from django.core.cache import cache

from tables.base.fifo_cache import forget_all
from tables.models import Table
from tests.tables import live


@pytest.fixture(autouse=True)
def _fresh() -> None:
    """Nothing is remembered from the test before, whose keys are given anew."""
    forget_all()
    cache.clear()


@pytest.fixture
def table() -> Table:
    """Four guests, everybody with a suit; seat 0 leads with the 3 of spades."""
    return live.dealt(people=4, hands=live.HANDS)
