"""The marks that chain each club's log: where they break, and the one that goes out."""

import json
from collections.abc import Iterator
from pathlib import Path

from django.db import connection

from league.models import AuditMark, Club

SHOWN = 16
"""Digits of a mark that people read."""
_BROKEN = """
    WITH seen AS (
        SELECT m.club_id, m.id, m.entry_id,
            m.salt IS NOT NULL AND m.digest IS DISTINCT FROM league_log_mark(
                lag(m.digest) OVER (PARTITION BY m.club_id ORDER BY m.id), m.salt, a) AS is_broken
        FROM league_auditmark m LEFT JOIN league_audit a ON a.id = m.entry_id
    ), wrong AS (
        SELECT club_id, entry_id, 'is not as it was written' AS what, id FROM seen WHERE is_broken
        UNION ALL
        SELECT club_id, id, 'has no mark', 0 FROM league_audit a WHERE NOT EXISTS (
            SELECT FROM league_auditmark WHERE entry_id = a.id AND salt IS NOT NULL)
    )
    SELECT DISTINCT ON (club_id, what) club_id, entry_id, what FROM wrong
    WHERE %(club)s::bigint IS NULL OR club_id = %(club)s ORDER BY club_id, what, id, entry_id
"""


def mark_of(club: Club) -> str:
    """Return the mark of the club's latest entry as people read it; "" without entries."""
    last = AuditMark.objects.filter(club_id=club.pk).order_by("-id").values_list("digest").first()
    return " ".join(last[0][at : at + 4] for at in range(0, SHOWN, 4)) if last else ""


def broken(club: Club | None = None) -> Iterator[str]:
    """Yield the first entry of each log that was changed, added or taken away behind our back."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS league_audit_is_chained IMMEDIATE")  # Of this transaction.
        cursor.execute(_BROKEN, {"club": club.pk if club else None})
        found = cursor.fetchall()
    for key, entry, what in found:
        yield f"club {key}: entry {entry} of its log {what}"


def missing(backups: Path) -> Iterator[str]:
    """Yield the logs that end otherwise than a backup says, which wrote down where they ended."""
    for file in sorted(backups.glob("*.marks")):
        try:
            digests = {int(club): digest for club, digest in json.loads(file.read_text()).items()}
        except (OSError, ValueError):  # Dropped with its backup, or one whose writing was killed.
            continue
        known = set(AuditMark.objects.filter(digest__in=digests.values()).values_list("digest"))
        for club in Club.objects.filter(pk__in=digests).order_by("pk").values_list("pk", flat=True):
            if (digests[club],) not in known:
                yield f"club {club}: its log has no more the mark that {file.stem} was saved with"
