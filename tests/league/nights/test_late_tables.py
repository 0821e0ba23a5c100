"""Tables that are long on one game: an open page says so, in minutes, without a change at all."""

from __future__ import annotations

import datetime
import re

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Event
from league.nights.acts import clock
from tests.factories import browser_of, make_night, make_round, owner_of, path_of, play
from tests.league.nights.waitlist_helpers import open_floor

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


class Evening:
    """A night whose games are entered at minutes after its start, which is a whole minute."""

    def __init__(self, event: Event) -> None:
        self.event, self.by = event, owner_of(event)
        self.start = datetime.datetime.now(datetime.UTC).replace(second=0, microsecond=0)

    def at(self, minutes: float) -> time_machine.travel:
        now = self.start + datetime.timedelta(minutes=minutes)
        return time_machine.travel(now, tick=False)

    def play(self, minutes: float, *sittings) -> None:
        with self.at(minutes):
            for sitting in sittings:
                play(sitting)

    def tiles(self, minutes: float) -> tuple[list[str], int]:
        """The minutes that tiles say to a visitor, and how many tiles stand out."""
        with self.at(minutes):
            page = Client().get(path_of(self.event, "event")).content.decode()
        return re.findall(r"· (\d+) min", page), len(re.findall(r"table-tile \w+ late", page))


@pytest.mark.parametrize("hosts", [False, True], ids=["a visitor", "an organiser"])
def test_an_open_page_gets_the_minutes_of_a_late_table_as_they_come(hosts):
    evening = Evening(make_night(8, games_per_round=4))
    slow, quick = make_round(evening.event).sittings.all()
    evening.play(0.5, slow)
    evening.play(20, quick)
    with evening.at(21):
        client = browser_of(evening.by) if hosts else Client()
        page = client.get(path_of(evening.event, "event"))
        asked = page.context["night"].frame.news_at

    def news(minutes: float) -> tuple[list[str], str]:
        """The minutes that news say, if there are any, and what their page asks next."""
        with evening.at(minutes):
            if hosts:
                client.force_login(evening.by)
            with CaptureQueriesContext(connection) as queries:
                answer = client.get(asked, headers=HTMX)
        if answer.status_code == 204:
            return [], str(len(queries))
        return re.findall(r"· (\d+) min", answer.content.decode()), (
            answer.context["night"].frame.news_at
        )

    quiet = news(22)
    assert quiet == news(29.9)
    found, asked = news(30)
    assert found == ["30"]
    assert news(30.9) == quiet
    found, asked = news(31)
    assert found == ["31"]


def test_a_table_without_a_game_stands_out_though_all_others_are_slow():
    evening = Evening(make_night(12, games_per_round=4))
    *slow, _silent = make_round(evening.event).sittings.all()
    evening.play(5, *slow)
    assert evening.tiles(20) == ([], 1)
    assert evening.tiles(50) == (["45", "45"], 1)


def test_a_round_without_a_number_of_games_has_late_tables_until_its_time_is_up():
    evening = Evening(make_night(12, counting="average"))
    first = make_round(evening.event)
    slow, quick, steady = first.sittings.all()
    with evening.at(0):
        clock.start(round_=first, minutes=50, by=evening.by)
    evening.play(5, slow, quick, steady)
    evening.play(34, quick, steady)
    assert evening.tiles(34) == ([], 0)
    assert evening.tiles(36) == (["31"], 1)
    assert evening.tiles(70) == (["65"], 1)  # The others were within their time.


def test_a_floor_says_the_minutes_too_and_its_next_step_goes_on():
    evening = Evening(make_night(9, format={"kind": "loser_leaves"}))
    evening.play(0, open_floor(evening.event).sittings.first())
    assert evening.tiles(29)[0] == []
    assert evening.tiles(33)[0] == ["33"]


def test_no_table_stands_out_where_most_are_late_and_each_says_its_minutes():
    evening = Evening(make_night(12, games_per_round=4))
    first, second, third = make_round(evening.event).sittings.all()
    evening.play(0, first)
    assert evening.tiles(1) == ([], 0)  # Two of three lack their first game.
    evening.play(2, second)
    assert evening.tiles(3) == ([], 1)
    evening.play(10, third)
    assert evening.tiles(31) == (["31"], 1)
    assert evening.tiles(35) == (["35", "33"], 0)
