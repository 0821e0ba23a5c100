"""What all tests share."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _room_for_many(settings):
    """All tests come from one address: the limits of addresses are tested by those who set them."""
    settings.TABLES_PER_ADDRESS = dict.fromkeys(settings.TABLES_PER_ADDRESS, (10**6, 60))
