"""Names of seasons: each once in a club."""

from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import Club
from tables.refusals import Refusal


def usual(club: Club) -> str:
    """Return the name offered for a season that begins today, with the calendar's year."""
    year = timezone.localdate(timezone=ZoneInfo(club.time_zone)).year
    return free(club, _("Season %(year)s") % {"year": year})


def free(club: Club, name: str) -> str:
    """Return the name, or with a number behind it the first that no season of the club has."""
    taken = {*club.seasons.filter(name__startswith=name[:70]).values_list("name", flat=True)}
    number, found = 1, name
    while found in taken:
        number += 1
        found = f"{name[:70]} ({number})"
    return found


def refuse_taken(club: Club, name: str) -> None:
    """Raise `Refusal` on `name` if a season of the club has it."""
    if club.seasons.filter(name=name).exists():
        raise Refusal(_("The club has a season of this name. Choose another."), field="name")
