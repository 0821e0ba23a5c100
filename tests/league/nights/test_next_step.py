"""What the night's page offers next is true, and drawing too early is asked about first."""

from __future__ import annotations

import datetime
import re

import pytest
import time_machine
from django.core.exceptions import ValidationError
from django.test import Client

from league.base.facts import links
from league.clubs.acts import players
from league.models import Event, Link, SignUp
from league.nights.acts import clock, closing, draws
from league.nights.facts import missing_games
from league.nights.facts.clock import clock_of
from league.recap.pages.tonight import tonight_page
from league.turnout.acts import sign_ups
from tests.factories import (
    browser_of,
    correct,
    make_member,
    make_night,
    make_round,
    owner_of,
    path_of,
    play,
)
from tests.league.nights.test_final_places import step_of
from tests.league.nights.test_stages import groups_night, knockout_night
from tests.league.nights.waitlist_helpers import open_floor
from tests.worlds import made_once

pytestmark = pytest.mark.django_db


@made_once
def event():
    return make_night(8, games_per_round=1, rounds_planned=2)


@pytest.fixture
def client(event):
    return browser_of(owner_of(event))


def told(client, event):
    """The title of the next step, the sentences below it, and the text of its first button."""
    step = step_of(client.get(path_of(event, "event")))
    return [step.title, *step.sentences], step.actions[0].text


def play_all(round_):
    for sitting in round_.sittings.all():
        play(sitting)


def test_not_all_rounds_are_played_while_a_table_of_an_earlier_one_lacks_a_game(client, event):
    first, second = make_round(event).sittings.all()
    play(first)
    play_all(make_round(event))
    sentences, button = told(client, event)
    assert sentences == ["Round 2 is done: all 2 games", "Games are missing: round 1, table 2."]
    assert button == "Enter games of round 1, table 2"
    page = client.get(path_of(event, "event"))
    assert "Round 1, table 2" in page.content.decode()
    assert "0 of 1 games" in page.content.decode()
    play(second)
    assert told(client, event) == (["All rounds are played. Close the night?"], "Close the night")
    assert "games missing" not in client.get(path_of(event, "event")).content.decode()


@pytest.mark.parametrize(
    ("others_play", "tables"),
    [
        (False, "11 players: 2 tables of 3, 5 did not advance."),
        (True, "11 players: 1 table of 4, 2 tables of 3, 1 sits out, in turn."),
    ],
)
def test_who_is_out_did_not_advance_and_who_plays_beside_rests_in_turn(others_play, tables):
    event = knockout_night(11, others_play=others_play)
    play_all(make_round(event))
    assert told(browser_of(owner_of(event)), event)[0][1:] == [tables]


def test_a_game_called_off_is_not_missing(client, event):
    play_all(make_round(event))
    last = make_round(event)
    play_all(last)
    correct(last.sittings.first().results.get(), [], void=True, reason="cards on the floor")
    assert told(client, event) == (["All rounds are played. Close the night?"], "Close the night")
    assert missing_games.unfinished_sittings(event) == []
    closing.close_event(event=event, by=owner_of(event))


def test_a_round_on_time_is_played_until_every_table_has_a_game(client):
    event = make_night(8, counting="average", rounds_planned=1)
    client.force_login(owner_of(event))
    first, second = make_round(event).sittings.all()
    play(first)
    sentences, button = told(client, event)
    assert sentences == ["Round 1 is being played", "Table 2 has no game yet."]
    assert button == "QR code"
    play(second)
    sentences, button = told(client, event)
    assert sentences == [
        "All rounds are played. Close the night?",
        "Close it when everyone has finished.",
    ]
    assert button == "Close the night"


def test_drawing_over_a_round_that_is_played_names_what_is_missing_and_asks(client, event):
    first, _second = make_round(event).sittings.all()
    play(first)
    draw = path_of(event, "draw")
    asked = client.post(draw, {"round": 2})
    missing = "Games are still missing: round 1, table 2. Enter them first, or draw anyway."
    assert asked.status_code == 409
    text = asked.content.decode()
    assert missing in text
    assert "every phone moves on to the next table" in text
    assert "Ties are broken by lot" not in text
    assert event.rounds.count() == 1
    client.post(draw, {"round": 2, "anyway": 1})
    draft = event.rounds.get(number=2)
    again = {"round": 2, "version": draft.version, "method": "few_repeats"}
    assert client.post(draw, again).status_code == 302  # Who redraws has been asked.
    by = owner_of(event)
    draws.discard_round(round_=event.rounds.get(number=2), by=by)
    with pytest.raises(ValidationError) as refused:
        draws.draw_round(event=event, by=by)
    assert (refused.value.code, refused.value.messages) == ("early", [missing])


def test_the_players_code_is_one_tap_away_and_stays_the_same(client, event):
    make_round(event)
    show = {"do": "show"}
    for _ in range(2):
        answer = client.post(path_of(event, "check_in_link"), show)
        assert answer["Location"] == path_of(event, "night_qr")
    link = links.of_night(event)
    page = client.get(answer["Location"]).content.decode()
    assert Link.objects.alive().filter(event=event, purpose="check_in").get() == link
    assert link.secret in page


@pytest.mark.parametrize(
    ("format", "rounds"),
    [
        ({"kind": "knockout", "others_play": False}, 2),
        ({"kind": "groups", "groups": 2, "group_rounds": 1, "final": 4, "others_play": False}, 2),
    ],
)
def test_a_cup_is_over_when_the_games_of_its_final_are_in(client, format, rounds):
    event = make_night(8, format=format, games_per_round=1, rounds_planned=rounds)
    client.force_login(owner_of(event))
    play_all(make_round(event))
    final = make_round(event)
    sentences, button = told(client, event)
    assert sentences == ["The final is being played: 0 of 1 games"]
    assert button == "QR code"
    assert step_of(client.get(path_of(event, "event"))).early == [], "No draw follows the final"
    play_all(final)
    step = step_of(client.get(path_of(event, "event")))
    assert step.title == "The final is over"
    assert step.sentences == ["Close the night to confirm its podium."]


def test_people_are_the_current_segment_until_the_first_tables_are_drawn(client, event):
    def here():
        segments = client.get(path_of(event, "event")).context["night"].frame.segments
        return [tab.text for tab in segments if tab.is_here]

    def of_a_stranger():
        shown = Client().get(path_of(event, "event")).context["night"].frame.segments
        return [tab.text for tab in shown][:2]

    assert (here(), of_a_stranger()) == (["People"], ["People"])
    make_round(event)
    assert (here(), of_a_stranger()) == (["Tables"], ["Tables", "Standings"])


def test_segments_come_once_they_have_something(client, event):
    def bar(page: str, reader: Client) -> tuple[list[str], bool]:
        text = reader.get(path_of(event, page)).content.decode().split('<nav class="segments"')[1]
        head, links = text.split("</nav>")[0].split("<ul", 1)
        return re.findall(r"<a[^>]*>\s*(\w+)", links), "hidden" in head

    assert bar("event", client) == (["People"], True)
    assert bar("check_in", client) == (["People", "Tables"], False)
    night, check_in = path_of(event, "event"), path_of(event, "check_in")
    for here, there, name in ((night, check_in, "People"), (check_in, night, "Tables")):
        assert re.search(rf'<a href="{there}"[^>]*>\s*{name}', client.get(here).content.decode())
    assert f'href="{night}"' in client.get(check_in).content.decode().split("<main")[0], (
        "the way back"
    )
    assert bar("event", Client()) == (["People"], True)
    make_round(event)
    both = ["Tables", "Standings"]
    assert bar("event", client) == bar("check_in", client) == (["People", *both], False)
    assert bar("event", Client()) == (both, False)


def current(answer) -> list[str]:
    return [tab.text for tab in answer.context["night"].frame.segments if tab.is_here]


def test_the_segment_in_view_stays_the_current_one_with_the_news_of_its_page(client, event):
    tables = make_round(event).sittings.all()
    shown = client.get(f"{path_of(event, 'event')}?show=standings")
    for table in tables:
        play(table)
        shown = client.get(shown.context["night"].frame.news_at, headers={"HX-Request": "true"})
        assert (shown.status_code, current(shown)) == (200, ["Standings"])


def test_the_tables_of_a_closed_night_are_a_segment_of_their_own(client, event):
    play(make_round(event).sittings.first())
    closing.close_event(event=event, by=owner_of(event), despite_unfinished=True)
    page = client.get(path_of(event, "event"))
    tabs = {tab.text: tab.address for tab in page.context["night"].frame.segments}
    from_people = client.get(path_of(event, "check_in")).content.decode()
    assert (current(page), f'href="{tabs["Tables"]}"' in from_people) == (["Standings"], True)
    assert current(client.get(tabs["Tables"])) == ["Tables"]
    assert current(client.get(tabs["Standings"])) == ["Standings"]


def test_the_day_of_a_night_to_come_stands_below_who_comes():
    """The bar has day, hour and place, too."""
    event = make_night(0)
    club, by = event.season.club, owner_of(event)
    Event.objects.filter(pk=event.pk).update(date=club.today + datetime.timedelta(days=6))
    lan = players.add_player(club=club, name="Lan", by=by)
    asked = sign_ups.open_list(event=event, by=by)
    sign_ups.answer(sign_up=asked, player=lan, reply="yes", organises=True)
    page = browser_of(by).get(path_of(event, "event")).content.decode()
    day, answers = 'aria-label="Night"', 'class="face-row answered-yes"'
    assert page.count(f'<section class="panel" {day}>') == 1
    assert page.index('class="panel next-step"') < page.index(answers) < page.index(f'panel" {day}')


def test_a_knock_out_says_that_the_next_draw_is_its_final():
    event = knockout_night(16)

    def offered():
        step = step_of(browser_of(owner_of(event)).get(path_of(event, "event")))
        return [str(one.text) for one in (*step.actions, *step.early)]

    play_all(open_floor(event))
    assert offered()[:2] == ["Draw the semi-final", "Draw by standings"]
    play_all(open_floor(event))
    assert offered() == ["Draw the final"]
    play_all(open_floor(event))
    assert offered()[0] == "Close the night"


def steps(client, event) -> list[tuple[str, list[tuple[str, str]]]]:
    """What is next by the tables, by the people, by the standings and by the API.

    Without the buttons to the page of the people, and to the code that it shows.
    """
    people, tables = path_of(event, "check_in"), path_of(event, "event")
    own = {people, path_of(event, "check_in_link")}
    shown = [step_of(client.get(page)) for page in (tables, f"{tables}?show=standings")]
    shown.append(client.get(people).context["step"])
    told = [
        (step.title, [(one.text, one.address) for one in step.actions if one.address not in own])
        for step in shown
        if step is not None
    ]
    now = client.get(path_of(event, "api:event_now")).json()["step"]
    acts = [(one["text"], one["page"]) for one in now["actions"]]
    early = len(shown[0].below)
    acts = [one for one in acts[: len(acts) - early] if one[1] not in own]
    return [*told, (now["sentences"][0], acts)]


NIGHTS = {
    "rounds": lambda: make_night(8, games_per_round=1, rounds_planned=2),
    "on time": lambda: make_night(8, counting="average", rounds_planned=1),
    "groups and a final": groups_night,
    "a cup": lambda: knockout_night(8, rounds_planned=3),
    "the loser leaves": lambda: make_night(6, format={"kind": "loser_leaves"}),
    "the same cards": lambda: make_night(
        8, format={"same_deals": True}, games_per_round=1, rounds_planned=1
    ),
}


@pytest.mark.parametrize("kind", NIGHTS)
def test_all_pages_of_a_night_and_the_api_name_one_next_step(kind):
    event = NIGHTS[kind]()
    client = browser_of(owner_of(event))

    def titles() -> str:
        event.refresh_from_db()
        first, *others = steps(client, event)
        assert others == [first] * len(others)
        # While a round is played, the page of its people has none of its own.
        assert len(others) == (2 if "being played" in first[0] else 3)
        return first[0]

    seen = [titles()]
    for _number in range(event.rounds_planned):
        if seen[-1] in ("The final is over", "The tables are open"):
            break
        by = owner_of(event)
        drawn = draws.draw_round(event=event, by=by, seed=1)
        seen.append(titles())
        draws.release_round(round_=drawn, by=by)
        seen.append(titles())
        for sitting in drawn.sittings.all():
            if not event.has_queue:
                play(sitting)
            seen.append(titles())
    assert len({*seen}) > 2


@pytest.mark.parametrize(
    ("kind", "done", "over"),
    [
        ("rounds", "Round 1 is done: all 2 games", "All rounds are played."),
        ("groups and a final", "Round 1 is done: all 2 games", "The final is over"),
        ("on time", "", ""),
    ],
)
def test_the_big_screen_tells_the_room_that_a_round_or_all_is_played_and_nothing_of_a_draft(
    kind, done, over
):
    event = NIGHTS[kind]()
    client, by = browser_of(owner_of(event)), owner_of(event)

    def read() -> str:
        event.refresh_from_db()
        page = client.get(path_of(event, "wall"))
        step = page.context["screen"].step
        assert page.content.decode().count(f'<p class="message info">{step}</p>') == bool(step)
        return step

    last = ""
    for number in range(event.rounds_planned):
        drawn = draws.draw_round(event=event, by=by, seed=1)
        assert read() == last
        draws.release_round(round_=drawn, by=by)
        tables = list(drawn.sittings.all())
        for sitting in tables:
            assert read() == ""
            for _game in range(event.games_per_round or 1):
                play(sitting)
        last = over if number + 1 == event.rounds_planned else done
        assert read() == last


def test_where_nobody_is_people_come_first_and_their_page_has_no_button_to_itself():
    event = make_night(0)
    client = browser_of(owner_of(event))
    assert told(client, event) == (["Nobody is checked in yet"], "Check people in")
    assert "next-step" not in client.get(path_of(event, "check_in")).content.decode()


def test_where_nobody_is_yet_the_answers_to_the_list_are_the_title_everywhere(
    django_assert_max_num_queries,
):
    event = make_night(0)
    club, owner = event.season.club, owner_of(event)
    for name in ("An", "Bình"):
        players.add_player(club=club, name=name, by=owner)
    sign_ups.open_list(event=event, by=owner)
    client, now = browser_of(owner), path_of(event, "api:event_now")
    assert told(client, event) == (["0 coming, 2 not answered"], "Check people in")
    assert client.get(now).json()["step"]["sentences"] == ["0 coming, 2 not answered"]
    client.get("/")
    with django_assert_max_num_queries(34):
        client.get("/")


def test_a_host_sees_the_tables_that_those_who_come_will_fill():
    event = make_night(0)
    club, owner = event.season.club, owner_of(event)
    sign_up = sign_ups.open_list(event=event, by=owner)
    for number in range(11):
        player = players.add_player(club=club, name=f"Khách {number}", by=owner)
        sign_ups.answer(sign_up=sign_up, player=player, reply="yes", organises=True)
    host = browser_of(owner)
    page = host.get(path_of(event, "event")).content.decode()
    tables = "11 players: 2 tables of 4, 1 table of 3."
    assert told(host, event)[0][1:] == [tables, "One more makes 3 full tables of 4."]
    SignUp.objects.update(places=11)
    assert told(host, event)[0][1:] == [tables], "nobody has a place to fill the last table"
    assert re.findall(r'pathLength="(\d+)"', page) == ["4", "4", "3"]
    assert "It will be 3 tables" in page
    for other in (browser_of(make_member(club, "player")), Client()):
        assert "pathLength" not in other.get(path_of(event, "event")).content.decode()


def test_a_program_is_told_whom_to_ask_days_before_the_night():
    event = make_night(0)
    club, owner = event.season.club, owner_of(event)
    Event.objects.filter(pk=event.pk).update(date=club.today + datetime.timedelta(days=6))
    players.add_player(club=club, name="An", by=owner)
    sign_ups.open_list(event=event, by=owner)
    now = browser_of(owner).get(path_of(event, "api:event_now")).json()
    ask = now["step"]["actions"][0]
    assert ask["text"] == "Ask 1 person"
    assert ask["address"] == path_of(event, "api:sign_up")
    assert ask["page"] == path_of(event, "sign_up") + "?text=ask"


def test_the_code_stands_above_the_names_on_the_day_of_the_night_alone():
    event = make_night(0)
    client = browser_of(owner_of(event))
    for days, is_first in ((0, True), (6, False)):
        date = event.season.club.today + datetime.timedelta(days=days)
        Event.objects.filter(pk=event.pk).update(date=date)
        page = client.get(path_of(event, "check_in")).content.decode()
        assert (page.index('id="by-link"') < page.index('id="who"')) is is_first


def test_a_table_that_is_long_on_one_game_is_named_and_the_round_may_get_more_time():
    event = make_night(8, games_per_round=4, rounds_planned=2)
    by, client, round_ = owner_of(event), browser_of(owner_of(event)), make_round(event)
    slow, quick = round_.sittings.all()
    began = clock.start(round_=round_, minutes=45, by=by).clock_started_at
    add = ("Add 5 minutes", path_of(event, "round_clock", 1))

    def at(minutes: int) -> tuple[list[str], bool, list[str]]:
        """The sentences on a late table, whether time is offered, and the minutes on tiles."""
        now = began + datetime.timedelta(minutes=minutes)
        with time_machine.travel(now, tick=False):
            client.force_login(by)
            if minutes in (10, 31):
                play(quick)
            page = client.get(path_of(event, "event"))
            step, people = step_of(page), client.get(path_of(event, "check_in"))
        assert people.status_code == 200
        late = [text for text in step.sentences if "minutes" in text]
        offered = [(one.text, one.address) for one in step.actions]
        return late, add in offered, re.findall(r"· (\d+) min", page.content.decode())

    with time_machine.travel(began, tick=False):
        play(slow)
    assert at(10) == ([], False, [])
    assert at(29) == ([], False, [])
    assert at(31) == (["Table 1: on game 2 for 31 minutes."], False, ["31"])
    assert at(36) == (["Table 1: on game 2 for 36 minutes."], True, ["36"])
    with time_machine.travel(began + datetime.timedelta(minutes=37), tick=False):
        client.force_login(by)
        play(slow)
        button = {"do": "add", "minutes": 5, "seen": 45}
        client.post(path_of(event, "round_clock", 1), button)
    assert at(38) == ([], False, [])
    assert event.rounds.get().clock_minutes == 50


def test_a_round_whose_time_is_up_says_so_and_gets_five_minutes_from_then():
    event = make_night(8, games_per_round=2, rounds_planned=2)
    by, client, round_ = owner_of(event), browser_of(owner_of(event)), make_round(event)
    play(round_.sittings.first())
    began = clock.start(round_=round_, minutes=20, by=by).clock_started_at
    there = path_of(event, "round_clock", 1)
    with time_machine.travel(began + datetime.timedelta(minutes=27), tick=False):
        client.force_login(by)
        step = step_of(client.get(path_of(event, "event")))
        assert step.title == "Time is up: 1 of 4 games"
        acts = [(one.text, one.address, one.tone) for one in step.actions]
        assert acts == [
            (FROM_NOW, there, "primary"), ("Call the last game", there, ""),
        ]  # fmt: skip
        client.post(there, {"do": "last_game"})
        acts = step_of(client.get(path_of(event, "event"))).actions
        assert [one.text for one in acts] == [FROM_NOW]
        client.post(there, {"do": "add", "minutes": 5, "seen": 20})
        step = step_of(client.get(path_of(event, "event")))
        assert step.title == "Round 1 is being played: 1 of 4 games"
        assert clock_of(event.rounds.get()).seconds == 300


FROM_NOW = "5 more minutes from now"
LACK = "3 games are missing: table 2 lacks 2; table 1 lacks 1"


@pytest.mark.parametrize(
    ("planned", "early", "ahead"),
    [
        (2, "Draw round 2", ["Draw round 2", "QR code"]),
        (1, "Close the night", ["Close the night", "QR code"]),
    ],
)
def test_what_goes_on_without_the_missing_games_leads_once_the_hour_is_over(planned, early, ahead):
    event = make_night(8, games_per_round=2, rounds_planned=planned)
    by, client, round_ = owner_of(event), browser_of(owner_of(event)), make_round(event)
    play(round_.sittings.first())
    began = clock.start(round_=round_, minutes=20, by=by).clock_started_at

    def at(minutes: int):
        with time_machine.travel(began + datetime.timedelta(minutes=minutes), tick=False):
            client.force_login(by)
            page = client.get(path_of(event, "event"))
        step, menu = step_of(page), [one.text for one in page.context["menu"]]
        told = step.left_out or next((one for one in step.sentences if "missing" in one), "")
        return step.actions[0].tone, [one.text for one in step.buttons], told, menu

    tone, buttons, told, menu = at(10)
    assert (buttons, told) == (["QR code"], "")
    assert "Close the night" in menu
    tone, buttons, told, menu = at(79)
    assert (tone, buttons) == ("primary", [FROM_NOW, "Call the last game", early])
    assert told == LACK
    tone, buttons, told, menu = at(82)
    assert (tone, buttons[:2], told) == ("primary", ahead, f"{LACK}.")
    assert ("Close the night" in menu) is (early != "Close the night")


def test_the_menus_of_tables_and_people_have_the_same_other_draws():
    event = make_night(8, games_per_round=2, rounds_planned=3)
    client = browser_of(owner_of(event))
    make_round(event)
    menus = [
        [
            one.text
            for row in client.get(path_of(event, page)).context["menu"]
            for one in row.rows or [row]
        ]
        for page in ("event", "check_in")
    ]
    assert ["Draw by standings" in menu for menu in menus] == [True, True]


@pytest.mark.parametrize("people", [0, 8])
def test_tonight_offers_what_the_nights_page_does_before_its_first_round(people):
    event = make_night(people)
    owner = owner_of(event)
    client = browser_of(owner)

    def offered() -> str:
        [night] = [one for block in tonight_page(owner).blocks for one in block.coming]
        first = step_of(client.get(path_of(event, "event"))).actions[0]
        assert (first.text, first.address) == (night.next_step.text, night.next_step.address)
        return first.text

    assert offered() == ("Draw round 1" if people else "Check people in")
    if people:
        draws.draw_round(event=event, by=owner, seed=1)
        event.refresh_from_db()
        assert offered() == "Review the draft"
