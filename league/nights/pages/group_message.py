"""The ready message for the club's group at each step of an open night."""

from django.utils.translation import gettext as _

from league.base.domain.grouped import grouped
from league.base.facts.next_nights import coming_at, when_and_where
from league.nights.facts.night import Night


def group_message(night: Night, address: str) -> str:
    """Return what the group wants to know now: the night and who comes, or the latest draw."""
    event, drawn = night.event, night.playing
    if drawn is None:
        coming = coming_at([event]).get(event.pk)
        lines = [f"{event.name}: {when_and_where(event, is_shared=True)}"]
        if coming:
            lines.append(_("Coming so far: %(n)s.") % {"n": coming})
        return "\n".join([*lines, address])
    title = _("%(night)s: round %(round)s") % {"night": event.name, "round": drawn.number}
    tables = grouped((place.sitting.table_no, place.entrant.player.name) for place in night.seats)
    text = _("Table %(table)s: %(names)s")
    lines = [text % {"table": no, "names": ", ".join(names)} for no, names in tables.items()]
    return "\n".join([title, *lines, address])
