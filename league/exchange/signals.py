"""What files that are imported say upward."""

from django.dispatch import Signal

file_waits = Signal()
"""Sent with `key` when a file waits for a worker."""
