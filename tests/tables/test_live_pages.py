"""The pages of a table, without JavaScript and as scripts ask for them."""

import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from engine import records
from engine.records import deals
from engine.rules import ruleset
from tables.chairs.acts import seats
from tables.models import Table
from tables.play.facts import positions
from tests.factories import make_rules, make_user
from tests.shares import share
from tests.tables import live
from tests.tables.live import HANDS, browser_of, hand_shown, open_form, page_of, post

pytestmark = pytest.mark.django_db


def test_a_guest_opens_a_table_and_has_cards_in_his_hand():
    response = Client().post(reverse("tables:lobby"), open_form(), follow=True)
    assert len(hand_shown(response.content.decode())) == 13


def test_an_account_keeps_its_chair_in_every_browser():
    user = make_user()
    first, second = Client(), Client()
    first.force_login(user)
    second.force_login(user)
    page = first.post(reverse("tables:lobby"), open_form(), follow=True)
    address = page.redirect_chain[-1][0]
    assert len(hand_shown(second.get(address).content.decode())) == 13


@pytest.mark.parametrize("key", share(ruleset.preset_keys(), 0))
def test_every_preset_can_be_opened_and_played_from_the_page(key):
    players = ruleset.preset(key).max_players
    response = Client().post(
        reverse("tables:lobby"), open_form(rules=key, players=players), follow=True
    )
    assert response.status_code == 200
    table = Table.objects.get()
    assert (table.players, table.status) == (players, Table.Status.PLAYING)


def test_a_table_for_too_many_is_refused_in_words():
    response = Client().post(reverse("tables:lobby"), open_form(rules="family", players=3))
    assert response.status_code == 422
    assert "Family Tiến Lên is for 4 players." in response.content.decode()


@pytest.mark.parametrize("bot", ["greedy", "master"])
def test_bots_of_the_chosen_strength_play_by_themselves(bot):
    Client().post(reverse("tables:lobby"), open_form(bots=bot))
    table = Table.objects.get()
    for _ in range(60):
        if live.current(table).over_at:
            break
        live.hurry(table)
    game = live.current(table)
    assert set(table.seats.exclude(bot="").values_list("bot", flat=True)) == {bot}
    assert game.actions.filter(made_by="bot").count() > 3


def test_friends_wait_for_each_other_and_then_deal():
    host, friend = Client(), Client()
    host.post(reverse("tables:lobby"), open_form(bots="", players=2))
    table = Table.objects.get()
    post(host, table, "deal", script=False)
    assert Table.objects.get().status == Table.Status.WAITING
    post(friend, table, "sit", script=False, no=1, name="Bình")
    post(friend, table, "deal", script=False)
    assert Table.objects.get().status == Table.Status.PLAYING


def test_a_player_sees_his_hand_and_a_stranger_none(table):
    assert hand_shown(page_of(browser_of(table, 1), table)) == HANDS[1].split()
    assert hand_shown(page_of(Client(), table)) == []


def test_a_play_without_javascript_comes_back_to_the_page(table):
    response = post(browser_of(table, 0), table, "act", script=False, do="play", cards="3S")
    assert response["Location"] == reverse("tables:table", args=[table.key])
    assert positions.replay_of(live.current(table)).seq == 1


def test_a_play_by_script_gets_the_fresh_table(table):
    response = post(browser_of(table, 0), table, "act", do="play", cards="3S")
    answer = response.json()
    assert response.status_code == 200
    assert "3S" not in hand_shown(answer["own"])
    assert "Guest 0: 3 of spades" in answer["board"]


@pytest.mark.parametrize(
    ("cards", "reason"),
    [
        (["4S"], "The rules require a different first play."),
        (["3S", "4S", "5S"], "The rules require a different first play."),
        (["3S", "5S", "6S"], "A straight needs consecutive ranks without a gap."),
        (["3S", "4S"], "Two cards must be a pair."),
        (["3C"], "You don't have these cards."),
        ([], "Choose cards first."),
        (["XX"], "This action is not possible here."),
    ],
)
def test_an_illegal_choice_is_explained_and_changes_nothing(table, cards, reason):
    if cards == ["4S"]:
        reason = "Your first play must include 3♠."
    response = post(browser_of(table, 0), table, "act", do="play", cards=cards)
    assert (response.status_code, response.json()["reason"]) == (422, reason)
    assert positions.replay_of(live.current(table)).seq == 0


def test_a_stale_move_gets_the_table_as_it_is_now(table):
    seen = table.version
    live.act(table, 0, "play", "3S")
    response = post(browser_of(table, 1), table, "act", do="play", cards="3C", version=seen)
    assert response.status_code == 409
    assert response.json()["version"] == Table.objects.get().version
    assert positions.replay_of(live.current(table)).seq == 1


def test_the_same_move_posted_twice_answers_the_same(table):
    client = browser_of(table, 0)
    data = {"do": "play", "cards": "3S", "client_id": "one", "version": table.version}
    first = post(client, table, "act", **data).json()
    second = post(client, table, "act", **data).json()
    assert (first["version"], hand_shown(first["own"])) == (
        second["version"],
        hand_shown(second["own"]),
    )
    assert positions.replay_of(live.current(table)).seq == 1


def test_hints_are_the_legal_plays_of_the_asker_alone(table):
    address = reverse("tables:hints", args=[table.key])
    assert browser_of(table, 0).get(address).json() == {"plays": [["3S"]]}
    assert browser_of(table, 1).get(address).json() == {"plays": []}
    assert Client().get(address).json() == {"plays": []}


def test_a_finished_game_is_replayed_downloaded_and_proved(table):
    live.play_quickly(table)
    replay = Client().get(reverse("tables:replay", args=[table.key, 1]), {"step": 3})
    assert replay.context["step"] == 3
    record = json.loads(Client().get(reverse("tables:record", args=[table.key, 1])).content)
    assert records.replay(record)["finished"]
    assert deals.fingerprint(record["deal"]["secret"]) == record["deal"]["commitment"]
    assert Client().get(reverse("tables:fair", args=[table.key, 1])).status_code == 200


@pytest.mark.parametrize("name", ["replay", "record", "fair"])
def test_nothing_of_a_game_that_is_on_can_be_downloaded(table, name):
    assert Client().get(reverse(f"tables:{name}", args=[table.key, 1])).status_code == 404


def test_a_guest_takes_his_chair_along_to_another_device(table):
    browser_of(table, 2)
    other = Client()
    other.get(reverse("tables:claim", args=[table.key, f"secret-{table.key}-2"]))
    assert hand_shown(page_of(other, table)) == HANDS[2].split()


def test_a_guests_own_link_is_on_his_page_and_on_nobody_elses(table):
    link = reverse("tables:claim", args=[table.key, f"secret-{table.key}-2"])
    assert link in page_of(browser_of(table, 2), table)
    assert link not in page_of(browser_of(table, 1), table)
    assert "/chair/" not in page_of(Client(), table)


def test_a_bots_chair_is_free_for_people_between_games(table):
    live.play_quickly(table)
    seats.leave(seat_id=live.chair(table, 3).pk)
    seats.fill_with_bots(table_id=table.pk)
    response = post(Client(), table, "sit", script=False, no=3, name="Chi")
    assert response.status_code == 302
    assert live.chair(table, 3).name == "Chi"


def test_a_table_is_opened_by_a_clubs_own_rules_from_their_card():
    own = make_rules(preset="killa", name="Luật nhà", locked_out_chops=["PR4"])
    address = f"{reverse('tables:lobby')}?rules={own.frozen_id}"
    assert "Luật nhà" in Client().get(address).content.decode()
    form = open_form()
    del form["rules"]
    Client().post(address, form)
    assert Table.objects.get().ruleset_id == own.frozen_id


def test_unknown_rules_are_not_found():
    assert Client().get(reverse("tables:lobby"), {"rules": "f" * 64}).status_code == 404


def test_a_number_of_thousands_of_digits_is_answered_like_no_number():
    host = Client()
    host.post(reverse("tables:lobby"), open_form(bots="", players=2))
    table = Table.objects.get()
    assert post(host, table, "deal", version="9" * 5000).status_code < 500
    assert post(host, table, "act", version="9" * 5000).status_code < 500


def test_an_address_that_opens_tables_all_the_time_waits(settings, empty_cache):
    settings.TABLES_PER_ADDRESS = settings.TABLES_PER_ADDRESS | {"open": (2, 60)}
    statuses = [
        Client().post(reverse("tables:lobby"), open_form(bots="")).status_code for _ in range(3)
    ]
    assert statuses == [302, 302, 422]


def test_an_address_that_sits_down_all_the_time_waits(settings, empty_cache):
    settings.TABLES_PER_ADDRESS = settings.TABLES_PER_ADDRESS | {"sit": (1, 60)}
    table = live.open_table(people=0)
    assert post(Client(), table, "sit", no=0, name="An").status_code == 302
    assert post(Client(), table, "sit", no=1, name="Bình").status_code == 422


@pytest.mark.parametrize("what", ["away", "stay"])
def test_one_sits_out_and_comes_back_from_the_page(table, what):
    client = browser_of(table, 1)
    post(client, table, "away")
    answer = post(client, table, what).json()
    assert ("You are sitting out" in answer["own"]) == (what == "away")
    assert ("sits out" in answer["board"]) == (what == "away")


def test_a_closed_table_is_opened_again_from_its_page(table):
    live.close(table)
    first = post(Client(), table, "again", script=False)
    assert first["Location"] == post(Client(), table, "again", script=False)["Location"]
    page = Client().get(reverse("tables:table", args=[table.key]))
    assert first["Location"] == page["Location"]  # The address of friends leads on.


def test_forms_that_take_the_place_of_others_are_sent_with_their_token(table):
    """The token of the page goes on from form to form; without one a form is refused."""
    client = browser_of(table, 0)
    client.handler.enforce_csrf_checks = True
    token = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page_of(client, table))[-1]
    answer = post(client, table, "act", do="play", cards="3S", csrfmiddlewaretoken=token).json()
    assert set(re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', answer["own"])) == {token}
    assert post(client, table, "away", csrfmiddlewaretoken=token).status_code == 200
    assert post(client, table, "stay").status_code == 403


def test_the_result_says_the_agreed_forfeit():
    table = live.dealt(people=1, forfeit="pours the tea")
    live.play_quickly(table)
    page = page_of(Client(), table)
    assert "The player in last place: pours the tea." in " ".join(page.split())
