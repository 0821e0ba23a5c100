"""Secret links: what they open, when they end, and what the database knows of them."""

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.base.acts import links
from league.base.phone_keys import DEVICE
from league.models import Link, Place, Result
from league.nights.acts import attendance, closing
from tests.factories import (
    NAMES,
    browser_of,
    game_form,
    make_club,
    make_member,
    make_night,
    make_round,
    make_season,
    make_table,
    names_at,
    night_link,
    night_secret,
    owner_of,
    path_of,
    secret_of,
    table_link,
)
from tests.scripts import SCRIPT

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_misses():
    cache.clear()


def address(sitting, name="link_table", **more):
    return reverse(f"league:{name}", kwargs={"secret": secret_of(sitting)} | more)


def opens(path) -> int:
    return Client().get(path).status_code


def test_every_table_of_a_released_round_has_a_link_that_enters_its_games(sitting):
    Client().post(address(sitting), game_form(sitting))
    result = Result.objects.get()
    assert (result.by, result.sitting) == (None, sitting)
    assert len(result.device) == DEVICE


def test_the_link_works_for_a_club_that_is_not_public_and_shows_that_table_alone():
    club = make_club(is_public=False)
    sitting = make_table(make_night(8, season=make_season(club)))
    page = Client().get(address(sitting))
    assert page.status_code == 200
    assert f"/clubs/{club.slug}/" not in page.content.decode()


def test_the_database_has_the_hash_and_never_the_secret(sitting):
    word = secret_of(sitting)
    row = Link.objects.filter(purpose="table").values().get()
    assert len(word) == 26
    assert word not in str(row)


def test_a_card_holds_all_night_and_shows_who_sits_there_now(sitting):
    event, word = sitting.round.event, secret_of(sitting)
    path = address(sitting)
    later = make_round(event).sittings.get()
    assert secret_of(later) == word
    phone = Client()
    page = phone.get(path).content.decode()
    assert reverse("league:link_table", args=[word, 2]) in page
    phone.post(reverse("league:link_table", args=[word, 2]), game_form(later))
    assert (sitting.results.count(), later.results.count()) == (0, 1)


def test_a_phone_on_the_last_round_is_led_on_but_its_unsent_game_is_not_lost(sitting):
    word = secret_of(sitting)
    later = make_round(sitting.round.event).sittings.get()
    here, now = (reverse("league:link_table", args=[word, *no]) for no in ((1,), ()))
    script = Client(headers=SCRIPT)
    assert script.get(here + f"?version={sitting.version}").json()["moved"] == now
    assert now in Client().get(here).content.decode()
    sent = script.post(here, game_form(sitting))
    assert (sent.status_code, sitting.results.count(), later.results.count()) == (200, 1, 0)
    for name, more in (("link_game", {"game_no": 1}), ("link_dispute", {"game_no": 1})):
        path = reverse(f"league:{name}", kwargs={"secret": word, "number": 1} | more)
        answer = Client().post(path, game_form(sitting) | {"version": 1})
        assert (answer.status_code, answer["Location"]) == (302, now)
    assert sitting.results.count() == 1
    assert sitting.disputes.count() == 0


def test_a_table_that_a_round_leaves_empty_leads_to_the_night():
    event = make_night(8)
    path = address(make_round(event).sittings.get(table_no=2))
    few = list(event.entrants.values_list("player", flat=True)[:4])
    by = owner_of(event)
    attendance.set_presence(event=event, player_ids=few, presence="left", by=by)
    make_round(event)
    assert Client().get(path)["Location"] == night_link(event)
    attendance.set_presence(event=event, player_ids=few, presence="here", by=by)
    make_round(event)
    assert opens(path) == 200


def test_a_link_from_before_leads_on_until_it_is_replaced(sitting):
    Link.objects.filter(purpose="table").update(event=None, table_no=None, sitting=sitting)
    path = address(sitting)
    later = make_round(sitting.round.event).sittings.get()
    assert Link.objects.filter(purpose="table").count() == 1
    assert table_link(later, 2) in Client().get(path).content.decode()
    links.renew_for_table(sitting=later, by=owner_of(sitting))
    assert (opens(path), opens(address(later))) == (404, 200)


def test_a_closed_nights_link_enters_nothing_until_the_night_is_reopened(sitting):
    path = address(sitting)
    event = sitting.round.event
    by = owner_of(event)
    closing.close_event(event=event, by=by, despite_unfinished=True)
    assert "data-form" not in Client().get(path).content.decode()
    Client().post(path, game_form(sitting))
    assert not Result.objects.exists()
    closing.reopen_event(event=event, by=by)
    assert "data-form" in Client().get(path).content.decode()


def test_a_replaced_link_is_dead_at_once(sitting):
    old = address(sitting)
    links.renew_for_table(sitting=sitting, by=owner_of(sitting))
    assert (opens(old), opens(address(sitting))) == (404, 200)


def test_who_guesses_has_to_wait_and_who_holds_an_old_card_does_not(sitting):
    old = address(sitting)
    links.renew_for_table(sitting=sitting, by=owner_of(sitting))
    assert {opens(old) for _ in range(40)} == {404}
    guesses = [opens(f"/clubs/~table/{'a' * 20}{n:06}/") for n in range(31)]
    assert guesses == [404] * 30 + [429]
    assert opens(address(sitting)) == 429


def test_a_script_is_told_what_was_refused(sitting):
    client = Client(headers=SCRIPT)
    first = client.post(address(sitting), game_form(sitting))
    again = client.post(address(sitting), game_form(sitting, names_at(sitting)[::-1]))
    assert (first.status_code, first.json()["next"]) == (200, 2)
    assert (again.status_code, again.json()["code"], again.json()["next"]) == (409, "stale", 2)


def test_a_script_hears_why_its_game_is_not_taken(sitting):
    event = sitting.round.event
    club = event.season.club
    path = path_of(event, "table", 1, 1)
    gone = reverse("league:table", args=["no-such-club", 1, 1, 1])

    def send(client, path=path):
        answer = client.post(path, game_form(sitting), headers=SCRIPT)
        return answer.status_code, answer.json()["code"]

    # A club that is not public answers a phone that was signed out like one that does not exist.
    for is_public in (True, False):
        type(club).objects.update(is_public=is_public)
        assert send(Client()) == send(Client(), gone) == (401, "signed_out")
    assert send(browser_of(make_member(club, "player"))) == (403, "not_allowed")
    by = owner_of(club)
    old = address(sitting)
    links.renew_for_table(sitting=sitting, by=by)
    assert send(Client(), old) == (404, "ended")
    closing.close_event(event=event, by=by, despite_unfinished=True)
    assert send(Client(), address(sitting)) == (409, "closed")
    assert not Result.objects.exists()


def test_a_script_hears_only_of_changes(sitting):
    client = Client(headers=SCRIPT)
    state = client.get(address(sitting)).json()
    assert client.get(address(sitting) + f"?version={state['version']}").status_code == 204
    client.post(address(sitting), game_form(sitting))
    assert client.get(address(sitting) + f"?version={state['version']}").json()["next"] == 2


@pytest.mark.parametrize(
    "spoilt",
    [
        {"order": "x"},
        {"order": "1,2,3,4,5,6,7,8,9"},
        {"specials": "chop.1"},
        {"game_no": "two"},
        {"client_id": "no"},
        {"order": "9" * 5000},
        {"specials": "chop.\u00b2.1.R"},
    ],
)
def test_odd_forms_get_a_sentence(sitting, spoilt):
    answer = Client().post(address(sitting), game_form(sitting) | spoilt)
    assert answer.status_code == 409
    assert Result.objects.count() == 0


def test_a_game_with_a_free_place_is_not_saved(sitting):
    sent = game_form(sitting)
    freed = sent | {"order": sent["order"].replace(",", ",,", 1)}
    assert Client().get(address(sitting), freed).context["page"].entry.complete is False
    assert Client().post(address(sitting), freed).status_code == 409
    assert Result.objects.count() == 0


def test_cards_with_codes_are_for_those_who_may_enter(sitting):
    event = sitting.round.event
    path = path_of(event, "print", 1)
    scorer = browser_of(make_member(event.season.club, "scorer"))
    link = f"{night_secret(event)}/?table=1"
    assert link in scorer.get(path).content.decode()
    assert link not in Client().get(path).content.decode()


def test_a_card_on_a_table_is_the_night_s_link_and_asks_who_of_this_table_it_is():
    event = make_night(8)
    first, second = make_round(event).sittings.order_by("table_no")
    path = night_link(event)
    phone = Client()
    page = " ".join(phone.get(f"{path}?table=1").content.decode().split())
    offered = [name for name in NAMES if f"Yes, I am {name} " in page]
    assert sorted(offered) == sorted(names_at(first))
    mine = Place.objects.filter(sitting=second).first()
    phone.post(f"{path}?table=2", {"me": mine.entrant.player_id})
    assert "Table 2" in phone.get(f"{path}?table=1").content.decode()


@pytest.mark.parametrize(
    ("here", "lan", "host"),
    [
        ("localhost", "192.0.2.7", "192.0.2.7"),
        ("localhost", "", "172.17.0.1"),
        ("127.0.1.1", "192.0.2.7", "192.0.2.7"),
        ("desk", "192.0.2.7", "192.0.2.7"),
        ("desk.local", "192.0.2.7", "desk.local"),
        ("172.17.0.1", "192.0.2.7", "172.17.0.1"),
    ],
)
def test_a_code_on_the_server_itself_names_an_address_that_phones_can_open(
    sitting, settings, here, lan, host
):
    settings.ALLOWED_HOSTS = ["127.0.1.1", "172.17.0.1", "192.0.2.7", "desk", "desk.local"]
    settings.ALLOWED_HOSTS += ["localhost"]
    settings.IN_LAN, settings.SITE_HOST = bool(lan), lan or "localhost"
    event = sitting.round.event
    path = path_of(event, "print", 1)
    client = browser_of(owner_of(event))
    page = client.get(path, headers={"Host": f"{here}:8000"}).content.decode()
    assert f"http://{host}:8000/clubs/~night/" in page


def test_a_code_that_no_phone_opens_says_so_below_what_guests_read(sitting, settings):
    settings.ALLOWED_HOSTS, settings.SITE_HOST = ["localhost", "night.example"], "localhost"
    night_link(event := sitting.round.event)
    host, path = browser_of(owner_of(event)), path_of(event, "night_qr")
    page = host.get(path, headers={"Host": "localhost:8000"}).content.decode()
    line = '<p class="small no-print">'
    assert page.index('class="qr"') < page.index("Go to the night") < page.index(line)
    assert page.split(line)[1].split()[0] == "Phones"
    assert page.count("Phones cannot open this") == 1
    assert line not in host.get(path, headers={"Host": "night.example"}).content.decode()


def test_a_link_in_use_ends_when_its_time_is_over(sitting):
    secret = secret_of(sitting)
    assert links.find_table(secret) is not None
    Link.objects.update(expires_at=timezone.now())
    assert links.find_table(secret) is None


def test_the_script_of_a_replaced_link_hears_which_table_it_was_and_who_sat_there_where_it_is(
    sitting,
):
    """The link was replaced to shut somebody out: its new one goes to who sits at the table."""
    event, old = sitting.round.event, address(sitting)
    seated, elsewhere = sitting.places.first().entrant.player, make_player(event)
    phones = {}
    for player in (seated, elsewhere):
        phones[player] = client = Client(headers=SCRIPT)
        client.post(night_link(event), {"me": player.pk})
    links.renew_for_table(sitting=sitting, by=owner_of(event))
    here = f"{old}rounds/1/"
    for client in (Client(headers=SCRIPT), phones[elsewhere]):
        told = client.post(here, game_form(sitting))
        assert (told.status_code, told.json()["code"], told.json()["moved"]) == (404, "ended", "")
        assert told.json()["table"] == f"{event.pk}-{sitting.table_no}"
    there = table_link(sitting, 1)
    told = phones[seated].post(here, game_form(sitting))
    assert (told.status_code, told.json()["code"], told.json()["moved"]) == (409, "moved", there)
    assert phones[seated].get(here).json()["moved"] == there
    assert phones[seated].post(there, game_form(sitting)).status_code == 200


def make_player(event):
    player = event.season.club.players.create(name="Yến")
    by = owner_of(event)
    attendance.set_presence(event=event, player_ids=[player.pk], presence="here", by=by)
    return player
