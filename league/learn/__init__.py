"""Lessons and rule cards."""
