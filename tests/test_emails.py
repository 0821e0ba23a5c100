"""No page, export or answer tells an email address to anybody but its owner and who gives roles."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from engine.rules.ruleset import preset
from league.clubs.acts import club_rules, players
from league.nights.acts import disputes, draws
from tables.chairs.acts import seats
from tables.models import Seat
from tests.factories import browser_of, make_member, make_night, make_user, play
from tests.scripts import MARK
from tests.shares import share
from tests.test_money_privacy import addresses, make_money_world, make_stakes_table
from tests.worlds import made_once

pytestmark = pytest.mark.django_db

MARKER = re.compile(r"[\w.+-]+(?:@|%40)club\.example")


@made_once
def email_world() -> dict[str, Any]:
    """A public club in which members without a player dispute, enter, draw and write rules."""
    world = make_money_world()
    make_stakes_table(world)
    club, sitting = world["club"], world["sitting"]
    helper = make_member(club, "organiser")
    disputes.open_dispute(sitting_id=sitting.pk, game_no=1, by=helper, note="sai")
    play(sitting, [place.entrant.player.name for place in sitting.places.all()], by=helper)
    draws.draw_round(event=make_night(season=world["season"]), by=helper)
    club_rules.set_archived(ruleset=world["rules"], archived=True, by=helper)
    return world


def told(client: Client, world: dict[str, Any], own: str) -> dict[str, set[str]]:
    """Return by name the addresses whose answers tell an email other than the reader's."""
    found = {}
    for name, path in addresses(world).items():
        answer = client.get(path)
        text = "" if answer.streaming else answer.content.decode(errors="ignore")
        if emails := set(MARKER.findall(text)) - {own}:
            found[name] = emails
    return found


@pytest.mark.parametrize(
    "who", share(["stranger", "organiser of another club", "player", "scorer"], of=2)
)
def test_nobody_reads_anothers_email(email_world, who):
    user = email_world["visitors"].get(who)
    client = browser_of(user) if user else Client()
    assert told(client, email_world, user.email if user else "") == {}


def test_organisers_read_only_the_email_that_a_player_is_linked_to(email_world):
    organiser, player = email_world["visitors"]["organiser"], email_world["player"]
    player.refresh_from_db()
    found = told(browser_of(organiser), email_world, organiser.email)
    assert found == {"league:player_edit": {player.user.email}}


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
