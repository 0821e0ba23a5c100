"""The five doors of the product, which the frame of every page shows, and a club's segments."""

import re

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.base.page_parts import Tab
from league.models import Club

_BOTS = re.compile(r"/bots/|/clubs/[^/]+/(arena|seasons/\d+/(bots|leagues))/")
_TONIGHT = re.compile(r"/$|/clubs/(tonight/|[^/]+/events/|~)")
_BEHIND = (
    (_BOTS, "bots"),
    (_TONIGHT, "tonight"),
    (re.compile(r"/clubs/|/search/"), "club"),
    (re.compile(r"/tables/|/learn/|/rules/|/records/"), "play"),
    (re.compile(r"/people/|/accounts/|/help/"), "me"),
)


def doors_of(path: str) -> list[Tab]:
    """Return the doors; `is_here` marks the one that the page at this path lies behind."""
    here = next((name for pattern, name in _BEHIND if pattern.match(path)), "")
    found = (
        ("tonight", _("Tonight"), reverse("home"), "moon"),
        ("club", _("Club"), reverse("league:club_list"), "people"),
        ("play", _("Play"), reverse("tables:lobby"), "cards"),
        ("bots", _("Bots"), reverse("bots"), "bot"),
        ("me", _("Me"), reverse("me"), "user"),
    )
    return [Tab(text, address, name == here, icon=icon) for name, text, address, icon in found]


def segments_of(club: Club, here: str, *, manages: bool) -> list[Tab]:
    """Return the club's four segments; `here` is the name of the current one's address.

    The last has another name for a reader who does not manage the club.
    """
    found = {
        "club": pgettext("segment", "Home"),
        "club_season": pgettext("segment", "Season"),
        "players": pgettext("segment", "People"),
        "manage": pgettext("segment", "Manage") if manages else pgettext("segment", "More"),
    }
    return [
        Tab(text, reverse(f"league:{name}", args=[club.slug]), name == here)
        for name, text in found.items()
    ]
