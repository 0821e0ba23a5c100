"""What is the same in every document: leads, turns, passes and the order of places."""

from tests.rules.games import endgame, table
from tests.rules.marker import rule
from tests.rules.test_cards import PRESETS


@rule(
    "tien-len/play/2", "thirteen/first-hand/1", "killa/play/2", "tien-len/play/13",
    "tien-len/play/7", "family/setup/1",
)  # fmt: skip
def test_the_lowest_card_leads_a_first_game_and_is_played():
    for ruleset in PRESETS:
        sheet = table(ruleset, "", "", "3S 3D 7C 7H", leader=None).asks_seat(2)
        sheet.may("3S").may_not("3D", "7C 7H", "7C", "pass")


@rule("tien-len/play/7", "killa/play/2", "readings/leads/1")
def test_without_three_of_spades_the_next_lowest_card_leads():
    for ruleset in ("tien-len", "killa", "penguin", "thirteen", "mien-nam"):
        three_clubs = table(ruleset, "4S", "3C 9H", players=2, avoid="3S", leader=None)
        three_clubs.asks_seat(1).may("3C").may_not("9H")
        four = table(ruleset, "4S", "4H", players=2, avoid="3S 3C 3D 3H", leader=None)
        four.asks_seat(0).may("4S")


@rule(
    "tien-len/play/17", "thirteen/turns/4", "penguin/play/14", "family/standard/5",
    "family/passing/1", "killa/play/5",
)  # fmt: skip
def test_each_seat_in_turn_beats_the_top_play_or_passes():
    for ruleset in PRESETS:
        sheet = table(ruleset, "5S", "6S 4S", "7S 6D", "8S").plays(0, "5S")
        sheet.asks_seat(1).may_only("6S", "pass").plays(1, "6S")
        sheet.asks_seat(2).may_only("6D", "7S", "pass").passes(2)
        sheet.asks_seat(3).may_only("8S", "pass").plays(3, "8S").asks_seat(0)


@rule("family/playing/1", "killa/play/7", "tien-len/play/50", flip={"forward": False})
def test_the_leader_plays_any_combination_and_may_not_pass():
    for ruleset in ("tien-len", "family", "killa"):
        sheet = table(ruleset, "4S 5S 5D 6S 6C 7C 7D 8S 8C 8D 8H").may_not("pass")
        sheet.plays(0, "4S").passes(1, 2, 3).passes(0).asks_seat(0).may_not("pass")
        sheet.may("5D", "8S 8D", "8S 8D 8H", "8S 8C 8D 8H", "6C 7C 8S", "6C 7C 8C")
        sheet.may("5S 5D 6S 6C 7C 7D")


@rule(
    "tien-len/play/57", "thirteen/victory/1", "penguin/ending/1", "family/winning/1",
    "killa/objective/2",
)  # fmt: skip
def test_a_player_without_cards_is_out_and_placed_first():
    for ruleset in PRESETS:
        sheet = endgame(ruleset, "9H", "4S 5D", "6S TH", "8S 9S").plays(0, "9H").places(0)
        sheet.passes(1).plays(2, "TH").passes(3)
        sheet.asks_seat(2).refuses(0, "pass")


@rule(
    "penguin/ending/2", "family/winning/3", "killa/betting/7", "killa/betting/9",
    flip={"all_lose": True},
)  # fmt: skip
def test_when_the_last_play_of_a_player_stands_the_next_seat_leads():
    for ruleset in PRESETS:
        sheet = endgame(ruleset, "9H", "4S 5D", "6S TH", "8S 9S").plays(0, "9H")
        sheet.passes(1).passes(2).passes(3).asks_seat(1).may_not("pass").may("4S", "5D")
        sheet = endgame(ruleset, "9H", "TS 5D", "6S TH", "8S 9S").plays(0, "9H")
        sheet.plays(1, "TS").plays(2, "TH").passes(3).passes(1)


@rule("penguin/deal/1", "family/misc/2", "thirteen/next-game/1", "readings/table/5")
def test_the_loser_deals_the_next_game():
    for ruleset in PRESETS:
        sheet = endgame(ruleset, "9H", "TH", "JH", "3S QH").plays(0, "9H").plays(1, "TH")
        assert sheet.plays(2, "JH").over(0, 1, 2, 3).result["dealer_next"] == 3
