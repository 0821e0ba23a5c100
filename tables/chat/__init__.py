"""The chat of a table."""
