"""The forms of a name that clubs and people choose; tests/test_visitors.py asks who reads which."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from league.clubs.acts import hidden_names, merges, players
from league.models import Audit, Club, Player, shown_names
from tests.factories import browser_of, make_club, make_member, make_player, owner_of, path_of

pytestmark = pytest.mark.django_db


def chosen(page):
    return re.search(r'value="(\w*)"\s+required\s+checked', page.content.decode())[1]


def test_a_club_chooses_when_it_publishes():
    club = make_club(is_public=False, name="Hội Mới")
    owner = browser_of(owner_of(club))
    page = path_of(club, "publish")
    assert chosen(owner.get(page)) == "first"
    owner.post(page, {"public": "1", "names": "initials"})
    club.refresh_from_db()
    assert (club.is_public, club.shows_names) == (True, "initials")
    assert chosen(owner.get(page)) == "initials"
    owner.post(page, {"public": "1", "names": "all of it"})
    owner.post(page, {"public": "1", "names": ""})
    club.refresh_from_db()
    assert (club.is_public, club.shows_names) == (True, "")
    assert Audit.objects.filter(club=club, action="club.names").count() == 2


@pytest.mark.parametrize(
    ("name", "first", "initials"),
    [
        ("Nguyễn Văn An", "An", "N.V.A."),
        ("Bình", "Bình", "B."),
        ("Lê Thị An B", "An B", "L.T.A.B."),
        ("Trần Tuấn 2", "Tuấn 2", "T.T.2."),
        ("Đặng Ân", "Ân", "Đ.Â."),
    ],
)
def test_the_two_short_forms(name, first, initials):
    player = make_player(make_club(), name)
    shown_names.read_as("first")
    assert Player.objects.get(pk=player.pk).name == first
    shown_names.read_as("initials")
    assert Player.objects.values_list("name", flat=True).get(pk=player.pk) == initials
    shown_names.read_as(None)
    assert Player.objects.get(pk=player.pk).name == name


@pytest.mark.parametrize("form", [None, "", "first", "initials"])
def test_people_read_in_their_language_what_a_player_without_a_name_is_called(form):
    club = make_club()
    one, other = make_player(club, "Nguyễn Văn An"), make_player(club, "Trần Thị Bình")
    players.anonymise_player(player=one, by=owner_of(club))
    with translation.override("vi"):
        hidden_names.hide_name(player=other, by=owner_of(club))
    found = Player.objects.filter(pk__in=[one.pk, other.pk]).order_by("pk")
    stored = {f"Player {one.pk}", f"Người chơi {other.pk}"}
    assert Player.objects.filter(pk__in=found, name__in=stored).count() == 2
    for language, word in (("en", "Player"), ("vi", "Người chơi")):
        with translation.override(language), shown_names.reading_as(form):
            assert [player.name for player in found.all()] == [
                f"{word} {one.pk}", f"{word} {other.pk}",
            ]  # fmt: skip
            assert players.find_by_name(club=club, name=f"{word} {other.pk}").pk == other.pk


def test_a_short_form_is_never_stored():
    player = make_player(make_club(), "Nguyễn Văn An")
    shown_names.read_as("first")
    with pytest.raises(RuntimeError):
        Player.objects.get(pk=player.pk).save()
    shown_names.read_as(None)


def test_who_hides_a_player_and_who_shows_them_again():
    club = make_club()
    organiser, user = make_member(club, "organiser"), make_member(club, "player")
    player = make_player(club, "Nguyễn Văn An")
    page = path_of(club, "player", player.pk)
    edit = path_of(club, "player_edit", player.pk)
    browser = browser_of(organiser)
    browser.post(edit, {"act": "shown", "shown": "hidden"})
    told = Client().get(page).content.decode()
    assert "Nguyễn" not in told
    assert f"Player {player.pk}" in told
    assert "Nguyễn Văn An" in browser.get(page).content.decode()
    browser.post(edit, {"act": "shown", "shown": ""})
    assert "Nguyễn Văn An" in Client().get(page).content.decode()
    players.take_player(player=player, user=user)
    me = browser_of(user)
    assert "My name for strangers" in me.get(reverse("my_clubs")).content.decode()
    me.post(reverse("my_clubs"), {"player": player.pk, "shown": "hidden"})
    answer = browser.post(edit, {"act": "shown", "shown": ""}, follow=True).content.decode()
    assert "Only Nguyễn Văn An" in answer
    assert "Nguyễn" not in Client().get(page).content.decode()
    me.post(reverse("my_clubs"), {"player": player.pk, "shown": "found"})
    assert "Nguyễn Văn An" in Client().get(page).content.decode()


def test_a_search_over_clubs_finds_only_who_agreed():
    club = make_club()
    player = make_player(club, "Nguyễn Văn An")
    user = make_member(club, "player")
    stranger, search = Client(), reverse("search") + "?q=Nguyen"
    assert "Nguyễn Văn An" not in stranger.get(search).content.decode()
    assert "Nguyễn Văn An" in browser_of(user).get(search).content.decode()
    players.take_player(player=player, user=user)
    players.show_name(player=player, shown="found", by=user)
    assert "Nguyễn Văn An" in stranger.get(search).content.decode()


def test_strangers_do_not_find_out_whose_initials_these_are():
    club = make_club()
    Club.objects.update(shows_names="initials")
    make_player(club, "Nguyễn Văn An")
    page = path_of(club, "players")
    assert "N.V.A." in Client().get(page + "?q=n").content.decode()
    assert "N.V.A." not in Client().get(page + "?q=nguyen").content.decode()


def test_two_names_of_one_person_are_hidden_together():
    club = make_club()
    one, other = make_player(club, "Nguyễn Văn An"), make_player(club, "Anh Béo")
    players.show_name(player=one, shown="hidden", by=owner_of(club))
    merges.merge(alias=one, into=other, by=owner_of(club))
    assert set(club.players.values_list("shown", flat=True)) == {"hidden"}
