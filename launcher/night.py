"""The hours of the server's nightly work: backups, their proofs, and the check of all sums."""

import datetime
import os
from zoneinfo import ZoneInfo

HOURS = 4
SOON = datetime.timedelta(hours=20)
"""What was done less long ago is not done again in the same night."""


def is_night(now: datetime.datetime) -> bool:
    """Return whether `now` is in the hours from NIGHT_HOUR on, by the clock of TIME_ZONE.

    From one o'clock on where only the zone is set; with neither, at night in Vietnam.
    """
    zone, hour = (os.environ.get(name, "").strip() for name in ("TIME_ZONE", "NIGHT_HOUR"))
    begins = int(hour) if hour else 1 if zone else 18
    return (now.astimezone(ZoneInfo(zone or "UTC")).hour - begins) % 24 < HOURS
