"""The list of what was erased. `launcher.erasures` keeps it beside the backups."""

from typing import Any

from django.db.models import Model

from league.models import Erasure


def time_of(model: type[Model]) -> str:
    """Return the column that tells a row from a later one with the same key."""
    names = {field.name for field in model._meta.get_fields()}
    return next(name for name in ("created_at", "at", "ended_at") if name in names)


def note(kind: str, *rows: Any) -> None:
    """List rows within the transaction that makes them forget.

    `league.clubs.acts.erased_again` knows how each kind is repeated after a restore.
    """
    Erasure.objects.bulk_create(
        [Erasure(kind=kind, key=row.pk, made_at=getattr(row, time_of(type(row)))) for row in rows]
    )
