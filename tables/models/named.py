from __future__ import annotations

from django.db import models


class NamedRow(models.Model):
    """A row that its name stands for."""

    name: models.Field[str, str]

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.name
