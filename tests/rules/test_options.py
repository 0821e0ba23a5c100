"""Options, exchanges and money, beyond what the documents say."""

from tests.rules.deal import PACK
from tests.rules.games import beats, chop, endgame, leads, starts_with, table
from tests.rules.hands import PR3, PR3_HIGHER, PR4, PR4_HIGHER, PR5, QUAD, QUAD_HIGHER, SIX_PAIRS
from tests.rules.marker import rule
from tests.rules.sheet import Sheet

LATER = {"placings": [[2], [0], [1], [3]], "chops": []}
OFF = {"exchange": []}
OTHER_SIX_PAIRS = "3S 3H 4C 4D 6C 6H 8S 8D TD TH QS QH KD"


# Two decks


@rule("options/two-decks/1")
def test_two_decks_equal_card_does_not_beat():
    five = {"players": 5, "decks": 2}
    assert not beats("thirteen", "5S", by="5S", **five)
    assert not beats("thirteen", "5S 5H", by="5C 5H", **five)
    assert beats("thirteen", "5S", by="5C", **five)


@rule("options/two-decks/2")
def test_two_decks_no_combination_has_five_of_a_rank():
    five = {"players": 5, "decks": 2}
    assert leads("thirteen", "5S 5S 5C 5C", **five)
    assert leads("thirteen", "5S 5S 6C 6C 7D 7D", **five)
    assert not leads("thirteen", "5S 5S 5C 5C 5D", **five)


@rule("options/two-decks/3")
def test_two_decks_lower_seat_leads_with_the_same_lowest_card():
    hands = ("", "", "3S", "", "3S")
    sheet = table("thirteen", *hands, players=5, decks=2, leader=None).asks_seat(2)
    sheet.may("3S")


@rule("options/two-decks/4")
def test_two_decks_any_four_twos_win_at_once():
    hand = "2S 2S 2C 2H 4C 5D 5H 7S 8D 9C JH QS KD"
    table("thirteen", "", hand, players=5, decks=2).places(1)


# Deal, counts, leads


@rule("options/deal/1", flip={"deal_all": False})
def test_whole_pack_may_be_dealt_to_three():
    hands = [" ".join(PACK[seat::3]) for seat in range(3)]
    assert [len(hand.split()) for hand in hands] == [18, 17, 17]
    options = {"deal_all": True, "instant_wins": []}
    assert starts_with("tien-len", hands, options=options)
    assert not starts_with("tien-len", [hand[:-3] for hand in hands], options=options)


@rule("options/deal/2", flip={"card_counts": "public"})
def test_card_counts_may_be_hidden():
    sheet = table("tien-len", "5S", options={"card_counts": "hidden"}).plays(0, "5S")
    assert sheet.counts(0) == [12, None, None, None]
    assert sheet.counts(None) == [None, None, None, None]


@rule("options/leads/1")
def test_lowest_card_leads_when_the_previous_winner_has_left():
    for ruleset in ("tien-len", "thirteen", "penguin", "family", "mien-nam"):
        gone = LATER | {"gone": [2]}
        sheet = table(ruleset, "", "3S 9D", "9S", leader=None, previous=gone).asks_seat(1)
        sheet.may("3S").may_not("9D")


@rule("options/leads/2")
def test_named_leader_leads_freely():
    for ruleset in ("tien-len", "penguin", "killa", "hawaii-killer"):
        sheet = table(ruleset, "", "3S", "", "9S 9C 9D", leader=3, previous=LATER).asks_seat(3)
        sheet.may("9S", "9S 9C 9D")


@rule("options/leads/3", flip=OFF)
def test_lowest_card_is_seen_after_all_exchanges():
    previous = {"placings": [[1], [2], [3], [0]], "chops": [chop(by=1, of=0)]}
    options = {"exchange": ["chop_debt"], "chop_debt_cards": "highest_card"}
    sheet = table("killa", "2H", "3S 4D", leader=None, previous=previous, options=options)
    sheet.returns(1, "3S").asks_seat(0).may("3S").may_not("pass")


@rule("options/leads/4", flip={"later_games_led_by": "winner"})
def test_lowest_card_may_lead_where_the_winner_did():
    options = {"later_games_led_by": "lowest"}
    sheet = table("tien-len", "", "3S 9D", "9S", leader=None, previous=LATER, options=options)
    sheet.asks_seat(1).may("3S").may_not("9D")


# Instant wins


@rule("options/instant/1", "options/instant/3")
def test_all_holders_are_asked_in_order_before_any_declaration_takes_effect():
    hands = ("", SIX_PAIRS, "", OTHER_SIX_PAIRS)
    sheet = table("tien-len", *hands, leader=2).asks_seat(3, "instant_win").declares(3)
    sheet.places().asks_seat(1, "instant_win").declares(1).places(3, 1).asks_seat(2)


@rule("options/instant/2")
def test_answers_are_private_and_refusals_stay_so():
    hands = ("", SIX_PAIRS, OTHER_SIX_PAIRS)
    sheet = table("tien-len", *hands).declares(1)
    assert [sheet.told(seat) for seat in (0, 1, 2, None)] == [[], ["1 declare"], [], []]
    sheet.declines(2)
    assert sheet.told(0) == ["1 declare"]
    assert sheet.told(2) == ["1 declare", "2 decline"]


@rule("options/instant/4")
def test_lowest_card_left_leads_after_a_declaration_and_is_played():
    hand = SIX_PAIRS.replace("3C 3D", "3S 3C")
    sheet = table("tien-len", "", hand, "3D 9S", "3H", leader=None).declares(1).asks_seat(2)
    sheet.may("3D").may_not("9S")


@rule("options/instant/5")
def test_declarer_is_out_with_his_cards():
    sheet = table("tien-len", "5S", SIX_PAIRS).declares(1).plays(0, "5S").asks_seat(2)
    assert sheet.result["hands"][1] == " ".join(sorted(SIX_PAIRS.split(), key=PACK.index))


@rule("options/instant/6", flip={"instant_wins": ["six_pairs"]})
def test_two_bombs_without_a_common_card_may_win():
    options = {"instant_wins": ["two_bombs"], "instant_wins_declared": "automatic"}
    options |= {"instant_win_then": "end"}
    for hand in (f"{QUAD} {PR3} 3D KC 2S", f"{QUAD} {QUAD_HIGHER} 3D 4D 6H 8S KC"):
        table("tien-len", "", hand, options=options, leader=None).over(1, (0, 2, 3))
    overlapping = "4S 4C 5S 5C 5D 5H 6S 6C 8D TC JH KC AS"
    table("tien-len", "", overlapping, options=options).asks_seat(0)


# Exchanges


def after(ruleset: str, *hands: str, chops: list[dict] | None = None, **record) -> Sheet:
    """Return the game after one that seat 3 won before 2, 1 and 0."""
    previous = {"placings": [[3], [2], [1], [0]], "chops": chops or []} | record.pop("past", {})
    return table(ruleset, *hands, leader=None, previous=previous, **record)


@rule("options/go-fish/1", flip=OFF)
def test_go_fish_returned_card_may_be_the_one_received():
    sheet = after("family", "7D", "7S", "7C 7H", chops=[chop(by=1, of=0)]).asks(1, "7")
    sheet.holds(1, "7D").returns(1, "7D").holds(0, "7D").asks_seat(3, "play")


@rule("options/go-fish/2")
def test_go_fish_beating_ones_own_bomb_owes_nothing():
    chain = [chop(by=1, of=0), chop(by=1, of=1, on=PR3, level=2)]
    assert after("family", chops=chain).settles_by_asking() == [1]


@rule("options/go-fish/3")
def test_go_fish_debt_lapses_when_a_player_is_gone():
    for gone in (0, 1):
        after("family", chops=[chop(by=1, of=0)], past={"gone": [gone]}).asks_seat(3, "play")
    after("family", chops=[chop(by=1, of=0)], past={"gone": [2]}).asks_seat(1, "exchange")


TAKES = {"exchange": ["winner_takes"]}


@rule("options/winner-takes/1", flip=OFF)
def test_winner_takes_both_takes_come_before_the_returns():
    hands = ("2D 2H", "2C", "3S 4S", "5S 6S 7S")
    sheet = after("thirteen", *hands, options=TAKES).asks_seat(3, "exchange")
    sheet.holds(3, "2D 2H").holds(2, "2C").returns(3, "5S 6S").asks_seat(2, "exchange")
    sheet.returns(2, "3S").asks_seat(3, "play")


@rule("options/winner-takes/2", flip=OFF)
def test_winner_takes_first_and_last_only_with_three_players():
    previous = {"placings": [[0], [1], [2]], "chops": []}
    sheet = table("thirteen", "3S 4S", "3C", "2D 2H", players=3, each=17, leader=None,
                  previous=previous, options=TAKES)  # fmt: skip
    sheet.holds(0, "2D 2H").returns(0, "3S 4S").asks_seat(0, "play")


@rule("options/winner-takes/3")
def test_winner_takes_nothing_when_a_place_was_shared():
    shared = {"placings": [[3], [2], [0, 1]]}
    after("thirteen", "2D 2H", options=TAKES, past=shared).asks_seat(3, "play").holds(0, "2D 2H")


TRADES = {"exchange": ["negotiated"]}


@rule("options/negotiated/1")
def test_trades_are_taken_until_the_first_action():
    trade = {"with": 1, "give": "5S", "take": "9C"}
    hands = ("5S", "9C", OTHER_SIX_PAIRS)
    sheet = table("tien-len", "5S 6S", "9C", options=TRADES).plays(0, "6S")
    sheet.refuses(0, "trade", **trade)
    asked = table("tien-len", *hands, options=TRADES).asks_seat(2, "instant_win")
    asked.trades(0, 1, give="5S", take="9C").declines(2)
    asked.refuses_trade(0, 1, give="9C", take="5S")


@rule("options/negotiated/2")
def test_nobody_trades_what_he_does_not_hold():
    sheet = table("tien-len", "5S", "9C", "8C", options=TRADES)
    sheet.refuses_trade(0, 1, give="8C", take="9C")
    sheet.refuses_trade(0, 1, give="5S", take="8C")
    sheet.refuses_trade(0, 0, give="5S", take="5S")


DEBT = {"exchange": ["chop_debt"]}


@rule("options/chop-debt/1", flip=OFF)
def test_chop_debts_are_settled_oldest_first_each_with_its_return():
    hands = ("2H 3C", "3S 2C", "2S 2D 4S")
    two = [chop(by=1, of=0), chop(by=2, of=1, on="2C")]
    sheet = after("tien-len", *hands, chops=two, options=DEBT).asks_seat(1, "exchange")
    sheet.holds(1, "2H 2C").returns(1, "3S").asks_seat(2, "exchange").holds(2, "2H")
    sheet.returns(2, "4S").holds(1, "2C 4S").asks_seat(3, "play")


@rule("options/chop-debt/2", flip=OFF)
def test_chop_debtor_may_declare_other_hands():
    sheet = after("tien-len", SIX_PAIRS.replace("KS", "2S"), "3S", chops=[chop(by=1, of=0)],
                  options=DEBT)  # fmt: skip
    sheet.asks_seat(1, "exchange").holds(1, "2S").returns(1, "3S").asks_seat(0, "instant_win")


@rule("options/chop-debt/4")
def test_chop_debt_leaves_instant_wins_to_the_hand_as_dealt():
    sheet = after("tien-len", "2S", SIX_PAIRS, chops=[chop(by=1, of=0)], options=DEBT)
    sheet.returns(1, "QD").asks_seat(1, "instant_win").lacks(1, "QD")


@rule("options/chop-debt/3")
def test_chop_debt_is_not_owed_for_chains_that_began_on_a_bomb():
    led = [chop(by=1, of=0, on=PR3, cards=PR3_HIGHER)]
    after("tien-len", "2S", chops=led, options=DEBT).asks_seat(3, "play").holds(0, "2S")


# Bombs


@rule("options/bombs/1", flip={"chops": {"one_two": ["PR3", "Q"]}})
def test_four_pairs_may_chop_a_single_two():
    assert beats("tien-len", "2H", by=PR4, options={"chops": {"one_two": ["PR3", "PR4", "Q"]}})


@rule("options/bombs/2", flip={"chops": {"two_twos": ["PR4", "QR2"]}})
def test_five_pairs_may_chop_a_pair_of_twos():
    options = {"chops": {"two_twos": ["PR4", "PR5", "QR2"]}}
    assert beats("tien-len", "2D 2H", by=PR5, options=options)


@rule("options/bombs/3", flip={"quads_beat_pair_runs": False})
def test_quads_may_beat_pair_runs_of_any_length():
    options = {"quads_beat_pair_runs": True}
    for ruleset, runs in (("family", (PR3, PR4)), ("penguin", (PR3, PR4, PR5))):
        for run in runs:
            assert beats(ruleset, run, by=QUAD, options=options)


# Chops by players who have passed

FOUR = {"locked_out_chops": ["PR4"]}


@rule("options/out-of-turn/1", "options/out-of-turn/2", flip={"locked_out_chops": []})
def test_out_of_turn_every_locked_out_seat_is_asked_for_the_chop_alone():
    sheet = table("tien-len", "TS", f"{PR4} 2H", "3S", "2S", options=FOUR).plays(0, "TS")
    sheet.passes(1, 2).plays(3, "2S").passes(0).asks_seat(1).may_only(PR4, "pass")
    sheet.passes(1).asks_seat(2).may_only("pass").passes(2).asks_seat(3)


@rule("options/out-of-turn/3", flip={"locked_out_chops": []})
def test_out_of_turn_pass_holds_until_the_top_play_changes():
    sheet = table("tien-len", "TS 2S", PR4, "JS 2H", options=FOUR).plays(0, "TS").passes(1)
    sheet.plays(2, "JS").passes(3).plays(0, "2S").asks_seat(1).passes(1).plays(2, "2H")
    sheet.asks_seat(3).passes(3).passes(0).asks_seat(1).may(PR4)


@rule("options/out-of-turn/4", flip={"locked_out_chops": []})
def test_out_of_turn_chop_lifts_the_lock():
    sheet = table("tien-len", "3S", PR4, f"2H {PR4_HIGHER}", options=FOUR).plays(0, "3S")
    sheet.passes(1).plays(2, "2H").passes(3, 0).plays(1, PR4).plays(2, PR4_HIGHER).asks_seat(1)


@rule("options/out-of-turn/5", flip={"locked_out_chops": []})
def test_out_of_turn_forward_waits_for_those_who_passed():
    sheet = table("tien-len", "TS 2S 2H", PR4, options=FOUR).plays(0, "TS").passes(1, 2, 3)
    sheet.plays(0, "2S").asks_seat(1).may_only(PR4, "pass").passes(1, 2, 3).asks_seat(0)
    sheet.may_only("2H", "pass").passes(0).may("2H").may_not("pass")


@rule("options/out-of-turn/6", flip=[{"locked_out_chops": []}, {"locked_out_chops": ["PR5"]}])
def test_out_of_turn_quad_of_twos_is_a_quad():
    def at(ruleset: str) -> Sheet:
        options = FOUR | {"instant_wins": []}
        sheet = table(ruleset, PR3, PR4_HIGHER, "2S 2C 2D 2H", players=3, options=options)
        return sheet.plays(0, PR3).passes(1).plays(2, "2S 2C 2D 2H").passes(0)

    at("killa").asks_seat(1).may_only(PR4_HIGHER, "pass")
    at("mien-nam").asks_seat(2)


@rule("options/out-of-turn/7", flip={"longest_pair_run": 13})
def test_out_of_turn_pair_run_too_long_for_the_ruleset_is_no_chop():
    options = {"locked_out_chops": ["PR5"], "instant_wins": []}
    sheet = table("family", "3S 3C", PR5, "2D 2H", options=options).plays(0, "3S 3C").passes(1)
    sheet.plays(2, "2D 2H").passes(3, 0)
    while sheet.seat != 2:
        sheet.may_only("pass").passes(sheet.seat)


# Openings, locks, all lose


@rule("options/opening/1", "options/opening/2", flip={"pair_run_opens": False})
def test_three_pairs_open_by_the_first_seat_asked():
    options = {"pair_run_opens": True}
    sheet = table("tien-len", "", PR3_HIGHER, PR3, "3S", leader=None, options=options)
    sheet.asks_seat(3).passes(3, 0).asks_seat(1).may_only(PR3_HIGHER, "pass")
    sheet.plays(1, PR3_HIGHER).asks_seat(2).may_not(PR3)


@rule("options/opening/3", flip={"opened_with": "three_pairs"})
def test_any_chop_may_open():
    options = {"pair_run_opens": True, "opened_with": "chops"}
    sheet = table("tien-len", "", QUAD, f"{PR4} 8D", "3S", leader=None, options=options)
    sheet.asks_seat(3).may_only("pass").passes(3, 0).asks_seat(1).may_only(QUAD, "pass")
    sheet.passes(1).asks_seat(2).may("4S 4C 5S 5C 6S 6C", PR4).may_not("8D").plays(2, PR4)


@rule("options/locks/1", flip={"straight_flush_locks": "never"})
def test_locked_trick_takes_straight_flushes_of_its_length():
    options = {"straight_flush_locks": "always"}
    sheet = table("tien-len", "4S 5S 6S", "7D 8D 9D TD 7S 8C", options=options)
    sheet.plays(0, "4S 5S 6S").asks_seat(1).may_only("7D 8D 9D", "8D 9D TD", "pass")
    sheet = table("mien-bac-3-bich", "4S 5S 6S 7S 8S", "9S 9C TD TH JD JH QS QC", options=options)
    sheet.plays(0, "4S 5S 6S 7S 8S").asks_seat(1).may_only("pass")


@rule("options/locks/2", flip={"straight_flush_locks": "always"})
def test_straight_flush_without_the_lock_opens_the_trick_again():
    options = {"straight_flush_locks": "choice"}
    sheet = table("tien-len", "4S 5S 6S", "7D 8D 9D", "TS JC QD", options=options)
    sheet.locks(0, "4S 5S 6S").plays(1, "7D 8D 9D").asks_seat(2).may("TS JC QD")


ALL_LOSE = {"all_lose": True}


@rule("options/all-lose/1", flip={"all_lose": False})
def test_all_lose_to_an_unbeaten_last_play_in_any_place():
    left = ("9H", "TH", "6S 4S", "8S 7S")
    sheet = endgame("tien-len", *left, options=ALL_LOSE).plays(0, "9H").plays(1, "TH")
    sheet.passes(2, 3).over(0, 1, (2, 3))


@rule("options/all-lose/2", flip={"all_lose": False})
def test_all_who_lose_pay_and_the_highest_seat_deals():
    sheet = endgame("killa", "9H", "4S 5S", "6S 3S", "8S 7S", options=ALL_LOSE).plays(0, "9H")
    sheet.passes(1, 2, 3).over(0, (1, 2, 3)).nets(3, -1, -1, -1)
    assert sheet.result["dealer_next"] == 3


# Betting


@rule("options/betting/1", flip={"betting": "loser_pays_winner"})
def test_nothing_is_paid_without_a_scheme():
    sheet = endgame("tien-len", "9H", "3S TH").plays(0, "9H").over(0, 1).pays().nets(0, 0)
    assert sheet.result["payments"] == []


@rule("options/betting/2")
def test_amounts_are_multiplied_by_the_stake():
    sheet = endgame("killa", "9H", "3S TH", stake=25).plays(0, "9H").over(0, 1)
    sheet.pays((1, 0, 25, "loser"))


@rule("options/betting/3", "options/betting/4")
def test_only_the_last_link_of_a_chain_is_paid_when_the_trick_ends():
    sheet = table("killa", "2S", PR3, QUAD, QUAD_HIGHER).plays(0, "2S").plays(1, PR3)
    sheet.plays(2, QUAD).plays(3, QUAD_HIGHER).pays().passes(0, 1, 2).pays()
    sheet.passes(3).pays((2, 3, 2, "chop"))


@rule("options/betting/5")
def test_killa_chop_on_three_twos_earns_nothing():
    options = {"chops": {"three_twos": ["PR5"]}}
    sheet = table("killa", "2S 2C 2D", PR5, options=options).plays(0, "2S 2C 2D").plays(1, PR5)
    sheet.passes(2, 3, 0).passes(1).pays()
