"""Retention plan for nightly backups, by the times in their names."""

import datetime
from collections.abc import Iterable
from pathlib import Path

LABEL = "nightly"
MOMENT = "%Y%m%d-%H%M%S"
SAID = "%-d %b %Y %H:%M UTC"
PLAN = (("%Y%m%d", 7), ("%G-%V", 4), ("%Y%m", 12))
"""The newest backup of each of the last 7 days, 4 weeks and 12 months with backups is kept."""


def superfluous(files: Iterable[Path]) -> set[Path]:
    """Return the nightly backups that the plan does not keep."""
    moments = {file: moment_of(file) for file in sorted(files)}
    stay: set[Path] = set()
    for period, count in PLAN:
        newest = {moment.strftime(period): file for file, moment in moments.items()}
        stay |= set(list(newest.values())[-count:])
    return moments.keys() - stay


def moment_of(file: Path) -> datetime.datetime:
    """Return when the nightly backup with this file name began."""
    text = file.stem.removeprefix(f"{LABEL}-")
    return datetime.datetime.strptime(text, MOMENT).replace(tzinfo=datetime.UTC)
