"""Addresses of online tables."""

from django.urls import path

from tables.views import (
    archive,
    chairs,
    challenges,
    lobby,
    moves,
    pages,
    plain,
    puzzles,
    ratings,
    sprints,
    talk,
)

app_name = "tables"

urlpatterns = [
    path("<slug:key>/act/", moves.act, name="act"),  # The one that is asked for most.
    path("", lobby.lobby, name="lobby"),
    path("play/", lobby.play_now, name="play_now"),
    path("puzzles/", puzzles.today, name="puzzle_today"),
    path("puzzles/<int:pk>/", puzzles.puzzle, name="puzzle"),
    path("reviews/<slug:key>/", archive.entered_review, name="entered_review"),
    path("reviews/<slug:key>/try/<int:step>/", puzzles.try_entered, name="try_entered"),
    path("ratings/", ratings.ratings, name="ratings"),
    path("ratings/friends/", ratings.friend, name="friend"),
    path("sprints/<slug:sprint>/", sprints.sprint, name="sprint"),
    path("sprints/<slug:sprint>/enter/", sprints.enter, name="sprint_enter"),
    path("sprints/<slug:sprint>/leave/", sprints.leave, name="sprint_leave"),
    path("sprints/<slug:sprint>/go/", sprints.go, name="sprint_go"),
    path("<slug:key>/", pages.table, name="table"),
    path("<slug:key>/view/", pages.view, name="view"),
    path("<slug:key>/look/", plain.look, name="look"),
    path("<slug:key>/typed/", plain.typed_play, name="typed"),
    path("<slug:key>/answer/", moves.answer, name="answer"),
    path("<slug:key>/hints/", moves.hints, name="hints"),
    path("<slug:key>/sit/", chairs.sit, name="sit"),
    path("<slug:key>/bots/", chairs.bots, name="bots"),
    path("<slug:key>/challenge/", challenges.challenge, name="challenge"),
    path("<slug:key>/deal/", chairs.deal, name="deal"),
    path("<slug:key>/company/", chairs.company, name="company"),
    path("<slug:key>/mix/", moves.mix, name="mix"),
    path("<slug:key>/leave/", chairs.leave, name="leave"),
    path("<slug:key>/stay/", chairs.stay, name="stay"),
    path("<slug:key>/away/", chairs.away, name="away"),
    path("<slug:key>/ask/", chairs.ask, name="ask"),
    path("<slug:key>/seats/<int:number>/<slug:do>/", chairs.help_out, name="help"),
    path("<slug:key>/again/", chairs.again, name="again"),
    path("<slug:key>/trade/", moves.trade, name="trade"),
    path("<slug:key>/talk/", talk.say, name="talk"),
    path("<slug:key>/talk/mute/", talk.mute, name="talk_mute"),
    path("<slug:key>/talk/allow/", talk.allow, name="talk_allow"),
    path("<slug:key>/talk/<int:number>/remove/", talk.remove, name="talk_remove"),
    path("<slug:key>/chair/<str:token>/", chairs.claim, name="claim"),
    path("<slug:key>/games/<int:number>/", archive.replay, name="replay"),
    path("<slug:key>/games/<int:number>/try/<int:step>/", puzzles.try_again, name="try_again"),
    path("<slug:key>/games/<int:number>/record/", archive.record, name="record"),
    path("<slug:key>/games/<int:number>/fair/", archive.fair, name="fair"),
]
