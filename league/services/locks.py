"""Rows that one change at a time may lock, in this order everywhere: the season, its events by
their keys, the club, what belongs to the club.

Two changes of a row wait for each other; rows that only refer to it are written meanwhile. That is
why no lock here is one for keys, and why each takes one row and none of those joined to it.
"""

from __future__ import annotations

from league.models import Club, Event, Season


def season(pk: int) -> Season:
    """The season with its club, open or closed, locked until the transaction ends."""
    rows = Season.objects.select_for_update(of=("self",), no_key=True)
    return rows.select_related("club").get(pk=pk)


def event(pk: int) -> Event:
    """The event with its season, club and rules, open or closed, locked until then."""
    rows = Event.objects.select_for_update(of=("self",), no_key=True)
    return rows.select_related("season__club", "ruleset").get(pk=pk)


def club(pk: int) -> Club:
    """The club, locked until then: names, roles and rules of its own change one at a time."""
    return Club.objects.select_for_update(no_key=True).get(pk=pk)
