"""Settings, URLs, ASGI and Celery: the package that assembles the parts."""
