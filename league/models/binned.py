"""Managers for rows in the bin: created by mistake, hidden, and kept for a while to restore."""

import datetime
from typing import TypeVar

from django.db import models

KEPT_IN_BIN = datetime.timedelta(days=30)

Row = TypeVar("Row", bound=models.Model)


class NotBinned(models.Manager[Row]):
    def get_queryset(self) -> models.QuerySet[Row]:
        return super().get_queryset().filter(binned_at=None)


class Everything(models.Manager[Row]):
    """All rows, including those in the bin."""
