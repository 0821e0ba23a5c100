"""Document `tien-len`, last section: the Hawaiian variant."""

from tests.rules.games import beats, leads, starts, table
from tests.rules.hands import PR3, PR4, PR5, PR5_HIGHER, QR2, QR3, QUAD
from tests.rules.marker import rule

LATER = {"placings": [[2], [0], [1], [3]], "chops": []}


@rule("tien-len/hawaii/1", flip={"cards_each": {"2": 26}})
def test_hawaii_deals_thirteen_each_to_two_or_four():
    assert starts("hawaii-killer", players=2, each=13)
    assert starts("hawaii-killer", players=4, each=13)
    assert not starts("hawaii-killer", players=2, each=26)


@rule("tien-len/hawaii/3", flip=[{"first_play": "any"}, {"later_games_led_by": "winner"}])
def test_hawaii_every_game_begins_with_the_lowest_card_single_pair_or_straight():
    hand = "3S 3C 3D 3H 4S 4C 5S 5C 9H"
    for previous in (None, LATER):
        sheet = table("hawaii-killer", "", hand, leader=None, previous=previous).asks_seat(1)
        sheet.may("3S", "3S 3C", "3S 4C 5C").may_not("9H", "3C")
        sheet.may_not("3S 3D 3H", "3S 3C 3D 3H", "3S 3C 4S 4C 5S 5C")


@rule("tien-len/hawaii/4", flip={"twos_top_straights": True})
def test_hawaii_straight_holds_no_two():
    assert leads("hawaii-killer", "QS KC AD")
    assert not leads("hawaii-killer", "KC AD 2S")


@rule(
    "tien-len/hawaii/5",
    flip=[{"chops": {"one_two": ["PR3", "Q"]}}, {"chops": {"one_two": ["PR3+"]}}],
)
def test_hawaii_quads_and_pair_runs_of_three_and_more_are_bombs():
    for bomb in (QUAD, PR3, PR4, PR5):
        assert beats("hawaii-killer", "2H", by=bomb)


@rule("tien-len/hawaii/6", flip={"chops": {"one_two": ["PR3+", "Q", "QR2"]}})
def test_hawaii_only_bombs_beat_a_two():
    for other in ("AH", "AS AC", "AS AC AD", "4S 5S 6S", "5H 8H KH", QR2):
        assert not beats("hawaii-killer", "2S", by=other)


@rule("tien-len/hawaii/7", flip=[{"chops": {"PR3": []}}, {"chops": {"Q": ["PR3"]}}])
def test_hawaii_quad_beats_three_pairs():
    assert beats("hawaii-killer", PR3, by=QUAD)
    assert not beats("hawaii-killer", QUAD, by=PR3)


@rule("tien-len/hawaii/8", flip=[{"exchange": ["negotiated"]}, {"straight_flush_locks": "always"}])
def test_hawaii_has_no_trades_and_no_locks():
    table("hawaii-killer", "5S", "7S").refuses(
        0, "trade", **{"with": 1, "give": "5S", "take": "7S"}
    )
    assert beats("hawaii-killer", "4S 5S 6S", by="7S 8C 9D")


@rule("tien-len/hawaii/10", flip={"pass_locks": True})
def test_hawaii_pass_may_leave_the_next_turn_open():
    options = {"pass_locks": False}
    sheet = table("hawaii-killer", "5S", "TS", "7S", options=options).plays(0, "5S").passes(1)
    sheet.plays(2, "7S").passes(3, 0).asks_seat(1).plays(1, "TS")


@rule(
    "tien-len/hawaii/11",
    "tien-len/hawaii/12",
    flip=[{"chops": {"two_twos": []}}, {"chops": {"three_twos": []}}],
)
def test_hawaii_runs_of_quads_may_beat_two_and_three_twos():
    options = {"chops": {"two_twos": ["PR4", "QR2"], "three_twos": ["PR5", "QR3"]}}
    assert not beats("hawaii-killer", "2D 2H", by=QR2)
    assert beats("hawaii-killer", "2D 2H", by=QR2, options=options)
    assert beats("hawaii-killer", "2C 2D 2H", by=QR3, options=options)
    assert not beats("hawaii-killer", "2C 2D 2H", by=QR2, options=options)


@rule(
    "tien-len/hawaii/13",
    "tien-len/hawaii/14",
    flip=[{"chops": {"two_twos": []}}, {"chops": {"three_twos": []}}],
)
def test_hawaii_longer_pair_runs_may_beat_two_and_three_twos():
    options = {"chops": {"two_twos": ["PR4", "QR2"], "three_twos": ["PR5", "QR3"]}}
    assert not beats("hawaii-killer", "2D 2H", by=PR4)
    assert beats("hawaii-killer", "2D 2H", by=PR4, options=options)
    assert beats("hawaii-killer", "2C 2D 2H", by=PR5_HIGHER, options=options)
    assert not beats("hawaii-killer", "2D 2H", by=PR3, options=options)
