"""The server administrator's pages, and the bug report."""
