"""The pages of a night that is played online."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from league.models import LivePlan, LiveTable, Result
from league.services import events, links, live, players
from tables.models import Table
from tables.services import chat, seats
from tests.factories import make_member, make_user, owner_of
from tests.league.online import deal, make_online_night, online, play_game, release

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return make_online_night(8)


@pytest.fixture
def organiser(event):
    client = Client()
    client.force_login(make_member(event.season.club, "organiser"))
    return client


def address(name, event, *keys):
    return reverse(f"league:{name}", args=[event.season.club.slug, event.pk, *keys])


def text(response):
    return response.content.decode()


def change(client, event, **data):
    return client.post(address("online_table", event, 1, 1), data, follow=True)


def test_an_organiser_says_how_the_night_is_played(event, organiser):
    sent = {"played": "mixed", "move_seconds": "90", "abandoned": "void"}
    organiser.post(address("online", event), sent)
    plan = LivePlan.objects.get(event=event)
    assert (plan.played, plan.move_seconds, plan.abandoned) == ("mixed", 90, "void")
    organiser.post(address("online", event), sent | {"played": ""})
    assert not LivePlan.objects.filter(event=event).exists()


@pytest.mark.parametrize("sent", [{"played": "moon"}, {"move_seconds": "1"}, {"abandoned": ""}])
def test_an_odd_form_is_refused_beside_its_field(event, organiser, sent):
    good = {"played": "live", "move_seconds": "40", "abandoned": "count"}
    response = organiser.post(address("online", event), good | sent)
    assert response.status_code == 422
    assert LivePlan.objects.get(event=event).move_seconds == 40


def test_the_organiser_sees_all_tables_with_their_progress(event, organiser):
    release(event)
    assert text(organiser.get(address("online", event))).count("0 of 4 are ready") == 2
    first = LiveTable.objects.order_by("pk").first()
    play_game(first)
    live.sweep()
    deal(first)
    page = text(organiser.get(address("online", event)))
    assert (page.count("1 of 4 games"), page.count("0 of 4 games")) == (1, 1)


def test_only_organisers_see_personal_links_and_they_open_the_chair(event, organiser):
    release(event)
    page = text(organiser.get(address("online", event)))
    links_shown = [part.split('"')[0] for part in page.split('data-copy="')[1:]]
    assert len(links_shown) == 8
    assert "/chair/" not in text(Client().get(address("online", event)))
    browser = Client()
    page = text(browser.get(links_shown[0].replace("http://testserver", ""), follow=True))
    assert 'data-seat="0"' in page


def test_a_player_with_an_account_reaches_the_table_in_one_tap_from_the_night(event):
    user = make_user("an@club.example")
    player = event.season.club.players.get(name="An")
    players.link_account(player=player, email=user.email, by=owner_of(event.season.club))
    release(event)
    client = Client()
    client.force_login(user)
    key = Table.objects.get(seats__user=user).key
    assert reverse("tables:table", args=[key]) in text(client.get(address("event", event)))
    other = Client()
    assert "To your table" not in text(other.get(address("event", event)))


def test_the_phone_that_checked_somebody_in_reaches_the_table_in_one_tap(event):
    link = links.renew_for_check_in(event=event, by=owner_of(event.season.club))
    path = reverse("league:link_check_in", args=[links.secret_of(link)])
    phone = Client()
    phone.post(path, {"player": event.season.club.players.get(name="An").pk})
    release(event)
    page = text(phone.get(path))
    chair = page.split("/chair/")[1].split("/")[0]
    assert "An: to your table" in page
    table = Table.objects.get(seats__name="An")
    opened = phone.get(reverse("tables:claim", args=[table.key, chair]), follow=True)
    assert opened.context["own"].seat.name == "An"
    assert "/chair/" not in text(Client().get(path))


def test_a_table_that_plays_online_shows_no_form_for_entering(event, organiser):
    release(event)
    page = text(organiser.get(address("table", event, 1, 1)))
    assert "This table plays online" in page
    assert "Save the game" not in page
    change(organiser, event, do="end_now")
    assert "Save the game" in text(organiser.get(address("table", event, 1, 1)))


def test_an_organiser_opens_ends_and_replaces(event, organiser):
    release(event)
    table = LiveTable.objects.get(sitting__table_no=1).table
    entrant = LiveTable.objects.get(sitting__table_no=1).sitting.places.first().entrant_id
    old = live.secret_of(LiveTable.objects.get(sitting__table_no=1), entrant)
    change(organiser, event, do="renew", entrant=entrant)
    assert live.secret_of(LiveTable.objects.get(sitting__table_no=1), entrant) != old
    change(organiser, event, do="end")
    assert Table.objects.get(pk=table.pk).status == Table.Status.CLOSED
    change(organiser, event, do="open")
    assert LiveTable.objects.filter(sitting__table_no=1, ended_at=None).count() == 1
    assert "plays online already" in text(change(organiser, event, do="open"))
    assert "incomplete" in text(change(organiser, event, do="fly"))
    assert "no longer sits here" in text(change(organiser, event, do="renew", entrant="9" * 30))


def test_closing_the_night_takes_what_was_finished_first(organiser, event):
    release(event)
    play_game(LiveTable.objects.order_by("pk").first())
    organiser.post(address("event_status", event), {"status": "closed", "anyway": "1"})
    assert Result.objects.filter(source="live").count() == 1
    assert set(Table.objects.values_list("status", flat=True)) == {"closed"}


def test_the_page_is_sent_anew_only_when_something_has_changed(event, organiser):
    release(event)
    seen = organiser.get(address("online", event)).context["stamp"]
    ask = {"path": address("online", event), "data": {"seen": seen}}
    assert organiser.get(**ask).status_code == 204
    deal(LiveTable.objects.order_by("pk").first())
    assert organiser.get(**ask, headers={"HX-Request": "true"}).status_code == 200


def test_a_bot_is_put_on_the_list(event, organiser):
    organiser.post(address("online_bot", event), {"bot": "planner"})
    assert event.entrants.get(player__bot="planner").presence == "here"
    player = event.season.club.players.get(bot="planner").pk
    organiser.post(address("online_bot", event), {"leaves": player})
    assert event.entrants.get(player__bot="planner").presence == "left"
    page = organiser.post(address("online_bot", event), {"bot": "hal"}, follow=True)
    assert "There is no such bot." in text(page)


@pytest.mark.parametrize("tables", [1, 3])
def test_the_page_takes_thirteen_queries_whatever_the_number_of_tables(
    tables, django_assert_num_queries
):
    event = make_online_night(4 * tables)
    release(event)
    client = Client()
    client.force_login(make_member(event.season.club, "organiser"))
    client.get(address("online", event))
    with django_assert_num_queries(13):
        client.get(address("online", event))


def test_a_finished_game_shows_on_the_page_of_its_table(event):
    event = make_online_night(4)
    release(event)
    play_game(online(event))
    live.sweep()
    page = text(Client().get(address("table", event, 1, 1)))
    assert page.count('class="finish"') == 1


def test_organisers_look_after_what_is_said_at_a_table_and_players_do_not(event, organiser):
    release(event)
    table = Table.objects.order_by("pk").first()
    first, second = table.seats.order_by("no")[:2]
    chat.say(seat_id=first.pk, text="a rude word")
    message = table.messages.get()
    token = "a-players-secret"
    table.seats.filter(pk=second.pk).update(token_hash=seats.hash_of(token))
    player = Client()
    player.cookies[f"seat-{table.key}"] = token
    stranger = Client()
    stranger.force_login(make_user("elsewhere@club.example"))
    remove = reverse("tables:talk_remove", args=[table.key, message.pk])
    allow = reverse("tables:talk_allow", args=[table.key])
    statuses = [who.post(remove).status_code for who in (player, stranger, Client())]
    statuses += [who.post(allow, {"talk": "off"}).status_code for who in (player, stranger)]
    assert statuses == [403] * 5
    assert organiser.post(remove).status_code == 302
    assert organiser.post(allow, {"talk": "quick"}).status_code == 302
    table.refresh_from_db()
    assert (table.messages.count(), table.talk) == (0, "quick")


@pytest.mark.parametrize("kind", ["loser_leaves", "open"])
def test_a_night_whose_chairs_change_hands_says_why_it_has_real_cards_and_is_drawn(kind):
    event = make_online_night(8)
    by = owner_of(event.season.club)
    names = ("name", "date", "rounds_planned", "confirmed_by", "round_minutes")
    kept = {name: getattr(event, name) for name in names}
    events.change_settings(event=event, by=by, format={"kind": kind, "tables": 2}, **kept)
    client = Client(headers={"Accept-Language": "en"})
    client.force_login(by)
    page = text(client.get(address("online", event)))
    assert "This night is played with real cards." in page
    assert reverse("league:event_settings", args=[event.season.club.slug, event.pk]) in page
    assert 'name="played"' not in page
    release(event)
    assert not LiveTable.objects.exists()
