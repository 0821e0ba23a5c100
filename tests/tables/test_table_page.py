"""What a table's page says of people and plays, apart from a game's own rules."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from engine import bots
from engine.rules import ruleset
from tables.base.faces import faces
from tables.base.fifo_cache import forget_all
from tables.chairs.acts import seats
from tables.models import Table
from tables.play.facts import positions
from tables.play.pages import boards
from tests.tables import live
from tests.tables.live import FOUR_TWOS, HANDS, open_form

NAMES = ["Cúc", "An", "Bình", "Chi", "Dũng", "Hà", "Lan", "Minh"]


def test_a_name_has_the_same_face_at_every_table_and_no_animal_sits_twice():
    assert faces(["Cúc"]) == faces(["Cúc", "An"])[:1]
    assert len({face.animal for face in faces(NAMES)}) == len(NAMES)
    assert all(1 <= face.ground <= 8 for face in faces(NAMES))
    many = [f"Khách {number}" for number in range(12)]
    alone = [faces([name])[0] for name in many]
    assert [face.ground for face in faces(many)] == [face.ground for face in alone]
    assert [face.animal for face in faces(many)] != [face.animal for face in alone]
    house = [faces([name])[0] for name in bots.LADDER]
    kinds = len({face.animal for face in house}), len({face.ground for face in house})
    assert kinds == (len(house), len(house))


@pytest.mark.django_db
def test_a_friend_who_left_and_came_back_has_one_row():
    table = seats.open_table(ruleset=ruleset.preset("penguin"), players=4)
    for no, name in enumerate(NAMES[:4]):
        seats.sit(table_id=table.pk, no=no, name=name)
    for _ in range(2):
        live.play_game(table)
        seats.leave(seat_id=live.chair(table, 0).pk)
        seats.sit(table_id=table.pk, no=0, name=NAMES[0])
    forget_all()
    found = positions.of(positions.rows().get(pk=table.pk)).standings
    assert sorted((row.name, row.games) for row in found) == [
        (name, 2) for name in sorted(NAMES[:4])
    ]


@pytest.mark.django_db
def test_strangers_of_one_name_are_not_added_up():
    table = live.open_table("penguin", people=4)
    Table.objects.filter(pk=table.pk).update(for_anyone=True)
    live.set_hands(table, HANDS)
    live.play_quickly(table)
    seats.leave(seat_id=live.chair(table, 0).pk)
    seats.sit(table_id=table.pk, no=0, name="Guest 0")
    live.play_game(table)
    forget_all()
    found = positions.of(positions.rows().get(pk=table.pk)).standings
    assert [row.games for row in found if row.name == "Guest 0"] == [1, 1]


@pytest.mark.django_db
def test_an_instant_win_shows_the_winners_cards_and_is_cheered():
    table = live.dealt("mien-nam", people=4, hands=FOUR_TWOS)
    board = boards.board(positions.of(positions.rows().get(pk=table.pk)))
    assert (board.cheer, board.lines[0][0].left) == ("instant", FOUR_TWOS[0].split())
    page = live.page_of(Client(), table)
    line = page.split('class="result-places"')[1].split("data-seat=")[1]
    assert line.count('class="card ') == 13


@pytest.mark.django_db
def test_a_chop_says_what_it_costs():
    table = live.chopped()
    board = boards.board(positions.of(positions.rows().get(pk=table.pk)))
    assert board.cheer == "chop"
    assert board.chop_pays > 0


@pytest.mark.django_db
def test_the_lobby_leads_back_to_a_running_game():
    browser, other = Client(), Client()
    browser.post(reverse("tables:lobby"), open_form())
    table = Table.objects.get()
    address = reverse("tables:table", args=[table.key])
    lobby = browser.get(reverse("tables:lobby")).content.decode()
    assert address in lobby
    assert f"<small>{table.ruleset.body['name']}</small>" in lobby
    assert address not in other.get(reverse("tables:lobby")).content.decode()


@pytest.mark.django_db
def test_the_lessons_teach_the_rules_that_play_now_deals():
    lobby = Client().get(reverse("tables:lobby")).content.decode()
    Client().post(reverse("tables:play_now"))
    assert f'href="{reverse("learn")}?rules={Table.objects.get().ruleset.key}"' in lobby


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("bots", "status", "seconds"), [("", "waiting", 10), ("planner", "playing", 600)]
)
def test_one_tap_opens_a_table_for_friends_or_for_practice(bots, status, seconds):
    """Nobody waits for who practises alone; friends have the clock that was chosen last."""
    sent = {"bots": bots, "name": "An", "clock": "10"}
    Client().post(reverse("tables:play_now"), sent)
    table = Table.objects.get()
    assert (table.status, table.for_anyone, table.ruleset.key) == (status, False, "mien-nam")
    assert table.move_seconds == seconds


@pytest.mark.django_db
def test_play_now_offers_other_clocks_than_its_own(client):
    page = client.get("/tables/").content.decode()
    assert "20 seconds" in page.split('name="clock"')[0]
    assert re.findall(r'name="clock" value="(\d+)"', page) == ["10"]


@pytest.mark.django_db
def test_the_panel_of_a_table_has_the_score_before_the_settings(client):
    opened = live.open_table("penguin", people=2)
    page = client.get(f"/tables/{opened.key}/").content.decode()
    parts = ['data-slot="asides"', 'data-slot="score"', "table-settings", "data-talks", 'id="talk"']
    places = [page.index(part) for part in parts]
    assert places == sorted(places)
