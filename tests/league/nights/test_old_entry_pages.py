"""Open entry pages of releases that sent no mark: they open themselves anew, and lose no tap."""

import uuid
from typing import Any

import pytest
from django.test import Client

from tables.web import old_pages
from tests.factories import make_round, make_table, table_link
from tests.scripts import SCRIPT

pytestmark = pytest.mark.django_db
OF_1_1 = {"Accept": "application/json"}


@pytest.fixture
def sitting():
    return make_table()


def at(sitting) -> str:
    return table_link(sitting, 1)


def asks(sitting, client: Client | None = None) -> Any:
    return (client or Client()).get(f"{at(sitting)}?version={sitting.version}", headers=OF_1_1)


def saves(sitting, client: Client, headers: dict[str, str], first: str = "seat") -> Any:
    order = ",".join(str(place.entrant_id) for place in sitting.places.order_by(first))
    game = {"game_no": 1, "order": order, "specials": "", "client_id": uuid.uuid4()}
    return client.post(at(sitting), game, headers=headers)


def test_an_old_page_is_moved_to_itself_one_in_three_times(sitting):
    heard = [asks(sitting) for _ in range(60)]
    moved = [answer.json()["moved"] for answer in heard if answer.status_code == 200]
    assert {answer.status_code for answer in heard} == {200, 204}
    assert set(moved) == {at(sitting)}
    assert 5 < len(moved) < 40


def test_an_old_page_of_the_last_round_is_moved_at_once(sitting, monkeypatch):
    monkeypatch.setattr(old_pages, "ONE_IN", 10**9)
    make_round(sitting.round.event)
    assert asks(sitting).json()["moved"] == table_link(sitting)


def test_taps_on_an_old_page_stay_until_their_game_is_saved(sitting, monkeypatch):
    """What its poll said, it left aside: the answer to the game moves it."""
    monkeypatch.setattr(old_pages, "ONE_IN", 1)
    client = Client()
    asks(sitting, client)
    saved = saves(sitting, client, OF_1_1)
    assert (saved.status_code, saved.json()["moved"]) == (200, at(sitting))
    refused = saves(sitting, client, OF_1_1, "-seat")
    assert (refused.status_code, refused.json()["moved"]) == (409, at(sitting))
    assert saves(sitting, client, SCRIPT).json()["moved"] == ""


def test_a_page_whose_mark_a_proxy_takes_away_is_moved_once(sitting, monkeypatch):
    monkeypatch.setattr(old_pages, "ONE_IN", 1)
    client = Client()
    assert asks(sitting, client).json()["moved"] == at(sitting)
    assert client.cookies[old_pages.cookie_of(at(sitting))]["path"] == at(sitting)
    assert asks(sitting, client).status_code == 204
