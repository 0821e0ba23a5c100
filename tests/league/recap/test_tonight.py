"""The door Tonight, a club's home and its four segments, and the frame around every page."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from league.base.pages.doors import doors_of
from league.clubs.acts import merges, players
from league.models import Club, Event
from league.money.acts import postings
from league.nights.acts import closing
from league.online.acts import results_in
from league.recap.pages import pictures
from league.recap.pages.tonight import club_home, debts_of, tonight_page
from league.seasons.acts import season_cache, seasons
from league.turnout.acts import sign_ups
from tables.base.faces import ANIMALS, face_of
from tests.factories import (
    browser_of,
    give_role,
    make_club,
    make_night,
    make_prize,
    make_season,
    make_table,
    make_user,
    names_at,
    owner_of,
    path_of,
    play,
    sign_in,
)

pytestmark = pytest.mark.django_db


def test_of_96_people_in_a_row_no_two_are_given_the_same_face():
    assert len({face_of(key) for key in range(1000, 1096)}) == 96


def test_a_chosen_animal_replaces_the_given_one():
    assert face_of(7, "pig").animal == "pig"
    assert face_of(7).animal in ANIMALS


@pytest.mark.parametrize(
    ("path", "door"),
    [
        ("/", "Tonight"),
        ("/clubs/quan-3/events/12/check-in/", "Tonight"),
        ("/clubs/quan-3/seasons/3/", "Club"),
        ("/clubs/quan-3/arena/ladder/", "Bots"),
        ("/learn/", "Play"),
        ("/people/me/", "Me"),
    ],
)
def test_each_page_lies_behind_one_of_five_doors(path, door):
    doors = doors_of(path)
    assert len(doors) == 5
    assert [one.text for one in doors if one.is_here] == [door]


def test_a_stranger_sees_what_this_is_and_the_public_night_that_runs(client):
    table = make_table()
    Club.objects.update(is_public=True, on_front=True)
    play(table)
    page = client.get(reverse("home")).content.decode()
    assert "Score tonight" in page
    assert not re.search(r"(css/night|js/money|js/unsent)\b", page)
    assert path_of(table.round.event.season.club, "event", table.round.event_id) in page
    for name in names_at(table)[:3]:
        assert name in page


def test_an_evening_without_a_night_offers_to_score_it_once():
    club, to_score = make_club(), f'href="{reverse("league:tonight")}"'
    for user in (owner_of(club), make_user()):
        page = browser_of(user).get(reverse("home")).content.decode()
        assert page.split("<main")[1].count(to_score) == 1, user
    make_night(season=make_season(club))
    page = browser_of(owner_of(club)).get(reverse("home")).content.decode()
    assert page.split("<main")[1].count(to_score) == 1, "below the night that runs"


def test_a_private_night_is_not_on_the_strangers_page(client):
    table = make_table()
    Club.objects.update(is_public=False, on_front=True)
    play(table)
    assert table.round.event.season.club.name not in client.get(reverse("home")).content.decode()


def test_a_night_whose_points_are_money_is_not_on_the_strangers_page(client):
    table = make_table(make_night(4, stake=10))
    event = table.round.event
    Club.objects.update(is_public=True, on_front=True)
    play(table)
    address = path_of(event, "event")
    assert address in client.get(reverse("home")).content.decode()
    event.season.scoring = {**event.season.scoring, "points_table": "stake_result"}
    event.season.save()
    assert address not in client.get(reverse("home")).content.decode()


def test_an_organiser_lands_on_the_running_night_and_the_table_without_a_game():
    table = make_table(make_night(8), games=1)
    event = table.round.event
    page = tonight_page(owner_of(event))
    running = page.running[0]
    assert running.event == event
    assert {(one.number, one.done, one.tone) for one in running.tables} == {
        (1, 1, ""),
        (2, 0, "wait"),
    }
    assert [one.text for one in running.alarms] == ["No game yet: table 2."]
    shown = browser_of(owner_of(event)).get(reverse("home")).content.decode()
    assert shown.index("No game yet: table 2.") < shown.index("table-lines"), "what needs one leads"


def test_a_player_sees_the_own_table_the_debts_and_the_place():
    table = make_table(make_night(4, stake=10))
    names = names_at(table)
    me = make_user()
    event = table.round.event
    event.season.club.players.filter(name=names[-1]).update(user=me)
    play(table, names)
    page = tonight_page(me)
    assert page.running[0].table == 1
    assert {player.name for player in page.running[0].others} == set(names[:-1])
    leaders = page.running[0].leaders
    assert [one.player.name for one in leaders.rows] == names[:3]
    assert not any(block.debts for block in page.blocks)
    shown = sign_in(me).get(reverse("home")).content.decode()
    assert "You sit at table 1" in shown
    assert f'<a href="{leaders.address}">All standings</a>' in shown
    for page in _money_pages(me):
        assert ("You owe" in page, "/pay/?" in page) == (False, False), "each game changes it"
    closing.close_event(event=event, by=owner_of(event), despite_unfinished=True)
    for page in _money_pages(me):
        assert ("You owe" in page, "/pay/?" in page) == (True, True)


def test_of_several_nights_the_own_seats_come_first_and_say_their_night_once():
    mine = make_table(make_night(8))
    first = mine.round.event
    there = make_table(make_night(4, season=first.season))
    other, me, club = there.round.event, make_user(), first.season.club
    [name, *_rest] = set(names_at(mine)) - set(names_at(there))
    club.players.filter(name=name).update(user=me)
    Event.objects.filter(pk=other.pk).update(name="Cup")
    page = sign_in(me).get(reverse("home")).content.decode().split("<main")[1]
    assert [night.event for night in tonight_page(me).running] == [first, other]
    seat, night = page.index(f"You sit at table {mine.table_no}"), page.index("Go to the night")
    assert seat < page.index("btn-primary") < page.index("Enter a game") < night
    assert page.count("Go to the night") == 1, "the seat leads to its night"
    assert page.count("btn-gold") == 0
    give_role(club, me, "organiser")
    page = sign_in(me).get(reverse("home")).content.decode()
    assert page.count("Go to the night") == 2


def _money_pages(user):
    """Return the front page and the person's own, which both say what is owed over a season."""
    return [sign_in(user).get(reverse(name)).content.decode() for name in ("home", "me")]


def test_what_a_member_owes_the_club_and_is_owed_by_it_stands_among_the_debts():
    season, me = make_season(), make_user()
    an = players.add_player(club=season.club, name="An", by=owner_of(season))
    players.take_player(player=an, user=me)
    entry = {"season": season, "by": owner_of(season)}
    postings.charge_fee(players=[an], amount=20, client_id=uuid.uuid4(), **entry)
    [block] = tonight_page(me).blocks
    [debt] = block.debts
    assert (debt.text, debt.amount) == (f"You owe {season.club}", -20)
    assert debt.text in sign_in(me).get(reverse("home")).content.decode()
    make_prize(season, "An", 50)
    [debt] = debts_of(season, frozenset([an.pk]))
    assert (debt.text, debt.amount) == (f"{season.club} owes you", 30)


def test_whose_two_names_were_merged_in_the_round_sees_the_own_table():
    table = make_table()
    club = table.round.event.season.club
    sits = club.players.get(name=names_at(table)[0])
    mine = players.add_player(club=club, name="Nguyễn Thị Mai", by=owner_of(club))
    mine.user = make_user()
    mine.save(update_fields=["user"])
    merges.merge(alias=sits, into=mine, by=owner_of(club))
    [running] = tonight_page(mine.user).running
    assert running.table == table.table_no
    assert {player.name for player in running.others} == set(names_at(table)[1:])


def test_the_next_night_asks_whether_one_comes_and_takes_the_answer():
    event = make_night(0)
    club = event.season.club
    asked = sign_ups.open_list(event=event, by=owner_of(club))
    me = make_user()
    player = club.players.create(name="Thảo", name_key="thảo", sort_key="thao", user=me)
    coming = tonight_page(me).coming[0]
    assert [button.value for button in coming.answers] == ["yes", "maybe", "no"]
    yes = coming.answers[0]
    sign_in(me).post(yes.address, {yes.name: yes.value, **dict(yes.hidden)})
    assert asked.answers.get().player == player
    again = tonight_page(me).coming[0]
    assert [button.tone for button in again.answers] == ["primary", "", ""]
    assert again.people == "1 coming"


@time_machine.travel("2027-06-04 20:00+07:00", tick=False)
def test_on_its_day_the_host_checks_people_in_from_here_and_nobody_else():
    event = make_night(0)
    club = event.season.club
    host, member = owner_of(club), make_user()
    club.players.create(name="Thảo", name_key="thảo", sort_key="thao", user=member)
    step = tonight_page(host).coming[0].next_step
    assert step is not None
    page = sign_in(host).get(reverse("home")).content.decode()
    assert page.count("btn-gold") == 1
    assert sign_in(host).get(step.address).status_code == 200
    assert tonight_page(member).coming[0].next_step is None
    Event.objects.update(date=event.date + timedelta(days=1))
    assert tonight_page(host).coming[0].next_step is None


def test_without_a_night_the_page_says_so_and_offers_one():
    page = sign_in(make_user()).get(reverse("home")).content.decode()
    assert "No night is on tonight" in page
    assert page.count("btn-gold") == 1


def test_a_new_night_is_in_the_clubs_menu_while_another_is_the_next_thing():
    event = make_night(4)
    club = event.season.club
    home = club_home(club, owner_of(club), may_organise=True)
    assert (home.new_night, [row.text for row in home.menu]) == (None, ["New night"])
    Event.objects.update(date=event.date - timedelta(days=3))
    home = club_home(club, owner_of(club), may_organise=True)
    assert (home.new_night.text, home.menu) == ("New night", [])


def test_a_clubs_home_shows_what_runs_who_leads_and_the_last_podium(django_assert_max_num_queries):
    table = make_table()
    club = table.round.event.season.club
    play(table)
    closing.close_event(event=table.round.event, by=owner_of(club), despite_unfinished=True)
    home = club_home(club, None, may_organise=False)
    assert [one.player.name for one in home.last.podium] == names_at(table)[:3]
    assert home.leaders.rows[0].player.name == names_at(table)[0]
    assert home.new_night is None
    with django_assert_max_num_queries(40):
        club_home(club, None, may_organise=True)


@pytest.mark.parametrize(
    ("role", "has", "lacks"),
    [
        (None, {"rules_list", "past_seasons"}, {"audit", "members", "season_create"}),
        ("organiser", {"audit", "bin", "season_create"}, {"members", "close"}),
        ("owner", {"members", "close", "webhooks", "audit"}, set()),
    ],
)
def test_manage_lists_what_the_role_may_open_and_every_row_opens(role, has, lacks):
    club = make_club(is_public=True)
    user = make_user()
    if role:
        give_role(club, user, role)
    client = sign_in(user)
    page = client.get(path_of(club, "manage")).content.decode()
    main = page[page.index("<main") :]
    address = path_of(club, "manage")
    segment = re.search(rf'<a href="{address}"\s+aria-current="page">\s*(.*?)\s*</a>', main)[1]
    assert segment == ("Manage" if role else "More")
    assert re.search(r"<h1>\s*(.*?)\s*</h1>", page)[1] == segment
    addresses = set(re.findall(r'href="([^"]+)"', main))
    for name in has:
        assert path_of(club, name) in addresses
    for name in lacks:
        assert path_of(club, name) not in addresses
    for address in addresses:
        assert client.get(address).status_code in (200, 302), address


def test_the_segment_season_leads_to_the_one_that_goes_on():
    event = make_night(0)
    Club.objects.update(is_public=True)
    answer = Client().get(path_of(event.season.club, "club_season"))
    assert answer.url == path_of(event.season, "season")
    events_of = path_of(event.season.club, "past_seasons")
    event.season.status = "closed"
    event.season.save()
    assert Client().get(path_of(event.season.club, "club_season")).url == events_of


def test_the_door_to_the_bots_says_so_where_none_have_played(client):
    assert "No bots have played here yet" in client.get(reverse("bots")).content.decode()


def test_who_has_too_few_games_for_a_rank_leads_nobody():
    season = make_season(minimum_games=10)
    make_table(make_night(season=season), games=1)
    page = browser_of(owner_of(season)).get(path_of(season.club, "club"))
    panel = page.content.decode().split(f"<h2>{season.name}</h2>")[1].split("</section>")[0]
    assert (panel.count("–"), panel.count("None")) == (4, 0)
    rows = season_cache.standings_of(season=season).rows
    assert pictures.of_season(season, rows.first_who_played(pictures.MOST)).champions == ()


def test_a_place_tonight_is_one_of_those_that_people_take():
    night = make_night(3)
    by = owner_of(night)
    results_in.add_bot(event=night, bot="greedy", by=by)
    sitting = make_table(night)
    play(sitting, sorted(names_at(sitting), key=lambda name: "(bot)" not in name))
    [running] = club_home(night.season.club, by, may_organise=False).running
    assert (running.ranked, [row.row.rank for row in running.leaders.rows]) == (3, [1, 2, 3])


def test_manage_names_no_season_that_is_hidden_from_strangers(client):
    season = make_season(points_table="stake_result")
    seasons.set_status(season=season, status="closed", by=owner_of(season))
    address = path_of(season.club, "manage")
    assert season.name not in client.get(address).content.decode()
    assert season.name in browser_of(owner_of(season)).get(address).content.decode()


def test_manage_says_how_the_club_stands():
    season = make_night(0).season
    past = make_season(season.club)
    past.status = "closed"
    past.save()
    page = sign_in(owner_of(season)).get(path_of(season.club, "manage"))
    shown = page.content.decode()
    for text in (season.ruleset.body["name"], f"1: {past.name}", "1 person"):
        assert f"<small>{text}</small>" in shown
