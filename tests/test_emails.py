"""No name at a table is taken from an email address; tests/test_visitors.py asks who reads one."""

import pytest
from django.test import Client
from django.urls import reverse

from engine.rules.ruleset import preset
from league.clubs.acts import players
from tables.chairs.acts import seats
from tables.models import Seat
from tests.factories import browser_of, make_night, make_user
from tests.scripts import MARK

pytestmark = pytest.mark.django_db


def test_no_online_table_takes_a_name_from_an_email():
    user = make_user("marker.nguyen@mail.example")
    own, stranger = browser_of(user), Client()
    own.post(reverse("tables:play_now"))
    seat = Seat.objects.get(user=user)
    names = [(name, ()) for name in ("lobby", "ratings")]
    for key in (seat.table.key, seats.open_table(ruleset=preset("penguin"), players=4).key):
        names += [("table", (key,)), ("view", (key,))]
    for browser in (own, stranger):
        for name, args in names:
            page = browser.get(reverse(f"tables:{name}", args=args), headers=MARK).content.decode()
            assert "marker" not in page.replace(user.email, ""), name
    assert seat.name == "Guest"


def test_an_accounts_player_is_the_name_proposed_at_a_table():
    event, user = make_night(), make_user()
    player = event.entrants.first().player
    players.take_player(player=player, user=user)
    table = seats.open_table(ruleset=event.rules, players=4)
    page = browser_of(user).get(reverse("tables:table", args=[table.key])).content.decode()
    assert f'value="{player.name}"' in page
