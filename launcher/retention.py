"""Retention plan for backups, by the times in their names."""

import datetime
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

LABEL = "nightly"
MOMENT = "%Y%m%d-%H%M%S"
SAID = "%-d %b %Y %H:%M UTC"
NIGHTLY = (("%Y%m%d", 7), ("%G-%V", 4), ("%Y%m", 3))
"""The newest backup of each of the last 7 days, 4 weeks and 3 months with backups is kept."""
OLDEST = datetime.timedelta(days=90)
"""How much older than the newest one a backup may be: it has people who were deleted since."""
OTHERS = (("%Y%m%d-%H%M%S", 5), ("%Y%m%d", 7))
"""Of each other kind the newest five, and the newest of each of seven days with backups: the clubs
of one Saturday push out no other week."""


def expired(files: Iterable[Path]) -> set[Path]:
    """Return the backups of every kind that are too much older than the newest of all."""
    moments = moments_of(files)
    newest = max(moments.values(), default=None)
    return {file for file, moment in moments.items() if newest and newest - moment > OLDEST}


def superfluous(files: Iterable[Path]) -> set[Path]:
    """Return the backups of one kind that its plan does not keep."""
    moments = moments_of(files)
    stay: set[Path] = set()
    is_nightly = any(file.name.startswith(LABEL) for file in moments)
    for period, count in NIGHTLY if is_nightly else OTHERS:
        newest = {moment.strftime(period): file for file, moment in moments.items()}
        stay |= set(list(newest.values())[-count:])
    return moments.keys() - stay


def moments_of(files: Iterable[Path]) -> dict[Path, datetime.datetime]:
    """Return when each backup began, in the order of the names.

    A file with another name than ours, which a person gave it, and one that a wrong clock dated
    after tomorrow are in no plan: they stay, and nothing depends on them.
    """
    found, tomorrow = {}, datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=1)
    for file in sorted(files):
        with suppress(ValueError):
            text = "-".join(file.stem.split("-")[-2:])
            moment = datetime.datetime.strptime(text, MOMENT).replace(tzinfo=datetime.UTC)
            if moment < tomorrow:
                found[file] = moment
    return found
