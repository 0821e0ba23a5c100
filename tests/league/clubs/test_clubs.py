"""A club's address, and what its owner may change about it."""

import pytest
from django.contrib.messages import get_messages
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from league.clubs.acts import clubs
from league.models import Club
from league.nights.acts import closing
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


@pytest.mark.parametrize(
    ("name", "slug"),
    [("New", "new-2"), ("Import", "import-2"), ("Hội Đá", "hoi-da"), ("♠", "club")],
)
def test_no_club_stands_where_a_page_is(name, slug):
    club = clubs.create_club(name=name, by=make_user(), time_zone="Asia/Ho_Chi_Minh", unit="xu")
    assert club.slug == slug
    assert browser_of(owner_of(club)).get(f"/clubs/{slug}/").status_code == 200


def change(club, **values):
    sent = {"name": club.name, "time_zone": club.time_zone, "unit": club.unit}
    answer = browser_of(owner_of(club)).post(path_of(club, "club_settings"), sent | values)
    club.refresh_from_db()
    return answer


def test_an_owner_renames_the_club_and_its_address_stays():
    club = make_club()
    slug = club.slug
    assert change(club, name="Nhà mình").status_code == 302
    assert (club.name, club.slug) == ("Nhà mình", slug)


def test_another_unit_says_which_seasons_count_in_it():
    club = make_club()
    assert "Saved." in told_of(change(club, unit="kẹo"))
    make_season(club)
    told = told_of(change(club, unit="USD"))
    assert "A season that has money keeps its unit; others count in USD." in told
    assert "keeps its unit" not in told_of(change(club, name="Nhà mình"))


def told_of(answer):
    return " ".join(str(one) for one in get_messages(answer.wsgi_request))


def publish(club, *, public):
    answer = browser_of(owner_of(club)).post(path_of(club, "publish"), {"public": public})
    club.refresh_from_db()
    return answer


def test_a_new_club_is_private_until_its_owner_makes_it_public():
    owner = browser_of(make_user())
    form = {"name": "Nhà Hoa", "time_zone": "Asia/Ho_Chi_Minh", "unit": "kẹo", "is_public": "on"}
    owner.post(reverse("league:club_create"), form)
    club = Club.objects.get(name="Nhà Hoa")
    page = path_of(club, "club")
    assert Client().get(page).status_code == 404
    told = owner.get(path_of(club, "publish")).content.decode()
    assert "the names of all players, as you choose below" in told
    publish(club, public="1")
    assert Client().get(page).status_code == 200
    publish(club, public="0")
    assert Client().get(page).status_code == 404
    assert list(club.audit.values_list("action", flat=True)[:2]) == [
        "club.hidden",
        "club.published",
    ]


def test_a_club_that_looks_like_a_public_one_does_not_become_public():
    twin = make_club(name="Nhà Ho\u0430", is_public=False)
    make_club(name="Nhà Hoa")
    publish(twin, public="1")
    assert twin.is_public is False


def test_a_club_does_not_take_the_look_of_a_public_one():
    known, other = make_club(name="Nhà Hoa"), make_club()
    twin = "Nhà Ho\u0430"  # With a Cyrillic letter.
    assert change(other, name=twin).status_code == 422
    with pytest.raises(ValidationError, match="looks the same: Nhà Hoa"):
        clubs.create_club(name=twin, by=make_user(), time_zone="Asia/Ho_Chi_Minh", unit="xu")
    publish(known, public="0")  # Nobody learns of a private one.
    assert change(other, name=twin).status_code == 302
    assert change(other, name="Nhà Hoa").status_code == 302


def test_a_season_keeps_the_unit_in_which_something_was_paid():
    season = make_season(rules="mien-nam")
    assert change(season.club, unit="kẹo").status_code == 302
    make_table(make_night(4, season=season, stake=1), games=1)
    assert change(season.club, unit="đồng").status_code == 302
    season.refresh_from_db()
    assert (season.unit, make_season(season.club).unit) == ("kẹo", "đồng")


def test_the_language_of_a_club_changes_and_stays_where_a_form_leaves_it_out():
    club = make_club()
    for sent, language in (({"language": "en"}, "en"), ({}, "en"), ({"language": "vi"}, "vi")):
        assert change(club, **sent).status_code == 302
        club.refresh_from_db()
        assert club.language == language
    answer = change(club, language="xx")
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, ["language"])


def test_an_unknown_time_zone_is_refused_beside_its_field():
    club = make_club()
    answer = change(club, time_zone="Mars/Olympus")
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, ["time_zone"])
    with pytest.raises(ValidationError):
        clubs.change_club(club=club, by=owner_of(club), name="x", time_zone="x", unit="x")


def test_the_list_tells_how_many_play_and_when_in_as_many_queries_for_any_number(
    django_assert_max_num_queries,
):
    """Its cards were a name and nothing."""
    night = make_night(5)
    member = browser_of(owner_of(night))
    make_table(night, games=1)
    assert night.season.club.name not in Client().get(reverse("league:club_list")).content.decode()
    closing.close_event(event=night, by=owner_of(night), despite_unfinished=True)
    for viewer in (member, Client()):
        with django_assert_max_num_queries(6):
            shown = viewer.get(reverse("league:club_list")).content.decode()
        assert night.season.club.name in shown
        assert "5 players" in shown
        assert "Latest night" in shown
