"""Who last changed a draw and how, for users who acted on an older state of it."""

from django.utils import timezone
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _

from league.clubs.facts.people import name_of
from league.models import Audit, Event, Round
from league.models.days import day_of
from tables.refusals import Refusal

ACTIONS = ("draw.drafted", "draw.swapped", "draw.released", "draw.discarded")


def stale(event: Event, number: int) -> Refusal:
    """Return the refusal for an action on an outdated draw."""
    rounds = event.rounds.filter(number=number)
    if rounds.filter(status=Round.Status.DRAFT).exists():
        after = _("Nothing was changed. Check the tables as they are now.")
    elif rounds.exists():
        after = _("Nothing was changed. These are its tables.")
    else:
        after = _("Nothing was changed. Draw the tables here when you are ready.")
    change = last_change(event, number)
    return Refusal(f"{change} {after}".strip(), code="stale", status=409)


def gone(event: Event, number: int) -> str:
    """Return a sentence on who discarded or withdrew a missing draw; empty if it never existed."""
    return last_change(event, number) if _entry(event, number) else ""


def last_change(event: Event, number: int) -> str:
    """Return a sentence on the last change to this round's draw, else to any draw."""
    entry = _entry(event, number) or _entry(event)
    if entry is None:
        return ""
    words = {
        "draw.drafted": _("%(who)s drew the tables of round %(round)s at %(time)s."),
        "draw.swapped": _("%(who)s swapped two players in round %(round)s at %(time)s."),
        "draw.released": _("%(who)s released round %(round)s at %(time)s."),
        "draw.discarded": _("%(who)s discarded the draw of round %(round)s at %(time)s."),
    }
    at = timezone.localtime(entry.at)
    time = time_format(at, "H:i")
    if day_of(at, event.season.club.time_zone) != event.season.club.today:
        time = f"{time}, {date_format(at, 'SHORT_DATE_FORMAT')}"
    values = {
        "who": name_of(event.season.club_id, entry.by),
        "round": entry.data["round"],
        "time": time,
    }
    return words[entry.action] % values


def _entry(event: Event, number: int | None = None) -> Audit | None:
    found = Audit.objects.filter(event=event, action__in=ACTIONS).select_related("by")
    if number is not None:
        found = found.filter(data__round=number)
    return found.order_by("-pk").first()


def refuse_draft(event: Event) -> None:
    """Refuse while a draw is not released."""
    if event.rounds.filter(status=Round.Status.DRAFT).exists():
        raise Refusal(
            _("There is an unreleased draw. Release or discard it first."), code="draft", status=409
        )
