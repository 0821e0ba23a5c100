"""Rows that keep when they were written."""

from __future__ import annotations

from django.db import models


class DatedRow(models.Model):
    """A row with the moment at which it was written."""

    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True


class CreatedRow(models.Model):
    """A row that changes, with the moment at which it was created."""

    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True
