"""Names in the Vietnamese order, by the database and by the key."""

import pytest

from accounts.models import User
from league.base.domain.names import sort_key
from league.clubs.acts import clubs
from league.models import Club
from league.models.spelling import Alphabetical

pytestmark = pytest.mark.django_db
ORDER = [
    "An", "an Giang", "Ánh Sáng", "Ăn Chơi", "Âu Lạc", "Bình Minh", "Dạ Yến", "Dương", "Đà Nẵng",
    "Đống Đa", "Êm", "Hà Nội", "Hội 2", "Hội 3", "Hội Bạn", "Hội Đình", "Ông", "Ơn", "Uy", "Ước",
    "Việt", "Zed",
]  # fmt: skip


@pytest.fixture
def owner() -> User:
    by = User.objects.create_user("owner@club.example")
    by.is_superuser = True  # Not saved: an account has fewer clubs in which nobody played.
    for name in reversed(ORDER):
        clubs.create_club(name=name, by=by, time_zone="UTC", unit="đ")
    return by


def test_the_database_orders_names_as_the_key_of_players_does(owner):
    found = Club.objects.order_by(Alphabetical("name")).values_list("name", flat=True)
    assert list(found) == sorted(ORDER, key=sort_key) == ORDER


def test_clubs_are_listed_in_that_order(owner, client):
    client.force_login(owner)
    page = client.get("/clubs/").content.decode()
    places = [page.index(f">{name}</a>") for name in ORDER]
    assert places == sorted(places)
