"""Settings, URLs, ASGI and Celery: the one place that puts the parts together."""
