"""What this project reads where a document leaves a rule open."""

from tests.rules.games import beats, chop, endgame, leads, rules, starts, table
from tests.rules.hands import (
    FOUR_TWOS,
    ONE_SUIT,
    PR3,
    PR3_HIGHER,
    PR4,
    PR5,
    QUAD,
    SIX_PAIRS,
    THREE_TRIPLES,
    ULTIMATE_DRAGON,
)
from tests.rules.marker import rule
from tests.rules.test_thirteen import ranked, swapped

LATER = {"placings": [[2], [0], [1], [3]], "chops": []}
OTHER_SIX_PAIRS = "3S 3H 4C 4D 6C 6H 8S 8D TD TH QS QH KD"


# Players, cards and counts


@rule("readings/table/1", flip={"card_counts": "hidden"})
def test_reading_card_counts_are_public():
    for ruleset in ("tien-len", "hawaii-killer", "penguin", "viet-cong", "killa"):
        assert table(ruleset, "5S 5C").plays(0, "5S 5C").counts(3) == [11, 13, 13, 13]


@rule("readings/table/2", flip={"twos_top_pair_runs": True})
def test_reading_family_pair_runs_hold_no_twos():
    assert leads("family", "QS QC KS KC AS AC")
    assert not leads("family", "KS KC AS AC 2S 2C")


@rule("readings/table/3", flip=[{"cards_each": {"3": 17}}, {"forward": False}])
def test_reading_hawaii_is_otherwise_the_main_game():
    assert starts("hawaii-killer", players=3, each=13)
    hawaii = rules("hawaii-killer")
    assert (hawaii["min_players"], hawaii["max_players"]) == (2, 4)
    assert (hawaii["direction"], hawaii["forward"]) == ("clockwise", True)
    table("hawaii-killer", "", THREE_TRIPLES).asks_seat(1, "instant_win")
    table("hawaii-killer", "", ULTIMATE_DRAGON).asks_seat(1, "instant_win")


@rule("readings/table/4", flip={"first_dealer": "highest_cut"})
def test_reading_first_dealer_is_drawn_or_agreed_on():
    dealers = {key: rules(key)["first_dealer"] for key in ("tien-len", "family", "penguin")}
    assert dealers == {"tien-len": "agreed", "family": "agreed", "penguin": "random"}


# Leads and tricks


@rule("readings/leads/2", flip={"later_games_led_by": "lowest"})
def test_reading_penguin_previous_winner_leads():
    sheet = table("penguin", "", "3S", "9S 9C", leader=None, previous=LATER).asks_seat(2)
    sheet.may("9S", "9S 9C")


@rule("readings/leads/3", flip={"forward": False})
def test_reading_hawaii_last_player_goes_forward():
    sheet = table("hawaii-killer", "6D 6H 8S 8H").plays(0, "6D 6H").passes(1, 2, 3).asks_seat(0)
    sheet.may_only("8S 8H", "pass")


@rule("readings/leads/4", flip={"pass_locks": False})
def test_reading_killa_locks_last_when_a_player_has_run_out():
    sheet = endgame("killa", "5S 9S 4D", "KS 3D", "7S", "6S 3H").plays(0, "5S").passes(1)
    sheet.plays(2, "7S").places(2).passes(3).plays(0, "9S").asks_seat(0)
    sheet.refuses(1, "play", cards="KS").passes(0).plays(0, "4D").places(2, 0).asks_seat(1)


@rule("readings/leads/5", flip={"chops": {"one_two": ["PR3", "PR4", "PR5", "Q"]}})
def test_reading_thirteen_four_pairs_do_not_beat_a_single_two():
    assert not beats("thirteen", "2H", by=PR4)


# Instant wins


@rule("readings/instant/1")
def test_reading_only_hands_of_thirteen_win_at_once():
    twos = "2S 2C 2D 2H"
    table("thirteen", "", twos, players=3, each=17).places().asks_seat(0, "play")
    options = {"deal_all": True}
    table("tien-len", "", twos, players=2, each=26, options=options).asks_seat(0, "play")


@rule("readings/instant/2")
def test_reading_four_of_a_rank_are_two_pairs():
    hand = "4S 4C 4D 4H 6D 6S 8C 8H TS TC QC QD KS"
    for ruleset in ("tien-len", "family", "killa"):
        table(ruleset, "", hand).asks_seat(1, "instant_win")
    table("thirteen", "", hand).places(1)


@rule("readings/instant/3", flip={"instant_win_then": "end"})
def test_reading_the_others_play_on_after_an_automatic_win():
    for ruleset in ("thirteen", "viet-cong"):
        sheet = table(ruleset, "5S", FOUR_TWOS).places(1).asks_seat(0).plays(0, "5S").asks_seat(2)
        assert sheet.result["finished"] is False


@rule("readings/instant/4", flip={"instant_win_order": "previous_placings"})
def test_reading_better_hands_then_earlier_seats_are_placed_first():
    for ruleset in ("tien-len", "hawaii-killer"):
        table(ruleset, "", SIX_PAIRS, FOUR_TWOS).declares(1).declares(2).places(2, 1)
        table(ruleset, "", SIX_PAIRS, OTHER_SIX_PAIRS).declares(1).declares(2).places(1, 2)


@rule(
    "readings/instant/5",
    flip=[
        swapped("one_colour", "six_pairs"),
        swapped("one_colour", "six_consecutive_pairs"),
        swapped("one_suit", "dragon"),
        swapped("one_suit", "four_twos"),
    ],
)
def test_reading_where_one_colour_and_one_suit_rank():
    black = "3C 4S 4C 6S 7C 8S 9C TS JC JS KS KC AS"
    ranked("3D 3H 5D 5H 7D 7H 9D 9H JD JH QD QH 2S", black)
    ranked(black, "4D 4H 5D 5H 6D 6H 7D 7H 8D 8H 9D 9H 2S")
    ranked("3D 4D 5S 6S 7D 8D 9S TS JS QC KC AC 2S", ONE_SUIT)
    ranked(ONE_SUIT, "2S 2C 2D 2H 3S 4C 5D 6S 7S 8D 9C JS KD")


@rule("readings/instant/6", flip={"instant_win_order": "listed"})
def test_reading_family_declarers_of_a_first_game_are_placed_by_seat():
    four_triples = "5S 5C 5D 7S 7C 7D 9D 9H 9C JS JC JD KH"
    sheet = table("family", "", SIX_PAIRS, four_triples).declares(1).declares(2)
    sheet.places(1, 2).asks_seat(0)


@rule("readings/instant/7")
def test_reading_next_seat_leads_freely_when_the_previous_winner_has_declared():
    hands = ("", "9S 9C", SIX_PAIRS, "9D 9H")
    sheet = table("tien-len", *hands, leader=None, previous=LATER).declares(2)
    sheet.asks_seat(3).may("9D", "9D 9H")
    table("thirteen", *hands, leader=None, previous=LATER).asks_seat(3).may("9D", "9D 9H")


# Cards that change hands


@rule("readings/exchange/1")
def test_reading_who_exchanged_cards_declares_nothing():
    previous = {"placings": [[0], [1], [2], [3]], "chops": [chop(by=2, of=1)]}
    untouched = table("family", "", SIX_PAIRS, "3S 5S", leader=None, previous=previous)
    untouched.asks(2, "Q").returns(2, "QD").asks_seat(0, "play").holds(1, "QD")
    trade = table("tien-len", "3S 4C", SIX_PAIRS, options={"exchange": ["negotiated"]})
    trade.trades(0, 1, give="3S", take="KS").trades(0, 1, give="KS", take="3S")
    trade.asks_seat(0, "play")


@rule("readings/exchange/2")
def test_reading_only_chains_on_twos_are_owed_for():
    def after(*chops: dict):
        previous = {"placings": [[3], [2], [1], [0]], "chops": list(chops)}
        return table("family", "4S 4C 4D", "5S", leader=None, previous=previous)

    after(chop(by=1, of=0, on=PR3, cards=PR3_HIGHER)).asks_seat(3, "play")
    third = chop(by=1, of=0, on=PR3, cards=PR3_HIGHER, level=3)
    chain = after(chop(by=2, of=3), chop(by=0, of=2, on=PR3, level=2), third)
    assert chain.settles_by_asking() == [2, 0, 0, 1, 1, 1]


@rule("readings/exchange/3", flip={"exchange": []})
def test_reading_second_player_takes_one_from_the_last_but_one():
    previous = {"placings": [[0], [1], [2], [3]], "chops": []}
    hands = ("3S 4S", "5S 6S", "3C 2S", "2D 2H")
    options = {"exchange": ["winner_takes"]}
    sheet = table("thirteen", *hands, leader=None, previous=previous, options=options)
    sheet.returns(0, "3S 4S").holds(1, "2S").may("return 5S", "return 2S").returns(1, "5S")
    sheet.holds(2, "5S").asks_seat(0, "play")


@rule("readings/exchange/4", flip={"chop_debt_cards": "highest_card"})
def test_reading_who_lacks_a_two_owes_no_more():
    on_a_pair = chop(by=1, of=0, on="2S 2C", cards=PR4)
    previous = {"placings": [[3], [2], [1], [0]], "chops": [on_a_pair]}
    options = {"exchange": ["chop_debt"], "chop_debt_cards": "highest_two"}
    one = table("tien-len", "2S AH", "3S 2C 2D 2H", leader=None, previous=previous, options=options)
    one.holds(1, "2S").holds(0, "AH").asks_seat(1, "exchange").may("return 3S").returns(1, "3S")
    one.asks_seat(3, "play")
    none = table(
        "tien-len", "AH", "2S 2C", "2D 2H", leader=None, previous=previous, options=options
    )
    none.asks_seat(3, "play").holds(0, "AH")


@rule("readings/exchange/5", flip={"exchange": []})
def test_reading_losers_highest_twos_move_and_any_cards_return():
    previous = {"placings": [[1], [2], [3], [0]], "chops": [], "hands": ["2S 2C", "", "", ""]}
    options = {"exchange": ["twos_left"]}
    hands = ("2C 2D 2H", "3S 4S")
    sheet = table("tien-len", *hands, leader=None, previous=previous, options=options)
    sheet.holds(1, "2D 2H").holds(0, "2C").may("return 3S 4S", "return 3S 2H", "return 2D 2H")


# Options and money


@rule("readings/play/1", "tien-len/house-rules/33", flip={"pair_run_opens": False})
def test_reading_three_pairs_that_may_open_never_chop_a_two():
    options = {"pair_run_opens": True}
    sheet = table("tien-len", "2S 5D", PR3, options=options).passes(0, 1, 2, 3).plays(0, "5D")
    sheet.passes(1, 2, 3).passes(0).plays(0, "2S").asks_seat(1).may_not(PR3)


@rule("readings/play/2")
def test_reading_killa_beating_ones_own_bomb_pays_and_voids_nothing():
    sheet = table("killa", "2S", f"{PR3} {QUAD}").plays(0, "2S").plays(1, PR3)
    sheet.passes(2, 3, 0).plays(1, QUAD).passes(1).pays((0, 1, 1, "chop"))
    sheet.chopped((1, 0, PR3, "2S", 1), (1, 1, QUAD, PR3, 2))


@rule("readings/play/3", flip={"locked_out_chops": []})
def test_reading_killa_beating_a_bomb_that_beat_its_own_voids_what_the_first_earned():
    options, reds = {"locked_out_chops": ["PR5"]}, "4D 4H 5D 5H 6D 6H"
    sheet = table("killa", f"2S {PR5}", f"{reds} {QUAD}", options=options).plays(0, "2S")
    sheet.plays(1, reds).passes(2, 3, 0).plays(1, QUAD).passes(2, 3).plays(0, PR5)
    sheet.passes(1).passes(0).pays((1, 0, 2, "chop")).nets(2, -2, 0, 0)
