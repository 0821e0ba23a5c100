"""Document `tien-len`: its long list of house rules, each an option of the ruleset."""

import pytest

from engine.rules.ruleset import RulesetError
from tests.rules.games import beats, leads, rules, table
from tests.rules.hands import (
    FIVE_CONSECUTIVE_PAIRS,
    FOUR_TWOS,
    PR3,
    PR4,
    PR4_HIGHER,
    PR5,
    PR5_HIGHER,
    QR2,
    QUAD,
)
from tests.rules.marker import rule

LATER = {"placings": [[2], [0], [1], [3]], "chops": []}
EVERYTHING = {
    "one_two": ["PR3+", "Q", "QR2", "QR3"],
    "two_twos": ["PR3+", "Q", "QR2", "QR3"],
    "three_twos": ["PR3+", "Q", "QR2", "QR3"],
    "PR3": ["PR4", "PR5", "Q"],
    "PR4": ["PR5", "Q"],
    "Q": ["PR4", "PR5"],
}


@rule("tien-len/house-rules/3")
def test_house_rules_that_exclude_each_other_are_refused_together():
    rules("tien-len", pair_run_opens=True)
    rules("tien-len", first_play_not_pair_run=True)
    with pytest.raises(RulesetError, match="first_play_not_pair_run"):
        rules("tien-len", pair_run_opens=True, first_play_not_pair_run=True)


@rule("tien-len/house-rules/5", flip={"twos_top_straights": False})
def test_house_rule_twos_top_straights_but_do_not_begin_them():
    options = {"twos_top_straights": True}
    assert leads("tien-len", "KS AC 2D", options=options)
    assert leads("tien-len", "JS QS KS AC 2D", options=options)
    assert not leads("tien-len", "2D 3S 4C", options=options)
    assert not leads("tien-len", "AC 2D 3S", options=options)
    assert beats("tien-len", "QS KD AH", by="KS AC 2D", options=options)


@rule("tien-len/house-rules/7", flip={"chops": {"one_two": [], "two_twos": [], "Q": []}})
def test_house_rule_all_chops_and_bombs_are_in():
    options = {"chops": EVERYTHING}
    for twos in ("2S", "2S 2C", "2S 2C 2D"):
        for bomb in (PR3, PR4, PR5, QUAD, QR2):
            assert beats("tien-len", twos, by=bomb, options=options)
    assert beats("tien-len", QUAD, by=PR4, options=options)


@rule("tien-len/house-rules/8", flip={"instant_wins": ["four_twos"]})
def test_house_rule_no_instant_wins():
    table("tien-len", "", FOUR_TWOS, options={"instant_wins": []}).asks_seat(0, "play")


@rule("tien-len/house-rules/23", flip={"instant_wins": ["four_twos", "six_pairs"]})
def test_house_rule_five_consecutive_pairs_win_at_once():
    options = {"instant_wins": ["four_twos", "five_consecutive_pairs"]}
    table("tien-len", "", FIVE_CONSECUTIVE_PAIRS, options=options).asks_seat(1, "instant_win")
    with_twos = "JS JC QS QD KS KH AS AC 2S 2C 3D 5H 7C"
    table("tien-len", "", with_twos, options=options).asks_seat(0, "play")


# Chops out of turn


@rule("tien-len/house-rules/27", flip={"locked_out_chops": []})
def test_out_of_turn_four_pairs_beat_one_or_two_twos():
    options = {"locked_out_chops": ["PR4"]}
    for low, twos in (("TS", "2H"), ("TS TC", "2D 2H")):
        sheet = table("tien-len", low, PR4, twos, options=options).plays(0, low).passes(1)
        sheet.plays(2, twos).passes(3, 0).asks_seat(1).may_only(PR4, "pass").plays(1, PR4)
        sheet.chopped((1, 2, PR4, twos, 1))


@rule("tien-len/house-rules/28", flip={"locked_out_chops": []})
def test_out_of_turn_four_pairs_beat_a_single_two_or_a_smaller_chop():
    options = {"locked_out_chops": ["PR4"]}
    for small in (PR3, QUAD):
        sheet = table(
            "tien-len", "3S", PR4_HIGHER if small == PR3 else PR4, "2H", small, options=options
        )
        sheet.plays(0, "3S").passes(1).plays(2, "2H").plays(3, small).passes(0)
        sheet.asks_seat(1).may(PR4_HIGHER if small == PR3 else PR4)


@rule("tien-len/house-rules/29", flip=[{"locked_out_chops": []}, {"locked_out_chops": ["PR4"]}])
def test_out_of_turn_five_pairs_beat_two_twos_or_a_smaller_chop():
    options = {"locked_out_chops": ["PR5"]}
    sheet = table("tien-len", "3S 3C", PR5, "2D 2H", options=options).plays(0, "3S 3C").passes(1)
    sheet.plays(2, "2D 2H").passes(3, 0).asks_seat(1).may_only(PR5, "pass")
    for small, twos in ((PR3, "2H"), (QUAD, "2H"), (PR4, "2D 2H")):
        low = "3S" if twos == "2H" else "3S 3C"
        bomb = PR5 if small == QUAD else PR5_HIGHER
        sheet = table("tien-len", low, bomb, twos, small, options=options).plays(0, low)
        sheet.passes(1).plays(2, twos).plays(3, small).passes(0).asks_seat(1).may(bomb)


# The opening


@rule("tien-len/house-rules/30", flip={"pair_run_opens": False})
def test_three_pairs_may_open_without_the_lead_and_the_lowest_card():
    options = {"pair_run_opens": True}
    sheet = table("tien-len", "3S", "", PR3, leader=None, options=options).asks_seat(0)
    sheet.may("pass").may_not("3S").passes(0, 1).asks_seat(2).may_only(PR3, "pass")
    sheet.plays(2, PR3).asks_seat(3)
    declined = table("tien-len", "3S", "", PR3, leader=None, options=options)
    declined.passes(0, 1, 2, 3).asks_seat(0).may("3S").may_not("pass")


@rule("tien-len/house-rules/49", flip={"first_play_not_pair_run": False})
def test_house_rule_first_play_is_no_pair_run():
    options = {"first_play_not_pair_run": True}
    sheet = table("tien-len", "3S 3C 4S 4C 5S 5C", leader=None, options=options).asks_seat(0)
    sheet.may("3S", "3S 3C", "3S 4S 5C").may_not("3S 3C 4S 4C 5S 5C")
    sheet.plays(0, "3S").passes(1, 2, 3).passes(0).asks_seat(0)


# Locks


@rule(
    "tien-len/house-rules/34", "tien-len/house-rules/35",
    flip=[{"straight_flush_locks": "never"}, {"straight_flush_locks": "choice"}],
)  # fmt: skip
def test_a_straight_flush_locks_the_trick_to_higher_ones():
    options = {"straight_flush_locks": "always"}
    assert not beats("tien-len", "4S 5S 6S", by="7S 8C 9D", options=options)
    assert beats("tien-len", "4S 5S 6S", by="7D 8D 9D", options=options)
    assert not beats("tien-len", "4S 5S 6S", by="7D 8D 9D TD", options=options)
    assert beats("tien-len", "4S 5S 6D", by="7S 8C 9D", options=options)


@rule(
    "tien-len/house-rules/36",
    flip=[{"straight_flush_locks": "always"}, {"straight_flush_locks": "never"}],
)
def test_a_player_may_choose_to_lock_or_unlock():
    options = {"straight_flush_locks": "choice"}
    hands = ("4S 5S 6S", "7D 8D 9D", "TS JS QD")
    table("tien-len", *hands, options=options).may("4S 5S 6S", "lock 4S 5S 6S")
    open_ = table("tien-len", "4S 5S 6S", "7S 8C 9D", options=options).plays(0, "4S 5S 6S")
    open_.asks_seat(1).may("7S 8C 9D")
    locked = table("tien-len", *hands, options=options).locks(0, "4S 5S 6S").locks(1, "7D 8D 9D")
    locked.asks_seat(2).may_not("TS JS QD")
    unlocked = table("tien-len", *hands, options=options).locks(0, "4S 5S 6S")
    unlocked.plays(1, "7D 8D 9D").asks_seat(2).may("TS JS QD")


@rule("tien-len/house-rules/37", flip={"straight_flush_locks": "never"})
def test_a_lock_need_not_be_led():
    options = {"straight_flush_locks": "always"}
    sheet = table("tien-len", "4S 5C 6D", "7S 8S 9S", "TS JC QD", options=options)
    sheet.plays(0, "4S 5C 6D").plays(1, "7S 8S 9S").asks_seat(2).may_not("TS JC QD")


@rule("tien-len/house-rules/38", flip={"straight_flush_locks": "always"})
def test_there_are_no_locks_unless_agreed():
    assert beats("tien-len", "4S 5S 6S", by="7S 8C 9D")


# More bombs


@rule("tien-len/house-rules/40", flip={"pair_runs_beat_singles": False})
def test_house_rule_pair_runs_beat_any_single():
    for single in ("3S", "AH", "2H"):
        assert beats("tien-len", single, by=PR3, options={"pair_runs_beat_singles": True})


@rule("tien-len/house-rules/41", flip={"pair_runs_beat_singles": True})
def test_pair_runs_do_not_beat_any_single_unless_agreed():
    assert not beats("tien-len", "3S", by=PR3)
    assert not beats("tien-len", "AH", by=PR3)
    assert beats("tien-len", "2H", by=PR3)


@rule("tien-len/house-rules/42", flip={"quads_beat_singles": False})
def test_house_rule_quads_beat_any_single():
    for single in ("3S", "AH", "2H"):
        assert beats("tien-len", single, by=QUAD, options={"quads_beat_singles": True})


@rule("tien-len/house-rules/50", flip={"triples_beat_aces": False})
def test_house_rule_triples_beat_a_single_ace():
    options = {"triples_beat_aces": True}
    assert beats("tien-len", "AH", by="3S 3C 3D", options=options)
    assert not beats("tien-len", "KH", by="4S 4C 4D", options=options)
    assert not beats("tien-len", "2S", by="4S 4C 4D", options=options)


# Leads, passes, trades


@rule("tien-len/house-rules/44", flip={"new_player_resets": False})
def test_house_rule_a_new_player_brings_back_the_lowest_card():
    options = {"new_player_resets": True}
    gone = LATER | {"gone": [3]}
    sheet = table("tien-len", "", "3S 9D", "9S", leader=None, previous=gone, options=options)
    sheet.asks_seat(1).may("3S").may_not("9D")
    table("tien-len", "", "3S", "9S", leader=None, previous=LATER, options=options).asks_seat(2)


@rule("tien-len/house-rules/46", "tien-len/play/68", flip={"pass_locks": True})
def test_house_rule_a_pass_does_not_lock_out():
    options = {"pass_locks": False}
    sheet = table("tien-len", "5S 9S", "TS", "7S", "6S", options=options).plays(0, "5S")
    sheet.passes(1).plays(2, "7S").passes(3).plays(0, "9S").asks_seat(1).plays(1, "TS")
    sheet.passes(2, 3, 0).asks_seat(1).may_not("pass")


@rule("tien-len/house-rules/51", flip={"exchange": ["negotiated"]})
def test_there_is_no_trading_unless_agreed():
    table("tien-len", "5S", "7S").refuses_trade(0, 1, give="5S", take="7S")
