"""A round is one view of the wall; only what does not fit it takes turns."""

import re
import uuid
from datetime import timedelta
from functools import partial
from types import SimpleNamespace

import pytest
import time_machine
from django.utils import timezone

from league.models import Club, Entrant, Event, Result, SignUpAnswer
from league.nights.acts import clock, closing, disputes
from league.nights.facts.night import Night
from league.nights.pages.wall import screen_of, wall_now
from league.nights.pages.wall_before import before_the_draw
from league.nights.views import wall_past
from league.turnout.acts import sign_ups
from tests import factories
from tests.factories import (
    browser_of,
    keys_at,
    make_night,
    make_round,
    make_season,
    make_table,
    make_user,
    names_at,
    night_link,
    night_secret,
    owner_of,
    path_of,
    play,
)
from tests.league.nights.test_stages import knockout_night, play_all
from tests.league.nights.waitlist_helpers import open_floor

pytestmark = pytest.mark.django_db


def tour(event):
    """Each screen once, as (kind, how much it lists)."""
    seen, number = [], 0
    while True:
        found = screen_of(event, number)
        seen.append((found.kind, len(found.items)))
        number = found.following
        if number == 0:
            return seen


def test_a_cup_shows_who_would_advance_and_not_the_points_of_all_its_games():
    event = knockout_night(16)
    play_all(open_floor(event))
    second = open_floor(event)
    assert len(screen_of(event, 0).round.names) == 8, "where to sit, until a game is played"
    play_all(second)
    shown = screen_of(event, 0).round
    assert [(part.name, len(part.lines), part.ahead) for part in shown.deciding] == [
        ("Semi-final 1", 4, 2), ("Semi-final 2", 4, 2),
    ]  # fmt: skip
    assert shown.foot is None or shown.foot.label != "Next places"
    play_all(open_floor(event))
    shown = screen_of(event, 0).round
    assert list(shown.deciding) == []
    assert {(one.stage, one.row.games) for one in shown.standings} == {("final", 1)}
    assert len(shown.standings) == 4, "no points of another stage beside these"


def test_a_cup_of_many_tables_shows_them_in_turns():
    event = knockout_night(16)
    play_all(open_floor(event))
    turns = [screen_of(event, number).round for number in (0, 1)]
    names = [[part.name for part in shown.deciding] for shown in turns]
    assert names == [["Table 1", "Table 2"], ["Table 3", "Table 4"]]


def test_before_the_first_draw_there_is_one_screen():
    assert tour(make_night(0)) == [("nothing", 0)]


def test_a_round_is_one_view_with_its_tables_winners_standings_and_titles():
    sitting = make_table(make_night(8))
    event = sitting.round.event
    assert tour(event) == [("tables", 2)]
    view = screen_of(event, 0).round
    assert (len(view.names), view.standings, view.chop) == (8, [], None)
    first, second, *_others = names = names_at(sitting)
    keys = keys_at(sitting)
    result = play(sitting, names)
    result.specials = [{"kind": "chop", "by": keys[first], "of": keys[second], "what": "R"}]
    result.save(update_fields=["specials"])
    found = screen_of(event, 0)
    tables = [(t.played, t.planned, t.is_done, t.times) for t in found.items]
    planned = event.games_per_round
    assert tables == [(1, planned, planned == 1, [result.at]), (0, planned, False, [])]
    assert [[one.name for one in table.winners] for table in found.items] == [[first], []]
    assert [table.tone for table in found.items] == ["done" if planned == 1 else "run", "wait"]
    view = found.round
    assert (len(view.names), len(view.standings)) == (0, 4)
    assert (first in view.chop.text, view.chop.by.name, view.has_cell) == (True, first, True)
    assert tour(event) == [("tables", 2)], "one view, and the foot has room for all titles"
    titles = [(item.lead, [one.name for one in item.players]) for item in view.foot.items]
    assert titles == [
        ("King of firsts", [first]), ("King of chops", [first]), ("Chopped pig", [second]),
    ]  # fmt: skip


def chopped(sitting, *by, order=None):
    """The next game of a table, in which these players chop the last of it."""
    result = play(sitting, order or names_at(sitting))
    keys = keys_at(sitting)
    victim = keys[names_at(sitting)[-1]]
    result.specials = [{"kind": "chop", "by": keys[n], "of": victim, "what": "R"} for n in by]
    result.save(update_fields=["specials"])


def test_a_chop_has_the_free_place_until_the_next_game_and_the_foot_after_it():
    sitting = make_table(make_night(4, games_per_round=3))
    event = sitting.round.event
    chopped(sitting, names_at(sitting)[0])
    assert screen_of(event, 0).round.has_cell
    play(sitting)
    view = screen_of(event, 0).round
    assert (view.has_cell, view.columns, view.chop.by.name) == (False, 1, names_at(sitting)[0])


@pytest.mark.parametrize(("people", "stays"), [(8, False), (12, True), (16, False)])
def test_a_chop_stays_where_an_odd_number_of_tables_leaves_a_place(people, stays):
    """A table stood across two places there once the next game was entered."""
    sitting = make_table(make_night(people, games_per_round=3))
    chopped(sitting, names_at(sitting)[0])
    play(sitting)
    view = screen_of(sitting.round.event, 0).round
    assert (len(view.tables), view.has_cell) == (people // 4, stays)
    make_round(sitting.round.event)
    view = screen_of(sitting.round.event, 0).round
    assert (view.has_cell, view.chop is not None) == (False, True), "in the foot from then on"


def test_the_next_places_have_the_free_place_that_no_chop_takes():
    """They came by one line of the foot after the other, beside a table as wide as two."""
    event = make_night(12, games_per_round=2)
    tables = list(make_round(event).sittings.all())
    for sitting in tables:
        play(sitting)
    view = screen_of(event, 0).round
    assert (len(view.tables), view.has_cell, len(view.standings)) == (3, False, 8)
    places = Night(event).places
    assert [one.player for one in view.more] == [one.player for one in places[8:]]
    shown = browser_of(owner_of(event)).get(path_of(event, "wall")).content.decode()
    more = shown[shown.index("wall-more") :].partition("</ol>")[0]
    assert re.findall(r"<span>([^<]*)</span>", more) == [one.player.name for one in places[8:]]
    assert (view.foot is None or view.foot.label) != "Next places"
    chopped(tables[0], names_at(tables[0])[0])
    view = screen_of(event, 0).round
    assert (view.has_cell, list(view.more), view.foot.label) == (True, [], "Next places")


def test_a_title_that_several_share_stands_once_in_the_foot():
    sitting = make_table(make_night(4, games_per_round=3))
    first, second, *_others = names_at(sitting)
    chopped(sitting, first, second)
    items = screen_of(sitting.round.event, 0).round.foot.items
    kings = [item for item in items if item.lead == "King of chops"]
    assert [sorted(one.name for one in item.players) for item in kings] == [sorted([first, second])]


@pytest.mark.parametrize(
    ("minutes", "told"), [(37, "37\xa0min"), (104, "104\xa0min"), (204, "3\xa0hours")]
)
def test_a_table_tells_which_game_it_waits_for_and_for_how_long(minutes, told):
    """The slowest of all, without a game yet, waits since the release."""
    event = make_night(12, games_per_round=3)
    disputed, _silent, playing = make_round(event).sittings.all()
    now, waited = timezone.now(), timedelta(minutes=minutes)
    event.rounds.update(released_at=now - waited - timedelta(days=1))
    for sitting in (disputed, playing):
        play(sitting)
    Result.objects.update(at=now - waited)
    disputes.open_dispute(sitting_id=disputed.pk, game_no=1, by=None)
    body = browser_of(owner_of(event)).get(path_of(event, "wall")).content.decode()
    states = re.findall(r'wall-state">([^<]*)<span class="wall-since">([^<]*)<', body)
    assert [(state.strip(), since) for state, since in states] == [
        ("game 1 disputed", "· 0\xa0min"),
        ("no game yet", "· 1\xa0day"),
        ("game 2", f"· {told}"),
    ]


@pytest.mark.parametrize("people", [8, 16])
def test_the_queries_of_a_cups_wall_do_not_grow(django_assert_num_queries, people):
    event = knockout_night(people)
    play_all(open_floor(event))
    event = Event.objects.select_related("season__club").get(pk=event.pk)
    with django_assert_num_queries(19):
        screen_of(event, 0)


def test_money_stands_at_the_seats_for_members_only():
    sitting = make_table(make_night(4, stake=7000))
    event, names = sitting.round.event, names_at(sitting)
    play(sitting, names)
    tables = {sees: screen_of(event, 0, sees_money=sees).items[0] for sees in (True, False)}
    shown = {
        sees: {seat.player.name: seat.money for seat in table.seats}
        for sees, table in tables.items()
    }
    assert sum(shown[True].values()) == 0 < shown[True][names[0]]
    assert set(shown[False].values()) == {None}


def test_the_clock_is_in_the_head_while_it_runs(client):
    sitting = make_table()
    event = sitting.round.event
    clock.start(round_=sitting.round, minutes=40, by=make_user())
    clock.call_director(sitting=sitting, by=None)
    assert tour(event) == [("tables", 1)]
    now = wall_now(event)
    assert [table.table_no for table in now.calls] == [1]
    assert now.clock.end.startswith("round ends at")
    Club.objects.update(is_public=True)
    assert "data-clock" in client.get(path_of(event, "wall")).content.decode()


def test_the_room_reads_what_to_do_once_the_time_is_up(client):
    event = make_night(4, games_per_round=2)
    round_, said = make_round(event), "Time is up: play your game to its end."
    began = clock.start(round_=round_, minutes=30, by=owner_of(event)).clock_started_at
    for minutes, told in ((29, False), (31, True), (89, True), (92, False)):
        with time_machine.travel(began + timedelta(minutes=minutes), tick=False):
            wall = client.get(path_of(event, "wall")).content.decode()
        assert (said in wall) is told, minutes
    for _game in range(2):
        play(round_.sittings.get())
    with time_machine.travel(began + timedelta(minutes=31), tick=False):
        assert said not in client.get(path_of(event, "wall")).content.decode()


@pytest.mark.parametrize(
    ("end", "said"),
    [
        (closing.call_off, "This night was called off."),
        (closing.close_event, "No game was played."),
    ],
)
def test_a_night_that_ended_without_a_game_says_how(client, end, said):
    event = make_night(4)
    if end is closing.close_event:
        make_round(event)
        end = partial(end, despite_unfinished=True)
    end(event=event, by=owner_of(event))
    wall = client.get(path_of(event, "wall")).content.decode()
    assert said in wall
    assert "Not drawn yet" not in wall


def test_who_sits_out_is_listed_without_a_table():
    event = make_night(6, season=factories.make_season(rules="family"))
    make_round(event)
    view = screen_of(event, 0).round
    assert [one.table_no for one in view.names].count(None) == 2
    assert len(view.foot.items) == 2


def test_more_than_ten_tables_come_in_pages_of_six_by_need(monkeypatch):
    monkeypatch.setattr(factories, "NAMES", [f"Player {n:03}" for n in range(100)])
    event = make_night(100)
    sittings = list(make_round(event).sittings.all())
    for sitting in sittings[:-1]:
        keys = [place.entrant_id for place in sitting.places.all()]
        play(sitting, [], groups=[[key] for key in keys], client_id=uuid.uuid4())
    shown = tour(event)
    assert shown[:6] == [*[("tables", 6)] * 4, ("tables", 1), ("tables", 6)]
    first = screen_of(event, 0)
    assert first.items[0].table_no == sittings[-1].table_no, "it lacks games"
    assert [mark.is_shown for mark in first.marks].count(True) == 6
    assert (len(first.marks), len(first.round.standings)) == (25, 10)
    foot = [item for n in range(len(shown)) for item in screen_of(event, n).round.foot.items]
    following = {one.pk for item in foot if item.points is not None for one in item.players}
    assert len(following) == 96 - 10, "everybody else comes by in the foot"


@pytest.mark.parametrize("tables", range(1, 11))
def test_one_to_ten_tables_are_one_view(tables, monkeypatch):
    monkeypatch.setattr(factories, "NAMES", [f"Player {n:03}" for n in range(40)])
    event = make_night(tables * 4)
    make_round(event)
    numbers = [table.table_no for table in screen_of(event, 0).items]
    assert numbers == list(range(1, tables + 1))
    assert not screen_of(event, 0).marks
    assert {kind for kind, _size in tour(event)} == {"tables"}


def test_before_the_draw_the_wall_tells_who_comes_and_strangers_how_many(client):
    event = make_night(6)
    club, (yes, guest, maybe, no, gone, waits) = event.season.club, event.entrants.all()
    host = owner_of(club)
    sign_up = sign_ups.open_list(event=event, by=host, places=3)
    SignUpAnswer.objects.all().delete()
    Entrant.objects.filter(event=event).update(presence="expected")
    for entrant, reply, guests in (
        (yes, "yes", 1), (gone, "yes", 0), (waits, "yes", 0), (maybe, "maybe", 0), (no, "no", 0),
    ):  # fmt: skip
        values = {"reply": reply, "guests": guests, "by": host, "organises": True}
        sign_ups.answer(sign_up=sign_up, player=entrant.player, **values)
    Entrant.objects.filter(pk=guest.pk).update(presence="here")
    Entrant.objects.filter(pk=gone.pk).update(presence="absent")

    before = before_the_draw(event, 7)
    shown = [(one.name, one.guests, one.badge and one.badge.text) for one in before.arrivals]
    first = sorted([yes, guest], key=lambda entrant: entrant.player.sort_key)
    told = {yes: (yes.player.name, 1, None), guest: (guest.player.name, 0, "here")}
    assert shown == [
        *[told[entrant] for entrant in first],
        (waits.player.name, 0, "on the waiting list"), (maybe.player.name, 0, "maybe"),
    ]  # fmt: skip
    assert (before.people, before.tables, before.parts) == (3, 1, 1)

    path = path_of(event, "wall")
    Club.objects.filter(pk=club.pk).update(is_public=True)
    stranger = client.get(path)
    names = [entrant.player.name for entrant in (yes, guest, maybe, no, gone, waits)]
    text = stranger.content.decode()
    assert ("wall-over" in text, "wall-over" in client.get(path + "?obs").content.decode()) == (
        False, True
    )  # fmt: skip
    assert not [name for name in names if f">{name}<" in text]
    assert stranger.context["page"].asks == "Scan to follow the night on your phone."
    organiser = browser_of(host).get(path)
    text = organiser.content.decode()
    assert [name for name in names if f">{name}<" not in text] == [no.player.name, gone.player.name]
    assert night_secret(event) in organiser.context["page"].address.url


def test_over_a_late_video_stands_what_was_shown_that_many_seconds_ago(monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(wall_past, "time", SimpleNamespace(time=lambda: now[0]))
    seen = []
    for name in ("first", "second", "third", "fourth", "fifth", "sixth", "seventh"):
        seen.append(str(wall_past.shown("1:en:0", 3, partial(str, name))))
        now[0] += wall_past.STEP
    assert seen == ["", "", "", "first", "second", "third", "fourth"]
    now[0] += wall_past.GAP + 10
    assert wall_past.shown("1:en:0", 3, lambda: "later") == "", "nothing was kept meanwhile"
    assert wall_past.shown("1:vi:0", 3, lambda: "x") == ""

    event = make_night(6)
    path = path_of(event, "wall")
    host = browser_of(owner_of(event))
    assert event.name in host.get(path + "?obs").content.decode().split('id="screen"')[1]
    page = host.get(path + "?obs&delay=30", headers={"HX-Request": "true"}).content.decode()
    assert (event.name in page, "&amp;obs&amp;delay=30" in page) == (False, True)
    for wrong in ("0", "301", "-1", "x"):
        assert host.get(f"{path}?obs&delay={wrong}").status_code == 400


def test_the_code_beside_the_tables_says_what_it_is_for():
    night = make_night(4)
    night_link(night)
    host, path = browser_of(owner_of(night)), path_of(night, "wall")
    assert host.get(path).context["page"].asks == "Scan and tap your name. No account needed."
    make_round(night)
    told = host.get(path).context["page"].asks
    assert told == "Scan, tap your name, enter your table's games."


def test_the_room_reads_no_sums_unless_the_organiser_asks_for_them():
    event = make_table(make_night(4, stake=7000), games=1).round.event
    path = path_of(event, "wall")
    host, stranger = browser_of(owner_of(event)), browser_of(make_user())

    def sums(visitor, query=""):
        screen = visitor.get(path + query).context["screen"]
        return {seat.money for table in screen.items for seat in table.seats}

    Club.objects.update(is_public=True)
    assert sums(host) == {None}
    assert sums(stranger, "?money") <= {None}
    assert None not in sums(host, "?money")
    again = host.get(path + "?money").content.decode()
    assert again.count("&amp;money") + again.count("&money") == 2, "the next look asks again"
    assert f"{path}?money" in host.get(path_of(event, "event")).content.decode()


@pytest.mark.parametrize("closed", [False, True])
def test_where_points_are_money_the_room_reads_places_alone(closed):
    season = make_season(points_table="stake_result")
    sitting = make_table(make_night(4, season=season, stake=71, games_per_round=1), games=1)
    event = sitting.round.event
    host = browser_of(owner_of(event))
    if closed:
        closing.close_event(event=event, by=owner_of(event))
    path = path_of(event, "wall")
    for screen in range(2):
        room = host.get(f"{path}?screen={screen}").content.decode().split('id="screen"')[1]
        asked = host.get(f"{path}?screen={screen}&money").content.decode().split('id="screen"')[1]
        assert all(name in room for name in names_at(sitting)[:3])
        assert not re.search(r">[\s+−-]*(71|142|213)\b", room)
        assert re.search(r">[\s+−-]*(71|142|213)\b", asked)
