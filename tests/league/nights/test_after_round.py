"""What a night's tables show between two rounds: who leads, and whom the round moved."""

import pytest
from django.test import Client

from league.nights.acts import draws
from league.nights.facts.night import Night
from league.nights.facts.progress import progress_of
from league.nights.pages.after_round import after_round
from tests.factories import (
    browser_of,
    make_adjustment,
    make_night,
    make_season,
    names_at,
    night_link,
    owner_of,
    path_of,
    play,
)
from tests.league.nights.test_stages import knockout_night, play_all
from tests.league.nights.waitlist_helpers import open_floor
from tests.worlds import made_once

pytestmark = pytest.mark.django_db


@made_once
def event():
    return make_night(8, games_per_round=1, rounds_planned=3)


def after(event, *, sees_drafts=True):
    night = Night(event)
    return after_round(night, progress_of(night, sees_drafts=sees_drafts))


def page_of(event, client=None):
    client = client or browser_of(owner_of(event))
    return " ".join(client.get(path_of(event, "event")).content.decode().split())


def test_after_a_round_the_tables_tell_the_first_three_until_the_next_one_is_drawn(event):
    one, two = open_floor(event).sittings.all()
    play(one)
    assert after(event) is None, "a table lacks its game"
    play(two)
    found = after(event)
    assert (found.number, len(found.podium), found.moved) == (1, 4, [])
    assert 'id="after">After round 1</h2>' in page_of(event)
    for page in (page_of(event), page_of(event, Client())):
        assert page.index("After round 1") < page.index("table-tiles")
    by = owner_of(event)
    draft = draws.draw_round(event=event, by=by, seed=1, anyway=True)
    assert after(event) is None, "who draws the next round looks at it"
    assert after(event, sees_drafts=False).number == 1, "players do not know of it"
    assert "After round 1" in page_of(event, Client())
    draws.release_round(round_=draft, by=by)
    assert after(event, sees_drafts=False) is None
    assert "After round" not in page_of(event, Client())


def test_after_a_round_it_is_told_who_rose_and_who_fell_most_by_it(event):
    a, b, c, d = names_at(open_floor(event).sittings.get(table_no=1))
    first = event.rounds.get()
    e, f, g, h = names_at(first.sittings.get(table_no=2))
    play(first.sittings.get(table_no=1), [a, b, c, d])
    play(first.sittings.get(table_no=2), [e, f, g, h])
    ranks = {one.player.name: one.row.rank for one in Night(event).standings}
    for sitting in open_floor(event).sittings.all():
        names = names_at(sitting)
        play(sitting, sorted(names, key=lambda name: -ranks[name]))
    now = {one.player.name: one.row.rank for one in Night(event).standings}
    moved = {name: ranks[name] - now[name] for name in ranks}
    up, down = after(event).moved
    assert (up.rises, -down.falls) == (max(moved.values()), min(moved.values()))
    assert (up.was, up.now) == (ranks[up.player.name], now[up.player.name])
    assert (down.was, down.now) == (ranks[down.player.name], now[down.player.name])
    page = page_of(event)
    assert f'aria-label="up {up.rises}">▲{up.rises}</small>' in page
    assert f'aria-label="down {down.falls}">▼{down.falls}</small>' in page
    assert f"rank {up.was} → {up.now}" in page
    make_adjustment(event.season, names_at(first.sittings.get(table_no=1))[0], event=event)
    assert (after(event).number, after(event).moved) == (2, []), "a penalty moved ranks, too"


@pytest.mark.parametrize("counting", ["average", "night_average", "table_ranking"])
def test_moves_are_those_of_the_ranks_shown_however_games_are_counted(counting):
    season = make_season(counting=counting)
    event = make_night(9, season=season, games_per_round=2, rounds_planned=3)
    for upwards in (True, False):
        ranks = {one.player.name: one.row.rank for one in Night(event).standings}
        for sitting in open_floor(event).sittings.all():
            names = sorted(names_at(sitting), reverse=upwards)
            play(sitting, names)
            play(sitting, names[1:] + names[:1])
    now = {one.player.name: one.row.rank for one in Night(event).standings}
    moved = after(event).moved
    assert moved
    for one in moved:
        assert (one.was, one.now) == (ranks[one.player.name], now[one.player.name])


def test_after_the_last_round_and_where_points_do_not_rank_nothing_is_told(event):
    for _round in range(3):
        play_all(open_floor(event))
    assert after(event) is None, "the night is over and has its own podium"
    cup = knockout_night(8)
    play_all(open_floor(cup))
    assert after(cup) is None
    season = make_season(points_table="stake_result")
    money = make_night(4, season=season, stake=5, games_per_round=1)
    play_all(open_floor(money))
    assert after(money) is None, "not everyone reads money"


def test_a_phone_is_led_to_its_tables_until_they_have_all_their_games(event):
    one, two = open_floor(event).sittings.all()
    phone, enters = Client(), "Enter this table's games"
    for sitting in (one, two):  # The first name is the phone's own, the other one a friend's.
        phone.post(night_link(event), {"player": sitting.seated[0].entrant.player_id})

    def door():
        page = phone.get(f"{night_link(event)}?others=1").content.decode()
        return (enters in page, "To table 2" in page)

    assert enters in page_of(event, phone)
    assert door() == (True, False)
    play(two)
    assert enters in page_of(event, phone)
    assert door() == (False, True)
    play(one)
    page = page_of(event, phone)
    assert (enters in page, "To table 1" in page) == (False, True)
