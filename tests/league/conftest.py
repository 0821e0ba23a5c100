"""Worlds that tests of many rooms begin with."""

from league.models import Club, Event, Season, Sitting
from tests.factories import make_club, make_night, make_season, make_table
from tests.worlds import made_once


@made_once
def club() -> Club:
    return make_club()


@made_once
def season() -> Season:
    """An open season without nights."""
    return make_season()


@made_once
def night() -> Event:
    """A night with four people here and no draw."""
    return make_night()


@made_once
def sitting() -> Sitting:
    """A table of four without games."""
    return make_table()
