"""How many tables of which size those who are here make, and who stands last without a game."""

import pytest

from league.clubs.acts import players
from league.nights.facts.waitlist import queue
from league.seasons.facts.standings import event_standings
from tests.factories import make_night, make_round, owner_of, path_of, play
from tests.league.nights.waitlist_helpers import around, come, open_floor

pytestmark = pytest.mark.django_db


def sizes(people, rules="thirteen", **settings):
    drawn = make_round(make_night(people, rules=rules, format={**settings}))
    return sorted((len(s.places.all()) for s in drawn.sittings.all()), reverse=True)


@pytest.mark.parametrize(
    ("people", "most", "drawn"),
    [
        (5, None, [5]), (5, 4, [4]), (6, None, [3, 3]), (6, 6, [6]), (7, 7, [7]), (8, 8, [8]),
        (8, None, [4, 4]), (9, 8, [3, 3, 3]),
    ],
)  # fmt: skip
def test_five_sit_together_and_more_if_the_organiser_says_so(people, most, drawn):
    assert sizes(people, one_table=most) == drawn


def test_rules_for_four_never_seat_five_and_no_two_are_left_to_themselves():
    assert sizes(5, "penguin", one_table=8) == [4]
    assert sizes(2, "penguin") == [2]
    assert sizes(7, "penguin", table_size=3) == [3, 3]
    assert sizes(12, "penguin", table_size=6) == [4, 4, 4]


@pytest.mark.parametrize(
    ("people", "size", "drawn"),
    [(13, 6, [5, 4, 4]), (16, 8, [8, 8]), (9, 8, [5, 4]), (7, 6, [4, 3]), (9, 2, [2, 2, 2, 2])],
)  # fmt: skip
def test_an_evening_of_several_tables_of_the_size_that_the_organiser_wants(people, size, drawn):
    assert sizes(people, table_size=size) == drawn


@pytest.mark.parametrize(("kind", "waiting"), [("loser_leaves", 1), ("open", 1)])
def test_a_queue_at_tables_of_five_opens_as_many_as_are_full(kind, waiting):
    night = make_night(16, rules="thirteen",
                       format={"kind": kind, "table_size": 5})  # fmt: skip
    floor = open_floor(night)
    assert [len(around(table)) for table in floor.sittings.all()] == [5] * 3
    assert len(queue(night)) == waiting


@pytest.mark.parametrize("kind", ["loser_leaves", "open"])
def test_a_queue_of_twenty_one_has_five_tables_and_one_who_waits(kind):
    night = make_night(16, format={"kind": kind})
    come(night, *(f"Guest {no}" for no in range(5)))
    floor = open_floor(night)
    assert [len(around(table)) for table in floor.sittings.all()] == [4] * 5
    assert len(queue(night)) == 1


def test_who_has_not_played_stands_below_who_has_played_for_nothing():
    night = make_night(6, format={"kind": "loser_leaves", "tables": 1})
    (table,) = open_floor(night).sittings.all()
    order = around(table)
    play(table, order)
    rows = event_standings(night)
    shown = [(s.player.name, s.row.rank) for s in rows]
    assert shown[:4] == [(name, rank) for rank, name in enumerate(order, start=1)]
    assert [(s.row.games, s.row.rank) for s in rows][4:] == [(0, 5), (0, 5)]


def test_a_guest_whose_name_is_like_a_members_is_asked_about_in_one_tap(client):
    night = make_night(4)
    club = night.season.club
    by = owner_of(club)
    hoa = players.add_player(club=club, name="Chị Hoa", by=by)
    client.force_login(by)
    address = path_of(night, "guest")
    asked = client.post(address, {"name": "Chi Hoa"})
    assert (asked.status_code, asked.context["alike"]) == (409, [hoa])
    assert not club.players.filter(name="Chi Hoa").exists()
    page = " ".join(asked.content.decode().split())
    assert f'name="player" value="{hoa.pk}"' in page
    client.post(address, {"name": "Chi Hoa", "new": "1"})
    assert club.players.filter(name="Chi Hoa").exists()
    client.post(address, {"name": "chị hoa"})
    assert night.entrants.get(player=hoa).presence == "here"
