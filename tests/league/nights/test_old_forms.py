"""What pages of earlier releases post: their addresses and fields, written out, are a contract."""

import uuid

import pytest
from django.test import Client

from league.base.acts import links
from league.models import Claim, Entrant
from tests.factories import make_night, make_table, owner_of, secret_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def sitting():
    return make_table(make_night(rules="mien-nam", counting="average"))


@pytest.fixture
def event(sitting):
    return sitting.round.event


def test_a_game(sitting):
    order = ",".join(str(place.entrant_id) for place in sitting.places.all())
    game = {"game_no": "1", "order": order, "specials": "", "client_id": str(uuid.uuid4())}
    script = Client(headers={"Accept": "application/json"})
    answer = script.post(f"/clubs/~table/{secret_of(sitting)}/rounds/1/", game)
    assert (answer.status_code, answer.json()["next"]) == (200, 2)
    assert set(answer.json()) >= {"version", "moved", "over", "players", "now", "turn", "played"}
    event = sitting.round.event
    host = Client(headers={"Accept": "application/json"})
    host.force_login(owner_of(event))
    path = f"/clubs/{event.season.club.slug}/events/{event.pk}/rounds/1/tables/1/"
    again = host.post(path, game | {"game_no": "2", "client_id": str(uuid.uuid4())})
    assert (again.status_code, again.json()["next"]) == (200, 3)


@pytest.mark.parametrize("presence", ["here", "left", "expected"])
def test_a_check_in_by_the_host(event, presence):
    host = Client(headers={"HX-Request": "true", "HX-Target": "people"})
    host.force_login(owner_of(event))
    player = event.season.club.players.create(name="Yến")
    path = f"/clubs/{event.season.club.slug}/events/{event.pk}/check-in/"
    host.post(path, {"presence": "here", "player": player.pk})
    answer = host.post(path, {"presence": presence, "player": player.pk})
    assert answer.status_code == 200
    assert event.entrants.get(player=player).presence == presence


def test_a_name_that_a_phone_takes_at_its_table(sitting):
    entrant = Entrant.objects.get(pk=sitting.places.first().entrant_id)
    path = f"/clubs/~table/{secret_of(sitting)}/rounds/1/me/"
    assert Client().post(path, {"player": entrant.player_id}).status_code == 302
    assert Claim.objects.get().player == entrant.player


def test_a_name_that_a_phone_takes_by_the_night_s_link(event):
    player = event.entrants.first().player
    path = f"/clubs/~night/{links.keep_for_night(event=event).secret}/"
    phone = Client()
    assert phone.post(path, {"me": player.pk}).status_code == 302
    assert Claim.objects.get().player == player
    assert phone.get(f"/clubs/~me/{event.pk}/", follow=True).status_code == 200
