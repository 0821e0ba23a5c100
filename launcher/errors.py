from __future__ import annotations


class LaunchError(Exception):
    """One sentence that says what is wrong and what the reader can do about it."""
