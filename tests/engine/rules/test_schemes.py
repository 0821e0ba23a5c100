"""Ten tricky games of each way of settling, worked out by hand: as a table enters them."""

import pytest

from engine.rules import ruleset
from engine.rules.payments import net, payments_from_placings
from engine.rules.specials import Special, SpecialError, payments_of_game
from tests.rules.games import endgame
from tests.rules.hands import PR3, PR4, QUAD, QUAD_HIGHER

A, B, C, D = range(4)
DEM_LA, NHAT_AN_TAT = ruleset.preset("dem-la"), ruleset.preset("nhat-an-tat")
BY_PLACE = ruleset.preset("mien-nam")
NORTHERN = ruleset.preset("mien-bac")


def chop(by, of, what, *, chained=False):
    return Special("chop", by, of, what, chained)


def left(of, *whats):
    return [Special("left", of=of, what=what) for what in whats]


def cards(**counts):
    return [Special("cards", of="abcd".index(who), what=str(n)) for who, n in counts.items()]


def cong(*seats):
    return [Special("cong", of=seat) for seat in seats]


def finish(by, what):
    return [Special("finish", by=by, what=what)]


def won(by):
    return [Special("instant_win", by=by)]


CHAIN = [chop(B, A, "R"), chop(C, B, "PR3", chained=True), chop(B, C, "Q", chained=True)]


def settled(rules, options, placings, specials):
    rules = ruleset.with_options(rules, options)
    return net(sum(map(len, placings)), payments_of_game(rules, placings, specials))


@pytest.mark.parametrize(
    ("placings", "options", "specials", "nets"),
    [
        # Four, six and one card.
        ([[A], [B, C, D]], {}, cards(b=4, c=6, d=1), [11, -4, -6, -1]),
        # A table of three: a red 2 left is a card and two more.
        ([[B], [A, C]], {}, [*cards(a=3, c=1), *left(C, "R")], [-3, 6, -3]),
        # Two players: a quad and two black 2s among seven cards.
        ([[A], [B]], {}, [*cards(b=7), *left(B, "Q", "B", "B")], [13, -13]),
        # The same with paid cards counted once: one card besides.
        ([[A], [B]], {"left_counted": False}, [*cards(b=7), *left(B, "Q", "B", "B")], [7, -7]),
        # Cóng with three pairs and a red 2 pays 26 + 3 + 2, and no card.
        ([[A], [B, C]], {}, [*cards(b=2), *cong(C), *left(C, "PR3", "R")], [33, -2, -31]),
        # B beats 2♥, C B's three pairs, B C's quad: C owes 2 + 3 + 4 whoever wins.
        ([[D], [A, B, C]], {}, [*CHAIN, *cards(a=1, b=1, c=1)], [-1, 8, -10, 3]),
        # Link by link: A 2, B 3 and C 4.
        (
            [[D], [A, B, C]], {"chops_paid": "each"}, [*CHAIN, *cards(a=1, b=1, c=1)],
            [-3, 2, -2, 3],
        ),
        # An instant win among three.
        ([[C], [A, B]], {}, won(C), [-26, -26, 52]),
        # Out on 3♠: cards and thối are doubled, the chop is not.
        (
            [[A], [B, C]], {"winner_doubles": ["three_spades"]},
            [chop(B, C, "BR"), *cards(b=5, c=2), *left(B, "R"), *finish(A, "3S")], [18, -11, -7],
        ),
        # All others cóng, doubled as a sweep, and nobody pays more than 40.
        (
            [[A], [B, C, D]], {"winner_doubles": ["sweep"], "most_paid": 40},
            [*cong(B, C, D), *left(D, "B")], [120, -40, -40, -40],
        ),
    ],
)  # fmt: skip
def test_games_paid_by_the_cards_left(placings, options, specials, nets):
    assert settled(DEM_LA, options, placings, specials) == nets


@pytest.mark.parametrize(
    ("placings", "options", "specials", "nets"),
    [
        ([[C], [A, B, D]], {}, [], [-1, -1, 3, -1]),
        ([[C], [A, B]], {}, [], [-1, -1, 2]),
        ([[A], [B]], {}, left(B, "R", "R"), [5, -5]),
        # Thối of every loser, not of one alone.
        (
            [[A], [B, C, D]], {}, [*left(B, "B"), *left(C, "PR3"), *left(D, "Q", "R")],
            [13, -2, -4, -7],
        ),
        ([[A], [B, C, D]], {"left_paid": False}, [], [3, -1, -1, -1]),
        # Cóng is two in place of one, and what he holds.
        ([[A], [B, C, D]], {}, [*cong(C), *left(C, "PR4")], [10, -1, -8, -1]),
        # Everybody is cóng.
        ([[B], [A, C, D]], {}, cong(A, C, D), [-2, 6, -2, -2]),
        # A chain at a table of three, chops three times their value.
        ([[A], [B, C]], {"chop_multiple": 3}, CHAIN, [2, 26, -28]),
        ([[D], [A, B, C]], {}, won(D), [-2, -2, -2, 6]),
        # Out with a bomb: two from each, and nobody pays more than five.
        (
            [[A], [B, C, D]], {"winner_doubles": ["bomb"], "most_paid": 5},
            [*left(D, "Q", "R"), *finish(A, "bomb")], [9, -2, -2, -5],
        ),
    ],
)  # fmt: skip
def test_games_in_which_the_first_takes_all(placings, options, specials, nets):
    assert settled(NHAT_AN_TAT, options, placings, specials) == nets


@pytest.mark.parametrize(
    ("placings", "options", "specials", "nets"),
    [
        ([[A], [B], [C], [D]], {"losers_pay": "first"}, [], [6, -2, -2, -2]),
        ([[A], [B], [C]], {"losers_pay": "first"}, cong(B), [6, -4, -2]),
        ([[A], [B], [C], [D]], {"losers_pay": "cards"}, cards(d=6), [6, 0, 0, -6]),
        ([[A], [B], [C], [D]], {"losers_pay": "cards"}, cong(D), [4, 0, 0, -4]),
        ([[A], [B], [C], [D]], {"left_paid": False}, cong(D), [4, 1, -1, -4]),
        ([[A], [B], [C], [D]], {"chops_paid": "each"}, CHAIN, [0, 3, -1, -2]),
        ([[A], [B], [C], [D]], {"most_paid": 1}, [*CHAIN, *left(D, "R")], [1, 7, -7, -1]),
        ([[A], [B], [C], [D]], {"winner_doubles": ["bomb"]}, finish(A, "bomb"), [4, 1, -1, -4]),
        ([[B], [A], [C]], {"winner_doubles": ["sweep"]}, cong(A, C), [-8, 16, -8]),
        ([[B], [A], [C]], {"winner_doubles": ["sweep"]}, cong(C), [0, 4, -4]),
        # With all lost to one, each of the rest is last: two, and his own cards.
        ([[A], [B, C]], {"all_lose": True}, left(C, "R"), [6, -2, -4]),
    ],
)  # fmt: skip
def test_games_paid_by_place_with_other_settings(placings, options, specials, nets):
    assert settled(BY_PLACE, options, placings, specials) == nets


@pytest.mark.parametrize(
    ("placings", "options", "specials", "nets"),
    [
        ([[A], [B, C, D]], {}, cards(b=4, c=6, d=1), [11, -4, -6, -1]),
        # C's only card is a red 2: four in place of one.
        ([[B], [A, C]], {}, [*cards(a=3, c=1), *left(C, "R")], [-3, 7, -4]),
        # Of seven cards a quad and two black 2s: eight and four, and one card besides.
        ([[A], [B]], {}, [*cards(b=7), *left(B, "Q", "B", "B")], [13, -13]),
        ([[A], [B]], {}, [*cards(b=9), *left(B, "PR4")], [9, -9]),
        # Link by link: A pays B 4, B pays C 6, C pays B 8.
        ([[D], [A, B, C]], {}, [*CHAIN, *cards(a=1, b=1, c=1)], [-5, 5, -3, 3]),
        # The last of the chain alone: C pays B 18.
        (
            [[D], [A, B, C]], {"chops_paid": "last"}, [*CHAIN, *cards(a=1, b=1, c=1)],
            [-1, 17, -19, 3],
        ),
        ([[A], [B, C]], {}, [*cards(b=2), *cong(C), *left(C, "PR3", "R")], [38, -2, -36]),
        ([[A], [B, C, D]], {}, [*cong(B, C, D), *left(D, "B")], [80, -26, -26, -28]),
        ([[C], [A, B]], {}, won(C), [-13, -13, 26]),
        ([[A], [B, C]], {"left_paid": False}, cards(b=5, c=2), [7, -5, -2]),
    ],
)  # fmt: skip
def test_games_of_the_north(placings, options, specials, nets):
    assert settled(NORTHERN, options, placings, specials) == nets


UNPLAYED = "2C 2D 9S 9C 9D 9H 4S 5H 7D 8C TC JS KD"
PLAIN = ("3C 4D 5S 6H 7S 8D TH JC QS QD KC AS AD", "3D 4C 5D 6S 7H 8H TS JD QC KH KS AC AH")
BESIDE = "3D 4C 5D 6S 7H 8D TS JD QC KH KS AC AH"
SWEEP, BY_BOMB = {"winner_doubles": ["sweep"]}, {"winner_doubles": ["bomb"]}
TWO_LINKS = [chop(B, A, "R"), chop(C, B, "PR3", chained=True)]


@pytest.mark.parametrize(
    ("rules", "options", "left_over", "plays", "specials", "nets"),
    [
        # Three: the quad on the three pairs costs B 2 + 3; a card each of A and B.
        (
            DEM_LA, {}, ("2H TH", f"{PR3} KH", f"{QUAD} 4D"), (A, "2H", B, PR3, C, QUAD, C, "4D"),
            [*TWO_LINKS, *cards(a=1, b=1)], [-1, -6, 7],
        ),
        # Link by link A pays B 2 and B pays C 3.
        (
            DEM_LA, {"chops_paid": "each"}, ("2H TH", f"{PR3} KH", f"{QUAD} 4D"),
            (A, "2H", B, PR3, C, QUAD, C, "4D"), [*TWO_LINKS, *cards(a=1, b=1)], [-3, -2, 5],
        ),
        # The chop is the last play: it is paid, 1, beside A's card and C's two.
        (
            DEM_LA, {}, ("2S TH", PR3, "4D 4H"), (A, "2S", B, PR3),
            [chop(B, A, "B"), *cards(a=1, c=2)], [-2, 4, -2],
        ),
        # And doubles what is paid for cards, not itself: A 2 + 2, C 2.
        (
            DEM_LA, BY_BOMB, ("2H TD", QUAD, "KH"), (A, "2H", B, QUAD),
            [chop(B, A, "R"), *cards(a=1, c=1), *finish(B, "bomb")], [-4, 6, -2],
        ),
        # A pair of 2s of both colours, 3, three times, which no limit holds; D's two cards.
        (
            DEM_LA, {"chop_multiple": 3, "most_paid": 4},
            ("2S 2D 5H", f"{QUAD} JH", "TH", "7H 7D"), (A, "2S 2D", B, QUAD, B, "JH"),
            [chop(B, A, "BR"), *cards(a=1, c=1, d=2)], [-10, 13, -1, -2],
        ),
        # The chopper does not win: B gets 2, and pays C for three cards.
        (
            DEM_LA, {}, ("2D KD", f"{PR3} 4D 5D 6H 7H", "TH", "JH QH"),
            (A, "2D", B, PR3, B, "4D", C, "TH"),
            [chop(B, A, "R"), *cards(a=1, b=3, d=2)], [-3, -1, 6, -2],
        ),
        # Two: cóng 26, a quad 4, a black 2 and a red one.
        (
            DEM_LA, {}, ("8H", UNPLAYED), (A, "8H"),
            [*cong(B), *left(B, "Q", "B", "R")], [33, -33],
        ),
        # Three: ten cards, four pairs 6 and two red 2s.
        (
            DEM_LA, {}, ("8H", "3D", f"{PR4} 2D 2H"), (A, "8H"),
            [*cards(b=1, c=10), *left(C, "PR4", "R", "R")], [21, -1, -20],
        ),
        # Counted once: of B's eight cards one, of D's five none.
        (
            DEM_LA, {"left_counted": False}, ("8H", f"{PR3} 2S KH", "QH", f"{QUAD} 2C"), (A, "8H"),
            [*cards(b=8, c=1, d=5), *left(B, "PR3", "B"), *left(D, "Q", "B")], [11, -5, -1, -5],
        ),
        # What is left is not paid for: a 2 is a card as any other.
        (
            DEM_LA, {"left_counted": False, "left_paid": False}, ("8H", "2S 4D 5D 7C TH JH"),
            (A, "8H"), cards(b=6), [6, -6],
        ),
        # Nobody else has played: 26 twice over from both.
        (DEM_LA, SWEEP, ("9H", *PLAIN), (A, "9H"), cong(B, C), [104, -52, -52]),
        # The same chain where all pay the first: 5 for it, and 1 whatever is held.
        (
            NHAT_AN_TAT, {}, ("2H TH TD", f"{PR3} KH KD", f"{QUAD} 4D"),
            (A, "2H", B, PR3, C, QUAD, C, "4D"), TWO_LINKS, [-1, -6, 7],
        ),
        (
            NHAT_AN_TAT, {"chops_paid": "each"}, ("2H TH TD", f"{PR3} KH KD", f"{QUAD} 4D"),
            (A, "2H", B, PR3, C, QUAD, C, "4D"), TWO_LINKS, [-3, -2, 5],
        ),
        # B chops, is chopped and chops back: C pays 2 + 3 + 4.
        (
            NHAT_AN_TAT, {}, ("2H JH", f"{PR3} {QUAD_HIGHER} 3D", f"{QUAD} KH"),
            (A, "2H", B, PR3, C, QUAD, B, QUAD_HIGHER, B, "3D"), CHAIN, [-1, 11, -10],
        ),
        # The winner was chopped himself, 1.
        (
            NHAT_AN_TAT, {}, ("2S KD", f"{PR3} 4D 5H", "3H"), (A, "2S", B, PR3, B, "4D", A, "KD"),
            [chop(B, A, "B")], [1, 0, -1],
        ),
        # A pair of 2s, 3, twice over.
        (
            NHAT_AN_TAT, {"chop_multiple": 2}, ("2S 2D 5H", f"{QUAD} JH", "TH", "7H 7D"),
            (A, "2S 2D", B, QUAD, B, "JH"), [chop(B, A, "BR")], [-7, 9, -1, -1],
        ),
        # Two: 1, a quad and two red 2s.
        (
            NHAT_AN_TAT, {}, ("8H", f"{QUAD} 2D 2H"), (A, "8H"),
            left(B, "Q", "R", "R"), [9, -9],
        ),
        # Three: a black 2 beside the 1; cóng 2 with a quad and two 2s.
        (
            NHAT_AN_TAT, {}, ("8H", "2S TD", UNPLAYED), (A, "8H"),
            [*left(B, "B"), *cong(C), *left(C, "Q", "B", "R")], [11, -2, -9],
        ),
        # Out with a bomb: B 1 + 2 + 2 twice over, of which 3 is the most; C 2.
        (
            NHAT_AN_TAT, BY_BOMB | {"most_paid": 3}, (QUAD, "2H 2D", "TH"), (A, QUAD),
            [*left(B, "R", "R"), *finish(A, "bomb")], [5, -3, -2],
        ),
        # Neither 2s nor bombs cost anything.
        (
            NHAT_AN_TAT, {"left_paid": False}, ("8H", f"{PR3} 2D", "2S"), (A, "8H"), [],
            [2, -1, -1],
        ),
        # A sweep doubles cóng, and what is held.
        (
            NHAT_AN_TAT, SWEEP, ("8H", BESIDE, UNPLAYED), (A, "8H"),
            [*cong(B, C), *left(C, "Q", "B", "R")], [22, -4, -18],
        ),
    ],
)  # fmt: skip
def test_tricky_games_come_to_the_same_played_and_entered(
    rules, options, left_over, plays, specials, nets
):
    sheet = endgame(rules.key, *left_over, options=options)
    for seat, played in zip(plays[::2], plays[1::2], strict=True):
        while sheet.seat != seat:
            sheet.passes(sheet.seat)
        sheet.plays(seat, played)
    assert sheet.result["finished"]
    sheet.nets(*nets)
    assert settled(rules, options, sheet.result["placings"], specials) == nets


def test_the_third_of_five_who_ends_before_a_shared_last_place_pays_nobody():
    paid = payments_from_placings(BY_PLACE, ((A,), (B,), (C,), (D, 4)))
    assert {payment.reason for payment in paid} == {"loser"}


@pytest.mark.parametrize(
    ("code", "placings", "specials"),
    [
        ("first_out", [[A], [B], [C]], cards(b=1, c=1)),
        ("first_out", [[A, B], [C]], cards(c=1)),
        ("cards_missing", [[A], [B, C]], cards(b=1)),
        ("counted_cong", [[A], [B, C]], [*cards(b=1, c=2), *cong(C)]),
        ("count", [[A], [B, C]], cards(b=1, c=13)),
        ("count", [[A], [B, C]], cards(b=1, c=0)),
        ("twice", [[A], [B]], [*cards(b=1), *cards(b=2)]),
        ("not_last", [[A], [B]], cards(a=1, b=2)),
        ("too_many_cards", [[A], [B]], [*cards(b=3), *left(B, "Q")]),
        ("not_offered", [[A], [B]], [*cards(b=3), *finish(A, "3S")]),
        ("players", [[A], [B]], [*cards(b=3), Special("finish", A, B, "3S")]),
    ],
)
def test_what_cannot_be_counted_is_refused(code, placings, specials):
    with pytest.raises(SpecialError) as refused:
        payments_of_game(DEM_LA, placings, specials)
    assert refused.value.code == code


def test_only_the_winner_finishes_and_once():
    rules = ruleset.with_options(DEM_LA, {"winner_doubles": ["bomb", "three_spades"]})
    for code, specials in (
        ("finish_first", finish(B, "bomb")),
        ("twice", [*finish(A, "bomb"), *finish(A, "3S")]),
        ("not_offered", finish(A, "PR3")),
    ):
        with pytest.raises(SpecialError) as refused:
            payments_of_game(rules, [[A], [B]], [*cards(b=3), *specials])
        assert refused.value.code == code
