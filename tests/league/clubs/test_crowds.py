"""Clubs without bound and names that look like others or like the house."""

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from league.clubs.acts import clubs, players
from league.clubs.facts.search import that_played
from league.models import Club, Event
from league.nights.acts import closing
from tables.models import Seat
from tests.factories import (
    browser_of,
    make_club,
    make_night,
    make_season,
    make_table,
    make_user,
    owner_of,
    path_of,
)

pytestmark = pytest.mark.django_db


def played(name, day):
    """A public club that closed a night of that day."""
    club = make_club(name=name)
    event = make_table(make_night(season=make_season(club)), games=1).round.event
    closing.close_event(event=event, by=owner_of(club), despite_unfinished=True)
    Event.objects.filter(pk=event.pk).update(date=day)
    return club


def test_the_list_begins_with_who_played_last_and_leaves_out_who_did_not():
    for name, day in (("Hội A", "2015-01-02"), ("Hội B", "2015-03-04"), ("Hội C", "2199-12-31")):
        played(name, day)
    make_club(name="!! Đánh bạc")
    page = Client().get(reverse("league:club_list"))
    assert [club.name for club in page.context["page_obj"]] == ["Hội B", "Hội A", "Hội C"]
    sitemap = Client().get("/sitemap-clubs.xml")
    if sitemap.status_code == 200:
        assert sitemap.content.decode().count("<loc>") == 3


def test_an_account_has_five_clubs_in_which_nobody_played():
    owner = make_user()
    made = [make_club(owner=owner) for _number in range(clubs.UNPLAYED)]
    with pytest.raises(ValidationError, match="no night was closed"):
        make_club(owner=owner)
    answer = browser_of(owner).post(
        reverse("league:club_create"), {"name": "Hội Sáu", "time_zone": "Saigon", "unit": "đ"}
    )
    assert answer.status_code == 422
    assert "no night was closed" in answer.content.decode()
    sitting = make_table(make_night(season=make_season(made[0])), games=1)
    closing.close_event(event=sitting.round.event, by=owner, despite_unfinished=True)
    assert that_played(Club.objects.all()).get() == made[0]
    make_club(owner=owner)
    administrator = make_user(is_superuser=True)
    for _number in range(clubs.UNPLAYED + 1):
        make_club(owner=administrator)


def test_a_public_club_that_looks_like_another_is_asked_for_its_town():
    make_club(name="Hội Tiến Lên Quận 3")
    other = make_club(name="Hoi Tien Len, Quan 3", is_public=False)
    by = owner_of(other)
    with pytest.raises(ValidationError, match="Add your town"):
        clubs.set_public(club=other, by=by, is_public=True)
    shared = {"time_zone": other.time_zone, "unit": other.unit}
    clubs.change_club(club=other, by=by, name="Hội Tiến Lên Quận 3 Huế", **shared)
    other = clubs.set_public(club=other, by=by, is_public=True)
    with pytest.raises(ValidationError, match="Add your town"):
        clubs.change_club(club=other, by=by, name="Hội tiến lên quận 3", **shared)
    with pytest.raises(ValidationError, match="Add your town"):
        clubs.create_club(name="Hội Tiến Lên Quận 3", by=by, is_public=True, **shared)
    clubs.create_club(name="Hội Tiến Lên Quận 3", by=by, **shared)  # A private one may.


HOUSE = ["Ban tổ chức", "BAN TO CHUC", "System", "Quản trị viên", "Lan (bot)", "Аdmin"]
EMPTY = ["\u3164", "\u2800", "\u115f\u1160"]


@pytest.mark.parametrize("name", HOUSE)
def test_nobody_takes_a_name_of_the_house(name):
    club = make_club()
    with pytest.raises(ValidationError, match="name of the house"):
        players.add_player(club=club, name=name, by=owner_of(club))
    added = players.add_players(club=club, text=f"{name}\nLan", by=owner_of(club))
    assert [player.name for player in added.players] == ["Lan"]
    with pytest.raises(ValidationError, match="name of the house"):
        players.rename_player(player=added.players[0], name=name, by=owner_of(club))
    table = open_table()
    answer = Client().post(reverse("tables:sit", args=[table]), {"name": name})
    assert "name of the house" in answer.content.decode() or answer.status_code in (302, 422)
    assert not Seat.objects.filter(name=name).exists()


def open_table():
    phone = Client()
    answer = phone.post(
        reverse("tables:lobby"),
        {"rules": "mien-nam", "players": 4, "clock": "40", "name": "An", "bots": "",
         "talk": "all", "delay": "0"},
    )  # fmt: skip
    return answer["Location"].rstrip("/").rsplit("/", 1)[-1] if answer.status_code == 302 else "x"


@pytest.mark.parametrize("name", EMPTY)
def test_a_filler_alone_is_no_name(name):
    club = make_club()
    with pytest.raises(ValidationError, match="at least one letter"):
        players.add_player(club=club, name=name, by=owner_of(club))
    lan = players.add_player(club=club, name=f"Lan {name}", by=owner_of(club))
    assert lan.name == "Lan"


@pytest.mark.parametrize("name", ["LАN", "Ⅼan", "𝐋𝐚𝐧", "ꓡan", "Lần"])
def test_what_looks_like_a_name_is_found(name):
    club = make_club()
    lan = players.add_player(club=club, name="Lan", by=owner_of(club))
    assert players.alike(club=club, name=name) == [lan]
    browser = browser_of(owner_of(club))
    address = path_of(club, "api:players")
    answer = browser.post(address, {"name": name}, "application/json").json()
    assert answer["looks_like"] == ["Lan"]
    named = players.add_player(club=club, name="Huệ", by=owner_of(club))
    players.anonymise_player(player=club.players.get(pk=answer["id"]), by=None)
    edit = path_of(club, "player_edit", named.pk)
    page = browser.post(edit, {"act": "rename", "name": name, "was": "Huệ"}, follow=True)
    assert "Lan" in str([str(one) for one in page.context["messages"]])
