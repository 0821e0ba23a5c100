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


class BinnedRow(models.Model):
    """A row that can be put in the bin; there only `everything` finds it."""

    binned_at = models.DateTimeField(
        null=True, blank=True, help_text="Since when it lies in the bin."
    )

    everything = Everything()

    class Meta:
        abstract = True
