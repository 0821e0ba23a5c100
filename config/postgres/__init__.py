"""Django's PostgreSQL backend, with a pool that returns only live connections."""
