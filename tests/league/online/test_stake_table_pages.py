"""Pages of tables for a stake: who opens one, what everybody sees, what it came to."""

import pytest
from django.test import Client
from django.urls import reverse

from league.clubs.acts import players
from league.models import ClubTable, Event, Posting
from league.online.acts import stake_tables
from league.online.facts import stake_tables as stake_selector
from tables.models import Table
from tables.people.acts import forgetting
from tests.factories import (
    make_club,
    make_member,
    make_night,
    make_player,
    make_season,
    make_user,
    owner_of,
    path_of,
)
from tests.league.online.stake_tables import make_members, open_table, play_game, table_of_four
from tests.shares import share
from tests.tables import live as tables
from tests.worlds import made_once

pytestmark = pytest.mark.django_db


@made_once
def live():
    return table_of_four()[0]


@pytest.fixture
def people(live):
    return list(live.season.club.players.order_by("pk"))


def signed_in(user) -> Client:
    client = Client(headers={"Accept-Language": "en"})
    client.force_login(user)
    return client


def address(live: ClubTable) -> str:
    return reverse("tables:table", args=[live.table.key])


def money_of(live: ClubTable) -> str:
    return path_of(live.season.club, "club_table", live.table.key)


def test_a_player_opens_a_table_with_one_form_and_sits_there():
    people = make_members(make_season(rules="killa").club, 2)
    url = path_of(people[0].club, "club_tables")
    client = signed_in(people[0].user)
    form = client.get(url).context["form"]
    assert form["ruleset"].initial is None
    assert form.fields["ruleset"].choices[0][0] == "killa"
    assert "tien-len" not in dict(form.fields["ruleset"].choices)
    sent = {"ruleset": "mien-nam", "stake": 10, "players": 2, "clock": 40}
    response = client.post(url, sent)
    live = ClubTable.objects.get(season__club=people[0].club)
    assert (response.status_code, response["Location"]) == (302, address(live))
    assert live.table.seats.get().name == people[0].name
    assert live.table.arrangement.stake == 10
    assert client.get(url).context["form"]["stake"].initial == 10


def test_the_first_table_proposes_the_stake_of_the_latest_night():
    season = make_season(rules="mien-nam")
    [player] = make_members(season.club, 1)
    client = signed_in(player.user)
    url = path_of(season.club, "club_tables")
    assert client.get(url).context["form"]["stake"].initial == 1
    Event.objects.filter(pk=make_night(0, season=season).pk).update(stake=10_000)
    assert client.get(url).context["form"]["stake"].initial == 10_000


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"stake": 0}, "stake"),
        ({"stake": "x"}, "stake"),
        ({"ruleset": "tien-len"}, "ruleset"),
        ({"players": 5}, "__all__"),
        ({"clock": 7}, "clock"),
    ],
)
def test_what_cannot_be_is_said_beside_its_field(changed, field):
    people = make_members(make_season().club, 1)
    sent = {"ruleset": "mien-nam", "stake": 1, "players": 4, "clock": 40} | changed
    before = Table.objects.count()
    response = signed_in(people[0].user).post(path_of(people[0].club, "club_tables"), sent)
    assert (response.status_code, list(response.context["form"].errors)) == (422, [field])
    assert Table.objects.count() == before


def test_with_two_open_seasons_the_ledger_is_chosen():
    season = make_season()
    other = make_season(season.club)
    [player] = make_members(season.club, 1)
    url = path_of(season.club, "club_tables")
    sent = {"ruleset": "mien-nam", "stake": 1, "players": 2, "clock": 40, "season": other.pk}
    signed_in(player.user).post(url, sent)
    assert ClubTable.objects.get(season__club=season.club).season == other
    elsewhere = make_season().pk
    assert signed_in(player.user).post(url, sent | {"season": elsewhere}).status_code == 422


def test_whoever_may_not_open_one_reads_why_and_nothing_is_opened():
    club, before = make_season().club, Table.objects.count()
    url = path_of(club, "club_tables")
    stranger, organiser = signed_in(make_user()), signed_in(owner_of(club))
    assert "linked to a player of this club yet" in organiser.get(url).content.decode()
    for client in (Client(headers={"Accept-Language": "en"}), stranger, organiser):
        told = client.post(url, {"stake": 1}, follow=True).content.decode()
        assert "Sign in to sit down" in told or "Ask an organiser to link your account" in told
    [player] = make_members(make_club(), 1)
    empty = path_of(player.club, "club_tables")
    assert "No season is open" in signed_in(player.user).get(empty).content.decode()
    signed_in(player.user).post(empty, {"stake": 1})
    assert Table.objects.count() == before


def test_a_player_sees_the_stake_before_sitting_down_and_others_see_no_table():
    live, people = table_of_four(sit=False)
    stranger = signed_in(make_user())
    anonymous = Client(headers={"Accept-Language": "en"})
    page = signed_in(people[1].user).get(address(live)).content.decode()
    assert "Stake 5 kẹo." in page
    assert "By taking a seat you agree." in page
    sit = reverse("tables:sit", args=[live.table.key])
    for client in (anonymous, stranger):
        assert client.get(address(live)).status_code == 404
        told = client.post(sit, {"no": 1, "name": "Ngoài"}, headers=tables.FETCH)
        assert (told.status_code, "kẹo" in told.content.decode()) == (404, False)
    signed_in(people[1].user).post(sit, {"no": 1, "name": "Ngoài"})
    names = live.table.seats.order_by("no").values_list("name", flat=True)
    assert list(names) == [people[0].name, people[1].name]


def test_a_member_without_a_player_reads_why_no_seat_is_offered():
    live, people = table_of_four(sit=False)
    seen = {}
    for user in (people[1].user, make_member(people[0].club, "organiser")):
        page = signed_in(user).get(address(live)).content.decode()
        seen[user] = ("Ask an organiser to link" in page, 'name="no"' in page)
    assert list(seen.values()) == [(False, True), (True, False)]


def test_the_table_offers_no_bots_and_deals_when_everybody_is_there():
    live, people = table_of_four(sit=False)
    client = signed_in(people[0].user)
    bots, deal = (reverse(f"tables:{name}", args=[live.table.key]) for name in ("bots", "deal"))
    page = client.get(address(live)).content.decode()
    assert bots not in page
    assert deal not in page
    assert client.post(bots, headers=tables.FETCH).status_code == 422
    for no, player in enumerate(people[1:], start=1):
        signed_in(player.user).post(
            reverse("tables:sit", args=[live.table.key]), {"no": no, "name": "x"}
        )
    assert deal in client.get(address(live)).content.decode()
    client.post(deal)
    assert tables.current(live.table).no == 1


def test_a_table_that_is_over_says_how_many_games_it_had(live, people):
    by = owner_of(people[0])
    empty = open_table(people, sit=False)
    for _ in range(2):
        play_game(live)
    for table in (live, empty):
        stake_tables.end_table(live=table, by=by, now=True)
    page = signed_in(by).get(path_of(people[0].club, "club_tables"))
    assert [(shown.live, shown.games) for shown in page.context["ended"]] == [(live, 2)]


def test_the_money_page_shows_each_game_with_its_replay_and_organisers_take_one_back(live, people):
    game = play_game(live)
    stake_tables.sweep()
    by = owner_of(people[0])
    page = signed_in(people[1].user).get(money_of(live)).content.decode()
    assert reverse("tables:replay", args=[live.table.key, game.no]) in page
    back = path_of(live.season, "posting_reverse", Posting.objects.get().pk)
    assert back not in page
    organiser = signed_in(by)
    assert back in organiser.get(money_of(live)).content.decode()
    answer = organiser.post(back, {"client_id": "6e9f0f8e-1f53-4b52-8f0c-0c5b0a1c2d3e"})
    assert answer["Location"] == money_of(live)
    assert "reversed" in organiser.get(money_of(live)).content.decode()
    season = path_of(live.season, "season_money")
    shown = organiser.get(season, {"show": "all"}).content.decode()
    assert "stakes table, game 1" in shown
    assert "Payments and other entries" not in shown


def test_an_organiser_ends_a_table_and_others_do_not(live, people):
    tables.deal(live.table)
    player = signed_in(people[0].user)
    assert player.post(money_of(live), {"do": "end_now"}).status_code == 403
    organiser = signed_in(owner_of(people[0]))
    organiser.post(money_of(live), {"do": "sideways"})
    assert Table.objects.get().status == Table.Status.PLAYING
    organiser.post(money_of(live), {"do": "end_now"})
    assert Table.objects.get().status == Table.Status.CLOSED
    assert not Posting.objects.exists()
    assert "does not count" in player.get(address(live)).content.decode()


def test_a_table_of_another_club_is_not_there(live):
    other = make_club()
    url = path_of(other, "club_table", live.table.key)
    assert signed_in(owner_of(other)).get(url).status_code == 404


def test_the_lobby_leads_to_the_club_and_asks_which_only_where_there_are_several():
    [player] = make_members(make_season().club, 1)
    client = signed_in(player.user)
    url = reverse("league:stakes")
    assert url in client.get(reverse("tables:lobby")).content.decode()
    assert client.get(url)["Location"] == path_of(player.club, "club_tables")
    other = make_club(name="Hội Khác")
    players.take_player(player=make_player(other, "An"), user=player.user)
    page = client.get(url).content.decode()
    assert "Hội Bạn" in page
    assert "Hội Khác" in page
    nobody = signed_in(make_member(other, "player")).get(url).content.decode()
    assert "You are not linked to a player yet" in nobody


@pytest.mark.parametrize("count", share([1, 3], 1, of=2))
def test_the_list_takes_thirteen_queries_however_many_tables(count, django_assert_num_queries):
    people = make_members(make_season().club, 2)
    for _ in range(count):
        live = open_table(people)
        play_game(live)
        stake_tables.sweep()
        stake_tables.end_table(live=live, by=owner_of(people[0]))
        open_table(people)
    client = signed_in(people[0].user)
    with django_assert_num_queries(13):
        page = client.get(path_of(people[0].club, "club_tables"))
    assert (len(page.context["open"]), len(page.context["ended"])) == (count, count)


@pytest.mark.parametrize("count", share([1, 3], 1, of=2))
def test_the_money_of_a_table_takes_sixteen_queries(live, people, count, django_assert_num_queries):
    for _ in range(count):
        play_game(live)
    stake_tables.sweep()
    client = signed_in(people[0].user)
    with django_assert_num_queries(16):
        assert client.get(money_of(live)).status_code == 200


def test_organisers_read_who_played_two_seats_from_one_browser():
    """Also where the first chair was taken by opening the table, which tells no browser."""
    people = make_members(make_season().club, 3)
    live = open_table(people, sit=False)
    browsers = [signed_in(people[0].user), signed_in(people[1].user), signed_in(people[2].user)]
    link = {"link": "ab" * 32}
    mix = reverse("tables:mix", args=[live.table.key])
    sit = reverse("tables:sit", args=[live.table.key])
    browsers[0].post(mix, link, REMOTE_ADDR="203.0.113.1")
    browsers[1].cookies["device"] = browsers[0].cookies["device"].value
    browsers[1].post(sit, {"no": 1, "name": "x"}, REMOTE_ADDR="198.51.100.1")
    browsers[2].post(sit, {"no": 2, "name": "x"}, REMOTE_ADDR="203.0.113.9")
    for _ in range(2):
        for browser, address in zip(browsers, ("203.0.113.1", "198.51.100.1"), strict=False):
            assert browser.post(mix, link, REMOTE_ADDR=address).status_code == 200
    names = [player.name for player in people]
    found = stake_selector.shared_places_of(people[0].club)
    assert [(set(pair.names), pair.devices, pair.networks) for pair in found] == [
        ({names[0], names[1]}, 1, 0),
        ({names[0], names[2]}, 0, 1),
    ]
    url = path_of(people[0].club, "club_tables")
    pages = [signed_in(user).get(url) for user in (owner_of(people[0]), people[0].user)]
    assert ["Two seats, one browser" in page.content.decode() for page in pages] == [True, False]
    forgetting.forget_user(user=people[1].user)
    assert [pair.devices for pair in stake_selector.shared_places_of(people[0].club)] == [0]
