"""What the reference allows in positions written by hand, one rule each."""

from __future__ import annotations

import pytest

from tests.reference import records
from tests.reference.game_text import record
from tests.reference.table import Illegal


def asked(key, hands, actions="", **fields):
    """Seat, phase and legal answers of the open question."""
    answer = records.legal(record(key, hands, actions, **fields))
    return answer["seat"], answer["phase"], answer["legal"]


WINNER_0 = {"placings": [[0], [1], [2]], "chops": []}


def test_the_lowest_card_must_be_in_the_first_play():
    hands = ["4S 5C", "3C 4C 5H 9H", "6H 7H"]
    assert asked("tien-len", hands) == (1, "play", ["3C", "3C 4C 5H"])


def test_the_lowest_card_leads_alone_in_penguin():
    hands = ["4S 5C", "3C 4C 5H 9H", "6H 7H"]
    assert asked("penguin", hands) == (1, "play", ["3C"])


def test_hawaii_leads_its_first_card_in_no_triple():
    hands = ["3S 3C 3D", "4S 5S"]
    assert asked("hawaii-killer", hands)[2] == ["3S", "3S 3C", "3S 3D"]


def test_a_previous_winner_leads_anything():
    hands = ["4S 5C", "3C 4C", "6H 7H"]
    assert asked("tien-len", hands, previous=WINNER_0) == (0, "play", ["4S", "5C"])
    gone = {**WINNER_0, "gone": [0]}
    assert asked("tien-len", hands, previous=gone) == (1, "play", ["3C"])


def test_a_pass_locks_out_until_the_next_trick():
    hands = ["3S 6S", "7S 9S 4D", "8S 4H"]
    actions = "0 3S\n1 pass\n2 4H\n0 6S\n2 8S"
    assert asked("thirteen", hands, "0 3S\n1 pass\n2 4H")[0] == 0
    hands = ["3S 6S JS", "7S 9S 4D", "8S 4H TS"]
    assert asked("thirteen", hands, actions) == (0, "play", ["JS", "pass"])


def test_a_pass_without_locks_lasts_for_one_turn():
    hands = ["3S 6S JS", "7S 9S 4D", "8S 4H TS"]
    actions = "0 3S\n1 pass\n2 4H\n0 6S"
    open_pass = {"pass_locks": False}
    assert asked("tien-len", hands, actions, options=open_pass)[:1] == (1,)
    ended = actions + "\n1 pass\n2 pass"
    assert asked("tien-len", hands, ended, options=open_pass) == (0, "play", ["JS"])


def test_the_unbeaten_player_goes_forward_and_passes_explicitly():
    hands = ["3S 6S 9S", "4S 5S", "4C 5C"]
    actions = "0 3S\n1 pass\n2 pass"
    assert asked("tien-len", hands, actions) == (0, "play", ["6S", "9S", "pass"])
    assert asked("tien-len", hands, actions + "\n0 9S") == (0, "play", ["pass"])
    assert asked("tien-len", hands, actions + "\n0 9S\n0 pass") == (0, "play", ["6S"])
    assert asked("thirteen", hands, actions) == (0, "play", ["6S", "9S"])


def test_the_next_seat_leads_after_an_unbeaten_last_card():
    hands = ["3S", "4S 5S", "4C 5C"]
    assert asked("tien-len", hands, "0 3S")[0] == 1
    assert asked("tien-len", hands, "0 3S\n1 pass\n2 pass") == (1, "play", ["4S", "5S"])


def test_running_out_while_forward_ends_the_trick_at_once():
    hands = ["3S 9S", "4S 5S", "4C 5C"]
    actions = "0 3S\n1 pass\n2 pass\n0 9S"
    assert asked("tien-len", hands, actions) == (1, "play", ["4S", "5S"])


def test_a_locked_out_player_may_not_chop():
    hands = ["3S 4S", "6S 6C 7S 7C 8S 8C 9S", "2H 4C 3D"]
    actions = "0 3S\n1 pass\n2 2H\n0 pass"
    assert asked("tien-len", hands, actions) == (2, "play", ["pass"])


def test_four_pairs_chop_a_two_even_when_locked_out_in_the_southern_game():
    hands = ["3S 4S 5S", "6S 6C 7S 7C 8S 8C 9S 9C 9D", "2H 4C 3D"]
    passed = "0 3S\n1 pass\n2 2H\n0 pass"
    pairs = [f"6S 6C 7S 7C 8S 8C {nines}" for nines in ("9C 9D", "9S 9C", "9S 9D")]
    assert asked("mien-nam", hands, passed) == (1, "play", sorted([*pairs, "pass"]))
    assert asked("mien-nam", hands, passed + "\n1 pass") == (2, "play", ["3D", "4C"])
    chopped = passed + f"\n1 {pairs[1]}"
    assert asked("mien-nam", hands, chopped) == (2, "play", ["pass"])
    assert asked("mien-nam", hands, chopped + "\n2 pass") == (1, "play", ["9D"])


def test_every_locked_out_seat_is_asked_whatever_it_holds():
    hands = ["3S 4S 5S", "6S", "2H 4C 3D", "5C 7C"]
    actions = "0 3S\n1 pass\n2 2H\n3 pass"
    assert asked("mien-nam", hands, actions + "\n0 pass") == (1, "play", ["pass"])


@pytest.mark.parametrize(
    ("key", "top", "choppers"),
    [
        ("tien-len", "2H", ["PR3", "Q"]),
        ("hawaii-killer", "2H", ["PR3", "PR4", "PR5", "Q"]),
        ("thirteen", "2H", ["PR3", "PR5", "Q"]),
        ("penguin", "2H", ["PR3", "Q"]),
        ("viet-cong", "2H", ["PR3"]),
        ("family", "2H", ["PR3", "PR4", "Q"]),
        ("killa", "2H", ["PR3", "PR4", "PR5", "Q"]),
        ("mien-nam", "2H", ["PR3", "PR4", "PR5", "Q"]),
        ("tien-len", "2S 2C", ["PR4", "QR2"]),
        ("hawaii-killer", "2S 2C", []),
        ("thirteen", "2S 2C", ["PR4", "PR5"]),
        ("penguin", "2S 2C", ["PR4"]),
        ("viet-cong", "2S 2C", ["PR5", "QR2"]),
        ("family", "2S 2C", ["PR4"]),
        ("killa", "2S 2C", ["PR4", "PR5", "Q"]),
        ("mien-nam", "2S 2C", ["PR4", "PR5"]),
        ("tien-len", "2S 2C 2H", ["PR5"]),
        ("thirteen", "2S 2C 2H", ["PR5"]),
        ("penguin", "2S 2C 2H", ["PR5"]),
        ("viet-cong", "2S 2C 2H", []),
        ("killa", "2S 2C 2H", []),
        ("tien-len", "3S 3C 4S 4C 5S 5C", ["PR3"]),
        ("hawaii-killer", "3S 3C 4S 4C 5S 5C", ["PR3", "Q"]),
        ("thirteen", "3S 3C 4S 4C 5S 5C", ["PR3", "PR4", "PR5", "Q"]),
        ("killa", "3S 3C 4S 4C 5S 5C", ["PR3", "PR4", "PR5", "Q"]),
        ("thirteen", "3S 3C 4S 4C 5S 5C 6S 6C", ["PR4", "PR5"]),
        ("killa", "3S 3C 4S 4C 5S 5C 6S 6C", ["PR4", "PR5", "Q"]),
        ("thirteen", "4S 4C 4D 4H", ["PR4", "PR5", "Q"]),
        ("killa", "4S 4C 4D 4H", ["PR5", "Q"]),
        ("penguin", "4S 4C 4D 4H", ["Q"]),
        ("thirteen", "2S 2C 2D 2H", []),
        ("mien-nam", "2S 2C 2D 2H", []),
        ("killa", "2S 2C 2D 2H", ["PR5"]),
    ],
)
def test_the_chop_table_of_each_ruleset(key, top, choppers):
    rich = "8S 8C 9S 9C TS TC JS JC JD JH QS QC QD QH"
    hands = [f"3S {top}", rich, "KS KD", "KC KH"]
    _, _, legal = asked(key, hands, f"0 {top}", leader=0)
    names = {name_of(answer) for answer in legal if answer != "pass"}
    assert names == set(choppers)


def name_of(answer: str) -> str:
    ranks = [word[0] for word in answer.split()]
    kinds, each = len(set(ranks)), len(ranks) // len(set(ranks))
    if each == 4:
        return "Q" if kinds == 1 else f"QR{kinds}"
    return f"PR{kinds}"


def test_declaring_takes_effect_after_everyone_was_asked():
    pairs = "5S 5C 6S 6C 7S 7C 8S 8C 9S 9C TS TC JS"
    twos = "3D 4D 5D 6D 7D 8D 9D TD JD 2S 2C 2D 2H"
    plain = "3S 3C 4S 4C 5H 6H 7H 8H 9H TH QH KH AC"
    hands = [pairs, twos, plain]
    assert asked("tien-len", hands) == (0, "instant_win", ["declare", "decline"])
    assert asked("tien-len", hands, "0 declare")[0] == 1
    done = records.replay(record("tien-len", hands, "0 declare\n1 declare"))
    assert done["placings"] == [[1], [0], [2]]


def test_go_fish_asks_until_a_rank_is_held():
    hands = ["3S 4S", "6S 6H", "7S 8S", "9S 9C"]
    previous = {
        "placings": [[0], [1], [2], [3]],
        "chops": [{"by": 0, "of": 1, "cards": "5S 5C 5D 5H", "on": "2H", "level": 1}],
    }
    fields = {"previous": previous}
    asks = [f"ask {rank}" for rank in "23456789AJKQT"]
    assert asked("family", hands, **fields) == (0, "exchange", asks)
    refused = [ask for ask in asks if ask != "ask 7"]
    assert asked("family", hands, "0 ask 7", **fields) == (0, "exchange", refused)
    returns = ["return 3S", "return 4S", "return 6H"]
    assert asked("family", hands, "0 ask 7\n0 ask 6", **fields) == (0, "exchange", returns)
    done = records.replay(record("family", hands, "0 ask 6\n0 return 3S", **fields))
    assert done["hands"] == ["4S 6H", "3S 6S", "7S 8S", "9S 9C"]


def test_three_pairs_open_where_that_is_the_rule():
    hands = ["3S 4S", "6S 6C 7S 7C 8S 8C 9S", "2H 4C"]
    options = {"pr3_opens": True}
    assert asked("tien-len", hands, options=options) == (0, "play", ["pass"])
    opening = ["6S 6C 7S 7C 8S 8C", "pass"]
    assert asked("tien-len", hands, "0 pass", options=options) == (1, "play", opening)
    opened = "0 pass\n1 6S 6C 7S 7C 8S 8C"
    assert asked("tien-len", hands, opened, options=options) == (2, "play", ["pass"])
    declined = "0 pass\n1 pass\n2 pass"
    assert asked("tien-len", hands, declined, options=options) == (0, "play", ["3S"])


def test_a_straight_flush_locks_the_trick():
    hands = ["3S 4S 5S 9S", "6S 7H 8S 9D", "6H 7H 8H 9H"]
    always = {"locks": "always"}
    assert asked("tien-len", hands, "0 3S 4S 5S", options=always) == (1, "play", ["pass"])
    follow = ["6H 7H 8H", "7H 8H 9H", "pass"]
    actions = "0 3S 4S 5S\n1 pass"
    assert asked("tien-len", hands, actions, options=always) == (2, "play", follow)
    choice = {"locks": "choice"}
    both = ["6H 7H 8H", "7H 8H 9H", "lock 6H 7H 8H", "lock 7H 8H 9H", "pass"]
    assert asked("tien-len", hands, actions, options=choice) == (2, "play", both)
    assert asked("tien-len", hands, "0 lock 3S 4S 5S", options=choice) == (1, "play", ["pass"])
    unlocked = ["6S 7H 8S", "7H 8S 9D", "pass"]
    assert asked("tien-len", hands, "0 3S 4S 5S", options=choice) == (1, "play", unlocked)


def test_all_others_lose_when_last_cards_stay_unbeaten():
    hands = ["3S", "4S 5S", "4C 5C"]
    done = records.replay(
        record("tien-len", hands, "0 3S\n1 pass\n2 pass", options={"all_lose": True})
    )
    assert (done["placings"], done["dealer_next"]) == ([[0], [1, 2]], 2)


def test_an_illegal_action_is_refused():
    with pytest.raises(Illegal):
        records.legal(record("tien-len", ["3S 4S", "5S 6S"], "0 4S"))
    with pytest.raises(Illegal):
        records.legal(record("tien-len", ["3S 4S", "5S 6S"], "1 5S"))
