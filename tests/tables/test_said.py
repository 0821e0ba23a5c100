"""What visitors are told at a table: words for plays and events, in both languages."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from tables.base.card_text import full, kind
from tables.models import Table
from tables.play.facts import positions
from tables.play.pages import boards, chairs, said
from tests.tables import live
from tests.tables.live import HANDS

SUITS = re.compile("[♠♣♦♥]")


def seen(table: Table, no: int) -> tuple[boards.Board, chairs.OwnPart]:
    position = positions.of(positions.rows().get(pk=table.pk))
    board = boards.board(position)
    return board, chairs.chair(position, board, position.seats.get(no))


def told(table: Table, no: int) -> list[str]:
    board, own = seen(table, no)
    return [one.text for one in said.public(board, own.no) + said.own(own, board)]


@pytest.mark.parametrize(
    ("cards", "english", "vietnamese"),
    [
        ("7S", "7 of spades", "7 bích"),
        ("2H", "2 of hearts", "heo cơ"),
        ("7S 7H", "pair of 7s, 7 of hearts high", "đôi 7, lớn nhất 7 cơ"),
        ("QS QC QD", "three queens", "sám đầm"),
        ("2S 2C 2D 2H", "four 2s", "tứ quý heo"),
        ("QC 8S TD JH 9S", "straight, 8 to queen of clubs", "sảnh 8 tới đầm chuồn"),
        (
            "5S 5D 6C 6H 7S 7C",
            "3 consecutive pairs, 5 to 7 of clubs",
            "3 đôi thông, 5 tới 7 chuồn",
        ),
        (
            "4S 4C 4D 4H 5S 5C 5D 5H",
            "2 consecutive fours of a kind, 4 to 5 of hearts",
            "2 tứ quý liên tiếp, 4 tới 5 cơ",
        ),
    ],
)
def test_a_play_is_named_by_what_decides(cards, english, vietnamese):
    for language, words in (("en", english), ("vi", vietnamese)):
        with translation.override(language):
            assert kind(cards.split(), highest=True) == words


def test_the_full_form_names_every_card():
    assert full(["8S", "7C", "9D"]) == ("straight, 7 to 9: 7 of clubs, 8 of spades, 9 of diamonds")
    with translation.override("vi"):
        assert full(["7S"]) == "7 bích"


@pytest.mark.django_db
def test_ones_turn_comes_with_what_lies_there_and_one_is_you():
    table = live.dealt("thirteen", people=4, instant_wins=[], hands=HANDS)
    assert "Your first play must include the 3 of spades." in told(table, 0)
    live.act(table, 0, "play", "3S 4S 5S")
    assert "Your turn. Guest 0: straight, 3 to 5 of spades." in told(table, 1)
    assert "You: straight, 3 to 5 of spades." in told(table, 0)
    live.act(table, 1, "pass")
    assert {"You pass.", "Guest 1 passes."} & set(told(table, 1)) == {"You pass."}
    with translation.override("vi"):
        assert "Tới lượt bạn. Guest 0: sảnh 3 tới 5 bích." in told(table, 2)


@pytest.mark.django_db
def test_a_last_card_and_going_out_are_said():
    table = live.dealt("thirteen", people=4, instant_wins=[], hands=HANDS)
    live.act(table, 0, "play", "3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS")
    assert "Guest 0 has 1 card left." in told(table, 2)
    assert not [text for text in told(table, 0) if "1 card left" in text]
    for no in (1, 2, 3):
        live.act(table, no, "pass")
    live.act(table, 0, "play", "2S")
    assert "Guest 0 is out of cards: first." in told(table, 2)
    with translation.override("vi"):
        assert "Guest 0 hết bài: nhất." in told(table, 2)
        assert "Bạn hết bài: nhất." in told(table, 0)


@pytest.mark.django_db
def test_whom_the_autopilot_plays_for_is_said_to_the_others_in_the_result_and_the_review():
    table = live.dealt("thirteen", people=4, instant_wins=[], hands=HANDS)
    live.hurry(table)
    assert "The autopilot plays for Guest 0." in told(table, 1)
    assert "The autopilot plays for Guest 0." not in told(table, 0)
    board, _own = seen(table, 1)
    assert "autopilot" in {name: state for name, _n, state in said.counts(board, 1)}["Guest 0"]
    game = live.play_quickly(table)
    board, _own = seen(table, 1)
    assert [more.endswith("autopilot") for _name, more in said.places(board, 1)].count(True) == 1
    page, review = (
        Client().get(reverse(f"tables:{name}", args=[table.key, *more])).content.decode()
        for name, more in (("table", ()), ("replay", (game.no,)))
    )
    assert page[page.index("result-places") :].count("autopilot") == 1
    assert "The autopilot played for Guest 0." in review


@pytest.mark.django_db
def test_a_chop_is_said_to_each_in_their_own_words():
    table = live.chopped()
    play = "3 consecutive pairs, 3 to 5 of diamonds"
    for no, words in enumerate(["Guest 1 chops you", "You chop Guest 0", "Guest 1 chops Guest 0"]):
        assert [text for text in told(table, no) if text.startswith(f"{words}: {play}, ")]


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "vi"])
def test_a_whole_game_is_told_without_symbols_and_ends_with_the_result(language):
    table = live.dealt("mien-nam", people=1)
    with translation.override(language):
        for _ in range(400):
            texts = told(table, 0) + said.log(seen(table, 0)[0], 0)
            assert not SUITS.search(" ".join(texts))
            assert "Guest 0" not in " ".join(texts)
            if (game := live.current(table)).over_at:
                break
            live.step(table, game)
        (last,) = told(table, 0)
    assert re.match(
        {"en": r"Game 1 is over\..*You: ", "vi": r"Xong ván 1\..*Bạn: "}[language], last
    )


@pytest.mark.django_db
def test_the_hand_is_told_by_groups_and_only_to_its_player():
    table = live.dealt("penguin", people=4, hands=HANDS)
    assert "Your hand, 13 cards: straight, 3 to ace, " in " ".join(told(table, 0))
    others = [text for no in (1, 2, 3, -1) for text in told(table, no)]
    assert not [text for text in others if "Your hand" in text and "of spades" in text]
    assert "must include" not in " ".join(others)


@pytest.mark.parametrize(
    ("cards", "plays", "may"),
    [
        ("4S 4S", ["4S"], "some can be played"),
        ("4S 4S", ["4S 4S"], "can be played"),
        ("4S 4S 4C", ["4S 4S"], "some can be played"),
        ("4S 4S 4C", ["4S 4C"], "some can be played"),
    ],
)
def test_twins_of_two_decks_are_two_cards(cards, plays, may):
    (group,) = said.groups(cards.split(), [play.split() for play in plays])
    assert group.may == may


def test_a_hand_stands_in_groups_from_low_to_high():
    cards = ["3S", "6S", "7D", "8C", "9S", "9D", "TS", "TC", "TH", "AC", "2H"]
    plays = [["9S", "9D"], ["TS", "TC"], ["AC"], ["2H"]]
    found = said.groups(cards, plays)
    assert [(one.name, one.may) for one in found] == [
        ("straight, 6 to 8", ""),
        ("pair of 9s", "can be played"),
        ("three 10s", "some can be played"),
        ("single: 3 of spades", ""),
        ("ace of clubs", "can be played"),
        ("2 of hearts", "can be played"),
    ]
