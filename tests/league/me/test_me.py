"""The door Me: debts above, nights, the rating, and what is switched there with one tap."""

from __future__ import annotations

import re
import uuid
from collections.abc import Collection
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.devices import device_name
from league.clubs.acts import merges, players
from league.models import Club, Event, NewsWish, Player, Rating
from league.money.acts import postings
from league.money.facts import open_debts
from league.news.facts.words import KINDS
from league.nights.acts import closing
from league.seasons.acts import seasons
from tables.base.faces import ANIMALS
from tables.models import TableRating
from tests.factories import (
    browser_of,
    make_club,
    make_night,
    make_season,
    make_table,
    make_user,
    names_at,
    owner_of,
    path_of,
    play,
    put_to_yesterday,
)

pytestmark = pytest.mark.django_db
ME = "/people/me/"


def player_who_lost() -> tuple[Client, Player, Club]:
    """The last of one game for a stake of 10,000, who has an account."""
    season = make_season(rules="killa")
    sitting = make_table(make_night(season=season, stake=10_000), games=1)
    player = Player.objects.get(club=season.club, name=names_at(sitting)[-1])
    player.user = make_user()
    player.save()
    put_to_yesterday(season)
    return browser_of(player.user), player, season.club


def text_of(client: Client) -> str:
    return client.get(ME).content.decode()


def test_the_face_and_what_is_owed_stand_above_everything_else():
    client, player, club = player_who_lost()
    Event.objects.filter(season__club=club).update(date=club.today - timedelta(days=1))
    page = text_of(client)
    face, debts, nights = (page.index(part) for part in ("me-face", "my-money", "my-nights"))
    assert face < debts < nights
    assert f"<h1>\n{player.name}\n</h1>" in page
    assert "10k" in page
    main = page.split("<main")[1].split("<dialog")[0]
    assert main.count("btn-primary") == 1, "to pay"


@pytest.mark.parametrize("has_two_names", [False, True])
def test_debts_of_a_night_and_of_all_nights_together_say_which_they_are(has_two_names):
    """The two lists may name other payees: each says what it counts."""
    client, player, club = player_who_lost()
    club.memberships.create(user=player.user, role="player")
    season = club.seasons.get()

    def said() -> list[bool]:
        put_to_yesterday(season)
        of_night = path_of(club, "event_money", season.events.earliest("pk").pk)
        pages = client.get(of_night).content.decode(), text_of(client)
        assert ("own-payment" in pages[0], "You owe" in pages[1]) == (True, True)
        return ["Of this night alone" in pages[0], "all nights together" in pages[1]]

    assert said() == [False, False]
    again = make_table(make_night(season=season, stake=10_000))
    play(again, sorted(names_at(again), key=player.name.__eq__))
    assert said() == [True, True]
    by = owner_of(club)
    if has_two_names:
        new = players.add_player(club=club, name="Out of the old name", by=by)
        merges.merge(alias=player, into=new, by=by)
    for debt in open_debts.of_night(again.round.event):
        which = open_debts.Which(debt.payer.player_id, debt.payee.player_id)
        postings.settle_open(season=season, event=again.round.event, which=which,
                             amount=debt.amount, by=by, client_id=uuid.uuid4())  # fmt: skip
    assert said() == [False, False]


def test_what_a_closed_season_left_open_is_owed_still():
    client, _player, club = player_who_lost()
    by, season = owner_of(club), club.seasons.get()
    closing.close_event(event=season.events.get(), by=by, despite_unfinished=True)
    seasons.set_status(season=season, status="closed", by=by)
    make_season(club)
    page = text_of(client)
    assert "my-money" in page
    assert season.name in page.split("my-money")[2]


def test_a_payment_leaves_a_trace_for_both_until_it_is_reversed():
    client, player, club = player_who_lost()
    season, by = club.seasons.get(), owner_of(club)
    debt = open_debts.of_season(season)[0]
    winner = debt.payee.player
    winner.user = make_user()
    winner.save()
    paid = postings.settle_open(
        season=season, which=open_debts.Which(), amount=debt.amount, by=by, client_id=uuid.uuid4()
    )
    assert f"You paid {winner.name}" in text_of(client)
    assert "You owe" not in text_of(client)
    assert f"{player.name} paid you" in text_of(browser_of(winner.user))
    postings.reverse(posting=paid, by=by, client_id=uuid.uuid4())
    assert "You paid" not in text_of(client)
    assert f"You owe {winner.name}" in text_of(client)


def test_the_rank_is_that_of_the_latest_game():
    client, _player, _club = player_who_lost()
    shown = " ".join(re.sub(r"<[^>]*>", " ", text_of(client)).split())
    assert "rank this season 4" in shown


def test_the_page_reads_a_fixed_number_of_rows(django_assert_max_num_queries):
    client, _player, _club = player_who_lost()
    with django_assert_max_num_queries(52):
        text_of(client)


def test_who_had_a_rating_of_before_is_told_once_that_the_scale_changed():
    client, player, club = player_who_lost()
    assert "new scale" not in text_of(client)
    since = {"mu": 25, "sigma": 1, "games": 1, "computed_at": timezone.now()}
    Rating.objects.create(club=club, season=club.seasons.get(), player=player, **since)
    TableRating.objects.create(user=player.user, mu=25, sigma=1)
    for address in (ME, reverse("tables:ratings")):
        reader = browser_of(player.user)
        assert "new scale" in reader.get(address).content.decode(), address
        assert "new scale" not in reader.get(address).content.decode(), address


def test_an_account_without_a_club_is_told_what_will_be_here():
    page = text_of(browser_of(make_user("lan@club.example")))
    assert "<h1>\nlan@club.example\n</h1>" in page
    assert "No night yet" in page
    assert "my-animal" not in page


def test_who_hosts_and_never_plays_finds_the_clubs_instead():
    club = make_club(name="Hội Hoa")
    page = text_of(browser_of(owner_of(club)))
    assert "<h1>\nMe\n</h1>" in page
    path = path_of(club, "club")
    assert f'<a href="{path}">Hội Hoa</a>\n<small>\nowner · no player is yours here' in page
    assert "No night yet" not in page


def test_a_notification_is_switched_with_one_tap():
    client, player, _club = player_who_lost()
    assert switches(client) == {"table": True, "night": True, "money": True, "result": True}
    client.post(reverse("my_notice"), {"notice": "money", "on": "0"})
    assert switches(client)["money"] is False
    wish = NewsWish.objects.get(user=player.user)
    assert not wish.wants("debt")
    assert wish.wants("round_drawn")
    client.post(reverse("my_notice"), {"notice": "money", "on": "1"})
    assert switches(client)["money"] is True
    client.post(reverse("my_notice"), {"notice": "weather"})
    assert switches(client)["money"] is True


GROUPS = ("table", "night", "money", "result")


def switches(client: Client, wanted: Collection[str] = ()) -> dict[str, bool]:
    rows = re.findall(
        r'name="notice" value="(\w+)".*?role="switch"\s+aria-checked="(\w+)"', text_of(client), re.S
    )
    return {key: checked == "true" for key, checked in rows if key in {*wanted, *GROUPS}}


def test_each_kind_of_a_group_is_switched_by_itself_and_every_kind_has_a_switch():
    client, player, _club = player_who_lost()
    every = {kind for kind, one in KINDS.items() if one.to == "people"}
    assert switches(client, every).keys() == {*every, *GROUPS}
    client.post(reverse("my_notice"), {"notice": "turn", "on": "0"})
    wish = NewsWish.objects.get(user=player.user)
    assert [kind for kind in every if not wish.wants(kind)] == ["turn"]
    assert (switches(client)["table"], switches(client, every)["turn"]) == (True, False)
    client.post(reverse("my_notice"), {"notice": "trouble", "on": "0"})  # An administrator's.
    assert NewsWish.objects.get(user=player.user).wants("trouble")


def test_whoever_wanted_no_news_at_all_gets_only_what_is_switched_on():
    client, player, _club = player_who_lost()
    NewsWish.objects.create(user=player.user, off=["all"])
    client.post(reverse("my_notice"), {"notice": "table", "on": "1"})
    assert switches(client) == {"table": True, "night": False, "money": False, "result": False}


def test_an_animal_is_chosen_for_all_own_players_and_for_nobody_else():
    client, player, club = player_who_lost()
    other = Player.objects.filter(club=club).exclude(pk=player.pk).first()
    animal = next(one for one in ANIMALS if one not in (player.face.animal, other.face.animal))
    client.post(reverse("my_face"), {"animal": animal})
    player.refresh_from_db()
    before, _same = other.face, other.refresh_from_db()
    assert player.face.animal == animal
    assert other.face == before
    client.post(reverse("my_face"), {"animal": "unicorn"})
    player.refresh_from_db()
    assert player.face.animal == animal


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36",
         "Chrome on Linux"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1",
         "Safari on iPhone"),
        ("Mozilla/5.0 (Linux; Android 14) AppleWebKit Chrome/130.0 Mobile Safari Zalo android/13",
         "Zalo on Android"),
        ("Mozilla/5.0 (Windows NT 10.0; Win64) Chrome/120 Safari/537 Edg/120", "Edge on Windows"),
        ("Hall tablet", "Hall tablet"),
        ("", "An unknown browser"),
    ],
)  # fmt: skip
def test_a_device_has_the_name_that_people_know(agent, name):
    assert device_name(agent) == name
