class LaunchError(Exception):
    """A failure; its one sentence says what is wrong and what the reader can do about it."""
