"""The consequences of a correction, in sentences for its author."""

from django.utils.translation import gettext as _

from league.models import Event, Sitting
from league.nights.facts import sittings, stages
from league.nights.pages.stage_page import sentence_of


def of_correction(event: Event, sitting: Sitting, game_no: int) -> list[str]:
    """Return how the correction changes who sits down next, or who would advance."""
    if event.is_floor:
        return [_at_the_table(sitting, game_no)]
    return [sentence_of(change) for change in stages.changes(event)]


def _at_the_table(sitting: Sitting, game_no: int) -> str:
    number = sittings.next_number(sitting)
    if number > game_no + 1:
        return _("Later games have been played at this table. They stay, and nobody changes seats.")
    names = [place.entrant.player.name for place in sittings.places_at(sitting, number)]
    return _("Next game: %(names)s.") % {"names": ", ".join(names)}
