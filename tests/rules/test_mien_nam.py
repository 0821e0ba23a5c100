"""The Southern money game, `mien-nam`."""

from tests.rules.games import beats, endgame, leads, starts, table
from tests.rules.hands import (
    DRAGON_TO_ACE,
    FIVE_CONSECUTIVE_PAIRS,
    FOUR_TWOS,
    PR3,
    PR4,
    PR4_HIGHER,
    PR5,
    PR5_HIGHER,
    QUAD,
    SIX_PAIRS,
)
from tests.rules.marker import rule

LATER = {"placings": [[2], [0], [1], [3]], "chops": []}
INSTANT = ("four_twos", "dragon_to_ace", "five_consecutive_pairs", "six_pairs")
NO_MONEY = {"betting": "none"}


def without(*names: str) -> dict:
    """Return the flip that takes instant wins out of the list."""
    return {"instant_wins": [name for name in INSTANT if name not in names]}


# Table and play


@rule("mien-nam/table/1", flip={"cards_each": {"3": 17}})
def test_mien_nam_deals_thirteen_to_two_to_four():
    assert [n for n in (2, 3, 4) if starts("mien-nam", players=n, each=13)] == [2, 3, 4]
    assert not starts("mien-nam", players=3, each=17)
    assert not starts("mien-nam", players=5, each=10)


@rule("mien-nam/table/2", flip={"later_games_led_by": "lowest"})
def test_mien_nam_previous_winner_leads():
    sheet = table("mien-nam", "", "3S", "9S 9C", leader=None, previous=LATER).asks_seat(2)
    sheet.may("9S", "9S 9C")


@rule("mien-nam/table/3", flip={"pass_locks": False})
def test_mien_nam_pass_locks_out():
    sheet = table("mien-nam", "5S 9S 4D", "8S", "7S", "6S").plays(0, "5S").passes(1)
    sheet.plays(2, "7S").passes(3).plays(0, "9S").asks_seat(2).passes(2)
    sheet.asks_seat(0).plays(0, "4D").asks_seat(1).may("8S")


@rule("mien-nam/table/4", flip={"forward": True})
def test_mien_nam_unbeaten_player_leads_at_once():
    sheet = table("mien-nam", "5S 9S 4D").plays(0, "5S").passes(1, 2, 3).asks_seat(0)
    sheet.may("4D", "9S").may_not("pass")


@rule("mien-nam/table/5", flip={"twos_top_straights": True})
def test_mien_nam_straight_holds_no_two():
    assert leads("mien-nam", "QS KC AD")
    assert not leads("mien-nam", "KC AD 2S")


@rule("mien-nam/table/6", flip={"twos_top_pair_runs": True})
def test_mien_nam_pair_run_holds_no_two():
    assert leads("mien-nam", "QS QC KS KC AS AC")
    assert not leads("mien-nam", "KS KC AS AC 2S 2C")


@rule("mien-nam/table/7")
def test_mien_nam_last_card_may_be_a_two():
    endgame("mien-nam", "2H", "3S TH", "4S 5S").plays(0, "2H").places(0)


# Chops


@rule(
    "mien-nam/chops/1",
    flip=[
        {"chops": {"one_two": ["PR4", "PR5", "Q"]}},
        {"chops": {"one_two": ["PR3", "PR5", "Q"]}, "locked_out_chops": []},
        {"chops": {"one_two": ["PR3", "PR4", "Q"]}},
        {"chops": {"one_two": ["PR3", "PR4", "PR5"]}},
    ],
)
def test_mien_nam_what_beats_a_single_two():
    for bomb in (PR3, PR4, PR5, QUAD):
        assert beats("mien-nam", "2H", by=bomb)


@rule(
    "mien-nam/chops/2",
    flip=[
        {"chops": {"two_twos": ["PR4"]}},
        {"chops": {"two_twos": ["PR5"]}, "locked_out_chops": []},
        {"chops": {"two_twos": ["PR4", "PR5", "Q"]}},
    ],
)
def test_mien_nam_what_beats_a_pair_of_twos():
    for bomb in (PR4, PR5):
        assert beats("mien-nam", "2D 2H", by=bomb)
    for bomb in (PR3, QUAD):
        assert not beats("mien-nam", "2D 2H", by=bomb)


@rule("mien-nam/chops/3", flip={"chops": {"two_twos": ["PR4", "PR5"]}})
def test_mien_nam_quad_may_beat_a_pair_of_twos():
    options = {"chops": {"two_twos": ["PR4", "PR5", "Q"]}}
    assert beats("mien-nam", "2D 2H", by=QUAD, options=options)


@rule(
    "mien-nam/chops/4",
    flip=[{"chops": {"three_twos": []}}, {"chops": {"three_twos": ["PR4", "PR5"]}}],
)
def test_mien_nam_what_beats_three_twos():
    assert beats("mien-nam", "2C 2D 2H", by=PR5)
    for bomb in (PR3, PR4, QUAD):
        assert not beats("mien-nam", "2C 2D 2H", by=bomb)


@rule(
    "mien-nam/chops/5", flip=[{"chops": {"PR3": ["PR4", "PR5"]}}, {"chops": {"PR3": ["Q", "PR4"]}}]
)
def test_mien_nam_what_beats_three_pairs():
    for bomb in (QUAD, PR4_HIGHER, PR5_HIGHER):
        assert beats("mien-nam", PR3, by=bomb)


@rule(
    "mien-nam/chops/6",
    flip=[
        {"chops": {"Q": ["PR5"]}, "locked_out_chops": []},
        {"chops": {"Q": ["PR4"]}},
        {"chops": {"Q": ["PR3", "PR4", "PR5"]}},
    ],
)
def test_mien_nam_what_beats_a_quad():
    for bomb in (PR4, PR5):
        assert beats("mien-nam", QUAD, by=bomb)
    assert not beats("mien-nam", QUAD, by=PR3)


@rule("mien-nam/chops/7", flip=[{"chops": {"PR4": []}}, {"chops": {"PR4": ["PR5", "Q"]}}])
def test_mien_nam_what_beats_four_pairs():
    assert beats("mien-nam", PR4, by=PR5_HIGHER)
    assert not beats("mien-nam", PR4, by=QUAD)


@rule("mien-nam/chops/8", flip={"chops": {"four_twos": ["PR5"]}})
def test_mien_nam_nothing_beats_four_twos():
    for bomb in (PR3, PR4, PR5, QUAD):
        assert not beats("mien-nam", "2S 2C 2D 2H", by=bomb)


@rule("mien-nam/chops/9", flip=[{"locked_out_chops": []}, {"locked_out_chops": ["PR4", "PR5"]}])
def test_mien_nam_only_four_pairs_chop_after_a_pass():
    options = {"instant_wins": []}
    for twos, low in (("2H", "3S"), ("2D 2H", "3S 3C")):
        sheet = table("mien-nam", low, PR5, twos, options=options).plays(0, low).passes(1)
        sheet.plays(2, twos).passes(3, 0).asks_seat(1).may(PR4, "pass").may_not(PR5)
    quad = table("mien-nam", "3S", QUAD, "2H").plays(0, "3S").passes(1).plays(2, "2H")
    quad.passes(3, 0).asks_seat(1).may_only("pass")


# Tới trắng


@rule("mien-nam/instant/1", flip=without("four_twos"))
def test_mien_nam_four_twos_win_at_once():
    table("mien-nam", "", FOUR_TWOS).over(1, (0, 2, 3))


@rule("mien-nam/instant/2", flip=without("dragon_to_ace"))
def test_mien_nam_three_to_ace_wins_at_once():
    table("mien-nam", "", DRAGON_TO_ACE).over(1, (0, 2, 3))


@rule("mien-nam/instant/3", flip=without("six_pairs"))
def test_mien_nam_six_pairs_win_at_once():
    table("mien-nam", "", SIX_PAIRS).over(1, (0, 2, 3))


@rule("mien-nam/instant/4", flip=without("five_consecutive_pairs"))
def test_mien_nam_five_consecutive_pairs_win_at_once():
    table("mien-nam", "", FIVE_CONSECUTIVE_PAIRS).over(1, (0, 2, 3))


@rule("mien-nam/instant/5", flip={"instant_wins_declared": "choice"})
def test_mien_nam_instant_wins_are_declared_by_themselves():
    table("mien-nam", "", SIX_PAIRS).asks_seat(None, "over")


@rule("mien-nam/instant/6", flip={"instant_win_then": "play_on"})
def test_mien_nam_instant_win_ends_the_game():
    table("mien-nam", "", "", SIX_PAIRS, players=3).over(2, (0, 1))


@rule("mien-nam/instant/7", flip=[{"money": {"instant_win": 5}}, NO_MONEY])
def test_mien_nam_each_other_pays_four_for_an_instant_win():
    sheet = table("mien-nam", "2S 2H", SIX_PAIRS, stake=10)
    sheet.pays(*((seat, 1, 40, "instant_win") for seat in (0, 2, 3))).nets(-40, 120, -40, -40)


def listed(*names: str) -> dict:
    """Return the flip that lists the instant wins in another order."""
    return {"instant_wins": list(names)}


@rule(
    "mien-nam/instant/8",
    flip=[
        listed("dragon_to_ace", "four_twos", "five_consecutive_pairs", "six_pairs"),
        listed("four_twos", "five_consecutive_pairs", "dragon_to_ace", "six_pairs"),
        listed("four_twos", "dragon_to_ace", "six_pairs", "five_consecutive_pairs"),
    ],
)
def test_mien_nam_only_the_best_instant_win_is_paid():
    twos = "2S 2C 2D 2H 4C 5D 5H 7S 8D 9C JH JS KD"
    dragon = "3H 4D 5S 6S 7D 8C 9D TD JC QC KC AC AD"
    five = "3S 3C 4S 4H 5C 5D 6C 6D 7S 7C 9H QD KS"
    six = "3D 3H 8S 8H 9S 9C TS TH QS QH AS AH 2S"
    table("mien-nam", "", dragon, twos).over(2, (0, 1, 3)).nets(-4, -4, 12, -4)
    table("mien-nam", "", five, "3H 4D 5S 6S 7D 8C 9D TD JC QC KC AC AD").over(2, (0, 1, 3))
    table("mien-nam", "", six, five.replace("9H", "9D")).over(2, (0, 1, 3)).nets(-4, -4, 12, -4)


@rule("mien-nam/instant/9")
def test_mien_nam_of_two_alike_the_one_asked_first_wins():
    other = "3S 3H 4C 4D 6C 6H 8S 8D TD TH QS QH KD"
    table("mien-nam", "", SIX_PAIRS, "", other, leader=2).over(3, (0, 1, 2))
    table("mien-nam", "", SIX_PAIRS, "", other, leader=0).over(1, (0, 2, 3))
