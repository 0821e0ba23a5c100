"""URLs of clubs, their people and their rules."""

from django.urls import path

from league.clubs.views import account_data, clubs, invitations, keep, members, players, rules

urlpatterns = [
    path("", clubs.club_list, name="club_list"),
    path("new/", clubs.club_create, name="club_create"),
    path("<slug:slug>/settings/", clubs.club_settings, name="club_settings"),
    path("<slug:slug>/public/", clubs.publish, name="publish"),
    path("<slug:slug>/keep/", keep.keep, name="keep"),
    path("<slug:slug>/close/", clubs.close, name="close"),
    path("<slug:slug>/close/bin/", clubs.club_bin, name="club_bin"),
    path("<slug:slug>/delete/", clubs.club_delete, name="club_delete"),
    path("<slug:slug>/leave/", members.leave, name="leave"),
    path("<slug:slug>/members/", members.members, name="members"),
    path("<slug:slug>/members/<int:member>/remove/", members.remove, name="member_remove"),
    path("<slug:slug>/offers/<int:offer>/withdraw/", members.withdraw, name="offer_withdraw"),
    path("<slug:slug>/players/", players.player_list, name="players"),
    path("<slug:slug>/players/<int:pk>/edit/", players.player_edit, name="player_edit"),
    path("<slug:slug>/players/<int:pk>/data/", account_data.player_data, name="player_data"),
    path("<slug:slug>/players/texts/", players.mentions, name="mentions"),
    path("<slug:slug>/rules/", rules.rules_list, name="rules_list"),
    path("<slug:slug>/rules/new/", rules.rules_create, name="rules_create"),
    path("<slug:slug>/rules/<int:pk>/edit/", rules.rules_edit, name="rules_edit"),
    path("<slug:slug>/rules/<int:pk>/archive/", rules.rules_archive, name="rules_archive"),
    path("<slug:slug>/rules/<slug:digest>/", rules.rules, name="rules"),
    path("<slug:slug>/rules/<slug:digest>/ruleset.json", rules.rules_json, name="rules_json"),
    path("<slug:slug>/invitations/", invitations.invitations, name="invitations"),
    path(
        "<slug:slug>/invitations/<int:link>/revoke/",
        invitations.revoke,
        name="invitation_revoke",
    ),
    path("~join/<str:invitation>/", invitations.join, name="link_join"),
]
