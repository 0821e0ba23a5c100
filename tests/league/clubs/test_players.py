"""Names of players: one by one, pasted, and everything that is wrong with them."""

import pytest
from django.core.exceptions import ValidationError

from league.clubs.acts import players
from league.models import Account
from tests.factories import make_club, make_player, owner_of

pytestmark = pytest.mark.django_db


def test_a_player_is_saved_with_clean_spaces_and_an_account_in_the_ledger():
    player = make_player(make_club(), "  Nguyễn   Lan ")
    assert player.name == "Nguyễn Lan"
    assert Account.objects.filter(player=player).count() == 1


@pytest.mark.parametrize("name", ["", "   ", "x" * 300, "a\x00b"])
def test_an_unfit_name_is_refused_beside_its_field(name):
    with pytest.raises(ValidationError) as refused:
        make_player(make_club(), name)
    assert list(refused.value.message_dict) == ["name"]


def test_the_same_name_in_other_letters_is_refused(club):
    make_player(club, "Lan")
    with pytest.raises(ValidationError) as refused:
        make_player(club, "LAN")
    assert "There is already a player called LAN" in refused.value.message_dict["name"][0]


def test_an_and_ân_are_two_people(club):
    assert make_player(club, "An") != make_player(club, "Ân")


def test_a_pasted_list_takes_what_it_can_and_tells_the_rest(club):
    make_player(club, "Hùng")
    text = "1. Lan\n2. Mai\n\n3. lan\n4. HÙNG\n5. " + "x" * 300
    added = players.add_players(club=club, text=text, by=owner_of(club))
    assert [player.name for player in added.players] == ["Lan", "Mai"]
    assert [problem.split(":")[0] for problem in added.problems] == ["Line 4", "Line 5", "Line 6"]


def test_players_stand_in_vietnamese_order(club):
    text = "Đức\nDũng\nÂn\nAn\nÁnh"
    players.add_players(club=club, text=text, by=owner_of(club))
    assert list(club.players.values_list("name", flat=True)) == ["An", "Ánh", "Ân", "Dũng", "Đức"]


def test_renaming_to_a_name_that_is_taken_is_refused(club):
    lan, mai = make_player(club, "Lan"), make_player(club, "Mai")
    with pytest.raises(ValidationError):
        players.rename_player(player=mai, name="lan", by=owner_of(club))
    assert players.rename_player(player=lan, name="LAN", by=owner_of(club)).name == "LAN"


def test_a_name_that_looks_like_a_members_is_asked_about(club):
    lan = make_player(club, "Lan")
    assert players.alike(club=club, name="L\u0430n") == [lan]  # With a Cyrillic letter.
    assert players.alike(club=club, name="Lần") == [lan]
    assert players.alike(club=club, name="Lam") == []
    assert players.alike(club=club, name="lan") == []  # It is known.
    added = players.add_players(club=club, text="L\u0430n\nMai\nM\u0430i", by=owner_of(club))
    assert [player.name for player in added.players] == ["L\u0430n", "Mai", "M\u0430i"]
    assert [problem.split("“")[0] for problem in added.problems] == ["Line 1: ", "Line 3: "]
    assert all("two different people" in problem for problem in added.problems)
