"""What is the same in every document: the pack, the order of cards, the kinds, who beats whom."""

from itertools import pairwise

from tests.rules.deal import PACK
from tests.rules.games import beats, leads, starts_with, table
from tests.rules.marker import rule

PRESETS = (
    "tien-len", "hawaii-killer", "thirteen", "penguin", "viet-cong", "family", "killa", "mien-nam",
)  # fmt: skip


@rule(
    "tien-len/cards/3", "tien-len/cards/12", "thirteen/values/1", "thirteen/single/3",
    "family/cards/2", "family/cards/5", "killa/ranking/1", "killa/ranking/3",
)  # fmt: skip
def test_ranks_go_up_from_three_to_two_before_suits():
    for ruleset in PRESETS:
        for low, high in pairwise("3456789TJQKA2"):
            assert beats(ruleset, f"{low}H", by=f"{high}S")
            assert not beats(ruleset, f"{high}S", by=f"{low}H")


@rule(
    "tien-len/cards/8", "thirteen/suits/1", "thirteen/suits/2", "thirteen/beating/4",
    "family/cards/3", "killa/ranking/2",
)  # fmt: skip
def test_suits_go_up_from_spades_to_hearts_within_a_rank():
    for ruleset in PRESETS:
        for low, high in pairwise("SCDH"):
            assert beats(ruleset, f"8{low}", by=f"8{high}")
            assert not beats(ruleset, f"8{high}", by=f"8{low}")


@rule(
    "tien-len/cards/10", "tien-len/cards/11", "thirteen/values/2", "thirteen/values/3",
    "family/cards/4", "killa/legal/1",
)  # fmt: skip
def test_every_single_lies_between_the_three_of_spades_and_the_two_of_hearts():
    for ruleset in ("tien-len", "thirteen", "family", "killa"):
        for card in PACK[1:-1]:
            assert beats(ruleset, "3S", by=card)
            assert not beats(ruleset, "2H", by=card)


@rule("tien-len/cards/2", "thirteen/equipment/1")
def test_four_players_hold_the_pack_of_52_and_no_joker():
    quarters = [" ".join(PACK[seat::4]) for seat in range(4)]
    for ruleset in ("tien-len", "thirteen"):
        assert starts_with(ruleset, quarters, options={"instant_wins": []})
        refused = table(ruleset, "5S").refuses(0, "play", cards="joker")
        refused.refuses(0, "play", cards="1S")


@rule(
    "tien-len/singles/1", "tien-len/pairs/1", "tien-len/triples/1", "tien-len/quads/1",
    "thirteen/single/1", "thirteen/pair/1", "thirteen/triple/1", "thirteen/quad/1",
    "penguin/play/3", "penguin/play/4", "penguin/play/5", "penguin/play/6",
    "family/standard/1", "family/standard/2", "family/standard/3",
    "killa/legal/2", "killa/legal/3", "killa/legal/4", "thirteen/quick-combinations/1",
)  # fmt: skip
def test_one_to_four_cards_of_one_rank_are_combinations():
    for ruleset in PRESETS:
        for cards in ("6D", "5S 5D", "8S 8D 8H", "JS JC JD JH", "2S 2C", "2S 2C 2D"):
            assert leads(ruleset, cards)
        for cards in ("5S 6D", "8S 8D 9H", "JS JC JD QH"):
            assert not leads(ruleset, cards)


@rule(
    "tien-len/straights/1", "tien-len/straights/2", "tien-len/straights/3", "thirteen/run/1",
    "thirteen/run/4", "penguin/play/7", "penguin/play/9", "penguin/play/10", "killa/legal/5",
)  # fmt: skip
def test_three_or_more_consecutive_cards_of_any_suits_are_a_straight():
    for ruleset in PRESETS:
        for cards in ("9S TH JD", "9S TH JD QD", "4S 5C 6D 7H 8S", "3S 4S 5S", "QC KH AS"):
            assert leads(ruleset, cards)
        for cards in ("9S TH", "9S TH QD", "9S TH TD JD", "2S 3C 4D", "AS 2D 3C"):
            assert not leads(ruleset, cards)


@rule("tien-len/dragon/1")
def test_the_longest_straight_runs_from_three_to_ace():
    dragon = "3S 4C 5D 6H 7S 8C 9D TH JS QC KD AH"
    sheet = table("tien-len", f"{dragon} 2S", options={"instant_wins": []})
    sheet.may(dragon).may_not(f"{dragon} 2S")


@rule(
    "tien-len/pair-runs/1", "tien-len/pair-runs/2", "thirteen/double-run/1",
    "thirteen/double-run/4", "thirteen/double-run/5", "killa/legal/8",
)  # fmt: skip
def test_three_or_more_consecutive_pairs_are_a_pair_run():
    for ruleset in ("tien-len", "thirteen", "penguin", "viet-cong", "killa"):
        for cards in (
            "3S 3D 4C 4H 5S 5C",
            "TS TC JD JH QS QC KS KD AS AC",
            "7S 7C 8S 8C 9S 9C TS TC",
        ):
            assert leads(ruleset, cards)
        for cards in ("3S 3D 4C 4H", "3S 3D 4C 4H 6S 6C", "3S 3D 4C 4H 5S", "AS AC 3S 3C 4S 4C"):
            assert not leads(ruleset, cards)


@rule("thirteen/combinations/1", "family/playing/2")
def test_nothing_else_is_a_combination():
    for ruleset in PRESETS:
        for cards in ("5S 5D 5H 6C", "5S 5D 5H 6C 6D", "5S 5D 6S 6D", "3H 7H 9H", "5S 5D 6S 7D"):
            assert not leads(ruleset, cards)


@rule(
    "tien-len/singles/4", "tien-len/pairs/5", "tien-len/pairs/6", "tien-len/triples/5",
    "thirteen/pair/3", "thirteen/triple/3", "thirteen/quad/3", "thirteen/turns/3",
    "thirteen/beating/3", "penguin/play/11", "penguin/play/13", "penguin/play/15",
    "family/beating/1", "family/beating/2", "killa/legal/10", "killa/legal/12", "killa/legal/13",
)  # fmt: skip
def test_a_higher_top_card_beats_within_a_kind():
    ladder = [
        ("9S", "9H"),
        ("7C 7D", "7S 7H"),
        ("AS AD", "AC AH"),
        ("7C 7H", "8S 8C"),
        ("4S 4C 4D", "5S 5C 5D"),
        ("9S 9C 9D 9H", "TS TC TD TH"),
    ]
    for ruleset in PRESETS:
        for low, high in ladder:
            assert beats(ruleset, low, by=high)
            assert not beats(ruleset, high, by=low)


@rule(
    "tien-len/straights/8", "tien-len/straights/9", "tien-len/straights/10", "thirteen/run/6",
    "thirteen/beating/2", "penguin/play/12", "family/beating/3", "killa/legal/11",
    "killa/legal/14",
)  # fmt: skip
def test_a_straight_is_beaten_by_a_higher_one_of_its_length():
    for ruleset in PRESETS:
        assert beats(ruleset, "6S 7D 8S", by="6C 7C 8C")
        assert beats(ruleset, "8D 9C TC", by="8S 9S TD")
        assert beats(ruleset, "5S 6D 7C", by="9S TD JC")
        assert not beats(ruleset, "6C 7C 8C", by="6S 7D 8S")
        assert not beats(ruleset, "5S 6D 7C 8H", by="9S TD JC QH KS")
        assert not beats(ruleset, "5S 6D 7C 8H 9C", by="9S TD JC QH")


@rule(
    "tien-len/pair-runs/6", "tien-len/pair-runs/8", "thirteen/double-run/7", "thirteen/notes/2",
    "killa/legal/19",
)  # fmt: skip
def test_a_pair_run_is_beaten_by_a_higher_one_of_its_length():
    for ruleset in PRESETS:
        assert beats(ruleset, "9C 9D TC TD JC JD", by="9S 9H TS TH JS JH")
        assert beats(ruleset, "3S 3D 4C 4H 5S 5C", by="4S 4D 5D 5H 6S 6C")
        assert not beats(ruleset, "9S 9H TS TH JS JH", by="9C 9D TC TD JC JD")
        assert not beats(ruleset, "9S 9H TS TH JS JH QS QC", by="TC TD JC JD QD QH")


@rule("thirteen/beating/1", "tien-len/play/40")
def test_another_kind_does_not_beat():
    for ruleset in PRESETS:
        assert not beats(ruleset, "5S 5D", by="9S 9C 9D")
        assert not beats(ruleset, "5S 6D 7C", by="9S 9C 9D")
        assert not beats(ruleset, "9S 9C 9D", by="TS JD QC")
        assert not beats(ruleset, "KS", by="AS AC")
        assert beats(ruleset, "AS AC AD", by="2S 2C 2D")
        assert not beats(ruleset, "AS AC AD", by="KS KC KD")
