"""Names of seasons: each once in a club."""

from django.utils.translation import gettext as _

from league.models import Club
from tables.refusals import Refusal


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
