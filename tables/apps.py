from django.apps import AppConfig


class TablesConfig(AppConfig):
    name = "tables"

    def ready(self) -> None:
        from django.conf import settings

        from engine import bots
        from tables import receivers  # noqa: F401
        from tables.programs import config
        from tables.services import uploads

        bots.look_elsewhere(uploads.find)
        config.register_all(settings.BOTS_FILE, needed=settings.BOTS_FILE_NEEDED)
