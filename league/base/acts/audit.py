"""The audit log of changes."""

from collections.abc import Mapping
from typing import Any

from django.db.models import F

from accounts.models import User
from league.models import Audit, Club, Event, Sitting


def log(
    action: str,
    *,
    by: User | None,
    club: Club | None = None,
    event: Event | None = None,
    **data: Any,
) -> Audit:
    """Log `action` with its data in its club, or its event's; `by` None: an automatic action."""
    if club is None:
        assert event is not None
        club = event.season.club
    return Audit.objects.create(club=club, event=event, by=by, action=action, data=data)


def log_at_table(
    action: str,
    sitting: Sitting,
    *,
    by: User | None,
    event: Event,
    changes: Mapping[str, Any] | None = None,
    **data: Any,
) -> None:
    """Store `changes` of a table, raise its version, and log the action with its number."""
    Sitting.objects.filter(pk=sitting.pk).update(version=F("version") + 1, **(changes or {}))
    log(action, by=by, event=event, round=sitting.round.number, table=sitting.table_no, **data)
