"""What lies in the bin: made by mistake, kept for a while, and hidden until it is restored."""

from __future__ import annotations

import datetime
from typing import TypeVar

from django.db import models

KEPT_IN_BIN = datetime.timedelta(days=30)

Row = TypeVar("Row", bound=models.Model)


class NotBinned(models.Manager[Row]):
    """Those that do not lie in the bin."""

    def get_queryset(self) -> models.QuerySet[Row]:
        return super().get_queryset().filter(binned_at=None)


class Everything(models.Manager[Row]):
    """All of them, those in the bin as well."""
