"""The ASGI entry point that uvicorn serves: live streams in front, Django behind."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

django_application = get_asgi_application()

from tables.live.stream import LiveTables  # noqa: E402  It needs the applications loaded.

application = LiveTables(django_application)
