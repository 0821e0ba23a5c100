"""Money of games with real cards: places and specials in, payments out, the sum always zero."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.rules import ruleset
from engine.rules.payments import net
from engine.rules.southern_money import BOMBS
from engine.rules.specials import (
    TWOS,
    Offer,
    Special,
    SpecialError,
    check_places,
    offered,
    payments_of_game,
)
from tests.plugins.chance import examples

A, B, C, D = range(4)
MIEN_NAM, KILLA = ruleset.preset("mien-nam"), ruleset.preset("killa")


def chop(by, of, what):
    return Special("chop", by, of, what)


def chop_on_it(by, of, what):
    return Special("chop", by, of, what, chained=True)


def left(of, *what):
    return [Special("left", of=of, what=each) for each in what]


def cong(of):
    return Special("cong", of=of)


def nets(placings, *specials, rules=MIEN_NAM, stake=1):
    seats = sum(len(group) for group in placings)
    return net(seats, payments_of_game(rules, placings, specials, stake))


def reason(placings, *specials, rules=MIEN_NAM):
    with pytest.raises(SpecialError) as refused:
        payments_of_game(rules, placings, specials)
    return refused.value.code


def test_example_of_a_player_who_had_played_nothing():
    specials = [cong(D), *left(D, "B", "R", "Q"), *left(C, "R")]
    assert nets([[A], [B], [D], [C]], *specials) == [13, 0, -4, -9]


def test_example_of_an_instant_win_among_three():
    assert nets([[B], [A, C]], Special("instant_win", B)) == [-4, 8, -4]


def test_the_reasons_are_those_of_a_live_game():
    chain = [chop(B, A, "R"), chop_on_it(C, B, "PR3")]
    paid = payments_of_game(MIEN_NAM, [[C], [A], [D], [B]], [*chain, *left(B, "B")])
    assert [tuple(payment) for payment in paid] == [
        (B, C, 4, "chop"), (B, C, 2, "loser"), (D, A, 1, "third"), (B, C, 1, "twos_left"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("what", "units"),
    [("B", 1), ("R", 2), ("BB", 2), ("BR", 3), ("RR", 4), ("BBR", 4), ("BRR", 5), ("PR3", 2)],
)
def test_a_chop_pays_what_was_beaten(what, units):
    plain = nets([[A], [B], [C], [D]])
    assert nets([[A], [B], [C], [D]], chop(C, B, what)) == [
        plain[A], plain[B] - units, plain[C] + units, plain[D],
    ]  # fmt: skip


def test_two_chops_of_one_game_are_both_paid():
    assert nets([[A], [B], [C], [D]], chop(A, D, "B"), chop(B, D, "R")) == [3, 3, -1, -5]


def test_the_stake_multiplies_everything():
    assert nets([[A], [B], [C], [D]], chop(A, D, "R"), stake=1000) == [4000, 1000, -1000, -4000]


def test_places_to_and_from_a_player_who_had_played_nothing_lapse():
    assert nets([[A], [B], [C], [D]], cong(B)) == [6, -4, 0, -2]


def test_killa_pays_one_for_a_chop_and_two_for_one_on_it_however_long_the_chain():
    game = [[A], [B], [C], [D]]
    assert nets(game, chop(B, C, "2"), rules=KILLA) == [1, 1, -1, -1]
    chain = [chop(B, C, "22"), chop_on_it(D, B, "bomb"), chop_on_it(C, D, "bomb")]
    assert nets(game, *chain, rules=KILLA) == [1, 0, 2, -3]
    assert nets(game, chop(B, C, "bomb"), rules=KILLA) == [1, 1, -1, -1]


def test_each_ruleset_offers_what_it_pays_for():
    assert offered(MIEN_NAM).chops == ("B", "R", "BB", "BR", "RR", "BBR", "BRR", *BOMBS)
    assert offered(KILLA) == Offer(chops=("2", "22", "bomb"))
    assert offered(KILLA, for_money=False).instant_win
    for key in ("tien-len", "hawaii-killer", "thirteen", "penguin", "viet-cong"):
        assert offered(ruleset.preset(key)) == Offer()
    assert offered(ruleset.preset("family")) == Offer(chops=("2", "22", "bomb"))  # Cards are owed.


@pytest.mark.parametrize(("players", "most"), [(2, 26), (3, 18), (4, 13)])
def test_a_loser_may_be_left_with_all_but_one_card_where_the_whole_deck_is_dealt(players, most):
    seats = {"min_players": players, "max_players": players}
    rules = ruleset.with_options(ruleset.preset("dem-la"), {"deal_all": True, **seats})
    counts = [Special("cards", of=seat, what=str(most - 1)) for seat in range(1, players)]
    placings = [[A], list(range(1, players))]
    assert nets(placings, *counts, rules=rules)[A] == (most - 1) * (players - 1)
    over = [counts[0]._replace(what=str(most)), *counts[1:]]
    assert reason(placings, *over, rules=rules) == "count"


@pytest.mark.parametrize(("betting", "paid"), [("none", 0), ("points", 0), ("loser_pays_all", 3)])
def test_who_goes_out_on_2s_loses_whatever_is_paid(betting, paid):
    rules = ruleset.with_options(ruleset.preset("mien-bac-3-bich"), {"betting": betting})
    out_on_twos = Special("finish", by=D, what="22")
    assert nets([[A, B, C], [D]], out_on_twos, rules=rules)[D] == -paid
    assert reason([[A, B, C], [D]], rules=rules) == "first_out"
    check_places(rules, [[A, B, C], [D]])


def test_all_others_may_share_the_last_place_where_the_ruleset_says_so():
    rules = ruleset.with_options(ruleset.preset("penguin"), {"all_lose": True})
    assert nets([[A], [B, C, D]], rules=rules) == [3, -1, -1, -1]
    assert reason([[A, B], [C], [D]], rules=rules) == "shared"


@pytest.mark.parametrize(
    ("code", "placings", "specials"),
    [
        ("self", [[A], [B]], [chop(A, A, "B")]),
        ("players", [[A], [B]], [chop(A, D, "B")]),
        ("players", [[A], [B]], [chop(None, B, "B")]),
        ("not_offered", [[A], [B]], [chop(A, B, "bomb")]),
        ("chain", [[A], [B]], [chop_on_it(A, B, "PR3")]),
        ("chain", [[A], [B], [C]], [chop(A, B, "R"), chop_on_it(C, B, "PR3")]),
        ("chain", [[A], [B], [C]], [chop(A, B, "R"), chop_on_it(C, A, "R")]),
        ("not_last", [[A], [B], [C]], left(B, "R")),
        ("cong_first", [[A], [B], [C]], [cong(A)]),
        ("twice", [[A], [B], [C]], [cong(B), cong(B)]),
        ("instant_win_alone", [[A], [B, C]], [Special("instant_win", A), chop(A, B, "R")]),
        ("instant_win_places", [[A], [B], [C]], [Special("instant_win", A)]),
        ("instant_win_places", [[B], [A, C]], [Special("instant_win", A)]),
        ("shared", [[A], [B, C]], []),
        ("too_many_twos", [[A], [B], [C]], [chop(A, B, "RR"), *left(C, "R")]),
        (
            "too_many_twos",
            [[A], [B], [C], [D]],
            [chop(A, B, "BR"), chop(A, C, "R"), cong(B), *left(B, "B", "B")],
        ),
        ("too_many_cards", [[A], [B], [C]], left(C, "PR4", "Q", "B", "R")),
    ],
)
def test_what_cannot_have_happened_is_refused(code, placings, specials):
    assert reason(placings, *specials) == code


WHAT = st.sampled_from([*TWOS, *BOMBS])
SEATS = st.integers(0, 3)
CHOPS = st.builds(Special, st.just("chop"), SEATS, SEATS, WHAT, st.booleans())
LEFT = st.builds(Special, st.just("left"), st.none(), SEATS, WHAT)
CONG = st.builds(Special, st.just("cong"), st.none(), SEATS)


@settings(max_examples=examples(300), deadline=None)
@given(st.permutations([[A], [B], [C], [D]]), st.lists(CHOPS | LEFT | CONG, max_size=5))
def test_whatever_is_accepted_sums_to_zero_and_pays_somebody_else(placings, specials):
    try:
        paid = payments_of_game(MIEN_NAM, placings, specials, 7)
    except SpecialError:
        return
    assert sum(net(4, paid)) == 0
    assert all(p.amount > 0 and p.sender != p.receiver and p.amount % 7 == 0 for p in paid)
