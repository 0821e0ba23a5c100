"""The page of one game: who sat where, what each won of whom, and who says that it is right."""

import html
import re

import pytest
from django.test import Client

from engine.rules.specials import Special
from league.models import Confirmation, Dispute, Result
from tests.factories import (
    browser_of,
    correct,
    keys_at,
    make_member,
    make_night,
    make_table,
    names_at,
    night_link,
    owner_of,
    path_of,
    play,
    table_link,
)

pytestmark = pytest.mark.django_db


def game_of(sitting, number=1):
    return path_of(sitting.round.event, "game", 1, sitting.table_no, number)


def page_of(client, path):
    return client.get(path).context["page"]


def text_of(client, path):
    """The page as its words, in one line."""
    main = client.get(path).content.decode().split('<main id="main"')[1]
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", main)).split())


def phone_of(sitting, name):
    """The phone of the player of this name, by the night's link."""
    player = next(one.entrant.player for one in sitting.seated if one.entrant.player.name == name)
    phone = Client()
    phone.post(night_link(sitting.round.event), {"me": player.pk})
    return phone


@pytest.fixture
def chopped():
    """A money game of four in which the second chops a red 2 of the last."""
    sitting = make_table(make_night(rules="mien-nam", stake=5, confirmed_by="player"))
    a, b, c, d = names_at(sitting)
    keys = keys_at(sitting)
    chop = Special("chop", by=keys[a], of=keys[d], what="R")
    play(sitting, [c, a, b, d], specials=[chop], device="elsewhere")
    return sitting


def test_a_game_shows_the_seats_and_what_each_won_and_of_whom(chopped):
    a, b, c, d = names_at(chopped)
    host = browser_of(owner_of(chopped))
    seats = page_of(host, game_of(chopped)).seats
    assert [(seat.player.name, seat.rank, seat.money) for seat in seats] == [
        (a, 2, 15), (b, 3, -5), (c, 1, 10), (d, 4, -20),
    ]  # fmt: skip
    chop = "chopped with a red 2 on the table"
    assert {seat.player.name: seat.reasons for seat in seats} == {
        a: [("second", 5), (f"{d}: {chop}", 10)],
        b: [("third", -5)],
        c: [("first", 10)],
        d: [("last", -10), (chop, -10)],
    }
    told = text_of(host, game_of(chopped))
    assert "Sum 0" in told
    assert f"{d} last −10 kẹo · {chop} −10 kẹo −20 kẹo" in told
    assert f"{a} chops {d}: red 2" in told


def test_a_player_reads_the_game_from_the_own_seat_and_a_stranger_reads_no_money(chopped):
    a, b, c, d = names_at(chopped)
    own, strange = (page_of(one, game_of(chopped)) for one in (phone_of(chopped, c), Client()))
    assert [seat.player.name for seat in own.seats] == [c, d, a, b]
    assert [seat.is_own for seat in own.seats] == [True, False, False, False]
    assert [seat.money for seat in own.seats] == [10, -20, 15, -5]
    assert [seat.player.name for seat in strange.seats] == [a, b, c, d]
    assert not any(seat.is_own or seat.money is not None or seat.reasons for seat in strange.seats)
    told = text_of(Client(), game_of(chopped))
    assert "Sum 0" not in told
    assert "−20" not in told
    assert f"{a} chops {d}: red 2" in told


def test_shared_last_places_and_an_instant_win_are_nobodys_doing():
    sitting = make_table(make_night(rules="mien-nam", stake=5))
    a, b, c, d = (place.entrant_id for place in sitting.seated)
    groups = [[b], [a, c, d]]
    play(sitting, [], groups=groups, specials=[Special("instant_win", by=b)])
    seats = page_of(browser_of(owner_of(sitting)), game_of(sitting)).seats
    words = [[words for words, _sum in seat.reasons] for seat in seats]
    lost = ["last", "instant win"]
    assert words == [lost, ["first", "instant win"], lost, lost]
    assert sum(seat.money for seat in seats) == 0


def test_a_void_game_has_its_seats_and_no_places(chopped):
    correct(Result.objects.get(), [], void=True)
    host = browser_of(owner_of(chopped))
    seats = page_of(host, game_of(chopped)).seats
    assert [(seat.rank, seat.money) for seat in seats] == [(None, None)] * 4
    assert "This game does not count." in text_of(host, game_of(chopped))


def test_a_phone_of_the_table_confirms_the_game_where_it_reads_it(chopped):
    a, _b, c, d = names_at(chopped)
    path, night = game_of(chopped), night_link(chopped.round.event)
    form = {"game": Result.objects.get().pk}
    phone = phone_of(chopped, c)
    told = page_of(phone, path)
    assert (told.confirm_to, told.report_to) == (night, night)
    assert f'name="game" value="{form["game"]}"' in phone.get(path).content.decode()
    assert not any(page_of(one, path).confirm_to for one in (Client(), phone_of(make_table(), a)))
    phone.post(night, form | {"dispute": "order"})
    assert page_of(phone_of(chopped, d), path).confirm_to == "", "it is being decided"
    Dispute.objects.all().delete()
    phone.post(told.confirm_to, form | {"confirm": "1"})
    assert Confirmation.objects.get().result_id == form["game"]
    assert page_of(phone_of(chopped, d), path).confirm_to == ""
    assert "confirmed" in text_of(phone, path)


def test_who_holds_the_tables_link_or_a_role_confirms_there(chopped):
    table = table_link(chopped, 1)
    member = browser_of(make_member(chopped.round.event.season.club, "player"))
    for client, here in (
        (Client(), table),
        (member, path_of(chopped.round.event, "table", 1, chopped.table_no)),
    ):
        told = page_of(client, f"{here}games/1/")
        assert told.confirm_to == f"{here}games/1/confirm/"
        assert told.report_to == f"{here}games/1/dispute/"
    client.post(told.confirm_to, {"version": 1, "game": 0, "confirm": "1"})
    assert Confirmation.objects.count() == 1


def test_who_confirms_nothing_goes_to_the_games_beside(sitting):
    for _game in range(3):
        play(sitting)
    for number, beside in ((1, [2]), (2, [1, 3]), (3, [2])):
        page = Client().get(game_of(sitting, number))
        assert page.context["page"].beside == beside
        links = re.findall(r'<a class="btn" href="([^"]*/games/\d/)"', page.content.decode())
        assert links == [game_of(sitting, other) for other in beside]


@pytest.mark.parametrize("more", [{}, {"tap": "1"}])
def test_the_form_that_corrects_is_folded_until_it_is_used(sitting, more):
    play(sitting)
    page = browser_of(owner_of(sitting)).get(game_of(sitting), more).content.decode()
    found = re.search(r"<details[^>]*>\s*<summary>Correct this game", page)
    assert ("open" in found[0]) is bool(more)
