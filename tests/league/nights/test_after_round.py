"""What a night's tables show between two rounds: who leads, and whom the round moved."""

import pytest
from django.test import Client

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
    for stranger in (browser_of(owner_of(event)), Client()):
        assert page_of(event, stranger).index("After round 1") < page_of(event).index("table-tiles")
    open_floor(event)
    assert after(event) is None
    assert "After round" not in page_of(event)


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
    assert (up.up, down.up) == (max(moved.values()), min(moved.values()))
    assert (up.was, up.now) == (ranks[up.player.name], now[up.player.name])
    assert (down.was, down.now) == (ranks[down.player.name], now[down.player.name])
    page = page_of(event)
    assert f'<b class="num up">▲{up.up}</b>' in page
    assert f'<b class="num down">▼{down.down}</b>' in page
    assert f"rank {up.was} → {up.now}" in page
    make_adjustment(event.season, names_at(first.sittings.get(table_no=1))[0], event=event)
    assert (after(event).number, after(event).moved) == (2, []), "a penalty moved ranks, too"


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


def test_a_phone_is_led_to_its_table_until_the_table_has_all_its_games(event):
    one, two = open_floor(event).sittings.all()
    phone, enters = Client(), "Enter this table's games"
    phone.post(night_link(event), {"player": one.seated[0].entrant.player_id})
    assert enters in page_of(event, phone)
    play(two)
    assert enters in page_of(event, phone)
    play(one)
    page = page_of(event, phone)
    assert (enters in page, "To table 1" in page) == (False, True)
