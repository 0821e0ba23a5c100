"""A name's face is the ledger's face, wherever the name stands."""

import pytest
from django.test import Client

from engine.rules.ruleset import preset
from league.clubs.acts import players
from league.models import Player
from league.nights.pages.first_night import first_names
from tables.base.faces import Face, face_of, faces
from tables.base.fifo_cache import forget_all
from tables.chairs.acts import seats
from tables.models import Table
from tables.people.pages import lobby
from tables.play.facts import positions
from tests.factories import browser_of, make_club, make_user, owner_of
from tests.league.nights.test_tonight import PAGE, asked
from tests.league.online.stake_tables import play_game, table_of_four

pytestmark = pytest.mark.django_db


def test_a_face_keeps_its_ground_from_the_first_name_typed_to_the_table():
    phone = Client()
    names = "Ba\nKhánh\nSáu\nThảo"
    chips = {chip.name: chip.face for chip in first_names(names).chips}
    drawn = phone.post(PAGE, asked(names, do="draw")).context["drawn"]
    seated = {seat.name: seat.face for table in drawn.tables for seat in table}
    phone.post(PAGE, asked(names))
    players = {one.name: one.face for one in Player.objects.filter(name__in=chips)}
    assert chips == seated == players


def face_at(table: Table, name: str) -> Face:
    return positions.of(positions.rows().get(pk=table.pk)).faces[name]


def test_at_a_clubs_table_a_member_of_two_clubs_has_the_face_of_this_club():
    live, people = table_of_four()
    here, user = people[0], people[0].user
    elsewhere = make_club()
    there = players.add_player(club=elsewhere, name="Bạn", by=owner_of(elsewhere))
    there = players.take_player(player=there, user=user)
    players.choose_face(player=here, animal="cat", by=user)
    players.choose_face(player=there, animal="pig", by=user)
    forget_all()
    assert face_at(live.table, here.name).animal == "cat"


@pytest.mark.parametrize("tables", [1, 3])
def test_faces_in_the_lobby_are_those_at_the_table(tables, django_assert_num_queries):
    club = make_club()
    wanted = [faces([f"Khách {number}"])[0].animal for number in range(40)]
    twins = [f"Khách {number}" for number, one in enumerate(wanted) if one == wanted[0]]
    for number in range(tables):
        table = seats.open_table(ruleset=preset("thirteen"), players=4)
        Table.objects.filter(pk=table.pk).update(for_anyone=True)
        player = players.add_player(club=club, name=f"Mai {number}", by=owner_of(club))
        player = players.take_player(player=player, user=make_user())
        players.choose_face(player=player, animal=wanted[0], by=player.user)
        gone, _secret = seats.sit(table_id=table.pk, no=0, name=twins[0])
        seats.sit(table_id=table.pk, no=1, name=twins[1])
        seats.leave(seat_id=gone.pk)
        seats.sit(table_id=table.pk, no=0, name=player.name, user=player.user)
    with django_assert_num_queries(3):
        shown = lobby.tables_for_anyone({})
    assert len(shown) == tables
    for one in shown:
        table = Table.objects.get(key=one.key)
        assert [sitter.name for sitter in one.sitters][1:] == [twins[1]]
        assert all(face_at(table, sitter.name) == sitter.face for sitter in one.sitters)


@pytest.mark.django_db(transaction=True)
def test_a_new_face_is_shown_at_tables_that_a_process_knows():
    live, people = table_of_four()
    player = people[0]
    for animal in ("cat", "pig"):
        players.choose_face(player=player, animal=animal, by=player.user)
        assert face_at(live.table, player.name).animal == animal
    play_game(live)
    players.choose_face(player=player, animal="dog", by=player.user)
    assert face_at(live.table, player.name).animal == "dog"


def of_club(club) -> list[Face]:
    return [one.face for one in Player.objects.filter(club=club).order_by("pk")]


def test_nobody_in_a_club_has_the_face_of_another():
    club, elsewhere = make_club(), make_club()
    by = owner_of(club)
    an = players.add_player(club=club, name="An", by=by)
    names = [f"Khách {number}" for number in range(95)]
    players.add_players(club=elsewhere, text="\n".join(names), by=owner_of(elsewhere))
    bình = players.add_player(club=club, name="Bình", by=by)
    assert face_of(bình.pk) == an.face  # As the keys give it.
    assert bình.face != an.face
    players.add_players(club=elsewhere, text="\n".join(f"Bạn {n}" for n in range(94)), by=by)
    players.add_players(club=club, text="Chi\nDũng\nEm\nPhúc", by=by)
    assert len({*of_club(club)}) == 6


def test_an_animal_that_somebody_chooses_stands_on_a_ground_of_its_own():
    club = make_club()
    by = owner_of(club)
    an, bình = players.add_players(club=club, text="An\nBình", by=by).players
    for ground in range(1, 9):
        Player.objects.filter(pk=an.pk).update(animal="cat", ground=ground)
        Player.objects.filter(pk=bình.pk).update(animal="", ground=ground)
        bình.refresh_from_db()
        players.choose_face(player=bình, animal="cat", by=by)
        bình.refresh_from_db()
        assert bình.face.animal == "cat"
        assert bình.face != Face("cat", ground)


def test_whoever_is_new_on_a_later_evening_looks_like_nobody_of_the_first():
    club = make_club()
    host = browser_of(owner_of(club))
    for seed, last in (("7", "Thảo"), ("8", "Mười")):
        sent = asked(f"Ba\nKhánh\nSáu\n{last}", seed=seed) | {"club": club.pk}
        assert host.post(PAGE, sent).status_code == 302
    assert len({*of_club(club)}) == 5
