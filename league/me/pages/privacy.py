"""What the server keeps about people, by how long, for everyone to read."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.me.acts.retention import LINES, Retained, Until


@dataclass(frozen=True)
class Group:
    title: str
    lines: list[Retained]


def groups() -> list[Group]:
    """Return the lines by their end: days first, the fewest on top."""
    ends = sorted({line.kept for line in LINES if not isinstance(line.kept, Until)})
    return [
        Group(_title(kept), [line for line in LINES if line.kept == kept])
        for kept in [*ends, *Until]
    ]


def _title(kept: object) -> str:
    if kept is Until.REMOVED:
        return _("Until you remove it")
    if kept is Until.CLUB:
        return _("As long as the club")
    days = kept.days  # type: ignore[attr-defined]
    return ngettext("%(n)s day", "%(n)s days", days) % {"n": days}
