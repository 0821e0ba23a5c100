"""Nights and tournaments that are created by a rule of the calendar."""
