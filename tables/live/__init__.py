"""Live updates: a stream of the public board, in front of Django's own application."""
