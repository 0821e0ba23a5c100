"""URLs of bot tournaments, ladders, leagues and members' bots."""

from django.urls import path

from league.arena.views import arena, bots, own_bots
from league.base.paths import EVENT

urlpatterns = [
    path("<slug:slug>/arena/", arena.arena, name="arena"),
    path("<slug:slug>/arena/ladder/", arena.ladder, name="ladder"),
    path("<slug:slug>/arena/leagues/<int:pk>/", arena.league, name="bot_league"),
    path("<slug:slug>/arena/bots/", own_bots.own_bots, name="own_bots"),
    path("<slug:slug>/arena/try/", own_bots.try_code, name="bot_try"),
    path("<slug:slug>/arena/try/<uuid:key>/", own_bots.tried, name="tried"),
    path("<slug:slug>/arena/bots/<int:pk>/", own_bots.bot, name="bot"),
    path("<slug:slug>/arena/bots/<int:pk>/test/", own_bots.start_test, name="bot_test"),
    path("<slug:slug>/arena/bots/<int:pk>/check/", own_bots.check_again, name="bot_check"),
    path("<slug:slug>/arena/bots/<int:pk>/games.jsonl", own_bots.test_games, name="bot_games"),
    path("<slug:slug>/arena/bots/<int:pk>/withdraw/", own_bots.withdraw, name="bot_withdraw"),
    path(EVENT, bots.event, name="event"),
    path(EVENT + "run/", bots.run_live, name="run_live"),
    path(EVENT + "run/change/", bots.run_change, name="run_change"),
    path(EVENT + "run/records.jsonl", bots.run_records, name="run_records"),
    path(EVENT + "games/", bots.replay_pick, name="replay_pick"),
    path(EVENT + "games/<int:deal>/<int:rotation>/", bots.replay, name="replay"),
    path(
        EVENT + "games/<int:deal>/<int:rotation>/record.json",
        bots.record,
        name="record",
    ),
]
