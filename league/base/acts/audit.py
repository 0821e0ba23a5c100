"""The audit log of changes."""

from typing import Any

from accounts.models import User
from league.models import Audit, Club, Event


def log(
    action: str, *, club: Club, by: User | None, event: Event | None = None, **data: Any
) -> None:
    """Log `action` with its data; `by` is None for an automatic action."""
    Audit.objects.create(club=club, event=event, by=by, action=action, data=data)
