"""The segments of a club: its pages, in the same order everywhere."""

from django.urls import reverse
from django.utils.translation import pgettext

from league.base.page_parts import Tab
from league.models import Club


def of_club(club: Club, here: str) -> list[Tab]:
    """Return the club's four segments; `here` is the name of the current one's address."""
    found = {
        "club": pgettext("segment", "Home"),
        "club_season": pgettext("segment", "Season"),
        "players": pgettext("segment", "People"),
        "manage": pgettext("segment", "Manage"),
    }
    return [
        Tab(text, reverse(f"league:{name}", args=[club.slug]), name == here)
        for name, text in found.items()
    ]
