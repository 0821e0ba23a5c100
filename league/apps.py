from django.apps import AppConfig


class LeagueConfig(AppConfig):
    name = "league"

    def ready(self) -> None:
        from league import receivers  # noqa: F401
        from league.news.acts import outbox  # noqa: F401
        from league.nights import online
        from league.nights.facts import final_places, stages
        from league.online.host import ClubHost
        from league.online.nights import Tables
        from league.seasons import places
        from tables import hosts

        places.register(final_places.places_of_events, stages.begun)
        online.register(Tables())
        hosts.register(ClubHost())
