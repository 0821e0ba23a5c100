"""What sweeps share: one thing that cannot be done must not stop the others."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import TypeVar

from celery.exceptions import SoftTimeLimitExceeded
from django.db import InterfaceError, OperationalError

log = logging.getLogger(__name__)
Item = TypeVar("Item")


def each(items: Iterable[Item], do: Callable[[Item], int]) -> int:
    """Do it for each of the items; how much was done in all.

    What goes wrong is logged, and the next sweep finds it again.
    """
    done = 0
    for item in items:
        try:
            done += do(item)
        except (OperationalError, InterfaceError) as error:
            log.warning("%r waits for the next sweep: %s", item, error)
        except SoftTimeLimitExceeded:  # It is this sweep's end and no fault of the item.
            raise
        except Exception:
            log.exception("%r cannot be swept", item)
    return done
