"""Changing a draft by hand: swapping two entrants, and the cost in quality."""

from collections.abc import Callable
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from league import seating
from league.base.acts import audit, locks
from league.models import Bye, Event, Place, Round
from league.nights.acts import draws
from league.nights.facts import draw_changes
from league.nights.facts.persons import as_persons, persons
from tables.refusals import Refusal


@dataclass(frozen=True)
class Cost:
    """A draft's quality before and after a swap."""

    before: seating.RoundQuality
    after: seating.RoundQuality


def cost(*, round_: Round, a: int, b: int) -> Cost:
    """Return a draft's quality before and after swapping two entrants."""
    tables = draws.tables_of(round_)
    _check(round_, tables, a, b)
    measure = _measure(round_.event, round_)
    return Cost(measure(tables), measure(as_persons(tables, {a: b, b: a})))


@transaction.atomic
def swap(*, round_: Round, a: int, b: int, by: User, version: int | None = None) -> Round:
    """Swap two entrants of the draft; one of them may be sitting out.

    `version` is the draft's as the caller saw it. Refusal: `stale` when it is gone or changed
    since, `players` when they are not two of the draw.
    """
    event = locks.event_to_change(round_.event_id)
    draft = event.rounds.filter(pk=round_.pk, status=Round.Status.DRAFT).first()
    if draft is None or version not in (None, draft.version):
        raise draw_changes.stale(event, round_.number)
    tables = draws.tables_of(draft)
    _check(draft, tables, a, b)
    _exchange_rows(draft, a, b)
    exchanged = {a: b, b: a}
    after = _measure(event, draft)(as_persons(tables, exchanged))
    draft.quality, draft.version = after.as_dict(), event.version
    draft.settings = {**draft.settings, "swaps": [*draft.settings.get("swaps", []), [a, b]]}
    for pool in draft.settings.get("pools", ()):  # One that has both stays as it is.
        [pool["members"]] = as_persons([pool["members"]], exchanged)
    draft.save(update_fields=["quality", "settings", "version"])
    audit.log("draw.swapped", by=by, event=event, round=draft.number, a=a, b=b)
    return draft


def _check(round_: Round, tables: list[list[int]], a: int, b: int) -> None:
    resting = set(round_.byes.values_list("entrant_id", flat=True))
    seated = {entrant for table in tables for entrant in table}
    if a == b or not {a, b} <= seated | resting or {a, b} <= resting:
        raise Refusal(
            _("Choose two different players, at least one of them at a table."),
            code="players",
        )


def _measure(event: Event, round_: Round) -> Callable[[list[list[int]]], seating.RoundQuality]:
    earlier = event.rounds.filter(number__lt=round_.number).prefetch_related("sittings__places")
    names = persons(event)
    history = [as_persons(draws.tables_of(each), names) for each in earlier]

    def measured(tables: list[list[int]]) -> seating.RoundQuality:
        return seating.round_quality(
            history, tables, present=round_.settings.get("here", ()), method="changed by hand"
        )

    return measured


def _exchange_rows(draft: Round, a: int, b: int) -> None:
    """Delete both rows before saving the swap: an entrant has only one place in a round."""
    places = {place.entrant_id: place for place in Place.objects.filter(round=draft)}
    byes = {bye.entrant_id: bye for bye in Bye.objects.filter(round=draft)}
    moved: list[Place | Bye] = [places.get(a) or byes[a], places.get(b) or byes[b]]
    for row in moved:
        row.delete()
    for row, entrant in zip(moved, (b, a), strict=True):
        row.pk = None
        row.entrant_id = entrant
        row.save(force_insert=True)
