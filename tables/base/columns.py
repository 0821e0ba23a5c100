"""A change of some columns of one row."""

from typing import Any

from django.db.models import Model


def set_columns(row: Model, **values: Any) -> None:
    """Give the row these values, and save only their columns."""
    for name, value in values.items():
        setattr(row, name, value)
    row.save(update_fields=list(values))
