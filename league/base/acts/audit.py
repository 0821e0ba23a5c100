"""The audit log of changes."""

from typing import Any

from accounts.models import User
from league.models import Audit, Club, Event


def log(
    action: str,
    *,
    by: User | None,
    club: Club | None = None,
    event: Event | None = None,
    **data: Any,
) -> None:
    """Log `action` with its data in its club, or its event's; `by` None: an automatic action."""
    if club is None:
        assert event is not None
        club = event.season.club
    Audit.objects.create(club=club, event=event, by=by, action=action, data=data)
