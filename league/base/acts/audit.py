"""The log of who changed what."""

from __future__ import annotations

from typing import Any

from accounts.models import User
from league.models import Audit, Club, Event


def log(
    action: str, *, club: Club, by: User | None, event: Event | None = None, **data: Any
) -> None:
    """Note `action` with its particulars; `by` is None where the program itself acted."""
    Audit.objects.create(club=club, event=event, by=by, action=action, data=data)
