"""The loop of all sweeps: an item that fails must not stop the others."""

import logging
from collections.abc import Callable, Iterable
from typing import TypeVar

from celery.exceptions import SoftTimeLimitExceeded
from django.db import InterfaceError, OperationalError

log = logging.getLogger(__name__)
Item = TypeVar("Item")


def each(items: Iterable[Item], do: Callable[[Item], int]) -> int:
    """Call `do` for each item and return the sum of its results.

    Failures are logged, and the next sweep retries them.
    """
    done = 0
    for item in items:
        try:
            done += do(item)
        except (OperationalError, InterfaceError) as error:
            log.warning("%r waits for the next sweep: %s", item, error)
        except SoftTimeLimitExceeded:  # The sweep's time is up; the item did not fail.
            raise
        except Exception:
            log.exception("%r cannot be swept", item)
    return done
