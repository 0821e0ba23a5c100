"""The day of a night: by its club's clock, until six in the morning.

What began or was planned in the evening is of that evening until then, also after midnight.
"""

import datetime
from zoneinfo import ZoneInfo

ENDS_AT = datetime.time(6)
_NIGHT = datetime.timedelta(hours=ENDS_AT.hour)


def day_of(moment: datetime.datetime, zone: str) -> datetime.date:
    """Return the day of nights in `zone` to which an aware moment belongs."""
    return (moment.astimezone(ZoneInfo(zone)) - _NIGHT).date()


def day_of_start(date: datetime.date, starts_at: datetime.time | None) -> datetime.date:
    """Return the day of a night by its local date and start; without a start the date counts."""
    early = starts_at is not None and starts_at < ENDS_AT
    return date - datetime.timedelta(days=1) if early else date
