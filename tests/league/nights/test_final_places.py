"""The places of an event with stages, followed from the final to every page that tells them."""

import re
from dataclasses import replace
from unittest.mock import Mock

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.utils import translation

from league.base.rights import Right
from league.clubs.acts import merges, players
from league.nights.acts import attendance, closing
from league.nights.facts.events import rounds_of
from league.nights.facts.final_places import Placed, event_places, podium
from league.nights.facts.night import Night
from league.nights.facts.viewer import Viewer
from league.nights.pages.my_night import my_night
from league.nights.pages.my_seat import MyTable
from league.nights.pages.stage_page import stage_page
from league.nights.pages.wall import screen_of
from league.recap.pages import certificates
from league.seasons.acts import rosters
from league.seasons.facts.standings import season_standings
from league.seasons.places import in_last_place
from tests.factories import make_adjustment, make_user, night_link, owner_of, path_of, play
from tests.league.nights.test_stages import groups_night, knockout_night, play_all
from tests.league.nights.waitlist_helpers import open_floor
from tests.worlds import made_once

pytestmark = pytest.mark.django_db


def places(event):
    """Everybody as on paper: 1 An, 2= Bi."""
    return [
        f"{one.row.rank}{'=' if one.row.shared else ''} {one.player.name}"
        for one in event_places(event)
    ]


def given(season):
    """What the season has of everybody."""
    return [(s.player.pk, s.row.rank, s.row.points) for s in season_standings(season)]


def cup_of_eight(**details):
    """Groups A B C D and E F G H; the final ends F B A E, the table beside it C D G H.

    A game gives 3, 2, 1, 0: of all games F has 5, A and B have 4, C has 4, E 3, D and G 2 and 1.
    """
    event = groups_night(8, **details)
    (a, b, c, d), (e, f, g, h) = play_all(open_floor(event)).values()
    final = open_floor(event)
    play(final.sittings.get(table_no=1), [f, b, a, e])
    play(final.sittings.get(table_no=2), [c, d, g, h])
    return event, [a, b, c, d, e, f, g, h]


@made_once
def cup():
    return cup_of_eight()


def test_a_cup_ends_as_its_final_does_and_then_by_the_groups(cup):
    event, (a, b, c, d, e, f, g, h) = cup
    shown = places(event)
    assert shown[:4] == [f"1 {f}", f"2 {b}", f"3 {a}", f"4 {e}"]
    assert set(shown[4:6]) == {f"5= {c}", f"5= {g}"}
    assert set(shown[6:]) == {f"7= {d}", f"7= {h}"}
    # D made two points at the side table, but shares the last place and what it costs.
    assert {player.name for player in in_last_place(event)} == {d, h}


def test_a_caption_says_by_which_points_each_part_of_the_places_is_ordered(cup):
    event, _names = cup
    shown = event_places(event)
    shown += [replace(shown[-1], stage=stage) for stage in ("others", "bots")]
    context = {"places": shown, "club": event.season.club}
    with translation.override("en"):
        page = render_to_string("league/nights/places.html", context)
    told = re.findall(r'<th scope="rowgroup"[^>]*>\s*([^<]*?)\s*</th>', page)
    assert told == [
        "Final: points of its games alone",
        "Eliminated in the groups: by place there, then by points there",
        "Not in the stages: points of all games",
        "Bots",
    ]


def test_the_wall_names_the_final_and_mixes_no_points_of_others_into_it(client, cup):
    event, (a, b, _c, _d, e, f, *_others) = cup
    client.force_login(owner_of(event))
    text = re.sub(r"\s+", " ", client.get(path_of(event, "wall")).content.decode())
    assert text.count("Table 1 · Final") == 1
    assert "Table 2 · Final" not in text
    side = text.partition('id="side">Standings')[2].partition("</section>")[0]
    assert re.findall(r'<span>(\w+)</span> <b class="num">', side) == [f, b, a, e]


def test_the_wall_names_the_group_of_each_table(client):
    event = groups_night(8)
    open_floor(event)
    client.force_login(owner_of(event))
    text = re.sub(r"\s+", " ", client.get(path_of(event, "wall")).content.decode())
    assert re.findall(r"Table \d · [^<]*\w", text) == ["Table 1 · Group 1", "Table 2 · Group 2"]


@pytest.mark.parametrize(
    ("others_play", "out"),
    [
        (True, "Round 2 · Everyone else · Game 1"),
        (False, "Round 2 is for those who advanced; you are out."),
    ],
)
def test_a_phone_tells_whether_its_player_is_in_the_final(others_play, out):
    event = groups_night(8, others_play=others_play)
    groups = play_all(open_floor(event)).values()
    for no, group in enumerate(groups, start=1):
        first, last = phone_of(event, group[0]), phone_of(event, group[3])
        assert f"Round 1 · Group {no}" in first()
        assert f"Round 1 · Group {no}" in last()
        if no == 2:
            open_floor(event)
            assert '<p class="felt-kind"> Final · Game 1' in first()
            assert out in last()


def test_who_rests_in_the_final_is_not_out_under_a_new_name():
    event = groups_night(8, others_play=False)
    (a, _b, c, _d), _group = play_all(open_floor(event)).values()
    open_floor(event)
    club, by = event.season.club, owner_of(event)
    into = players.add_player(club=club, name="Cô Ba", by=by)
    attendance.set_presence(event=event, player_ids=[into.pk], presence="here", by=by)
    merges.merge(alias=club.players.get(name=a), into=into, by=by)
    final = event.rounds.latest("number")
    rests = MyTable(event.entrants.get(player=into), final)
    out = MyTable(event.entrants.get(player__name=c), final)
    assert "You have no table in round 2." in rests.waiting
    assert "you are out" in out.waiting


def phone_of(event, name):
    """A phone on which that player says who it is; it returns its page."""
    phone, address = Client(), night_link(event)
    phone.post(address, {"player": event.season.club.players.get(name=name).pk})
    return lambda: re.sub(r"\s+", " ", phone.get(address).content.decode())


def test_while_groups_are_played_a_phone_tells_the_rank_in_its_own_group():
    event = groups_night(8)
    _first, (_e, f, _g, _h) = play_all(open_floor(event)).values()
    second = event.season.club.players.get(name=f)
    second.user = make_user()
    second.save()
    told = my_night(Viewer(Night(event), Right.SEE, second.user), "/", may_arrive=True).rank
    assert (told.rank, told.of, told.among) == (2, 4, "Group 2")


def test_in_a_group_ranks_are_those_of_the_group_and_nobody_ties_with_another_group(cup):
    event, _people = cup
    shown = stage_page(event, rounds_of(event, with_drafts=True))
    for part in shown.parts:
        assert [(line.row.rank, line.row.shared) for line in part.lines] == [
            (1, False), (2, False), (3, False), (4, False),
        ]  # fmt: skip


def test_in_the_groups_the_rest_is_separated_by_points_and_tied_only_where_these_are_level(cup):
    event, (_a, _b, c, _d, _e, _f, g, _h) = cup
    make_adjustment(event.season, g, "0.5", event=event)
    assert places(event)[4:6] == [f"5 {g}", f"6 {c}"]


def step_of(page):
    """What the organiser is told to do next: what everyone sees is drawn apart, without it."""
    [step] = [own["step"] for own in page.context if own.get("step")][:1]
    return step


def test_the_podium_of_a_closed_cup_is_told_alike_everywhere(client):
    event, (a, b, c, _d, e, f, _g, _h) = cup_of_eight(rounds_planned=3)
    by = owner_of(event)
    client.force_login(by)
    home = path_of(event, "event")
    page = client.get(home)
    assert [button.value for button in step_of(page).actions] == ["closed", ""]
    before = given(event.season)
    closing.close_event(event=event, by=by)
    event.refresh_from_db()
    wanted = [f"1 {f}", f"2 {b}", f"3 {a}", f"4 {e}"]
    page = client.get(home)
    first = page.context["night"].rounds.places[:4]
    assert [f"{s.row.rank} {s.player.name}" for s in first] == wanted
    podium = page.content.decode().split('<ol class="podium">')[1].split("</ol>")[0]
    assert podium.index(f">{f}<") < podium.index(f">{b}<") < podium.index(f">{a}<")
    assert f">{e}<" not in podium
    sums = [s.row.points for s in page.context["places"][:3]]
    assert 1 in sums
    told = [f"{n} point" if n == 1 else f"{n} points" for n in sums]
    assert re.findall(r"\d+ points?\b", podium) == told

    share = client.get(path_of(event, "event_share")).content.decode()
    text = share.split("share-text")[1].split("</pre>")[0]
    assert [line for line in text.splitlines() if line.startswith(("Final", "1.", "2.", "3.", "4."))
            ] == ["Final:", f"1. {f}  3", f"2. {b}  2", f"3. {a}  1", f"4. {e}  0"]  # fmt: skip
    assert "Eliminated in the groups:" in text

    screens = [screen_of(event, number) for number in range(2)]
    assert [screen.kind for screen in screens] == ["podium", "places"]
    assert [one.player.name for one in screens[0].items] == [f, b, a]
    assert client.get(path_of(event, "wall")).status_code == 200

    csv = client.get(path_of(event, "event_csv", "places"), {"as": "plain"})
    lines = csv.content.decode("utf-8-sig").splitlines()
    assert [line.split(",")[:3] for line in lines[1:4]] == [
        ["1", f, "Final"], ["2", b, "Final"], ["3", a, "Final"]
    ]  # fmt: skip
    rows = client.get(path_of(event, "api:event_places")).json()["results"]
    assert [(row["place"], row["name"], row["stage"]) for row in rows[:4]] == [
        (1, f, "final"), (2, b, "final"), (3, a, "final"), (4, e, "final")
    ]  # fmt: skip
    assert given(event.season) == before

    # Of all games A and C have 4 and E has 3; but C never reached the final.
    people = [event.entrants.get(player__name=name).player for name in (a, c, e)]
    rosters.save_roster(season=event.season, kind="category", name="Juniors", members=people, by=by)
    page = client.get(path_of(event.season, "rosters"), {"event": event.pk})
    [category] = page.context["categories"]
    ranked = [(one.row.rank, one.player.name) for one in category.rows]
    assert ranked == [(1, a), (2, e), (3, c)]
    prize = page.context["prizes"][category.roster.pk][people[2].pk]
    assert prize.endswith("place+2")


def test_who_was_eliminated_later_stands_above_who_was_eliminated_before():
    event = knockout_night(8, rounds_planned=3)
    first = play_all(open_floor(event))
    (order,) = play_all(open_floor(event)).values()
    out = [name for table in first.values() for name in table[2:]]
    shown = places(event)
    assert shown[:4] == [f"{no} {name}" for no, name in enumerate(order, start=1)]
    assert {line.split()[1] for line in shown[4:6]} == set(out[::2])
    assert [line.split()[0] for line in shown[4:]] == ["5=", "5=", "7=", "7="]


def test_until_a_game_of_the_final_is_played_places_are_those_of_the_night():
    event = groups_night(8)
    play_all(open_floor(event))
    final = open_floor(event)
    assert all(one.stage == "" for one in event_places(event))
    assert certificates.of_night(event) == []
    order = play_all(final)[1]
    assert [one.name for one in certificates.of_night(event)] == order[:3]
    assert places(groups_night(4)) == ["1= An", "1= Bình", "1= Chi", "1= Dũng"]


def test_a_final_at_several_tables_goes_on_for_the_rounds_that_are_planned(client):
    event = groups_night(16, groups=4, final=8, rounds_planned=3)
    play_all(open_floor(event))
    play_all(open_floor(event))
    client.force_login(owner_of(event))
    home = path_of(event, "event")
    assert step_of(client.get(home)).actions[0].text == "Draw round 3"
    play_all(open_floor(event))
    assert [button.value for button in step_of(client.get(home)).actions] == ["closed", ""]


@pytest.mark.parametrize(
    ("ranks", "shown"),
    [
        ([1, 2, 3, 4, 5], [1, 2, 3]),
        ([1, 1, 3, 3, 5], [1, 1, 3, 3]),
        ([1, 2, 2, 4], [1, 2, 2]),
        ([1, 2, None], []),
        ([1] * 9, [1] * 6),
    ],
)
def test_all_who_share_third_place_stand_on_the_podium(ranks, shown):
    placed = [Placed(Mock(), Mock(rank=rank, games=1), []) for rank in ranks]
    assert [one.row.rank for one in podium(placed)] == shown
