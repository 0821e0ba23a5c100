"""What all tests share."""

from __future__ import annotations

import pytest
from django.utils import translation


@pytest.fixture(autouse=True)
def _room_for_many(settings):
    """All tests come from one address: the limits of addresses are tested by those who set them."""
    settings.TABLES_PER_ADDRESS = dict.fromkeys(settings.TABLES_PER_ADDRESS, (10**6, 60))


@pytest.fixture(autouse=True)
def _in_english():
    """A page that a test reads in another language leaves that language on for its thread."""
    with translation.override("en"):
        yield
