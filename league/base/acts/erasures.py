"""The list of what was erased. `launcher.erasures` keeps it beside the backups."""

from typing import Any

from league.models import Erasure


def note(kind: str, *rows: Any) -> None:
    """List rows with a `created_at`, within the transaction that makes them forget.

    `league.clubs.acts.erased_again` knows how each kind is repeated after a restore.
    """
    Erasure.objects.bulk_create(
        [Erasure(kind=kind, key=row.pk, made_at=row.created_at) for row in rows]
    )
