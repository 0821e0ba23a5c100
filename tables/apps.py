from django.apps import AppConfig


class TablesConfig(AppConfig):
    name = "tables"

    def ready(self) -> None:
        from django.conf import settings

        from engine import bots
        from tables import receivers  # noqa: F401
        from tables.bots.facts import member_bots
        from tables.programs import config

        bots.look_elsewhere(member_bots.find)
        config.register_all(settings.BOTS_FILE, needed=settings.BOTS_FILE_NEEDED)
