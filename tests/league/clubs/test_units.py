"""Money and points never share a word: what a new club plays for."""

import pytest
from django.urls import reverse
from django.utils import translation

from accounts.models import User
from league.clubs.acts import clubs
from league.models import Club
from tests.factories import (
    game_form,
    make_night,
    make_table,
    names_at,
    owner_of,
    path_of,
    play,
    put_to_yesterday,
)

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("zone", "language", "unit"),
    [
        ("Asia/Ho_Chi_Minh", "en", "đ"),
        ("Europe/Berlin", "vi", "¤EUR"),
        ("America/Los_Angeles", "vi", "¤USD"),
        ("Europe/Oslo", "en", "chips"),
    ],
)
def test_a_new_club_without_a_unit_gets_the_usual_one(client, zone, language, unit):
    client.force_login(User.objects.create_user("a@example.org", "a@example.org"))
    with translation.override(language):
        address = reverse("league:club_create")
    headers = {"accept-language": language}
    client.post(address, {"name": "Hội", "time_zone": zone, "unit": ""}, headers=headers)
    assert Club.objects.get().unit == unit


@pytest.mark.parametrize("language", ["en", "vi"])
def test_the_usual_unit_is_not_the_word_for_points(language):
    with translation.override(language):
        units = {clubs.usual_unit(zone) for zone in ("Asia/Ho_Chi_Minh", "Europe/Berlin")}
        assert not units & {"points", "điểm", str(translation.gettext("points"))}


def test_pages_with_points_and_money_call_them_apart(client):
    """An old club may count its money in points: the columns say which is which."""
    sitting = make_table(make_night(rules="killa", stake=10))
    club = sitting.round.event.season.club
    Club.objects.update(unit="điểm")
    play(sitting)
    put_to_yesterday(sitting.round.event.season)
    player = club.players.get(name=names_at(sitting)[0])
    client.force_login(owner_of(club))
    page = client.get(path_of(club, "player", player.pk), {"full": 1})
    page = page.content.decode()
    assert page.count("điểm") == page.count("Money (điểm)") == 3
    assert "money still open" in page


def test_the_preview_of_an_old_club_does_not_say_points_twice(client):
    sitting = make_table(make_night(rules="killa", stake=10))
    event = sitting.round.event
    Club.objects.update(unit="điểm")
    client.force_login(owner_of(event))
    address = path_of(event, "table", 1, 1)
    page = client.get(f"{address}preview/", game_form(sitting)).content.decode()
    assert "+10" in page
    assert "điểm" not in page
