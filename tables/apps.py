from django.apps import AppConfig


class TablesConfig(AppConfig):
    name = "tables"

    def ready(self) -> None:
        from django.conf import settings

        from tables import receivers  # noqa: F401
        from tables.programs import config

        config.register_all(settings.BOTS_FILE, needed=settings.BOTS_FILE_NEEDED)
