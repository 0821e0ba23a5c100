"""Before a night: its sign-up list."""
