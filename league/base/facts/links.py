"""Working links of a night: its own, and those of its tables."""

from django.db.models import Q

from league.models import Event, Link, Sitting
from league.models.link import LinkQuerySet


def of_tables(event: Event) -> dict[int, Link]:
    """Return the working links of the event's tables by table number."""
    found: dict[int, Link] = {}
    for link in for_tables(event).alive().select_related("sitting").order_by("pk"):
        number = link.sitting.table_no if link.sitting else link.table_no
        if number is not None:
            found[number] = link
    return found


def of_table(sitting: Sitting) -> Link | None:
    """Return the link that opens this table in every round."""
    return for_tables(sitting.round.event, sitting.table_no).alive().order_by("-pk").first()


def for_tables(event: Event, table_no: int | None = None) -> LinkQuerySet:
    """Return the links of the event's tables, or of the table with that number.

    Revoked and expired links are included.
    """
    own, older = Q(event=event), Q(sitting__round__event=event)
    if table_no is not None:
        own, older = own & Q(table_no=table_no), older & Q(sitting__table_no=table_no)
    return Link.objects.filter(own | older, purpose=Link.Purpose.TABLE)


def of_night(event: Event) -> Link | None:
    """Return the night's one working link, for the group, the door and the tables."""
    return Link.objects.alive().filter(event=event, purpose=Link.Purpose.NIGHT).first()
