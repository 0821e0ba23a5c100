"""Friends with a link: nobody has to press a button for the cards, and nobody is dealt over."""

import datetime

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tables.base.fifo_cache import forget_all
from tables.chairs.acts import seats
from tables.chairs.facts import seated
from tables.models import Table
from tables.play.acts import games, sweeps
from tables.play.facts import standings
from tests.tables import live
from tests.tables.live import browser_of, open_form, page_of, post
from tests.tables.test_live_clocks import seconds_left

pytestmark = pytest.mark.django_db


def opened(friends: int, players: int = 4) -> tuple[Table, list[Client]]:
    """A table that a guest opened for friends, and so many of them beside him."""
    browsers = [Client() for _ in range(friends + 1)]
    browsers[0].post(reverse("tables:lobby"), open_form(bots="", players=players))
    table = Table.objects.get()
    for no, browser in enumerate(browsers[1:], start=1):
        assert sit(browser, table, no).status_code == 302
    return table, browsers


def sit(browser: Client, table: Table, no: int) -> object:
    return post(browser, table, "sit", script=False, no=no, name=f"Friend {no}")


def after_the_wait(table: Table) -> Table:
    """The table when its next event was due, and a sweep came by."""
    Table.objects.filter(pk=table.pk).update(due_at=timezone.now() - datetime.timedelta(seconds=1))
    forget_all()  # Whoever sweeps may be another process, which knows nothing.
    sweeps.sweep()
    return Table.objects.get(pk=table.pk)


def test_the_last_friend_to_sit_down_brings_the_cards():
    table, browsers = opened(2)
    assert seconds_left(table) > 600
    sit(Client(), table, 3)
    assert 3 < seconds_left(table) <= 5
    assert "Cards are dealt in" in page_of(browsers[0], table)
    assert sweeps.sweep() == 0
    assert after_the_wait(table).status == Table.Status.PLAYING


def test_who_gets_up_again_stops_the_deal():
    table, browsers = opened(3)
    post(browsers[2], table, "leave")
    assert seconds_left(table) > 600
    assert "Cards are dealt in" not in page_of(browsers[0], table)


def test_the_waiting_page_has_the_link_as_a_code_and_for_any_app():
    table, browsers = opened(1)
    for browser in browsers:
        page = page_of(browser, table)
        assert 'class="qr"' in page
        assert f'data-send="http://testserver/tables/{table.key}/"' in page
    assert 'class="qr"' not in page_of(Client(), table)


def test_only_the_host_fills_the_chairs_of_friends_with_bots():
    table, browsers = opened(1)
    answer = post(browsers[1], table, "bots")
    assert (answer.status_code, answer.json()["reason"]) == (
        422,
        "Only the player who opened the table can add bots: friends may be on their way.",
    )
    assert "Add bots and deal" not in page_of(browsers[1], table)
    assert seated.empty_chairs(table) == [2, 3]
    assert "Add bots and deal" in page_of(browsers[0], table)
    post(browsers[0], table, "bots")
    assert Table.objects.get().status == Table.Status.PLAYING


def test_whoever_sits_longest_is_the_host_when_the_first_has_gone():
    table, browsers = opened(1)
    post(browsers[0], table, "leave")
    assert post(browsers[1], table, "bots").status_code == 200


def test_a_visitor_is_offered_a_chair_only_where_there_is_one():
    table, _browsers = opened(2)
    assert "Take a seat." in page_of(Client(), table)
    sit(Client(), table, 3)
    page = page_of(Client(), table)
    assert ("Take a seat." in page, "Every seat is taken." in page) == (False, True)
    games.deal_next(table_id=table.pk)
    assert "When a player gets up" in page_of(Client(), table)


def test_the_next_game_waits_until_everybody_has_asked_for_it():
    table, browsers = opened(1, players=2)
    live.play_game(table)
    answer = post(browsers[0], table, "deal").json()
    assert Table.objects.get().status == Table.Status.BETWEEN
    assert "You are ready." in answer["own"]
    post(browsers[0], table, "deal")
    assert Table.objects.get().status == Table.Status.BETWEEN
    post(browsers[1], table, "deal")
    assert Table.objects.get().status == Table.Status.PLAYING
    assert not table.seats.filter(ready=True).exists()


def test_nobody_waits_for_who_is_away_and_time_brings_the_next_game_too():
    table, browsers = opened(1, players=2)
    live.deal(table)
    games.sit_out(seat_id=live.chair(table, 1).pk)
    live.play_quickly(table)
    games.sit_out(seat_id=live.chair(table, 1).pk)
    post(browsers[0], table, "deal")
    assert Table.objects.get().status == Table.Status.PLAYING
    live.play_quickly(table)
    assert 20 < seconds_left(table) <= games.PAUSE.total_seconds()
    assert after_the_wait(table).status == Table.Status.PLAYING


def test_one_guest_cannot_deal_by_asking_for_bots():
    table = live.dealt(people=2)
    live.play_quickly(table)
    for no in (0, 1):
        post(browser_of(table, no), table, "bots")
        table.refresh_from_db()
        assert table.status == Table.Status.BETWEEN


def test_bots_have_names_of_people_and_the_chosen_level_stays():
    Client().post(reverse("tables:lobby"), open_form(bots="sage"))
    table = Table.objects.get()
    names = table.seats.exclude(bot="").order_by("no").values_list("name", flat=True)
    assert list(names) == ["Cô Ba", "Chú Tư", "Ông Năm"]
    live.play_quickly(table)
    seats.get_up(live.chair(table, 3))
    games.deal_next(table_id=table.pk)
    assert live.chair(table, 3).bot == "sage"
    live.close(table)
    assert seats.open_again(table_id=table.pk).bot == "sage"


def test_what_the_host_allows_in_the_chat_holds_at_the_next_table():
    table, browsers = opened(2)
    post(browsers[0], table, "talk_allow", talk="quick")
    post(browsers[0], table, "talk_allow", watchers="off")
    live.close(table)
    again = seats.open_again(table_id=table.pk)
    again.refresh_from_db()
    assert (again.talk, again.watchers_talk) == ("quick", False)


def test_a_table_opened_again_knows_the_names_of_its_friends():
    table, browsers = opened(2)
    live.close(table)
    forget_all()
    again = post(browsers[0], table, "again", script=False)
    table = Table.objects.get(before=table)
    assert again.url == reverse("tables:table", args=[table.key])
    for browser, name in zip(browsers[1:], ("Friend 1", "Friend 2"), strict=True):
        assert f'value="{name}"' in page_of(browser, table)
    assert 'value=""' in page_of(Client(), table)


def test_the_clock_stands_at_who_thinks():
    table = live.dealt(people=4)
    turn = games.positions.replay_of(live.current(table)).state.turn
    page = page_of(Client(), table)
    assert page.count("data-clock data-time=") == 1
    plate = page.split(f'data-seat="{turn}"')[1].split("</li>")[0]
    assert 'data-time="40000"' in plate
    assert 'data-bank="60000"' in plate


@pytest.mark.parametrize(("people", "at_once"), [(1, True), (2, False)])
def test_bots_alone_end_a_game_at_once(settings, people, at_once):
    settings.TABLES_BOT_SECONDS = (3.0, 4.0)
    table = live.open_table(people=people, cards_each={"4": 3})
    live.set_hands(table, ["3S 2H 2D", "4S 6C 8D", "4C 7S 9D", "5S 7C TD"])
    for cards in ("3S", "2H", "2D"):
        live.act(table, 0, "play", cards)
        for no in (1, 2, 3) if cards != "2D" else ():
            live.act(table, no, "pass")
    assert (seconds_left(table) <= 0) == at_once


@pytest.mark.parametrize("leavers", [(1,), (0, 1)])
def test_who_leaves_after_the_game_plays_it_to_its_end(leavers):
    table = live.open_table(people=2, cards_each={"4": 3})
    live.set_hands(table, ["3S 2H 2D", "4S 6C 8D", "4C 7S 9D", "5S 7C TD"])
    for no in leavers:
        seats.leave(seat_id=live.chair(table, no).pk)
    for cards in ("3S", "2H", "2D"):
        assert seconds_left(table) > 30
        live.act(table, 0, "play", cards)
        for no in (1, 2, 3) if cards != "2D" else ():
            live.act(table, no, "pass")
    assert seconds_left(table) > 30  # The other one's turn.
    assert not table.seats.filter(autopilot=True).exists()


@pytest.mark.parametrize("rules", ["mien-nam", "killa", "tien-len"])
def test_the_end_tells_everybody_what_he_won_and_why(rules):
    table = live.dealt(rules, people=4)
    live.play_quickly(table)
    game = live.current(table)
    found = standings.result(game, standings.holder_names(game))
    assert sorted(place.seat for place in found.places) == [0, 1, 2, 3]
    assert sum(place.net for place in found.places) == 0
    for place in found.places:
        assert sum(amount for _reason, amount in place.sums) == place.net
        for reason, amount in place.sums:  # Who is paid for a last place did not come last.
            did_it = amount < 0 or reason in ("chop", "instant win")
            assert reason.startswith("from ") != did_it, (reason, amount)
    if found.pays:
        first = found.places[0]
        assert f"+{first.net}" in page_of(Client(), table)


def test_a_table_that_is_opened_as_the_form_stands_waits_for_friends(client):
    form = client.get(reverse("tables:lobby")).context["form"]
    sent = {name: form[name].value() for name in form.fields if form[name].value() is not None}
    opened = client.post(reverse("tables:lobby"), sent)
    table = Table.objects.get(key=opened.url.strip("/").rsplit("/", maxsplit=1)[-1])
    assert [seat.bot for seat in table.seats.all()] == [""]
    assert "Your name" in page_of(Client(), table)


def test_the_host_of_friends_is_asked_for_a_name_once_and_then_known(client):
    address = reverse("tables:play_now")
    asked = client.post(address, {"bots": ""})
    assert (asked.status_code, Table.objects.count()) == (200, 0)
    assert "Your name at the table" in asked.content.decode()
    assert client.post(address, {"bots": "", "name": " "}).status_code == 422
    assert client.post(address, {"bots": "", "name": "x" * 41}).status_code == 422
    assert not Table.objects.exists()
    client.post(address, {"bots": "", "name": "Lan"})
    first = Table.objects.get()
    assert (first.status, live.chair(first, 0).name) == ("waiting", "Lan")
    client.cookies["choice"]["path"] = "/"
    client.post(address, {"bots": ""})
    assert set(Table.objects.values_list("seats__name", flat=True)) == {"Lan"}
    assert Table.objects.count() == 2


def test_an_account_with_a_name_is_not_asked_for_it(client, django_user_model):
    user = django_user_model.objects.create_user(email="lan@example.org", name="Lan")
    client.force_login(user)
    client.post(reverse("tables:play_now"), {"bots": ""})
    assert live.chair(Table.objects.get(), 0).name == "Lan"


def test_a_friend_gives_a_name_and_not_a_chair():
    table, browsers = opened(0, players=3)
    form = page_of(Client(), table).split('class="own-form"')[1].split("</form>")[0]
    assert "Sit down" in form
    assert "Seat 2" not in form
    assert 'name="no"' not in form
    assert 'value=""' in form
    for name in ("Bình", "Cúc"):
        assert post(Client(), table, "sit", script=False, name=name).status_code == 302
    assert [live.chair(table, no).name for no in range(3)] == ["An", "Bình", "Cúc"]
    page = page_of(browsers[0], table)
    assert ("Bình" in page, "Seat 2" in page) == (True, False)
    late = post(Client(), table, "sit", name="Dũng")
    assert (late.status_code, late.json()["reason"]) == (
        409,
        "All seats are taken by people. Someone has to get up first.",
    )
    nameless = post(Client(), table, "sit", name=" ")
    assert nameless.json()["reason"] == "Enter your name to sit down."


def test_a_friend_takes_an_empty_chair_before_that_of_a_bot():
    table = live.open_table(people=2)
    seats.get_up(live.chair(table, 3))
    for no in (3, 2):
        post(Client(), table, "sit", script=False, name=f"Friend {no}")
        assert live.chair(table, no).name == f"Friend {no}"
