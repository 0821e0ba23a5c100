"""The pages of a night that is played online."""

import datetime
import itertools
import re
from types import SimpleNamespace

import pytest
from django.test import Client
from django.urls import reverse

from engine.rules import game as engine_game
from engine.rules.cards import parse_cards
from league.base.acts import links
from league.clubs.acts import players
from league.models import LivePlan, LiveTable, Result
from league.nights.acts import attendance, seat_changes
from league.nights.facts.online_tables import secret_of
from league.nights.views import wall_past
from league.online.acts import results_in
from league.online.pages import wall_games
from tables.base import tokens
from tables.chat.acts import chat
from tables.models import Table
from tables.play.facts import positions
from tests.factories import browser_of, make_member, make_user, owner_of, path_of
from tests.league.nights.waitlist_helpers import around, waiting
from tests.league.online.helpers import (
    deal,
    make_online_night,
    online,
    play_game,
    release,
    take_game,
)
from tests.shares import share
from tests.tables import live as tables
from tests.worlds import made_once

pytestmark = pytest.mark.django_db


@made_once
def event():
    return make_online_night(8)


@made_once
def queue():
    """A queue night at a table of four, with one player who waits."""
    return make_online_night(5, format=QUEUE)


@pytest.fixture
def organiser(event):
    return browser_of(make_member(event.season.club, "organiser"))


def text(response):
    return response.content.decode()


def change(client, event, **data):
    return client.post(path_of(event, "online_table", 1, 1), data, follow=True)


def test_an_organiser_says_how_the_night_is_played(event, organiser):
    sent = {"played": "mixed", "move_seconds": "90", "abandoned": "void"}
    organiser.post(path_of(event, "online"), sent)
    plan = LivePlan.objects.get(event=event)
    assert (plan.played, plan.move_seconds, plan.abandoned) == ("mixed", 90, "void")
    organiser.post(path_of(event, "online"), sent | {"played": ""})
    assert not LivePlan.objects.filter(event=event).exists()


@pytest.mark.parametrize("sent", [{"played": "moon"}, {"move_seconds": "1"}, {"abandoned": ""}])
def test_an_odd_form_is_refused_beside_its_field(event, organiser, sent):
    good = {"played": "live", "move_seconds": "40", "abandoned": "count"}
    assert organiser.post(path_of(event, "online"), good | sent).status_code == 422
    assert LivePlan.objects.get(event=event).move_seconds == 40


def test_the_organiser_sees_all_tables_with_their_progress(event, organiser):
    release(event)
    assert text(organiser.get(path_of(event, "online"))).count("0 of 4 ready") == 2
    first = LiveTable.objects.order_by("pk").first()
    play_game(first)
    results_in.sweep()
    deal(first)
    page = text(organiser.get(path_of(event, "online")))
    assert (page.count("1 of 4 games"), page.count("0 of 4 games")) == (1, 1)


def test_only_organisers_see_personal_links_and_they_open_the_chair(event, organiser):
    release(event)
    page = text(organiser.get(path_of(event, "online")))
    links_shown = [part.split('"')[0] for part in page.split('data-copy="')[1:]]
    assert len(links_shown) == 8
    assert "/chair/" not in text(Client().get(path_of(event, "online")))
    browser = Client()
    page = text(browser.get(links_shown[0].replace("http://testserver", ""), follow=True))
    assert 'data-seat="0"' in page


def test_a_player_with_an_account_reaches_the_table_in_one_tap_from_the_night(event):
    user = make_user("an@club.example")
    players.take_player(player=event.season.club.players.get(name="An"), user=user)
    release(event)
    client = browser_of(user)
    key = Table.objects.get(seats__user=user).key
    assert reverse("tables:table", args=[key]) in text(client.get(path_of(event, "event")))
    home = text(client.get("/"))
    assert "Go to the online table" in home
    assert "Enter a game" not in home
    assert "Go to your table" not in text(Client().get(path_of(event, "event")))


def test_the_phone_that_checked_somebody_in_reaches_the_table_in_one_tap(event):
    link = links.renew_for_night(event=event, by=owner_of(event))
    path = reverse("league:link_night", args=[link.secret])
    phone = Client()
    phone.post(path, {"player": event.season.club.players.get(name="An").pk})
    release(event)
    page = text(phone.get(path))
    chair = page.split("/chair/")[1].split("/")[0]
    assert "Go to your table" in page
    table = Table.objects.get(seats__name="An")
    opened = phone.get(reverse("tables:claim", args=[table.key, chair]), follow=True)
    assert opened.context["own"].seat.name == "An"
    assert "/chair/" not in text(Client().get(path))


def test_whom_an_organiser_checked_in_reads_how_to_reach_the_table(event):
    """A phone may take any name that no phone holds: cards take an account or a personal link."""
    link = links.renew_for_night(event=event, by=owner_of(event))
    path = reverse("league:link_night", args=[link.secret])
    user = make_user("an@club.example")
    players.take_player(player=event.season.club.players.get(name="An"), user=user)
    release(event)
    key = Table.objects.get(seats__user=user).key
    phone, account = Client(), browser_of(user)
    phone.post(path, {"me": event.season.club.players.exclude(user=user).first().pk})
    pages = [text(phone.get(path)), text(account.get(path))]
    assert ["ask an organiser for your personal link" in page for page in pages] == [True, False]
    assert ["Go to your table" in page for page in pages] == [False, True]
    assert reverse("tables:table", args=[key]) in pages[1]
    assert "/chair/" not in pages[0]


def test_the_code_of_an_online_night_speaks_of_no_entering(event, organiser):
    links.renew_for_night(event=event, by=owner_of(event))
    release(event)
    said = ("Score from your own phone", "Your night on your own phone")
    page = text(organiser.get(path_of(event, "event")))
    assert [words in page for words in said] == [False, True]
    for table in (1, 2):
        organiser.post(path_of(event, "online_table", 1, table), {"do": "end_now"})
    page = text(organiser.get(path_of(event, "event")))
    assert [words in page for words in said] == [True, False]


def test_a_table_that_plays_online_shows_no_form_for_entering(event, organiser):
    release(event)
    page = text(organiser.get(path_of(event, "table", 1, 1)))
    assert "This table is online" in page
    dealt = ("Save the game", "shuffles and deals", "Play goes")
    assert [words for words in dealt if words in page] == []
    change(organiser, event, do="end_now")
    page = text(organiser.get(path_of(event, "table", 1, 1)))
    assert [words for words in dealt if words in page] == list(dealt)


def test_an_organiser_opens_ends_and_replaces(event, organiser):
    release(event)
    table = LiveTable.objects.get(sitting__table_no=1).table
    entrant = LiveTable.objects.get(sitting__table_no=1).sitting.places.first().entrant_id
    old = secret_of(LiveTable.objects.get(sitting__table_no=1), entrant)
    change(organiser, event, do="renew", entrant=entrant)
    assert secret_of(LiveTable.objects.get(sitting__table_no=1), entrant) != old
    change(organiser, event, do="end")
    assert Table.objects.get(pk=table.pk).status == Table.Status.CLOSED
    change(organiser, event, do="open")
    assert LiveTable.objects.filter(sitting__table_no=1, ended_at=None).count() == 1
    assert "is already online" in text(change(organiser, event, do="open"))
    assert "incomplete" in text(change(organiser, event, do="fly"))
    assert "no longer sits here" in text(change(organiser, event, do="renew", entrant="9" * 30))


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("league:event_status", {"data": {"status": "closed", "anyway": "1"}}),
        (
            "api:event_status",
            {
                "data": {"status": "closed", "despite_unfinished": True},
                "content_type": "application/json",
            },
        ),
    ],
)
def test_closing_the_night_takes_what_was_finished_first(organiser, event, name, how):
    release(event)
    play_game(LiveTable.objects.order_by("pk").first())
    organiser.post(reverse(name, args=[event.season.club.slug, event.pk]), **how)
    assert Result.objects.filter(source="live").count() == 1
    assert set(Table.objects.values_list("status", flat=True)) == {"closed"}


def test_the_page_is_sent_anew_only_when_something_has_changed(event, organiser):
    release(event)
    seen = organiser.get(path_of(event, "online")).context["stamp"]
    ask = {"path": path_of(event, "online"), "data": {"seen": seen}}
    assert organiser.get(**ask).status_code == 204
    deal(LiveTable.objects.order_by("pk").first())
    assert organiser.get(**ask, headers={"HX-Request": "true"}).status_code == 200


def test_a_bot_is_put_on_the_list(event, organiser):
    organiser.post(path_of(event, "online_bot"), {"bot": "planner"})
    assert event.entrants.get(player__bot="planner").presence == "here"
    player = event.season.club.players.get(bot="planner").pk
    organiser.post(path_of(event, "online_bot"), {"leaves": player})
    assert event.entrants.get(player__bot="planner").presence == "left"
    page = organiser.post(path_of(event, "online_bot"), {"bot": "hal"}, follow=True)
    assert "There is no such bot." in text(page)


@pytest.mark.parametrize("tables", share([1, 3], 1, of=2))
def test_the_page_takes_fourteen_queries_whatever_the_number_of_tables(
    tables, django_assert_num_queries
):
    event = make_online_night(4 * tables)
    release(event)
    client = browser_of(make_member(event.season.club, "organiser"))
    client.get(path_of(event, "online"))
    with django_assert_num_queries(14):
        client.get(path_of(event, "online"))


def test_a_finished_game_shows_on_the_page_of_its_table(event):
    event = make_online_night(4)
    release(event)
    take_game(event)
    page = text(Client().get(path_of(event, "table", 1, 1)))
    assert page.count('class="finish"') == 1


def test_organisers_look_after_what_is_said_at_a_table_and_players_do_not(event, organiser):
    release(event)
    table = Table.objects.order_by("pk").first()
    first, second = table.seats.order_by("no")[:2]
    chat.say(seat_id=first.pk, text="a rude word")
    message = table.messages.get()
    token = "a-players-secret"
    table.seats.filter(pk=second.pk).update(token_hash=tokens.hash_of(token))
    player = Client()
    player.cookies[f"seat-{table.key}"] = token
    stranger = browser_of(make_user("elsewhere@club.example"))
    remove = reverse("tables:talk_remove", args=[table.key, message.pk])
    allow = reverse("tables:talk_allow", args=[table.key])
    statuses = [who.post(remove).status_code for who in (player, stranger, Client())]
    statuses += [who.post(allow, {"talk": "off"}).status_code for who in (player, stranger)]
    assert statuses == [403] * 5
    assert organiser.post(remove).status_code == 302
    assert organiser.post(allow, {"talk": "quick"}).status_code == 302
    table.refresh_from_db()
    assert (table.messages.count(), table.talk) == (0, "quick")


# --- Nights whose chairs change hands -----------------------------------------------------------

QUEUE = {"kind": "loser_leaves", "tables": 1}


def phone_of(event, name):
    """A phone that has checked somebody in, and the address of its page."""
    link = links.renew_for_night(event=event, by=owner_of(event))
    path = reverse("league:link_night", args=[link.secret])
    phone = Client(headers={"Accept-Language": "en"})
    phone.post(path, {"player": event.season.club.players.get(name=name).pk})
    return phone, path


def test_the_form_offers_a_queue_night_what_can_be_and_its_page_says_how_it_goes():
    event = make_online_night(6, played="", format=QUEUE)
    client = Client(headers={"Accept-Language": "en"})
    client.force_login(owner_of(event))
    page = text(client.get(path_of(event, "online")))
    assert "the next in the queue sits down" in page
    assert 'value="finish"' not in page
    sent = {"played": "live", "move_seconds": "40", "abandoned": "count"}
    assert client.post(path_of(event, "online"), sent | {"abandoned": "finish"}).status_code == 422
    client.post(path_of(event, "online"), sent)
    release(event)
    page = text(client.get(path_of(event, "online")))
    assert "0 of 4 ready" in page
    assert "Waiting: " + ", ".join(waiting(event)) in page


def test_an_organiser_sees_who_plays_the_game_that_is_on_and_who_is_next():
    event = make_online_night(6, format=QUEUE)
    sitting = release(event).sittings.get()
    client = Client(headers={"Accept-Language": "en"})
    client.force_login(owner_of(event))
    people = around(sitting)
    deal(online(event))
    player = event.season.club.players.get(name=people[0])
    attendance.set_presence(event=event, player_ids=[player.pk], presence="left", by=None)

    def chairs():
        [(each, _links)] = client.get(path_of(event, "online")).context["tables"]
        return [chair.place.entrant.player.name for chair in each.chairs]

    assert chairs() == people
    take_game(event)
    assert chairs() == around(sitting) != people


def test_whoever_waits_watches_by_his_own_link_and_his_chair_appears_there(queue):
    release(queue)
    [head] = waiting(queue)
    phone, path = phone_of(queue, head)
    page = text(phone.get(path))
    assert "number 1 in the queue" in page
    chair = page.split("/chair/")[1].split("/")[0]
    table = online(queue).table
    watched = phone.get(reverse("tables:claim", args=[table.key, chair]), follow=True)
    assert watched.context["own"].seat is None
    assert "your seat appears here automatically" in text(watched)
    take_game(queue)
    seated = phone.get(reverse("tables:table", args=[table.key]))
    assert seated.context["own"].seat.name == head
    assert "Tap “I'm ready”" in text(seated)
    version = seated.context["table"].version
    phone.post(reverse("tables:deal", args=[table.key]), {"version": version})
    assert Table.objects.get(pk=table.pk).status == Table.Status.PLAYING


def test_a_browser_that_has_a_chair_keeps_it_whatever_link_it_opens(queue):
    sitting = release(queue).sittings.get()
    live_table, keys = online(queue), dict(queue.entrants.values_list("player__name", "pk"))
    seated, waits = (keys[name] for name in (around(sitting)[0], waiting(queue)[0]))
    phone = Client()
    for entrant in (seated, waits):
        args = [live_table.table.key, secret_of(live_table, entrant)]
        page = phone.get(reverse("tables:claim", args=args), follow=True)
        assert page.context["own"].seat.name == around(sitting)[0]


def test_while_the_result_is_not_in_the_table_says_so_and_offers_nothing(queue):
    sitting = release(queue).sittings.get()
    name = around(sitting)[0]
    phone, path = phone_of(queue, name)
    phone.get(reverse("tables:claim", args=[online(queue).table.key, link_in(phone, path)]))
    play_game(online(queue))
    page = text(phone.get(reverse("tables:table", args=[online(queue).table.key])))
    assert "The seats for the next game appear here in a moment." in page
    assert "Next game" not in page
    version = online(queue).table.version
    phone.post(reverse("tables:deal", args=[online(queue).table.key]), {"version": version})
    assert not Table.objects.filter(status=Table.Status.PLAYING).exists()


def link_in(phone, path):
    """The secret of the first personal link that a phone's page shows."""
    return text(phone.get(path)).split("/chair/")[1].split("/")[0]


def test_somebody_leaves_the_night_from_the_live_table_and_the_next_sits_down(queue):
    sitting = release(queue).sittings.get()
    name, [head] = around(sitting)[2], waiting(queue)
    phone, path = phone_of(queue, name)
    key = online(queue).table.key
    page = phone.get(reverse("tables:claim", args=[key, link_in(phone, path)]), follow=True)
    assert "Leave for tonight" in text(page)
    for _twice in range(2):
        phone.post(reverse("tables:leave", args=[key]))
    assert queue.entrants.get(player__name=name).presence == "left"
    assert (name in around(sitting), around(sitting)[2]) == (False, head)
    assert list(online(queue).table.seats.filter(left_at=None, name=name)) == []


def test_who_leaves_while_a_game_is_on_is_played_for_as_everywhere(queue):
    sitting = release(queue).sittings.get()
    name = around(sitting)[2]
    phone, path = phone_of(queue, name)
    key = online(queue).table.key
    phone.get(reverse("tables:claim", args=[key, link_in(phone, path)]))
    deal(online(queue))
    phone.post(reverse("tables:leave", args=[key]))
    assert online(queue).table.seats.get(name=name).away
    assert queue.entrants.get(player__name=name).presence == "here"


def test_on_an_open_night_whoever_waits_takes_a_free_chair_with_one_tap():
    event = make_online_night(3, format={"kind": "open", "tables": 2})
    one, _two = release(event).sittings.all()
    keys = [e.pk for e in event.entrants.filter(presence="here")]
    seat_changes.seat_table(event=event, entrants=keys, by=owner_of(event))
    event.season.club.players.create(name="Zoe", sort_key="zoe")
    phone, path = phone_of(event, "Zoe")
    assert "Sit down at table 1" in text(phone.get(path))
    zoe = event.season.club.players.get(name="Zoe").pk
    other = event.entrants.get(pk=keys[0]).player_id
    for odd in ({"sit": "9" * 30}, {"sit": "x"}, {"sit": str(one.pk), "player": other}):
        page = phone.post(path, {"player": zoe} | odd, follow=True)
        assert "incomplete" in text(page)
    stranger = Client().post(path, {"player": zoe, "sit": one.pk}, follow=True)
    assert "incomplete" in text(stranger)
    assert len(around(one)) == 3
    phone.post(path, {"player": zoe, "sit": one.pk})
    assert around(one)[3] == "Zoe"
    assert online(event).table.seats.filter(left_at=None).count() == 4
    assert "Go to your table" in text(phone.get(path))
    again = phone.post(path, {"player": zoe, "sit": one.pk}, follow=True)
    assert "That table has no free seat any more" in text(again)


@pytest.mark.parametrize("number", share([1, 3], 1, of=2))
def test_a_queue_nights_page_takes_fifteen_queries_whatever_the_number_of_tables(
    number, django_assert_num_queries
):
    event = make_online_night(4 * number + 2, format=QUEUE | {"tables": number})
    release(event)
    client = browser_of(owner_of(event))
    client.get(path_of(event, "online"))
    with django_assert_num_queries(15):
        client.get(path_of(event, "online"))


@pytest.mark.parametrize("number", share([1, 3], 1, of=2))
def test_a_phone_that_waits_asks_as_much_whatever_the_number_of_tables(
    number, django_assert_num_queries
):
    event = make_online_night(4 * number + 2, format=QUEUE | {"tables": number})
    release(event)
    phone, path = phone_of(event, waiting(event)[0])
    assert text(phone.get(path)).count("Watch table") == number
    with django_assert_num_queries(19):
        phone.get(path)


def test_the_wall_shows_an_online_game_and_no_card_that_is_still_held(
    event, organiser, monkeypatch
):
    at = [wall_games.TURN * 1000]

    def now():
        return datetime.datetime.fromtimestamp(at[0], datetime.UTC)

    monkeypatch.setattr(wall_games, "timezone", SimpleNamespace(now=now))
    monkeypatch.setattr(wall_past, "time", SimpleNamespace(time=lambda: at[0]))
    release(event)
    first, second = LiveTable.objects.select_related("table").order_by("sitting__table_no")
    late = path_of(event, "wall") + "?obs&delay=4"

    def pages():
        """All that the wall answers: whole pages and their parts, over a video, and late."""
        at[0] += wall_past.STEP
        asked = [path_of(event, "wall"), path_of(event, "wall") + "?obs", late]
        answers = [organiser.get(path, headers=how) for path in asked
                   for how in ({}, {"HX-Request": "true"})]  # fmt: skip
        return [text(answer) for answer in answers]

    def tables_shown():
        return [re.findall(r"wall-game.*?Table (\d)", page, re.S) for page in pages()[:4]]

    def choose(do):
        path = path_of(event, "online_table", 1, 2)
        return text(organiser.post(path, {"do": do}, follow=True))

    games = [deal(first), deal(second)]
    assert tables_shown() == [[]] * 4, "it is nobody's turn"
    at[0] += wall_games.TURN - wall_games.SHOWN
    assert tables_shown() == [["1"]] * 4
    at[0] += wall_games.TURN
    assert tables_shown() == [["2"]] * 4, "the next one in turn"
    at[0] += wall_games.SHOWN
    assert "Take it off the big screen" in choose("show")
    seen = set()
    for _move in range(6):
        state = positions.replay_of(games[1]).state
        hands = [engine_game.observe(state, seat).hand for seat in range(state.players)]
        held = set(itertools.chain(*hands))
        for page in pages():
            cards = set(re.findall(r"card-([SCDH]) card-(\w)", page))
            laid = parse_cards(" ".join(rank + suit for suit, rank in cards))
            assert not held & set(laid)
            seen |= cards
        tables.step(second.table, tables.current(second.table))
    assert seen, "the cards that were played are shown"
    Table.objects.filter(pk=second.table_id).update(watch_delay=Table.WatchDelay.GAME)
    assert tables_shown() == [[]] * 4, "its spectators see each game when it is over"
    Table.objects.filter(pk=second.table_id).update(watch_delay=Table.WatchDelay.NONE)
    assert tables_shown() == [["2"]] * 4
    tables.play_quickly(second.table)
    assert tables_shown() == [[]] * 4, "the game is over"
    deal(second)
    assert "Take it off" not in choose("hide")
    assert tables_shown() == [[]] * 4
    choose("show")
    results_in.end_table(sitting_id=second.sitting_id, by=None, now=True)
    assert "not online now" in choose("show")
