"""Pages of the formats: choosing one, the draw that follows it, the queue, who goes on."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from engine.rules.specials import Special
from league.models import Event
from league.nights.acts import closing, draws
from league.nights.facts import stages
from league.nights.facts.events import rounds_of
from league.nights.facts.night import Night
from league.nights.pages.night_tables import tables_of
from league.nights.pages.stage_page import stage_page, way_on
from tests.factories import (
    browser_of,
    correct,
    game_form,
    groups_of,
    make_night,
    make_round,
    make_season,
    night_link,
    owner_of,
    path_of,
    play,
    secret_of,
    table_link,
)
from tests.league.nights.test_event_page import in_one_line
from tests.league.nights.test_stages import by_seat, groups_night, knockout_night, play_all
from tests.league.nights.waitlist_helpers import around, come, open_floor, waiting
from tests.scripts import SCRIPT
from tests.shares import share
from tests.worlds import made_once

pytestmark = pytest.mark.django_db


@made_once
def event():
    return groups_night(8)


def sent(**changes):
    values = {
        "name": "Night 1", "date": "2199-01-02", "rounds_planned": 3, "counting": "fixed",
        "games_per_round": 4, "confirmed_by": "none", "format": "rounds", "groups": 2,
        "group_rounds": 3, "final": 4, "others_play": "on", "tables": 1, "look": 1, "bot": "",
    }  # fmt: skip
    return values | changes


@pytest.fixture
def season(client):
    """A season of its own: other tests' worlds may have nights by now."""
    season = make_season()
    client.force_login(owner_of(season))
    return season


def test_each_format_is_explained_in_one_sentence_and_chosen_in_the_form(client, season):
    path = path_of(season, "event_create")
    body = client.get(path).content.decode()
    assert body.count('name="format"') == 5
    assert "The player in last place gives up the seat to the next in the queue" in body
    vietnamese = client.get(path, headers={"accept-language": "vi"}).content.decode()
    assert "Đấu theo vòng" in vietnamese
    assert vietnamese.count("Số vòng đấu") == 1 + vietnamese.count("Số vòng đấu trong bảng") == 2
    values = sent(format="loser_leaves", tables=2, cap=4, look=3)
    assert client.post(path, values).status_code == 302
    rules = season.events.get().rules_of_format
    assert (rules.kind, rules.tables, rules.cap, rules.look) == ("loser_leaves", 2, 4, 3)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": "groups", "groups": 0}, "Enter 1 or more."),
        ({"format": "chess"}, "chess"),
        ({"format": "open", "counting": "table_ranking"}, "no ranking of its own"),
        ({"bot": "nobody"}, "nobody"),
    ],
)
def test_a_wrong_format_is_told_beside_its_field(client, season, changes, message):
    answer = client.post(path_of(season, "event_create"), sent(**changes))
    assert answer.status_code == 422
    assert message in answer.content.decode()
    assert season.events.count() == 0


def test_a_form_without_a_format_makes_a_night_of_rounds(client, season):
    values = {key: value for key, value in sent().items() if key != "format"}
    client.post(path_of(season, "event_create"), values)
    assert season.events.get().rules_of_format.kind == "rounds"


def test_settings_show_the_format_and_refuse_another_once_it_is_drawn(event):
    open_floor(event)
    client = browser_of(owner_of(event))
    body = client.get(path_of(event, "event_settings")).content.decode()
    assert 'value="groups" checked' in body
    values = sent(format="knockout", rounds_planned=2)
    answer = client.post(path_of(event, "event_settings"), values)
    assert answer.status_code == 422
    assert "A round has already been drawn in this format" in answer.content.decode()
    values |= {"format": "groups", "group_rounds": 1, "final": 8}
    assert client.post(path_of(event, "event_settings"), values).status_code == 302
    assert Event.objects.get(pk=event.pk).rules_of_format.final == 8


def test_the_night_shows_tables_and_queue_and_the_draw_names_who_waits():
    event = make_night(6, format={"kind": "loser_leaves"})
    client = browser_of(owner_of(event))
    assert "Draw the tables" in client.get(path_of(event, "event")).content.decode()
    client.post(path_of(event, "draw"))
    assert "Queue:" in client.get(path_of(event, "round", 1)).content.decode()
    client.post(path_of(event, "release", 1), {"version": event.rounds.get().version})
    body = client.get(path_of(event, "event")).content.decode()
    assert body.count(f"</span> {waiting(event)[0]}</li>") == 1
    assert "Draw round" not in body
    for name in ("round_explain", "print"):
        assert client.get(path_of(event, name, 1)).status_code == 200
    assert client.get(path_of(event, "wall")).status_code == 200
    assert "The tables are open" in client.get(path_of(event, "check_in")).content.decode()


def test_a_tables_page_says_who_comes_in_and_the_next_game_is_made_by_the_rule(client):
    event = make_night(6, format={"kind": "loser_leaves", "cap": 2})
    (table,) = open_floor(event).sittings.all()
    here = table_link(table)
    first, second = waiting(event)
    body = client.get(here).content.decode()
    assert f"Last place gives up the seat to <b>{first}</b>." in body
    a, b, c, d = around(table)
    answer = client.post(here, game_form(table, [a, b, c, d]), headers=SCRIPT)
    assert answer.status_code == 200, answer.content
    assert answer.json()["players"] == [key for (key,) in groups_of(event, [a, b, c, first])]
    body = client.get(here).content.decode()
    assert f"<b>{d}</b> gave up the seat." in body
    assert f"<b>{first}</b> takes the seat." in body
    assert f"<b>{a}</b> is playing game 2 in a row" in body
    assert f"gives up the seat to <b>{second}</b>" in body


def test_an_empty_table_waits_and_is_filled_by_one_tap():
    event = make_night(3, format={"kind": "open", "tables": 2})
    (one, _two) = open_floor(event).sittings.all()
    client = browser_of(owner_of(event))
    empty = client.get(path_of(event, "table", 1, 1)).content.decode()
    assert "Nobody is seated here now." in empty
    body = client.get(path_of(event, "event")).content.decode()
    assert "No repeat meetings tonight." in body
    keys = ",".join(
        str(pk) for pk in event.entrants.order_by("ticket").values_list("pk", flat=True)
    )
    assert client.post(path_of(event, "floor"), {"seat": keys}).status_code == 302
    assert len(around(one)) == 3
    client.post(path_of(event, "table_done", 1, 1))
    assert around(one) == []
    client.post(path_of(event, "floor"), {"add": "1"})
    assert event.rounds.get().sittings.count() == 3


@pytest.mark.parametrize("values", [{}, {"seat": "x"}, {"seat": "1,2,3"}, {"seat": "9" * 30}])
def test_an_odd_form_of_the_floor_is_refused_in_words(values):
    event = make_night(3, format={"kind": "open"})
    open_floor(event)
    answer = browser_of(owner_of(event)).post(path_of(event, "floor"), values, follow=True)
    assert answer.status_code == 200
    assert "Table 1 is open" not in answer.content.decode()


def test_players_end_their_table_by_its_link(client):
    event = make_night(4, counting="average", format={"kind": "open"})
    (one,) = open_floor(event).sittings.all()
    people = around(one)
    play(one, people)
    secret = secret_of(one)
    client.post(reverse("league:link_done", args=[secret, 1]))
    assert waiting(event) == people


def test_the_draw_of_a_final_waits_for_its_games_and_can_be_made_anyway(event):
    open_floor(event)
    client = browser_of(owner_of(event))
    answer = client.post(path_of(event, "draw"))
    assert answer.status_code == 409
    assert "games are missing at round 1, tables 1, 2" in answer.content.decode()
    assert client.post(path_of(event, "draw"), {"anyway": "1"}).status_code == 302
    body = client.get(path_of(event, "round", 2)).content.decode()
    assert "By lot:" in body
    assert body.count("by lot</span>") >= 4


def test_the_night_shows_groups_the_final_and_a_cut_that_no_longer_holds(event):
    one, two = open_floor(event).sittings.all()
    a, b, c, d = by_seat(one)
    saved = play(one, [a, b, c, d])
    play(two, by_seat(two))
    client = browser_of(owner_of(event))
    assert "Draw the final" in client.get(path_of(event, "event")).content.decode()
    open_floor(event)
    body = client.get(path_of(event, "event")).content.decode()
    assert body.count("advances</span>") == 4
    assert body.count("eliminated</span>") == 4
    correct(saved, [a, c, b, d])
    body = client.get(path_of(event, "event")).content.decode()
    assert f"{c} would now advance instead of {b}." in body
    assert "No game of round 2 has been played yet" in body


def test_a_cup_says_who_advances_until_its_final_and_keeps_its_rounds():
    event, said = knockout_night(16), "The first two of each table"
    client, phone, link = browser_of(owner_of(event)), Client(), night_link(event)
    first = open_floor(event)
    phone.post(link, {"me": first.sittings.first().places.first().entrant.player_id})
    assert f"{said} advance" in phone.get(link).content.decode()

    def read(name, *more):
        return " ".join(client.get(path_of(event, name, *more)).content.decode().split())

    for name, more in (("event", []), ("round", [1]), ("wall", [])):
        assert f"{said} advance" in read(name, *more)
    assert "Points from all games" not in read("event"), "all have none yet"
    play_all(first)
    page = read("event")
    assert (page.count('class="through"'), page.count('class="out"')) == (8, 8), "each is done"
    second = open_floor(event)
    assert said not in read("round", 1), "that is decided"
    page = read("event")
    assert f"{said} reach the final." in page
    assert (page.count('class="through"'), page.count('class="out"')) == (8, 8)
    play_all(second)
    open_floor(event)
    page = read("event")
    assert "The final is being played: 0 of 1 games" in page
    assert said not in page
    names = re.findall(r'<section class="panel panel-flush" aria-label="([^"]*)"', page)
    assert len(set(names)) == len(names) == 6
    assert re.findall(r'<h2 id="round-(\d)">', page) == ["2", "1"]
    assert (page.count('class="through"'), page.count('class="out"')) == (12, 12)


def test_a_closed_cup_shows_the_way_to_its_title():
    event = knockout_night(16)
    for _round in range(3):
        play_all(open_floor(event))
    closing.close_event(event=event, by=owner_of(event))
    page = browser_of(owner_of(event)).get(path_of(event, "event")).content.decode()
    final, places = page.index('<h2 id="final">'), page.index('<h2 id="places">')
    second, first = page.index('<h2 id="round-2">'), page.index('<h2 id="round-1">')
    assert places < final < second < first, "the result before the way there"
    assert page.count('<details class="stage-small">') == 2, "folded where no room is"
    assert (page.count('class="through"'), page.count('class="out"')) == (12, 12)
    told = re.findall(r'<th scope="rowgroup"[^>]*>([^<]*)</th>', page[places:final])
    out = "by place there, then by points there"
    assert [one.strip() for one in told] == [
        "Final: points of its games alone",
        f"Eliminated in the semi-final: {out}",
        f"Eliminated in round 1: {out}",
    ]


@pytest.mark.parametrize(("others_play", "offers"), [(False, False), (True, True)])
def test_a_cup_offers_to_add_players_while_it_plays_only_where_others_play(others_play, offers):
    event = knockout_night(8, others_play=others_play)
    client = browser_of(owner_of(event))
    for _round in range(2):
        play_all(open_floor(event))
        page = client.get(path_of(event, "event")).content.decode()
        if "Close the night to confirm its podium." not in page:
            assert ('class="add-line"' in page) is offers


def test_the_seats_of_a_final_name_the_places_that_lead_there_and_who_has_taken_one():
    event = knockout_night(8, games_per_round=2)
    one, two = open_floor(event).sittings.all()

    def seats():
        return [
            str(seat.entrant.player) if seat.entrant else str(seat.place)
            for seat in stage_page(event, rounds_of(event, with_drafts=False)).seats
        ]

    free = [f"{place} of semi-final {no}" for no in (1, 2) for place in ("first", "second")]
    assert seats() == [], "before a first game"
    a, b, c, d = by_seat(one)
    play(one, [a, b, c, d])
    assert seats() == free
    play(two, by_seat(two))
    play(one, [a, c, b, d])
    assert seats() == free, "a lot will decide between two of them"
    play(two, by_seat(two))
    assert seats() == [*free[:2], *map(str, by_seat(two)[:2])]
    open_floor(event)
    assert seats() == []


def tiles(event, round_no=1):
    """Who is named on the tile of each table of a round, and as what, by table number."""
    night = Night(event)
    stages = stage_page(event, night.released, night.played)
    advanced = stages.advanced if stages else {}
    tables = tables_of(event, night.released, night.played, advanced)[round_no]
    return {one.table_no: ([p.name for p in one.first], one.told) for one in tables if one.first}


def test_the_tile_of_a_cups_table_tells_who_advances_as_its_standings_do():
    event = knockout_night(8, games_per_round=2)
    one, two = open_floor(event).sittings.all()
    a, b, c, d = by_seat(one)
    play(one, [c, b, d, a])
    assert tiles(event) == {}, "a game is to come"
    play(one, [b, a, c, d])
    first = ([b, c], "reach the final")
    assert tiles(event) == {1: first}
    for _game in range(2):
        play(two, by_seat(two))
    second = (by_seat(two)[:2], "reach the final")
    assert tiles(event) == {1: first, 2: second}
    final = open_floor(event)
    assert tiles(event) == {1: first, 2: second}, "that stays once the final is drawn"
    assert tiles(event, 2) == {}
    (table,) = final.sittings.all()
    for _game in range(2):
        play(table, [c, b, *second[0]])
    assert tiles(event, 2) == {1: ([c], "first · 6 points")}


def points_at(event, round_no=1):
    night = Night(event)
    tables = tables_of(event, night.released, night.played, {})[round_no]
    return [{seat.player.name: seat.points for seat in one.seats} for one in tables]


def test_the_tile_of_a_cups_table_tells_points_while_its_games_are_missing():
    event = knockout_night(8, games_per_round=2)
    one, two = open_floor(event).sittings.all()
    untold = [dict.fromkeys(by_seat(table), "") for table in (one, two)]
    assert points_at(event) == untold, "no game yet"
    order = by_seat(one)[::-1]
    play(one, order)
    told = ["3 points", "2 points", "1 point", "0 points"]
    assert points_at(event) == [dict(zip(order, told, strict=True)), untold[1]]
    page = in_one_line(browser_of(owner_of(event)).get(path_of(event, "event")))
    assert f"{order[0]} <b>3 points</b>" in page
    play(one, order)
    assert points_at(event) == untold, "who advances is told instead"
    for _game in range(2):
        play(two, by_seat(two))
    (final,) = open_floor(event).sittings.all()
    order = by_seat(final)[::-1]
    play(final, order)
    assert points_at(event, 2) == [dict(zip(order, told, strict=True))]


def test_a_tile_tells_no_points_that_decide_nothing_or_are_kept_back():
    event = make_night(8, games_per_round=2)
    one, two = make_round(event).sittings.all()
    play(one, by_seat(one))
    assert points_at(event) == [dict.fromkeys(by_seat(table), "") for table in (one, two)]
    cup = make_night(
        8, games_per_round=1, format={"kind": "knockout", "others_play": False, "ceremony": 1}
    )
    for table in open_floor(cup).sittings.all():
        play(table, by_seat(table))
    (final,) = open_floor(cup).sittings.all()
    play(final, by_seat(final))
    assert points_at(cup, 2) == [dict.fromkeys(by_seat(final), "")]


def test_a_lot_that_is_not_drawn_yet_leaves_open_who_advances():
    event = knockout_night(12, games_per_round=2)
    one, two, _three = open_floor(event).sittings.all()
    a, b, c, d = by_seat(one)
    for order in ([a, b, c, d], [a, c, b, d]):
        play(one, order)
    for _game in range(2):
        play(two, by_seat(two))
    assert tiles(event) == {
        1: ([a], "first · 6 points"), 2: (by_seat(two)[:2], "advance"),
    }  # fmt: skip


def test_the_tile_of_a_played_table_names_its_first_with_their_points():
    event = make_night(8, games_per_round=3)
    one, two = make_round(event).sittings.all()
    a, b, c, d = by_seat(one)
    for order in ([a, b, c, d], [d, b, c, a], [c, b, a, d]):
        play(one, order)
    play(two)
    assert tiles(event) == {1: ([b], "first · 6 points")}, "who won none, but was second thrice"
    body = browser_of(owner_of(event)).get(path_of(event, "event")).content.decode()
    assert f"<b>{b}</b>" in body
    assert "first · 6 points" in body


def test_a_tile_tells_no_points_that_are_money():
    season = make_season(points_table="stake_result")
    event = make_night(4, season=season, stake=71, games_per_round=1)
    (one,) = make_round(event).sittings.all()
    play(one)
    assert tiles(event) == {1: (by_seat(one)[:1], "first at the table")}


def test_the_stages_of_a_cup_stand_in_a_row_and_a_group_counts_its_games():
    event = groups_night(8, games_per_round=2, group_rounds=2, rounds_planned=3)

    def page():
        return stage_page(event, rounds_of(event, with_drafts=False))

    def badges():
        return [part.badge.text for part in page().parts]

    def way():
        return [(tab.text, tab.count, tab.is_here) for tab in page().way]

    for games, told in ((2, ["2/4", "2/4"]), (2, ["4/4 ✓", "4/4 ✓"])):
        round_ = open_floor(event)
        for _game in range(games):
            play_all(round_)
        assert badges() == told
    assert way() == [("Groups", 8, True), ("Final", 4, False)]
    open_floor(event)
    assert way() == [("Groups", 8, False), ("Final", 4, True)]


def test_a_group_tells_games_where_its_players_have_not_played_as_many():
    event = groups_night(16)
    client, first = browser_of(owner_of(event)), open_floor(event)

    def told():
        page = client.get(path_of(event, "event")).content.decode()
        return re.findall(r'<span class="small muted">\s*(\d games?)\s*</span>', page)

    one, *others = first.sittings.all()
    play(one)
    assert told() == ["1 game"] * 4 + ["0 games"] * 4, "the other group has played none"
    for table in others:
        play(table)
    assert told() == []


def test_a_semi_final_and_a_final_are_called_so_wherever_a_round_is(django_assert_num_queries):
    event = knockout_night(16, rules="mien-nam")
    play_all(open_floor(event))
    client, phone = browser_of(owner_of(event)), Client()

    def at(address, reader=client):
        return in_one_line(reader.get(address))

    for name in ("Semi-final", "Final"):
        drawn = open_floor(event)
        sitting = drawn.sittings.get(table_no=1)
        first, second = [place.entrant for place in sitting.seated][:2]
        phone.post(night_link(event), {"me": first.player_id})
        assert f"{name} · Game 1" in at(night_link(event), phone)
        play(sitting, by_seat(sitting), specials=[Special("chop", first.pk, second.pk, "R")])
        for page in ("round", "print", "round_explain"):
            assert name in at(path_of(event, page, drawn.number)), page
        night = at(path_of(event, "event"))
        assert f"{name}, table 1, game 1" in night
        assert f"Seating: {name}" in night
        assert f"{name}, game 1" in at(night_link(event), phone)
        phone.post(night_link(event), {"free": 1})
        for other in drawn.sittings.exclude(table_no=1):
            play(other, by_seat(other))
    assert "Round 2" not in night
    again = drawn.event.rounds.get(number=2)
    assert stages.is_semi_final(event, again)
    with django_assert_num_queries(0):
        assert stages.is_semi_final(event, again)


def test_the_stages_of_a_knock_out_name_the_next_and_the_final():
    event = knockout_night(16)
    play_all(open_floor(event))

    def way():
        found = stage_page(event, rounds_of(event, with_drafts=False)).way
        return [(tab.text, tab.count, tab.is_here) for tab in found]

    assert way() == [("Round 1", 16, True), ("Semi-final", 8, False), ("Final", None, False)]
    client = browser_of(owner_of(event))

    def at(address):
        return in_one_line(client.get(address))

    assert "Draw the semi-final </button>" in at(path_of(event, "event"))
    semi = open_floor(event)
    for address in (path_of(event, "event"), path_of(event, "table", semi.number, 1), "/"):
        assert "Semi-final" in at(address), address
    assert "The semi-final is being played: 0 of 2 games" in at(path_of(event, "event"))
    assert ">Semi-final · 0/2 games<" in at(path_of(event, "event"))
    play_all(semi)
    assert "The semi-final is done: all 2 games" in at(path_of(event, "event"))
    assert way() == [("Round 1", 16, False), ("Semi-final", 8, True), ("Final", 4, False)]
    page = client.get(path_of(event, "event")).content.decode()
    titles = re.findall(r"<summary>(?:\s|<span>)*([\w\s·-]+?)\s*<(?:small|/summary)", page)
    assert [" ".join(one.split()) for one in titles] == ["Semi-final", "Round 1"]
    assert [page.count(f'aria-label="Semi-final {no} ') for no in (1, 2)] == [1, 1]
    assert "Semi-final · 2 of 2 games" in Client().get(path_of(event, "wall")).content.decode()
    assert '<a href="#stage-1"' in page
    assert '<div id="stage-1">' in page
    assert page.count('<details class="stage-small">') == 1, "what is past is folded"


def test_the_next_step_says_who_is_level_at_the_cut_while_games_are_missing():
    event = knockout_night(8, games_per_round=3)
    first, _second = open_floor(event).sittings.order_by("table_no")
    host, (a, b, c, d) = browser_of(owner_of(event)), by_seat(first)

    def said():
        step = host.get(path_of(event, "event")).context["night"].frame.step
        return [one for one in step.sentences if "level" in one]

    play(first, [a, c, d, b])
    assert said() == []
    play(first, [b, d, c, a])
    [sentence] = said()
    told = re.fullmatch(r"Semi-final 1: (.*), (.*) are level with (.*)\.", sentence)
    assert ({told[1], told[2]}, told[3] in (a, b)) == ({c, d}, True)
    play(first, [a, b, c, d])
    assert said() == []


def test_both_who_advance_level_on_points_are_told_why():
    event = knockout_night(8, games_per_round=2)
    first, _second = open_floor(event).sittings.order_by("table_no")
    a, b, c, d = by_seat(first)
    play(first, [a, c, d, b])
    play(first, [b, d, c, a])
    shown = stage_page(event, rounds_of(event, with_drafts=False))
    part = shown.parts[0]
    names = [line.entrant.player.name for line in part.lines]
    taken = [seat.entrant and seat.entrant.player.name for seat in shown.seats]
    free = [seat.place for seat in shown.seats if not seat.entrant]
    assert (taken, free) == (
        [*names[:2], None, None],
        ["first of semi-final 2", "second of semi-final 2"],
    )
    assert [line.row.rank for line in part.lines] == [1, 1, 3, 3]
    assert [line.fate for line in part.lines] == ["through"] * 2 + ["out"] * 2, "as it is done"
    said = f"{', '.join(names[:2])} ahead of {', '.join(names[2:])}: first places 1–0"
    assert part.ties == [said]
    page = browser_of(owner_of(event)).get(path_of(event, "event")).content.decode()
    assert page.count(said) == 1
    assert "semi-final 1</span>" not in page, "who has a seat needs no way to it"


def test_a_place_that_only_a_lot_decided_names_no_tie_break():
    event = knockout_night(8, games_per_round=2)
    first, second = open_floor(event).sittings.order_by("table_no")
    a, b, c, d = by_seat(first)
    play(first, [a, b, c, d])
    play(first, [a, c, b, d])
    for _game in range(2):
        play(second, by_seat(second))
    open_floor(event)
    part = stage_page(event, rounds_of(event, with_drafts=False)).earlier[0].parts[0]
    told = sorted((line.row.rank, line.fate) for line in part.lines)
    assert told == [(1, "through"), (2, "out"), (2, "through"), (4, "out")]
    assert part.ties == []


BEST = "The first two of each table"
IN_GROUPS = {"kind": "groups", "groups": 2}


@pytest.mark.parametrize(
    ("players", "rules", "said"),
    [
        (8, IN_GROUPS | {"final": 4}, "The first 2 of each group reach the final."),
        (8, IN_GROUPS | {"final": 2}, "The first of each group reaches the final."),
        (8, IN_GROUPS | {"final": 3}, "The best 3 reach the final."),
        (8, {"kind": "knockout"}, f"{BEST} reach the final."),
        (12, {"kind": "knockout"}, f"{BEST} advance."),
        (12, {"kind": "knockout", "fill_up": True}, f"{BEST} and the best of the rest advance."),
        (4, {"kind": "knockout"}, ""),
        (8, {"kind": "rounds"}, ""),
    ],
)
def test_who_advances_is_said_as_the_next_draw_will_cut(players, rules, said):
    event = make_night(players, format=rules, games_per_round=1)
    open_floor(event)
    (round_,) = stages.rounds_with_places(event)
    assert way_on(event, round_) == said


def test_the_tables_of_a_night_name_their_group_and_the_final(event):
    client = browser_of(owner_of(event))
    first = open_floor(event)
    body = client.get(path_of(event, "event")).content.decode()
    assert [body.count(f"<b>Group {no}</b> ·") for no in (1, 2)] == [1, 1]
    for sitting in first.sittings.all():
        play(sitting, by_seat(sitting))
    open_floor(event)
    body = client.get(path_of(event, "event")).content.decode()
    assert body.count("<b>Final</b> ·") == 1
    rounds = re.findall(
        r"<summary>(?:\s|<span>)*([\w ]+(?: ·\s+[\w ]+)?)\s*<(?:small|/summary)", body
    )
    assert [" ".join(one.split()) for one in rounds[:2]] == ["Final", "Round 1"]
    assert "Final · 0 of " in client.get(path_of(event, "wall")).content.decode()


def corrected(sitting, order):
    """The page that an organiser reads who has turned the first game's order into this one."""
    event, form = sitting.round.event, game_form(sitting, order, version=1)
    address = path_of(event, "game", 1, sitting.table_no, 1)
    return browser_of(owner_of(event)).post(address, form, follow=True).content.decode()


def test_whoever_corrects_a_game_is_told_what_follows():
    event = knockout_night(8)
    one, two = open_floor(event).sittings.all()
    a, b, c, d = by_seat(one)
    play(one, [a, b, c, d])
    play(two, by_seat(two))
    draws.draw_round(event=event, by=owner_of(event))
    told = corrected(one, [a, c, b, d])
    assert f"{c} would now advance instead of {b}. Draw round 2 again." in told


def test_a_correction_at_a_table_with_a_queue_says_who_plays_next():
    event = make_night(5, format={"kind": "loser_leaves"})
    (table,) = open_floor(event).sittings.all()
    a, b, c, d = around(table)
    (first,) = waiting(event)
    play(table, [a, b, c, d])
    assert f"Next game: {a}, {b}, {first}, {d}." in corrected(table, [a, b, d, c])


@pytest.mark.parametrize("rounds", share([1, 3], 1, of=2))
def test_the_queries_of_a_night_in_groups_do_not_grow(django_assert_num_queries, rounds):
    event = groups_night(8, group_rounds=3, rounds_planned=4)
    for _ in range(rounds):
        play_all(open_floor(event))
    client = browser_of(owner_of(event))
    with django_assert_num_queries(30):
        client.get(path_of(event, "event"))


@pytest.mark.parametrize("games", share([1, 5], 1, of=2))
def test_the_queries_of_a_table_with_a_queue_do_not_grow(client, django_assert_num_queries, games):
    event = make_night(9, format={"kind": "loser_leaves", "tables": 1})
    (table,) = open_floor(event).sittings.all()
    for _ in range(games):
        play(table)
    with django_assert_num_queries(11):
        client.get(path_of(event, "table", 1, 1))


@pytest.mark.parametrize("people", share([3, 7], 1, of=2))
def test_the_queries_of_an_open_night_do_not_grow(django_assert_num_queries, people):
    event = make_night(4, format={"kind": "open", "tables": 4}, games_per_round=1)
    one, *_ = open_floor(event).sittings.all()
    play(one)
    come(event, *["Xuân", "Yến", "Zoe", "Quân", "Sơn", "Tú", "Uy"][:people])
    client = browser_of(owner_of(event))
    with django_assert_num_queries(31):
        client.get(path_of(event, "event"))
