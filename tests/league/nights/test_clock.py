"""The round's clock, a table's extra time, and the calls."""

import datetime
import html
import re

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from league.models import Club, Event
from league.nights.acts import clock, closing, disputes, draws
from league.nights.facts.clock import Clock, calls, clock_of
from tests.factories import (
    browser_of,
    make_night,
    make_round,
    make_table,
    make_user,
    night_link,
    owner_of,
    path_of,
    play,
    stored,
    table_link,
)
from tests.refusals import refuses
from tests.scripts import SCRIPT

pytestmark = pytest.mark.django_db


@pytest.fixture
def by():
    return make_user()


def later(round_, seconds):
    """What the clock shows so many seconds after it started."""
    return clock_of(round_, now=round_.clock_started_at + datetime.timedelta(seconds=seconds))


def test_no_clock_is_shown_before_it_is_started(sitting):
    assert clock_of(sitting.round) is None


def test_it_counts_down_and_then_over(sitting, by):
    round_ = clock.start(round_=sitting.round, minutes=40, by=by)
    assert later(round_, 0) == Clock(2400, True, False)
    assert later(round_, 65).text == "38:55"
    assert later(round_, 2490).text == "2 min over"
    assert later(round_, 2400 + 14 * 60).text == "14 min over"


def test_a_round_is_timed_for_an_hour_after_its_end(sitting, by):
    round_ = clock.start(round_=sitting.round, minutes=40, by=by)
    assert later(round_, 2400 + 3600).text == "60 min over"
    assert later(round_, 2400 + 3601).text == ""


@pytest.mark.parametrize("minutes", [40, None])
def test_who_reads_the_seats_to_the_room_starts_the_planned_clock_there(client, minutes):
    event = make_night(8, round_minutes=minutes, rounds_planned=3)
    round_, host = make_round(event), browser_of(owner_of(event))
    path, start = path_of(event, "round", 1), "Start 40 minutes"
    Club.objects.update(is_public=True)
    shown = host.get(path)
    assert (start in shown.content.decode()) is (minutes is not None)
    assert start not in client.get(path).content.decode()
    if minutes is None:
        return
    button = shown.context["page"].starts
    assert host.post(button.address, dict(button.hidden) | {"do": "start"}).status_code == 302
    assert stored(round_).clock_minutes == 40
    for reader in (host, client):
        page = reader.get(path).content.decode()
        assert (start in page, "data-clock=" in page) == (False, True)
    make_round(event)
    assert "data-clock=" not in host.get(path).content.decode(), "of a round that is over"


def test_the_end_of_the_time_is_told_before_and_long_after(sitting, by):
    def end_after(minutes):
        with time_machine.travel(round_.clock_started_at + datetime.timedelta(minutes=minutes)):
            return clock_of(round_).end

    round_ = clock.start(round_=sitting.round, minutes=40, by=by)
    ends = timezone.localtime(round_.clock_started_at + datetime.timedelta(minutes=40))
    assert end_after(39) == f"round ends at {ends:%H:%M}"
    assert {end_after(40), end_after(280)} == {f"time was up at {ends:%H:%M}"}
    assert clock_of(clock.pause(round_=round_, by=by)).end == "paused"


def test_a_pause_stops_it_and_it_goes_on_where_it_stopped(sitting, by):
    round_ = clock.start(round_=sitting.round, minutes=40, by=by)
    round_.clock_started_at -= datetime.timedelta(minutes=10)
    round_.save()
    round_ = clock.pause(round_=round_, by=by)
    round_.clock_paused_at -= datetime.timedelta(minutes=4)
    round_.save()
    shown = clock_of(round_)
    assert (round(shown.seconds / 60), shown.running) == (34, False)
    round_ = clock.resume(round_=round_, by=by)
    shown = clock_of(round_)
    assert (round(shown.seconds / 60), shown.running) == (34, True)


def test_more_time_for_all_and_for_one_table(sitting, by):
    round_ = clock.start(round_=sitting.round, minutes=40, by=by)
    round_ = clock.add(round_=round_, minutes=5, by=by)
    clock.give_extra(sitting=sitting, minutes=3, by=by)
    sitting.refresh_from_db()
    assert later(round_, 0).seconds == 45 * 60
    assert clock_of(round_, sitting, now=round_.clock_started_at).seconds == 48 * 60


def test_the_last_game_is_called_until_the_clock_starts_anew(sitting, by):
    clock.start(round_=sitting.round, minutes=40, by=by)
    round_ = clock.call_last_game(round_=sitting.round, by=by)
    assert clock_of(round_).last_game is True
    assert clock_of(clock.start(round_=round_, minutes=40, by=by)).last_game is False


def test_a_table_that_may_call_an_organiser_reads_of_the_last_game_too(sitting, by, client):
    round_ = clock.start(round_=sitting.round, minutes=40, by=by)
    clock.call_last_game(round_=round_, by=by)
    page = client.get(table_link(sitting)).content.decode()
    assert "Call the organiser" in page
    assert page.count("Last game: finish this one") == 1


def test_phones_read_what_to_do_once_the_time_is_up_and_hear_of_it_by_asking_again():
    said = "Time is up: play your game to its end."
    sitting = make_table(make_night(4, games_per_round=2, confirmed_by="none"))
    table, night, by = table_link(sitting), night_link(sitting.round.event), owner_of(sitting)
    round_ = clock.start(round_=sitting.round, minutes=30, by=by)
    clock.give_extra(sitting=sitting, minutes=5, by=by)
    at_table, own = Client(headers=SCRIPT), Client()
    own.post(night, {"player": sitting.places.first().entrant.player_id})
    began = round_.clock_started_at

    def told(minutes):
        """What both phones show, and whether a phone that asks again hears of a change."""
        with time_machine.travel(began + datetime.timedelta(minutes=minutes), tick=False):
            pages = [html.unescape(own.get(path).content.decode()) for path in (night, table)]
            version = at_table.get(table).json()["version"]
            known = re.search(r'hx-get="([^"]*)"', pages[0])
            asks.append((f"{table}?version={version}", known[1]))
            return [said in page for page in pages]

    def hears(minutes):
        with time_machine.travel(began + datetime.timedelta(minutes=minutes), tick=False):
            clients = (at_table, own)
            return [one.get(path).status_code for one, path in zip(clients, asks[-1], strict=True)]

    asks = []
    assert told(31) == [False, False], "the table has five minutes more"
    assert (hears(32), hears(36)) == ([204, 204], [200, 200])
    assert told(36) == [True, True]
    assert hears(37) == [204, 204]
    assert told(97) == [False, False]
    clock.call_last_game(round_=round_, by=by)
    assert told(36) == [False, False], "the last game has its own notice"
    clock.start(round_=round_, minutes=30, by=by)
    round_.refresh_from_db()
    began = round_.clock_started_at
    assert told(36) == [True, True]
    for _game in range(2):
        play(sitting)
    assert told(36) == [False, False], "no game is left to play"


def test_a_table_of_a_closed_night_has_no_clock(sitting, by, client):
    clock.start(round_=sitting.round, minutes=40, by=by)
    link = path_of(sitting.round.event, "table", 1, 1)
    host = browser_of(owner_of(sitting))
    assert "data-clock=" in host.get(link).content.decode()
    closing.close_event(event=sitting.round.event, by=owner_of(sitting), despite_unfinished=True)
    assert "data-clock=" not in host.get(link).content.decode()


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda r, by: clock.start(round_=r, minutes=0, by=by), "minutes"),
        (lambda r, by: clock.start(round_=r, minutes=601, by=by), "minutes"),
        (lambda r, by: clock.pause(round_=r, by=by), "off"),
        (lambda r, by: clock.resume(round_=r, by=by), "off"),
        (lambda r, by: clock.add(round_=r, minutes=5, by=by), "off"),
    ],
)
def test_what_makes_no_sense_is_refused(sitting, by, change, code):
    with refuses(code):
        change(sitting.round, by)


def test_a_draft_has_no_clock(by):
    event = make_night()
    draft = draws.draw_round(event=event, by=owner_of(event))
    with refuses("draft"):
        clock.start(round_=draft, minutes=40, by=by)


def test_pages_of_the_round_hear_of_it(sitting, by):
    before = sitting.version
    clock.start(round_=sitting.round, minutes=40, by=by)
    assert stored(sitting).version == before + 1


def test_a_table_calls_the_director_until_somebody_was_there(sitting, by):
    event = sitting.round.event
    clock.call_director(sitting=sitting, by=None, note="A card is missing")
    sitting.refresh_from_db()
    first = sitting.called_at
    clock.call_director(sitting=sitting, by=None, note="Still missing")
    assert [(t.called_at, t.call_note) for t in calls(event)] == [(first, "A card is missing")]
    assert first <= timezone.now()
    clock.answer_call(sitting=sitting, by=by)
    assert calls(event) == []


def test_a_closed_night_asks_nobody_to_come(sitting, client):
    event = sitting.round.event
    play(sitting)
    clock.call_director(sitting=sitting, by=None)
    disputes.open_dispute(sitting_id=sitting.pk, game_no=1, by=None)
    closing.close_event(event=event, by=owner_of(event), despite_unfinished=True)
    client.force_login(owner_of(event))
    page = client.get(path_of(event, "event"))
    assert [(one.game, one.offer) for one in page.context["night"].frame.listed] == [(1, "")]


def test_the_settings_name_the_clock_that_runs_with_other_minutes(sitting, client):
    night = sitting.round.event
    client.force_login(owner_of(night))
    settings = path_of(night, "event_settings")

    def said() -> str:
        form = client.get(settings).context["form"]
        return next(one.words for one in form.topics if one.title == "Minutes per round")

    assert said() == "without a clock"
    round_ = clock.start(round_=sitting.round, minutes=40, by=owner_of(night))
    assert said() == "without a clock, round 1 alone: 40 min"
    clock.add(round_=round_, minutes=5, by=owner_of(night))
    Event.objects.filter(pk=night.pk).update(round_minutes=40)
    assert said() == "40 minutes, round 1 alone: 45 min"
    Event.objects.filter(pk=night.pk).update(round_minutes=45)
    assert said() == "45 minutes"
    assert "Minutes per round" in [
        one.title
        for one in client.get(settings).context["form"].sentence
        if not isinstance(one, str)
    ]
