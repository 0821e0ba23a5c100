"""URLs of nights and their tables: below the event for accounts, or by secret link."""

from django.urls import path

from league.base.rights import Right
from league.nights.views import (
    bins,
    ceremony,
    check_in,
    clock,
    disputes,
    draws,
    events,
    my_night,
    results,
    same_deals,
    stakes,
    table_moves,
    tonight,
    wall,
)
from league.nights.views.table_access import at_table, by_link

SEASON = "<slug:slug>/seasons/<int:pk>/"
EVENT = "<slug:slug>/events/<int:pk>/"
ROUND = EVENT + "rounds/<int:number>/"
TABLE = ROUND + "tables/<int:table_no>/"
LINK = "~table/<str:secret>/"  # No club's slug has a tilde.
LINK_ROUND = LINK + "rounds/<int:number>/"
LINK_GAME = LINK_ROUND + "games/<int:game_no>/"

urlpatterns = [
    path("~tonight/", tonight.tonight, name="tonight"),
    path(EVENT + "qr/", tonight.qr, name="night_qr"),
    path("<slug:slug>/bin/", bins.bin_page, name="bin"),
    path(EVENT + "bin/", bins.event_bin, name="event_bin"),
    path(SEASON + "bin/", bins.season_bin, name="season_bin"),
    path("<slug:slug>/players/<int:pk>/bin/", bins.player_bin, name="player_bin"),
    path(EVENT + "live/", events.event_live, name="event_live"),
    path(EVENT + "check-in/", events.check_in, name="check_in"),
    path(EVENT + "guest/", events.guest, name="guest"),
    path(EVENT + "call/", events.roll_call, name="roll_call"),
    path(EVENT + "status/", events.event_status, name="event_status"),
    path(EVENT + "wall/", wall.wall, name="wall"),
    path(EVENT + "deals/", same_deals.deals, name="deals"),
    path(EVENT + "deals/records.jsonl", same_deals.records, name="deal_records"),
    path(EVENT + "deals/sheets/", same_deals.sheets, name="deal_sheets"),
    path(EVENT + "deals/check/", same_deals.check_hand, name="check_hand"),
    path(EVENT + "deals/<int:number>/<int:deal_no>/", same_deals.deal, name="deal"),
    path(EVENT + "ceremony/", ceremony.ceremony, name="ceremony"),
    path(EVENT + "rows/<int:player>/", events.explain, name="explain"),
    path(EVENT + "draw/", draws.draw, name="draw"),
    path(EVENT + "rounds/<int:number>/", draws.round_page, name="round"),
    path(EVENT + "rounds/<int:number>/release/", draws.release, name="release"),
    path(EVENT + "rounds/<int:number>/discard/", draws.discard, name="discard"),
    path(EVENT + "rounds/<int:number>/print/", draws.print_page, name="print"),
    path(EVENT + "settings/", events.event_settings, name="event_settings"),
    path(EVENT + "share/", events.event_share, name="event_share"),
    path(EVENT + "needs/", disputes.needs, name="needs"),
    path(EVENT + "confirm/", disputes.confirm_all, name="confirm_all"),
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
    path(LINK_ROUND + "call/", by_link(disputes.call), name="link_call"),
    path(LINK_GAME + "confirm/", by_link(disputes.confirm), name="link_confirm"),
    path(LINK_GAME + "dispute/", by_link(disputes.dispute), name="link_dispute"),
    path(TABLE + "chairs/", draws.chairs, name="chairs"),
    path(TABLE + "move/", table_moves.move, name="move"),
    path(TABLE + "done/", at_table(table_moves.done), name="table_done"),
    path(LINK_ROUND + "done/", by_link(table_moves.done), name="link_done"),
    path(EVENT + "floor/", table_moves.floor, name="floor"),
    path(TABLE, at_table(results.table), name="table"),
    path(TABLE + "preview/", at_table(results.preview), name="preview"),
    path(TABLE + "games/<int:game_no>/", at_table(results.game), name="game"),
    path(TABLE + "stake/", at_table(stakes.stake, to_post=Right.SEE), name="stake"),
    path(LINK_ROUND + "stake/", by_link(stakes.stake), name="link_stake"),
    path(TABLE + "link/", results.renew_link, name="renew_link"),
    path("~me/forget/", my_night.forget, name="forget_phone"),
    path("~me/<int:pk>/", my_night.my_night, name="my_night"),
    path("~me/<int:pk>/<int:player>/<str:personal>/", my_night.by_code, name="link_personal"),
    path("~me/<int:pk>/bank/", my_night.bank, name="my_phone_bank"),
    path(EVENT + "phones/", my_night.free_phone, name="free_phone"),
    path(LINK_ROUND + "me/", by_link(my_night.find_me), name="link_me"),
    path(EVENT + "check-in/link/", check_in.renew_link, name="check_in_link"),
    path(EVENT + "codes/", events.check_in, name="codes"),  # Where the one code is now.
    path(LINK, by_link(results.table), name="link_table"),
    path(LINK_ROUND, by_link(results.table, late=True), name="link_table"),
    path(LINK_ROUND + "preview/", by_link(results.preview, late=True), name="link_preview"),
    path(LINK_GAME, by_link(results.game), name="link_game"),
]
