"""What a player may type for a play, a pass or a question."""

import pytest

from tables.play.pages import typed

HAND = ["3S", "6S", "7D", "8C", "9S", "9D", "TS", "TC", "TH", "QS", "KD", "AC", "2H"]
PLAYS = [
    ["3S"], ["9S"], ["9D"], ["2H"], ["6S", "7D", "8C"], ["8C", "9S", "TS"], ["9S", "9D"],
    ["TS", "TC"], ["TS", "TH"], ["TC", "TH"], ["TS", "TC", "TH"], ["QS", "KD", "AC"],
    ["5S", "5D", "6S", "6C", "7S", "7C"], ["4S", "4C", "4D", "4H"],
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("3", ["3S"]),
        ("3 bích", ["3S"]),
        ("3♠", ["3S"]),
        ("ba", ["3S"]),
        ("heo", ["2H"]),
        ("HEO CƠ", ["2H"]),
        ("heo co", ["2H"]),
        ("2h", ["2H"]),
        ("deuce", ["2H"]),
        ("9", ["9S", "9D"]),
        ("9 rô", ["9D"]),
        ("nine of diamonds", ["9D"]),
        ("6 7 8", ["6S 7D 8C"]),
        ("678", ["6S 7D 8C"]),
        ("8 7 6", ["6S 7D 8C"]),
        ("6, 7, 8", ["6S 7D 8C"]),
        ("6-8", ["6S 7D 8C"]),
        ("sảnh 6 tới 8", ["6S 7D 8C"]),
        ("sanh sau den tam", ["6S 7D 8C"]),
        ("straight 6 to 8", ["6S 7D 8C"]),
        ("sảnh đầm tới xì", ["QS KD AC"]),
        ("qka", ["QS KD AC"]),
        ("queen king ace", ["QS KD AC"]),
        ("sảnh", ["6S 7D 8C", "8C 9S TS", "QS KD AC"]),
        ("9 9", ["9S 9D"]),
        ("99", ["9S 9D"]),
        ("đôi 9", ["9S 9D"]),
        ("doi chin", ["9S 9D"]),
        ("pair of 9s", ["9S 9D"]),
        ("a pair of nines", ["9S 9D"]),
        ("two nines", ["9S 9D"]),
        ("9 bích 9 rô", ["9S 9D"]),
        ("9s 9d", ["9S 9D"]),
        ("đôi 10", ["TS TC", "TS TH", "TC TH"]),
        ("đôi 10 cơ", ["TS TH", "TC TH"]),
        ("sám 10", ["TS TC TH"]),
        ("sám cô mười", ["TS TC TH"]),
        ("ba con 10", ["TS TC TH"]),
        ("three 10s", ["TS TC TH"]),
        ("three tens", ["TS TC TH"]),
        ("tứ quý 4", ["4S 4C 4D 4H"]),
        ("tứ quý", ["4S 4C 4D 4H"]),
        ("four fours", ["4S 4C 4D 4H"]),
        ("3 đôi thông", ["5S 5D 6S 6C 7S 7C"]),
        ("đôi thông", ["5S 5D 6S 6C 7S 7C"]),
        ("ba doi thong 5 toi 7", ["5S 5D 6S 6C 7S 7C"]),
        ("3 consecutive pairs", ["5S 5D 6S 6C 7S 7C"]),
        ("5 5 6 6 7 7", ["5S 5D 6S 6C 7S 7C"]),
        ("4 đôi thông", []),
        ("già bích", []),
    ],
)
def test_plays_are_found_as_people_say_them(text, fits):
    wish = typed.play(text)
    assert wish is not None
    assert [" ".join(play) for play in PLAYS if wish.fits(play)] == fits


@pytest.mark.parametrize("text", ["", " ", "xin chào", "8 tới 6", "con gà", "rút 9", "x" * 500])
def test_words_that_name_no_play_are_none(text):
    assert typed.play(text) is None


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("bỏ", "pass"),
        ("bo", "pass"),
        ("Bỏ lượt", "pass"),
        ("PASS", "pass"),
        ("?", "help"),
        ("ván", "trick"),
        ("v", "trick"),
        ("lượt", "turn"),
        ("lá", "counts"),
        ("giờ", "time"),
        ("clock", "time"),
        ("bài", "hand"),
        ("hand", "hand"),
        ("h", "hand"),
        ("trước", "before"),
        ("9", ""),
        ("già", ""),
    ],
)
def test_questions_and_passes_are_words(text, asked):
    assert typed.question(text) == asked


def test_cards_as_typed_come_from_the_hand_or_not_at_all():
    def of(text: str) -> list[str]:
        return typed.play(text).of(HAND)  # type: ignore[union-attr]

    assert of("9") == ["9S"]
    assert of("9 rô") == ["9D"]
    assert of("đôi 10 cơ") == ["TH", "TS"]
    assert of("4") == of("đôi già") == of("9 cơ") == []
