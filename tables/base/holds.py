"""Holds of rows, which a worker extends while it works on them."""

import datetime
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from django.db import DatabaseError
from django.db.models import QuerySet
from django.utils import timezone


def extending(held: QuerySet[Any], field: str, span: datetime.timedelta) -> Callable[[], None]:
    """Return a callback that extends a hold, which ends at `field`, in good time."""
    extended = time.monotonic()

    def extend() -> None:
        nonlocal extended
        if time.monotonic() - extended > span.total_seconds() / 4:
            extended = time.monotonic()
            with suppress(DatabaseError):  # A database outage is no fault of the bots.
                held.update(**{field: timezone.now() + span})

    return extend
