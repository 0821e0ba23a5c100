"""Revealing held results: place by place on the big screen, or all at once."""

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from league.base.acts import audit, locks
from league.models import Event, Result, Sitting
from league.nights.acts import tallies
from league.nights.facts import ceremony, draw_changes, missing_games
from tables.base.columns import set_columns
from tables.refusals import Refusal


@transaction.atomic
def reveal_next(*, event: Event, revealed: int, by: User) -> Event:
    """Reveal the next place, the last one first; the winner's also publishes all results.

    `revealed` is the number of places revealed when the organiser tapped: a second tap changes
    nothing.
    Refusal: `unfinished` while games are missing, `draft`, `nothing` where no results are held.
    """
    event = _entered(event)
    if revealed != event.told:
        return event
    if not event.told:
        draw_changes.refuse_draft(event)
        if missing := missing_games.unfinished_sittings(event):
            raise Refusal(
                _("Games are missing at: %(tables)s. Enter them before the ceremony."),
                code="unfinished",
                params={"tables": missing_games.named(missing)},
                status=409,
            )
    set_columns(event, told=event.told + 1)
    if event.told >= len(ceremony.steps(event)):
        _reveal_all(event, by)
    return event


@transaction.atomic
def reveal_all(*, event: Event, by: User, revealed: int | None = None) -> Event:
    """Publish all held results at once; games may still be missing.

    `revealed` as for `reveal_next`: it is refused (`stale`) once more places are revealed. None
    skips the check.
    """
    event = _entered(event)
    if revealed not in (None, event.told):
        raise Refusal(
            _("The ceremony has already begun. Nothing was revealed: continue place by place."),
            code="stale",
            status=409,
        )
    _reveal_all(event, by)
    return event


def _entered(event: Event) -> Event:
    """Return the locked event; refuse if it holds no results."""
    event = locks.event_to_change(event.pk)
    if not ceremony.is_waiting(event):
        raise Refusal(_("No results are kept back in this night."), code="nothing", status=409)
    return event


def _reveal_all(event: Event, by: User) -> None:
    """Publish the held results."""
    held = Result.objects.filter(sitting__round__event=event, held=True)
    tables = set(held.values_list("sitting_id", flat=True))
    games = held.update(current=True, held=False)
    tallies.rebuild(event)
    Sitting.objects.filter(pk__in=tables).update(version=F("version") + 1)
    set_columns(event, told_at=timezone.now())
    audit.log("event.told", by=by, event=event, games=games)
