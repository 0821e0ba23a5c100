"""What people show each other at a table: names and talk without tricks."""

import pytest

from engine.rules import ruleset
from tables.base.words import plain
from tables.chairs.acts import arrangements, seats
from tables.chat.acts import chat
from tables.models import Table

TRICKS = [
    ("Bo\u202egnorw\u200b", "Bognorw"),
    ("L\u0430\u2066n\u2069", "L\u0430n"),
    ("e" + "\u0301" * 30 + "m", "\u00e9\u0301\u0301m"),
    ("Nguye\u0302\u0303n  \t Lan", "Nguy\u1ec5n Lan"),
    ("a\x00b\ud800c\ue000d", "abcd"),
    ("🎉 Tết!", "🎉 Tết!"),
    ("\u200b\u2060", ""),
]


@pytest.mark.parametrize(("text", "shown"), TRICKS)
def test_what_is_hidden_or_piled_up_is_left_out(text, shown):
    assert plain(text, 40) == shown


def test_texts_are_cut_at_their_length():
    assert plain("x" * 50, 40) == "x" * 40


@pytest.mark.django_db
def test_names_and_talk_at_a_table_are_plain():
    table = seats.open_table(ruleset=ruleset.preset("thirteen"), players=2)
    seat, _secret = seats.sit(table_id=table.pk, no=0, name=TRICKS[0][0])
    nobody, _secret = seats.sit(table_id=table.pk, no=1, name="\u200b")
    assert (seat.name, nobody.name) == ("Bognorw", "?")
    assert chat.say(seat_id=seat.pk, text=TRICKS[0][0]).text == "Bognorw"
    assert Table.objects.get().messages.get().text == "Bognorw"


@pytest.mark.django_db
def test_who_takes_a_name_that_looks_like_anothers_gets_a_number():
    table = seats.open_table(ruleset=ruleset.preset("thirteen"), players=4)
    names = [
        seats.sit(table_id=table.pk, no=no, name=name)[0].name
        for no, name in enumerate(("Lan", "L\u0430n", "L\u1ea7n"))
    ]
    assert names == ["Lan", "L\u0430n 2", "L\u1ea7n"]


@pytest.mark.django_db
def test_a_name_for_a_chair_that_was_given_away_is_plain():
    table = seats.open_table(ruleset=ruleset.preset("thirteen"), players=2)
    seat = arrangements.sit_down(table, 0, "Bo\u202egnorw\u200b", {"user": None, "bot": "greedy"})
    assert seat.name == "Bognorw"
