"""Rows that keep when they were written."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class DatedRow(models.Model):
    """A row with the moment at which it was written."""

    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True


class ActRow(DatedRow):
    """An act, with the account that did it; None for what needed none."""

    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT)

    class Meta:
        abstract = True


class CreatedRow(models.Model):
    """A row that changes, with the moment at which it was created."""

    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True
