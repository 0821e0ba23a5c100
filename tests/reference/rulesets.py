"""The presets as plain tables, written from the rules, and options laid over them.

The chop tables name a target and what may be played on it: `2`, `22`, `222` are twos, `PRn` a pair
run, `Q` a quad, `QRn` a run of quads, `S5+` and `S6+` straights of at least so many cards.
"""

from tests.reference.combos import Shapes

RUNS_FROM_3 = ["PR3", "PR4", "PR5", "PR6", "PR7", "PR8"]

COMMON = {
    "players": range(2, 5),
    "sizes": {2: [13], 3: [13], 4: [13]},
    "deal_all": False,
    "twos_top_straights": False,
    "twos_top_pair_runs": False,
    "quad_runs": False,
    "longest_pair_run": 13,
    "pass_locks": True,
    "forward": False,
    "later_games_led_by": "winner",
    "new_player_resets": False,
    "first_play": "any",
    "first_play_no_pair_run": False,
    "chops": {},
    "four_twos_unbeatable": False,
    "quads_beat_pair_runs": False,
    "pair_runs_beat_singles": False,
    "quads_beat_singles": False,
    "triples_beat_ace": False,
    "locked_out_chops": [],
    "pr3_opens": False,
    "opened_with": "three_pairs",
    "locks": "off",
    "all_lose": False,
    "instant_wins": [],
    "instant_declared": "choice",
    "instant_order": "list",
    "instant_then": "play_on",
    "lowest_leads_after_instant": False,
    "exchange": [],
    "trade_equal": False,
    "trading_stops_instant": False,
    "trading_allows_dragon": False,
    "chop_debt_from": "each",
    "chop_debt_which": "highest_two",
    "chop_debt_count": "stacking",
    "betting": "none",
    "pairs_match": "any",
    "straights_match": "any",
    "pair_runs_match": "any",
    "answers_match": False,
    "answers_free": [],
    "bombs_lead": True,
    "last_play": "any",
    "three_spades_last": False,
    "instant_pairs": "any",
    "instant_win_ties": "turn",
    "instant_rank": [],  # from strong to weak, where a preset has an order of its own
    "game_ends": "one_left",
    "losers_pay": "places",
    "left_paid": True,
    "left_counted": True,
    "chops_paid": "last",
    "chop_multiple": 1,
    "cong_place": False,
    "cong_multiple": 1,
    "winner_doubles": [],
    "most_paid": 0,
    "values": {
        "last": 2,
        "loser_3": 0,
        "loser_2": 0,
        "third": 1,
        "black_two": 1,
        "red_two": 2,
        "PR3": 2,
        "quad": 2,
        "PR4": 2,
        "cong": 4,
        "instant_win": 4,
        "card": 1,
        "last_two": 13,
        "three_spades": 26,
    },
}

THIRTEEN_CHOPS = {
    "2": ["PR3", "Q", "PR5"],
    "22": ["PR4", "PR5"],
    "222": ["PR5"],
    "PR3": ["Q", "PR4", "PR5"],
    "PR4": ["PR5"],
    "Q": ["PR4", "PR5"],
}

SOUTHERN = {
    "chops": {**THIRTEEN_CHOPS, "2": ["PR3", "Q", "PR4", "PR5"]},
    "four_twos_unbeatable": True,
    "locked_out_chops": ["PR4"],
    "instant_wins": ["four_twos", "dragon_to_ace", "five_consecutive_pairs", "six_pairs"],
    "instant_declared": "automatic",
    "instant_then": "end",
    "betting": "mien_nam",
}
WITH_QUADS = {**SOUTHERN["chops"], "22": ["PR4", "PR5", "Q"]}
NORTHERN = {
    **SOUTHERN,
    "chops": WITH_QUADS,
    "locked_out_chops": [],
    "pairs_match": "colour",
    "straights_match": "suit",
    "pair_runs_match": "colour",
    "answers_match": True,
    "last_play": "no_twos",
    "game_ends": "first_out",
    "losers_pay": "cards",
    "left_counted": False,
    "chops_paid": "each",
    "instant_pairs": "playable",
    "instant_win_ties": "hand",
    "instant_wins": ["four_twos", "one_suit", "six_pairs", "five_consecutive_pairs",
                     "one_colour", "four_threes"],
    "instant_rank": ["four_twos", "one_suit", "six_pairs", "five_consecutive_pairs",
                     "one_colour", "four_threes"],
    "values": {"black_two": 2, "red_two": 4, "PR3": 6, "quad": 8, "PR4": 8, "cong": 26,
               "instant_win": 13},
}  # fmt: skip

PRESETS = {
    "tien-len": {
        "quad_runs": True,
        "forward": True,
        "chops": {"2": ["PR3", "Q"], "22": ["PR4", "QR2"], "222": ["PR5", "QR3"]},
        "instant_wins": ["four_twos", "ultimate_dragon", "three_triples", "six_pairs"],
        "trading_allows_dragon": True,
    },
    "hawaii-killer": {
        "quad_runs": True,
        "forward": True,
        "later_games_led_by": "lowest",
        "first_play": "single_pair_straight",
        "chops": {"2": [*RUNS_FROM_3, "Q"], "PR3": ["Q"]},
        "instant_wins": ["four_twos", "ultimate_dragon", "three_triples", "six_pairs"],
    },
    "thirteen": {
        "players": range(2, 9),
        "sizes": {2: [13], 3: [17], 4: [13], 5: [13], 6: [13], 7: [13], 8: [13]},
        "chops": THIRTEEN_CHOPS,
        "four_twos_unbeatable": True,
        "instant_wins": ["four_twos", "dragon_to_two", "one_colour", "six_pairs"],
        "instant_declared": "automatic",
    },
    "penguin": {
        "sizes": {2: [13], 3: [13, 17], 4: [13]},
        "twos_top_straights": True,
        "twos_top_pair_runs": True,
        "first_play": "alone",
        "chops": {"2": ["PR3", "Q"], "22": ["PR4"], "222": ["PR5"]},
        "betting": "loser_pays_all",
    },
    "viet-cong": {
        "sizes": {2: [13], 3: [13, 17], 4: [13]},
        "twos_top_pair_runs": True,
        "quad_runs": True,
        "later_games_led_by": "lowest",
        "chops": {"2": ["PR3"], "22": ["PR5", "QR2"], "222": ["PR7", "QR3"]},
        "instant_wins": ["four_twos"],
        "instant_declared": "automatic",
        "trade_equal": True,
        "trading_stops_instant": True,
    },
    "family": {
        "players": range(4, 5),
        "sizes": {4: [13]},
        "longest_pair_run": 4,
        "forward": True,
        "chops": {"2": ["PR3", "Q", "PR4"], "22": ["PR4"]},
        "instant_wins": ["four_twos", "six_pairs", "four_triples", "dragon_to_two"],
        "instant_order": "previous_placings",
        "exchange": ["go_fish"],
    },
    "killa": {
        "forward": True,
        "later_games_led_by": "lowest",
        "chops": {
            "2": ["PR3", "PR4", "PR5", "Q"],
            "22": ["PR4", "PR5", "Q"],
            "PR3": ["Q", "PR4", "PR5"],
            "PR4": ["Q", "PR5"],
            "Q": ["PR5"],
        },
        "instant_wins": ["four_twos", "six_pairs", "dragon_to_ace"],
        "instant_order": "top_pair",
        "instant_then": "end_without_betting",
        "lowest_leads_after_instant": True,
        "betting": "loser_pays_winner",
    },
    "mien-nam": SOUTHERN,
    "dem-la": {
        **SOUTHERN,
        "chops": WITH_QUADS,
        "game_ends": "first_out",
        "losers_pay": "cards",
        "values": {"PR3": 3, "quad": 4, "PR4": 6, "cong": 26, "instant_win": 26},
    },
    "mien-bac": NORTHERN,
    "mien-bac-3-bich": {
        **NORTHERN,
        "last_play": "twos_lose",
        "three_spades_last": True,
        "chops": {
            "2": ["PR3", "PR4", "PR5", "Q", "S5+"],
            "22": ["PR4", "PR5", "Q", "S5+"],
            "222": ["PR5", "S6+"],
            "PR4": ["PR5"],
            "PR3": ["Q", "PR4", "PR5", "S5+"],
            "Q": ["PR4", "PR5", "S5+"],
            "S5+": ["PR4", "PR5"],
        },
    },
    "mien-bac-khong-thong": {
        **NORTHERN,
        "longest_pair_run": 2,
        "pair_runs_match": "any",  # None is played: a win of pairs in a row minds each pair alone.
        "answers_free": ["triple"],
        "instant_wins": ["four_twos", "one_suit", "six_pairs", "one_colour", "four_threes"],
        "chops": {"2": ["Q"], "22": ["Q"]},
    },
    "nhat-an-tat": {
        **SOUTHERN,
        "chops": WITH_QUADS,
        "game_ends": "first_out",
        "losers_pay": "first",
        "values": {
            "last": 1,
            "third": 0,
            "PR3": 3,
            "quad": 4,
            "PR4": 6,
            "cong": 2,
            "instant_win": 2,
        },
    },
}

# From strong to weak, where a seat's best hand or the better of two hands counts.
INSTANT_ORDER = [
    "four_twos",
    "one_suit",
    "dragon_to_two",
    "ultimate_dragon",
    "dragon_to_ace",
    "four_triples",
    "three_consecutive_triples",
    "three_triples",
    "six_consecutive_pairs",
    "five_consecutive_pairs",
    "one_colour",
    "six_pairs",
    "four_threes",
    "two_bombs",
    "three_pairs_with_three_spades",
]


def ruleset(key: str, options: dict | None = None) -> dict:
    """The preset's table with the options laid over it."""
    options = options or {}
    unknown = set(options) - set(COMMON) - set(CHOP_OPTIONS)
    if unknown:
        raise ValueError(f"no such options: {sorted(unknown)}")
    rules = {**COMMON, **PRESETS[key], **{k: v for k, v in options.items() if k in COMMON}}
    if "instant_wins" in options:
        rules["instant_rank"] = list(options["instant_wins"])
    preset = PRESETS[key].get("values", {})
    rules["values"] = {**COMMON["values"], **preset, **options.get("values", {})}
    rules["chops"] = {target: list(choppers) for target, choppers in rules["chops"].items()}
    for option, additions in CHOP_OPTIONS.items():
        if options.get(option):
            for target, choppers in additions.items():
                rules["chops"].setdefault(target, []).extend(choppers)
    if rules["pr3_opens"]:
        rules["chops"]["2"] = [name for name in rules["chops"]["2"] if name != "PR3"]
    return rules


# Options that add rows to the chop table.
CHOP_OPTIONS: dict[str, dict[str, list[str]]] = {
    "pr4_chops_single": {"2": ["PR4"]},
    "pr5_chops_pair": {"22": ["PR5"]},
    "qr2_chops_all_twos": {"2": ["QR2"], "22": ["QR2"], "222": ["QR2"], "2222": ["QR2"]},
    "more_chops_on_twos": {"22": ["PR4", "QR2"], "222": ["PR5", "QR3"]},
    "quad_chops_pair": {"22": ["Q"]},
}


def shapes(rules: dict) -> Shapes:
    """What is a combination under these rules."""
    return Shapes(
        rules["twos_top_straights"],
        rules["twos_top_pair_runs"],
        rules["quad_runs"],
        rules["longest_pair_run"],
        rules["pairs_match"],
        rules["straights_match"],
        rules["pair_runs_match"],
    )
