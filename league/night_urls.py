"""Addresses of a night's tables: with an account below the event, without one by a secret link."""

from django.urls import path

from league.rights import Right
from league.views import (
    check_in,
    clock,
    disputes,
    draws,
    events,
    floors,
    invitations,
    moves,
    online,
    results,
)
from league.views.desk import at_table, by_link

EVENT = "<slug:slug>/events/<int:pk>/"
ROUND = EVENT + "rounds/<int:number>/"
TABLE = ROUND + "tables/<int:table_no>/"
LINK = "~table/<str:secret>/"  # No club's slug has a tilde.

urlpatterns = [
    path(EVENT + "settings/", events.event_settings, name="event_settings"),
    path(EVENT + "again/", events.event_again, name="event_again"),
    path(EVENT + "share/", events.event_share, name="event_share"),
    path(EVENT + "confirm/", disputes.confirm_all, name="confirm_all"),
    path(EVENT + "online/", online.online, name="online"),
    path(EVENT + "online/bot/", online.online_bot, name="online_bot"),
    path(TABLE + "online/", online.online_table, name="online_table"),
    path(ROUND + "explain/", draws.explain, name="round_explain"),
    path(ROUND + "swap/", draws.swap, name="swap"),
    path(ROUND + "clock/", clock.round_clock, name="round_clock"),
    path(TABLE + "extra-time/", clock.extra_time, name="extra_time"),
    path(TABLE + "call/", at_table(disputes.call, to_post=Right.BELONG), name="call"),
    path(
        TABLE + "games/<int:game_no>/confirm/",
        at_table(disputes.confirm, to_post=Right.BELONG),
        name="confirm",
    ),
    path(
        TABLE + "games/<int:game_no>/dispute/",
        at_table(disputes.dispute, to_post=Right.BELONG),
        name="dispute",
    ),
    path(TABLE + "games/<int:game_no>/dismiss/", disputes.dismiss, name="dismiss"),
    path(LINK + "call/", by_link(disputes.call), name="link_call"),
    path(LINK + "games/<int:game_no>/confirm/", by_link(disputes.confirm), name="link_confirm"),
    path(LINK + "games/<int:game_no>/dispute/", by_link(disputes.dispute), name="link_dispute"),
    path(TABLE + "chairs/", draws.chairs, name="chairs"),
    path(TABLE + "move/", moves.move, name="move"),
    path(TABLE + "done/", at_table(floors.done), name="table_done"),
    path(LINK + "done/", by_link(floors.done), name="link_done"),
    path(EVENT + "floor/", floors.floor, name="floor"),
    path(TABLE, at_table(results.table), name="table"),
    path(TABLE + "preview/", at_table(results.preview), name="preview"),
    path(TABLE + "games/<int:game_no>/", at_table(results.game), name="game"),
    path(TABLE + "link/", results.renew_link, name="renew_link"),
    path("<slug:slug>/invitations/", invitations.invitations, name="invitations"),
    path(
        "<slug:slug>/invitations/<int:link>/revoke/",
        invitations.revoke,
        name="invitation_revoke",
    ),
    path(EVENT + "check-in/link/", check_in.renew_link, name="check_in_link"),
    path("~check-in/<str:check_in>/", check_in.check_in, name="link_check_in"),
    path("~join/<str:invitation>/", invitations.join, name="link_join"),
    path(LINK, by_link(results.table), name="link_table"),
    path(LINK + "preview/", by_link(results.preview), name="link_preview"),
    path(LINK + "games/<int:game_no>/", by_link(results.game), name="link_game"),
]
