"""The day of a night: by its club's clock, until six in the morning.

What began or was planned in the evening is of that evening until then, also after midnight.
"""

import datetime
from zoneinfo import ZoneInfo

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

ENDS_AT = datetime.time(6)
_NIGHT = datetime.timedelta(hours=ENDS_AT.hour)


def day_of(moment: datetime.datetime, zone: str) -> datetime.date:
    """Return the day of nights in `zone` to which an aware moment belongs."""
    return (moment.astimezone(ZoneInfo(zone)) - _NIGHT).date()


def day_of_start(date: datetime.date, starts_at: datetime.time | None) -> datetime.date:
    """Return the day of a night by its local date and start; without a start the date counts."""
    early = starts_at is not None and starts_at < ENDS_AT
    return date - datetime.timedelta(days=1) if early else date


def refuse_far(field: str, day: datetime.date) -> None:
    """Raise ValidationError on `field` at the ends of the calendar: another clock has no date."""
    if not 1900 <= day.year <= 2999:
        raise ValidationError({field: _("Write a year from 1900 to 2999.")})
