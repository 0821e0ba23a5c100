"""Closing a night asks once for phones that entered games and are not heard any more."""

import datetime

import pytest
import time_machine
from django.core.cache import cache
from django.utils import timezone

from league.models import Result
from tests.factories import make_night, make_table, names_at, owner_of, path_of, sign_in, table_link
from tests.league.nights.test_my_night import found, player_at
from tests.league.nights.test_tap import fields

pytestmark = pytest.mark.django_db


@pytest.fixture
def sitting():
    cache.clear()
    return make_table(make_night())


def enter(phone, sitting):
    """A game by the page's own form, without a script."""
    here = table_link(sitting, 1)
    keys = {p.entrant.player.name: p.entrant_id for p in sitting.places.all()}
    order = ",".join(str(keys[name]) for name in names_at(sitting))
    sent = fields(phone.get(here, {"order": order}).content.decode())
    assert phone.post(here, sent).status_code == 302


def close(sitting, **sent):
    event = sitting.round.event
    address = path_of(event, "event_status")
    answer = sign_in(owner_of(event)).post(address, {"status": "closed", **sent})
    event.refresh_from_db()
    return answer, event.status


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "{}, table 1: silent for 5 minutes"), ("vi", "{}, bàn 1: im 5 phút")],
)
def test_a_phone_that_entered_a_game_and_is_not_heard_is_named_once(sitting, language, said):
    enter(found(sitting), sitting)
    name = player_at(sitting, 0).name
    with time_machine.travel(timezone.now() + datetime.timedelta(minutes=5), tick=False):
        event = sitting.round.event
        address = path_of(event, "event_status")
        client = sign_in(owner_of(event))
        asks = {"status": "closed"}
        answer = client.post(address, asks, headers={"accept-language": language})
        assert answer.status_code == 409
        assert said.format(name) in answer.content.decode()
        assert close(sitting, anyway="1")[1] == "closed"


def test_with_all_games_entered_no_phone_is_asked_for():
    """It has been home for an hour, and nothing that it could hold is missing."""
    cache.clear()
    sitting = make_table(make_night(games_per_round=1))
    enter(found(sitting), sitting)
    with time_machine.travel(timezone.now() + datetime.timedelta(minutes=60), tick=False):
        assert close(sitting)[1] == "closed"


def test_a_phone_that_still_asks_is_not_named(sitting):
    phone = found(sitting)
    enter(phone, sitting)
    with time_machine.travel(timezone.now() + datetime.timedelta(minutes=5), tick=False):
        phone.get(table_link(sitting, 1))
        assert "silent" not in close(sitting)[0].content.decode()


def test_what_is_unfinished_is_named_beside_the_phones(sitting):
    enter(found(sitting), sitting)
    with time_machine.travel(timezone.now() + datetime.timedelta(minutes=3), tick=False):
        answer, status = close(sitting)
        page = answer.content.decode()
        assert (answer.status_code, status) == (409, "open")
        assert "Unfinished: round 1, table 1." in page
        assert "silent for 3 minutes" in page


def test_games_of_organisers_ask_for_no_phone(sitting):
    enter(sign_in(owner_of(sitting)), sitting)
    assert Result.objects.get().device == ""
    with time_machine.travel(timezone.now() + datetime.timedelta(minutes=5), tick=False):
        assert "silent" not in close(sitting)[0].content.decode()
