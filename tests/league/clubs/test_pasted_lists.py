"""A list pasted from a chat on *People*: its other lines make no players."""

import pytest
from django.urls import reverse

from league.clubs.acts import players
from tests.factories import browser_of, make_club, make_user, owner_of

pytestmark = pytest.mark.django_db
CHAT = "Danh sách tối nay:\n1/ Cô Ba\n2/ Khánh\nTối nay chơi nhé"


def test_lines_that_are_no_names_are_left_out_and_kept_to_correct():
    club = make_club()
    browser = browser_of(owner_of(club))
    page = reverse("league:players", args=[club.slug])
    answer = browser.post(page, {"text": CHAT}, follow=True)
    assert set(club.players.values_list("name", flat=True)) == {"Cô Ba", "Khánh"}
    assert answer.content.decode().count("was left out: it doesn&#x27;t look like a name") == 2


def test_alone_such_a_line_is_taken_for_the_name_it_is_said_to_be():
    club = make_club()
    add = players.add_players
    assert add(club=club, text="Tối nay chơi nhé", by=owner_of(club), leaves_out_talk=True).players


def test_a_new_account_is_offered_a_club_once():
    browser = browser_of(make_user())
    for name in ("league:club_list", "home"):
        page = browser.get(reverse(name), follow=True).content.decode()
        assert page.count(reverse("league:club_create")) == 1, name
