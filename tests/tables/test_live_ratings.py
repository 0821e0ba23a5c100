"""Rated games: who may sit there, what a game changes, once, and what is forgotten with someone."""

import datetime
import re

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.clubs.acts import account_data
from league.proof.facts import verify
from tables.chairs.acts import seats
from tables.models import CountedGame, Friend, RatedPlace, Seat, Table, TableInvite, TableStrength
from tables.people.acts import forgetting, newcomers, ratings
from tables.people.acts.newcomers import Newcomer, Wish
from tests.factories import browser_of, make_user
from tests.tables import live
from tests.tables.test_live_friends import after_the_wait
from tests.tables.test_live_newcomers import people

pytestmark = pytest.mark.django_db


def come(user: object, number: int, **more: str) -> Table:
    """Someone who wants to play a rated game, from his own browser and network."""
    wish = Wish(live.ruleset.preset("penguin"), 4, 20, rated=True)
    who = {"device": f"browser {number}", "network": f"10.0.{number}.0/24"} | more
    return newcomers.seat_newcomer(wish=wish, who=Newcomer(f"P{number}", user, **who))[0]


def rated_game(*users: object) -> Table:
    for number, user in enumerate(users):
        table = come(user, number)
    after_the_wait(table)
    live.play_quickly(table)
    return Table.objects.get(pk=table.pk)


@transaction.atomic
def close(table: Table) -> None:
    locked = seats.lock(table.pk)
    seats.close(locked)
    seats.touch(locked)


def test_a_game_is_rated_once_for_people_and_bots_on_one_scale():
    one, two = make_user(), make_user()
    rated_game(one, two)
    assert ratings.rate_waiting() == 1
    assert ratings.rate_waiting() == 0
    places = list(RatedPlace.objects.order_by("rank"))
    assert [place.rank for place in places] == [1, 2, 3, 4]
    people = [place.told for place in places if place.user_id]
    assert people == sorted(people, reverse=True)
    assert TableStrength.objects.filter(user__in=[one, two], games=1, sigma__gt=1).count() == 2
    planner = TableStrength.objects.get(bot="planner")
    assert (planner.games, planner.mu, planner.sigma) == (1, 25, 0.01)
    assert list(verify.everything()) == []
    TableStrength.objects.filter(user=one).update(mu=30)
    assert list(verify.everything()) == [
        "rated tables: the ratings differ from rating all games again"
    ]


def test_all_games_are_fitted_again_after_a_pause_that_grows_with_them(monkeypatch):
    table = rated_game(make_user(), make_user())
    assert ratings.rate_waiting() == 1
    before = TableStrength.objects.get(bot="planner").computed_at
    close(table)
    rated_game(make_user(), make_user())
    monkeypatch.setattr(ratings, "PAUSE", datetime.timedelta(hours=1))
    assert ratings.rate_waiting() == 0
    monkeypatch.setattr(ratings, "PAUSE", datetime.timedelta(0))
    assert ratings.rate_waiting() == 1
    assert TableStrength.objects.get(bot="planner").computed_at > before
    TableStrength.objects.update(model=0)
    assert ratings.rate_waiting() == 0
    assert set(TableStrength.objects.values_list("model", flat=True)) == {1}, "another model"


def test_other_tables_are_not_rated():
    table = live.dealt("penguin", people=2)
    live.play_quickly(table)
    assert not CountedGame.objects.exists()
    with pytest.raises(IntegrityError), transaction.atomic():
        Table.objects.filter(pk=table.pk).update(rated=True)


@pytest.mark.parametrize(
    ("more", "same"),
    [({}, True), ({"device": "browser 0"}, False), ({"network": "10.0.0.0/24"}, False)],
)
def test_one_device_or_network_takes_one_chair_and_another_goes_elsewhere(more, same):
    first = come(make_user(), 0)
    assert (come(make_user(), 1, **more) == first) is same


def test_guests_and_programs_do_not_sit_at_rated_tables():
    table = come(make_user(), 0)
    sit = {"table_id": table.pk, "no": 1, "name": "X"}
    for who in ({}, {"user": make_user()}):
        with pytest.raises(seats.TableRefusal):
            seats.sit(**sit, **who)
    Client().post(reverse("tables:play_now"), {"rated": "1"})
    assert people(table) == Table.objects.count() == 1


def test_those_who_are_as_strong_are_put_together():
    strong, weak, new = make_user(), make_user(), make_user()
    for user, mu in ((strong, 40), (weak, 10), (new, 38)):
        TableStrength.objects.create(
            user=user, name="", mu=mu, sigma=2, games=20, model=1, computed_at=timezone.now()
        )
    with_strong = come(strong, 0)
    with_weak = seats.open_table(ruleset=live.ruleset.preset("penguin"), players=4)
    Table.objects.filter(pk=with_weak.pk).update(for_anyone=True, rated=True, move_seconds=20)
    seats.sit(table_id=with_weak.pk, no=0, name="W", user=weak, device="w", network="10.9.0.0/24")
    assert come(new, 2) == with_strong


def test_with_an_account_its_rating_is_forgotten_and_its_network_with_its_chair():
    user, other = make_user(), make_user()
    table = rated_game(user, other)
    ratings.rate_waiting()
    assert Seat.objects.exclude(network="").count() == 2
    forgetting.forget_user(user=user)
    assert not TableStrength.objects.filter(user=user).exists()
    assert CountedGame.objects.filter(rated_at=None).count() == 1, "the others are rated again"
    assert not RatedPlace.objects.filter(user=user).exists()
    close(table)
    assert not Seat.objects.exclude(network="").exists()


def test_an_erased_account_is_not_rated_again_with_the_others():
    user, other = make_user(), make_user()
    close(rated_game(user, other))
    ratings.rate_waiting()
    account_data.erase_person(user=user)
    TableStrength.objects.update(computed_at=timezone.now() - datetime.timedelta(hours=1))
    assert ratings.rate_waiting() == 1
    rated = TableStrength.objects.exclude(user=None)
    assert list(rated.values_list("user", flat=True)) == [other.pk]
    assert list(verify.everything()) == []


def test_the_page_of_ratings_has_the_readers_games_and_asks_no_more_for_more(
    django_assert_max_num_queries,
):
    user = make_user()
    browser = browser_of(user)
    for _ in range(2):
        close(rated_game(user, make_user()))
    ratings.rate_waiting()
    with django_assert_max_num_queries(14):
        page = browser.get(reverse("tables:ratings")).content.decode()
    assert page.count("/games/1/") == 2
    assert page.count("Invite again") == 2
    assert "polyline" in page
    assert "Steady" not in page
    assert "2 of 10 games" in " ".join(page.split())
    TableStrength.objects.filter(user=user).update(mu=24, games=10)
    assert "Steady" in browser.get(reverse("tables:ratings")).content.decode()


def led_to(browser: Client, table: Table) -> list[str]:
    """The words of the lobby's links to this table."""
    page = browser.get(reverse("tables:lobby")).content.decode()
    links = re.findall(rf'href="[^"]*/{table.key}/">\s*(?:<span>)?([^<]*)', page)
    assert len(links) == page.count(f"/{table.key}/")
    return [link.strip() for link in links]


def test_an_opponent_is_asked_to_a_table_in_one_tap_and_kept_as_a_friend():
    one, two, stranger = make_user(), make_user(), make_user()
    close(rated_game(one, two))
    ratings.rate_waiting()
    place = RatedPlace.objects.get(user=two)
    browsers = {}
    for user in (one, two, stranger):
        browsers[user] = Client()
        browsers[user].force_login(user)
    address = reverse("tables:friend")
    for user in (two, stranger):  # Neither oneself nor someone never met.
        for do in ("add", "invite"):
            browsers[user].post(address, {"do": do, "place": place.pk})
    assert not Friend.objects.exists()
    browsers[one].post(address, {"do": "add", "place": place.pk})
    friend = Friend.objects.get(owner=one, user=two)
    for asked in ({"place": place.pk}, {"friend": friend.pk}):
        browsers[one].post(address, {"do": "invite"} | asked)
    table = TableInvite.objects.get().table
    leads = [led_to(browsers[user], table) for user in browsers]
    assert leads == [["Back to your game"], ["Sit down there"], []]
    seats.sit(table_id=table.pk, no=1, name="Two", user=two)
    assert led_to(browsers[two], table) == ["Back to your game"], "invited no more"
    forgetting.forget_user(user=two)
    assert not Friend.objects.exists()
    assert not TableInvite.objects.exists()
