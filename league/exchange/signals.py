"""Signals of file imports to the layers above."""

from django.dispatch import Signal

file_waits = Signal()
"""Sent with the file's `key` when it starts to wait for a worker."""
