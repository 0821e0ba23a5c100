"""The ready message for the club's group at each step of an open night."""

from django.utils.translation import gettext as _

from league.base.facts.next_nights import coming_at, when_of
from league.models import Event, Place, Round


def group_message(event: Event, address: str) -> str:
    """Return what the group wants to know now: the night and who comes, or the latest draw."""
    drawn = event.rounds.filter(status=Round.Status.RELEASED).order_by("-number").first()
    if drawn is None:
        coming = coming_at([event]).get(event.pk)
        lines = [f"{event.name}: {when_of(event, is_shared=True)}"]
        if coming:
            lines.append(_("Coming so far: %(n)s.") % {"n": coming})
        return "\n".join([*lines, address])
    title = _("%(night)s: round %(round)s") % {"night": event.name, "round": drawn.number}
    places = Place.objects.filter(round=drawn, to_game=None).order_by("sitting__table_no", "seat")
    tables: dict[int, list[str]] = {}
    for place in places.select_related("sitting", "entrant__player"):
        tables.setdefault(place.sitting.table_no, []).append(place.entrant.player.name)
    text = _("Table %(table)s: %(names)s")
    lines = [text % {"table": no, "names": ", ".join(names)} for no, names in tables.items()]
    return "\n".join([title, *lines, address])
