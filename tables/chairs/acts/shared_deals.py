"""Deals with the same cards at several tables."""

from __future__ import annotations

import secrets

from tables.chairs.acts.seats import new_key
from tables.models import SharedDeals


def make() -> SharedDeals:
    """Return new deals, which no table has yet."""
    return SharedDeals.objects.create(key=new_key(), secret=secrets.token_hex(32))
