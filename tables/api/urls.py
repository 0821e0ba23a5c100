"""Addresses of tables for programs, under /api/v1/tables/."""

from django.urls import path

from tables.api import views, work

app_name = "play"

urlpatterns = [
    path("", views.OwnTables.as_view(), name="tables"),
    path("stream/", views.OwnStream.as_view(), name="own_stream"),
    path("bot/", views.OwnBot.as_view(), name="bot"),
    path("bots/", views.OpenBots.as_view(), name="bots"),
    path("reviews/", views.RecordReview.as_view(), name="reviews"),
    path("work/", work.Work.as_view(), name="work"),
    path("challenges/<int:pk>/", views.AnswerChallenge.as_view(), name="answer_challenge"),
    path("at/<slug:key>/", views.TableDetail.as_view(), name="table"),
    path("at/<slug:key>/stream/", views.TableStream.as_view(), name="stream"),
    path("at/<slug:key>/rules/", views.Rules.as_view(), name="rules"),
    path("at/<slug:key>/moves/", views.Moves.as_view(), name="moves"),
    path("at/<slug:key>/answer/", views.DeclareInstantWin.as_view(), name="answer"),
    path("at/<slug:key>/trade/", views.Trade.as_view(), name="trade"),
    path("at/<slug:key>/hints/", views.Hints.as_view(), name="hints"),
    path("at/<slug:key>/sit/", views.Sit.as_view(), name="sit"),
    path("at/<slug:key>/bots/", views.Bots.as_view(), name="fill"),
    path("at/<slug:key>/deal/", views.Deal.as_view(), name="deal"),
    path("at/<slug:key>/mix/", views.TakePart.as_view(), name="mix"),
    path("at/<slug:key>/leave/", views.Leave.as_view(), name="leave"),
    path("at/<slug:key>/stay/", views.Stay.as_view(), name="stay"),
    path("at/<slug:key>/games/<int:number>/review/", views.GameReview.as_view(), name="review"),
    path("at/<slug:key>/challenge/", views.ChallengeBot.as_view(), name="challenge"),
]
