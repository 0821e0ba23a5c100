"""Play now: people who come are put together, bots fill in, and give their chairs to people."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tables.base.fifo_cache import forget_all
from tables.live import watching
from tables.models import Seat, Table
from tables.play.pages import featured
from tables.views import lobby
from tests.factories import make_user
from tests.shares import share
from tests.tables import live
from tests.tables.live import hand_shown, open_form, post, view_of
from tests.tables.test_live_clocks import seconds_left
from tests.tables.test_live_friends import after_the_wait

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _plain(monkeypatch):
    """Rules without instant wins, so that a deal is not the end; no game is old enough to show."""
    monkeypatch.setitem(lobby.USUAL, "rules", "penguin")
    monkeypatch.setattr(featured, "DELAY", timedelta(days=1))


def play_now(browser: Client) -> str:
    """One tap on the home page; the page it leads to."""
    return browser.post(reverse("tables:play_now"), follow=True).content.decode()


def people(table: Table) -> int:
    return table.seats.filter(left_at=None, bot="").count()


def test_one_tap_and_three_seconds_bring_cards_by_southern_rules(monkeypatch):
    monkeypatch.setitem(lobby.USUAL, "rules", "mien-nam")
    assert "Looking for players" in play_now(Client())
    table = Table.objects.get()
    assert (table.ruleset.key, table.players) == ("mien-nam", 4)
    assert 0 < seconds_left(table) <= 3
    after_the_wait(table)
    assert table.games.filter(dealt_at__isnull=False).exists()
    assert table.seats.exclude(bot="").count() == 3


def test_people_who_come_are_put_together_and_then_dealt_to_at_once():
    for _ in range(4):
        play_now(Client())
    table = Table.objects.get()
    assert people(table) == 4
    assert seconds_left(table) <= 2
    play_now(Client())
    assert Table.objects.count() == 2


def test_who_wants_quick_words_only_meets_who_wants_them_too():
    wish = open_form(rules="penguin", players=4, bots="anyone", clock="20")
    for talk in ("all", "quick", "quick", "off"):
        Client().post(reverse("tables:lobby"), wish | {"talk": talk})
    met = {table.talk: people(table) for table in Table.objects.all()}
    assert met == {"all": 1, "quick": 2, "off": 1}


def test_who_comes_later_does_not_let_the_first_wait_longer():
    play_now(Client())
    table = Table.objects.get()
    due = table.due_at
    play_now(Client())
    table.refresh_from_db()
    assert (people(table), table.due_at) == (2, due)


def test_two_taps_take_one_chair_and_lead_back_to_it():
    guest, member = Client(), Client()
    member.force_login(make_user())
    for browser in (guest, guest, member, member):
        page = play_now(browser)
    table = Table.objects.get()
    assert people(table) == 2
    after_the_wait(table)
    for browser in (guest, member):
        page = play_now(browser)
        assert len(hand_shown(page)) == 13
    assert Table.objects.count() == 1


def test_a_bot_gives_its_chair_to_a_person_between_games():
    play_now(Client())
    table = Table.objects.get()
    after_the_wait(table)
    play_now(Client())
    assert Table.objects.count() == 2  # No chair is taken in the middle of a game.
    Table.objects.exclude(pk=table.pk).delete()
    live.play_quickly(table)
    play_now(Client())
    assert (people(table), table.seats.filter(left_at=None).count()) == (2, 4)


def test_the_last_choice_is_what_play_now_means_the_next_time():
    browser = Client()
    browser.post(reverse("tables:lobby"), open_form(rules="killa", players=4, bots="sage"))
    play_now(browser)
    table = Table.objects.get(for_anyone=True)
    assert (table.ruleset.key, table.bot, table.move_seconds) == ("killa", "sage", 40)
    browser.cookies["choice"] = "forged"
    assert browser.get(reverse("tables:lobby")).status_code == 200


def test_tables_that_everyone_left_are_closed_and_their_devices_forgotten():
    browser = Client()
    play_now(browser)
    table = Table.objects.get()
    assert table.seats.get().device
    post(browser, table, "leave")
    table.refresh_from_db()
    assert table.status == Table.Status.CLOSED
    assert not table.seats.exclude(device="").exists()
    play_now(browser)
    assert Table.objects.count() == 2


@pytest.mark.parametrize("tables", share([1, 3], 1, of=2))
def test_the_lobby_shows_tables_for_anyone_and_no_others(django_assert_num_queries, tables):
    for _ in range(tables):
        play_now(Client())
        after_the_wait(Table.objects.latest("pk"))
    Client().post(reverse("tables:lobby"), open_form(bots=""))
    with django_assert_num_queries(5):
        page = Client().get(reverse("tables:lobby")).content.decode()
    assert len(re.findall(r'href="/tables/\w{10}/"', page)) == tables
    assert page.count("3 bots") == tables


def test_the_lobby_has_no_list_of_free_seats_while_none_is_free():
    def is_hidden():
        page = Client().get(reverse("tables:lobby")).content.decode()
        return "hidden" in re.search(r'<section id="lobby-tables".*?>', page, re.DOTALL)[0]

    assert is_hidden()
    play_now(Client())
    after_the_wait(Table.objects.latest("pk"))
    assert not is_hidden()


def alone(browser: Client) -> Table:
    """Someone whom nobody joined in time: the game with bots is over."""
    before = set(Table.objects.values_list("pk", flat=True))
    play_now(browser)
    table = Table.objects.exclude(pk__in=before).get()
    after_the_wait(table)
    live.play_quickly(table)
    return table


def in_a_game(browser: Client) -> Table:
    table = alone(browser)
    post(browser, table, "deal")
    table.refresh_from_db()
    assert table.status == Table.Status.PLAYING
    return table


def test_people_alone_with_bots_meet_when_both_are_between_games():
    one, two = Client(), Client()
    first = in_a_game(one)
    second = alone(two)
    live.play_quickly(first)
    post(one, first, "deal")
    for table in (first, second):
        table.refresh_from_db()
    assert (first.status, first.met) == (Table.Status.CLOSED, second)
    assert (people(second), second.seats.filter(left_at=None).count()) == (2, 4)
    assert "data-follow" in view_of(one, first)["own"]
    play_now(one)
    post(two, second, "deal")
    assert seconds_left(second) <= 5
    after_the_wait(second)
    pages = [live.page_of(browser, second) for browser in (one, two)]
    assert [len(hand_shown(page)) for page in pages] == [13, 13]


def test_who_is_alone_with_bots_waits_for_the_end_of_anothers_game():
    one, two = Client(), Client()
    second, first = alone(two), None
    Table.objects.filter(pk=second.pk).update(status=Table.Status.PLAYING, due_at=timezone.now())
    first = alone(one)
    assert f"/{first.key}/company/" in view_of(one, first)["own"]
    post(one, first, "company")
    for _ in range(2):  # It looks again and again, and deals nothing.
        assert after_the_wait(first).status == Table.Status.BETWEEN
    Table.objects.filter(pk=second.pk).update(status=Table.Status.BETWEEN)
    assert after_the_wait(first).met == second
    assert people(second) == 2


@pytest.mark.parametrize("ends", ["patience", "nobody there", "next game"])
def test_a_wait_for_company_ends(ends):
    one, two = Client(), Client()
    second = alone(two)
    Table.objects.filter(pk=second.pk).update(status=Table.Status.PLAYING, due_at=timezone.now())
    first = alone(one)
    post(one, first, "company")
    if ends == "patience":
        Table.objects.filter(pk=first.pk).update(company_until=timezone.now())
    elif ends == "nobody there":
        Seat.objects.filter(table=second, bot="").update(autopilot=True)
    else:
        post(one, first, "deal")
    if ends != "next game":
        after_the_wait(first)
    first.refresh_from_db()
    assert (first.status, first.met, first.company_until) == (Table.Status.PLAYING, None, None)


def test_the_lobby_says_how_many_watch_and_shows_a_game_a_moment_late(monkeypatch):
    play_now(Client())
    table = Table.objects.get()
    after_the_wait(table)
    for _ in range(5):
        live.step(table, live.current(table))
    game = live.current(table)
    monkeypatch.setattr(watching, "ME", "one process")
    watching.share({table.key: 2})
    monkeypatch.setattr(watching, "ME", "another")
    assert watching.share({table.key: 1}) == {table.key: 2}
    assert "3 watching" in Client().get(reverse("tables:lobby")).content.decode()
    assert 'class="featured ' not in Client().get(reverse("tables:lobby")).content.decode()
    monkeypatch.setattr(featured, "DELAY", timedelta(0))
    forget_all()
    page = Client().get(reverse("tables:lobby")).content.decode()
    part = page[page.index('class="featured ') : page.index('id="lobby-tables"')]
    played = " ".join(action.body.get("cards", "") for action in game.actions.all()).split()
    shown = [rank + suit for suit, rank in re.findall(r'class="card card-(\w) card-(\w)', part)]
    assert shown
    assert set(shown) <= set(played)
