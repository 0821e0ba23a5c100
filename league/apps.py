from django.apps import AppConfig


class LeagueConfig(AppConfig):
    name = "league"

    def ready(self) -> None:
        from league import receivers  # noqa: F401
        from league.nights import online
        from league.online.host import ClubHost
        from league.online.nights import Tables
        from tables import hosts

        online.register(Tables())
        hosts.register(ClubHost())
