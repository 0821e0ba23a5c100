import pytest

from tables.base.fifo_cache import forget_all


@pytest.fixture(autouse=True)
def _fresh() -> None:
    """Nothing is remembered of the tables of the test before, whose keys are given anew."""
    forget_all()
