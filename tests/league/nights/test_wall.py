"""The wall's screens follow each other, and long lists are split."""

from __future__ import annotations

import uuid
from functools import partial
from types import SimpleNamespace

import pytest
from django.urls import reverse

from league.models import Club, Entrant, SignUpAnswer
from league.nights.acts import clock
from league.nights.pages.wall import screen_of, wall_now
from league.nights.pages.wall_before import before_the_draw
from league.nights.views import wall_past
from league.turnout.acts import sign_ups
from tests import factories
from tests.factories import (
    browser_of,
    make_night,
    make_round,
    make_table,
    make_user,
    names_at,
    owner_of,
    play,
)

pytestmark = pytest.mark.django_db


def tour(event):
    """Each screen once, as (kind, how much it lists)."""
    seen, number = [], 0
    while True:
        found = screen_of(event, number)
        seen.append((found.kind, len(found.items)))
        number = found.following
        if number == 0:
            return seen


def test_before_the_first_draw_there_is_one_screen():
    assert tour(make_night(0)) == [("nothing", 0)]


def test_a_round_shows_tables_and_names_and_then_standings_when_something_is_played():
    sitting = make_table(make_night(8))
    event = sitting.round.event
    assert tour(event) == [("tables", 2), ("names", 8)]
    first, second, *_others = names = names_at(sitting)
    keys = {place.entrant.player.name: place.entrant_id for place in sitting.places.all()}
    result = play(sitting, names)
    result.specials = [{"kind": "chop", "by": keys[first], "of": keys[second], "what": "R"}]
    result.save(update_fields=["specials"])
    assert tour(event) == [("tables", 2), ("names", 8), ("standings", 4), ("titles", 3)]
    found = screen_of(event, 0)
    tables = [(t.played, t.planned, t.is_done, t.last_at) for t in found.items]
    planned = event.games_per_round
    assert tables == [(1, planned, planned == 1, result.at), (0, planned, False, None)]
    assert (first in found.last_chop, second in found.last_chop) == (True, True)
    titles = {title.title: title.names for title in screen_of(event, 3).items}
    assert titles == {"Vua về nhất": [first], "Vua chặt heo": [first], "Heo bị chặt": [second]}


def test_the_clock_has_a_screen_while_it_runs():
    sitting = make_table()
    clock.start(round_=sitting.round, minutes=40, by=make_user())
    clock.call_director(sitting=sitting, by=None)
    assert tour(sitting.round.event) == [("tables", 1), ("names", 4), ("clock", 0)]
    assert [table.table_no for table in wall_now(sitting.round.event).calls] == [1]


def test_who_sits_out_is_listed_without_a_table():
    event = make_night(6, season=factories.make_season(rules="family"))
    make_round(event)
    names = screen_of(event, 1).items
    assert [table for _name, table in names].count(None) == 2


def test_lists_longer_than_a_screen_are_split_evenly(monkeypatch):
    monkeypatch.setattr(factories, "NAMES", [f"Player {n:03}" for n in range(100)])
    event = make_night(100)
    for sitting in make_round(event).sittings.all():
        keys = [place.entrant_id for place in sitting.places.all()]
        play(sitting, [], groups=[[key] for key in keys], client_id=uuid.uuid4())
    assert tour(event) == [
        *[("tables", size) for size in (6, 6, 6, 7)], ("names", 33), ("names", 33), ("names", 34),
        *[("standings", size) for size in (11, 11, 11, 11, 11, 11, 11, 11, 12)],
    ]  # fmt: skip
    parts = [screen_of(event, n) for n in range(4)]
    assert [(screen.part, screen.parts) for screen in parts] == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_before_the_draw_the_wall_tells_who_comes_and_strangers_how_many(client):
    event = make_night(6)
    club, (yes, guest, maybe, no, gone, waits) = event.season.club, event.entrants.all()
    host = owner_of(club)
    sign_up = sign_ups.open_list(event=event, by=host, places=3)
    SignUpAnswer.objects.all().delete()
    Entrant.objects.filter(event=event).update(presence="expected")
    for entrant, reply, guests in (
        (yes, "yes", 1), (gone, "yes", 0), (waits, "yes", 0), (maybe, "maybe", 0), (no, "no", 0),
    ):  # fmt: skip
        values = {"reply": reply, "guests": guests, "by": host, "organises": True}
        sign_ups.answer(sign_up=sign_up, player=entrant.player, **values)
    Entrant.objects.filter(pk=guest.pk).update(presence="here")
    Entrant.objects.filter(pk=gone.pk).update(presence="absent")

    before = before_the_draw(event, 7)
    shown = [(one.name, one.guests, one.badge and one.badge.text) for one in before.arrivals]
    first = sorted([yes, guest], key=lambda entrant: entrant.player.sort_key)
    told = {yes: (yes.player.name, 1, None), guest: (guest.player.name, 0, "here")}
    assert shown == [
        *[told[entrant] for entrant in first],
        (waits.player.name, 0, "on the waiting list"), (maybe.player.name, 0, "maybe"),
    ]  # fmt: skip
    assert (before.people, before.tables, before.parts) == (3, 1, 1)

    path = reverse("league:wall", args=[club.slug, event.pk])
    Club.objects.filter(pk=club.pk).update(is_public=True)
    stranger = client.get(path)
    names = [entrant.player.name for entrant in (yes, guest, maybe, no, gone, waits)]
    text = stranger.content.decode()
    assert ("wall-over" in text, "wall-over" in client.get(path + "?obs").content.decode()) == (
        False, True
    )  # fmt: skip
    assert not [name for name in names if f">{name}<" in text]
    assert stranger.context["asks"] == "Scan to follow the night on your phone."
    organiser = browser_of(host).get(path)
    text = organiser.content.decode()
    assert [name for name in names if f">{name}<" not in text] == [no.player.name, gone.player.name]
    assert sign_ups.link_of(event).secret in organiser.context["address"].url


def test_over_a_late_video_stands_what_was_shown_that_many_seconds_ago(monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(wall_past, "time", SimpleNamespace(time=lambda: now[0]))
    seen = []
    for name in ("first", "second", "third", "fourth", "fifth", "sixth", "seventh"):
        seen.append(str(wall_past.shown("1:en:0", 3, partial(str, name))))
        now[0] += wall_past.STEP
    assert seen == ["", "", "", "first", "second", "third", "fourth"]
    now[0] += wall_past.GAP + 10
    assert wall_past.shown("1:en:0", 3, lambda: "later") == "", "nothing was kept meanwhile"
    assert wall_past.shown("1:vi:0", 3, lambda: "x") == ""

    event = make_night(6)
    path = reverse("league:wall", args=[event.season.club.slug, event.pk])
    host = browser_of(owner_of(event.season.club))
    assert event.name in host.get(path + "?obs").content.decode().split('id="screen"')[1]
    page = host.get(path + "?obs&delay=30", headers={"HX-Request": "true"}).content.decode()
    assert (event.name in page, "&amp;obs&amp;delay=30" in page) == (False, True)
    for wrong in ("0", "301", "-1", "x"):
        assert host.get(f"{path}?obs&delay={wrong}").status_code == 400
