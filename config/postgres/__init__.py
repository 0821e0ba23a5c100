"""Django's backend for PostgreSQL, whose pool hands out connections that are alive."""
