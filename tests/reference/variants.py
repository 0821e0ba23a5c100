"""The rulesets that are compared: every preset as it is, and every preset with house rules."""

from random import Random

from tests.reference.rulesets import COMMON, INSTANT_ORDER, PRESETS

NORTHERN = ("mien-bac", "mien-bac-3-bich", "mien-bac-khong-thong")
SOUTHERN = ("mien-nam", "dem-la", "nhat-an-tat", *NORTHERN)

RARE_SWITCHES = [
    "twos_top_straights",
    "twos_top_pair_runs",
    "quads_beat_pair_runs",
    "pair_runs_beat_singles",
    "quads_beat_singles",
    "triples_beat_ace",
    "first_play_no_pair_run",
    "new_player_resets",
    "pr3_opens",
    "all_lose",
    "pr4_chops_single",
    "pr5_chops_pair",
    "qr2_chops_all_twos",
    "quad_runs",
]

RARE_CHOICES = {
    "opened_with": ("three_pairs", "chops"),
    "first_play": ("any", "alone", "single_pair_straight"),
    "instant_declared": ("choice", "automatic"),
    "instant_order": ("list", "previous_placings", "top_pair"),
    "lowest_leads_after_instant": (True, False),
}

SUITS = {
    "pairs_match": ("any", "colour"),
    "straights_match": ("any", "suit"),
    "pair_runs_match": ("any", "colour"),
    "answers_match": (True, False),
    "bombs_lead": (True, False),
    "answers_free": (["triple"], ["single", "straight"], ["pair"]),
    "last_play": ("any", "no_twos", "twos_lose"),
    "three_spades_last": (True, False),
    "instant_pairs": ("any", "playable", "one_colour"),
    "instant_win_ties": ("turn", "hand"),
}


def house_rules(rng: Random, key: str) -> dict:
    """Random options for a preset, none of which contradict each other."""
    options: dict = {name: True for name in RARE_SWITCHES if rng.random() < 0.12}
    if rng.random() < 0.3:
        options["locks"] = rng.choice(("always", "choice"))
    if rng.random() < 0.4 and key not in SOUTHERN:
        options["locked_out_chops"] = rng.choice((["PR4"], ["PR5"], ["PR4", "PR5"]))
    if rng.random() < 0.3:
        options["later_games_led_by"] = rng.choice(("winner", "lowest"))
    if rng.random() < 0.3:
        options["forward"] = rng.choice((True, False))
    if rng.random() < 0.2:
        options["betting"] = rng.choice(("none", "points", "loser_pays_all", "loser_pays_winner"))
    for name, choices in RARE_CHOICES.items():
        if rng.random() < 0.1:
            options[name] = rng.choice(choices)
    for name, choices in SUITS.items():
        if rng.random() < 0.08:
            options[name] = rng.choice(choices)
    if rng.random() < 0.2:
        options["instant_wins"] = [name for name in INSTANT_ORDER if rng.random() < 0.4]
    if rng.random() < 0.1 and "S5+" not in PRESETS[key].get("chops", ()):
        options["chops"] = random_chops(rng)
    if rng.random() < 0.6:
        options |= exchange(rng, key, options.get("instant_declared") == "automatic")
    options |= of_preset(rng, key)
    if key in SOUTHERN:
        options = {name: value for name, value in options.items() if name not in NOT_MIEN_NAM}
    if options.get("pr3_opens"):
        options.pop("bombs_lead", None)
    for one, other in CONTRADICTIONS:
        if options.get(one) and options.get(other):
            del options[other]
    rules = {**COMMON, **PRESETS[key], **options}
    if rules["game_ends"] != "first_out":
        options |= {"last_play": "any", "three_spades_last": False}
    if "S5+" in rules["chops"]:
        options |= {"straights_match": "suit", "chops_paid": "each"}
    return options


# The Southern payments say nothing of shared places, own plays beaten, or twos in runs.
NOT_MIEN_NAM = {"betting", "all_lose", "forward", "twos_top_pair_runs", "quad_runs", *RARE_CHOICES}

CONTRADICTIONS = [
    ("pr3_opens", "first_play_no_pair_run"),
    ("pr3_opens", "pair_runs_beat_singles"),
]


def random_chops(rng: Random) -> dict:
    """Any table of chops at all."""
    targets, bombs = ("2", "22", "222", "PR3", "PR4", "Q"), ("PR3", "PR4", "PR5", "PR6", "Q", "QR2")
    table = {target: rng.sample(bombs, rng.randint(0, 4)) for target in targets}
    return {target: [name for name in table[target] if name != target] for target in table}


def exchange(rng: Random, key: str, automatic: bool) -> dict:
    """One or two kinds of exchange; no trades where instant wins are declared unasked."""
    kinds = ["go_fish", "winner_takes", "chop_debt", "chop_debt", "twos_left"]
    if key in ("tien-len", "viet-cong") and not automatic:
        kinds += ["negotiated", "negotiated"]
    options: dict = {"exchange": list(dict.fromkeys(rng.choices(kinds, k=rng.choice((1, 1, 2)))))}
    if "chop_debt" in options["exchange"]:
        options["chop_debt_from"] = rng.choice(("each", "last"))
        options["chop_debt_which"] = rng.choice(("highest_two", "any_two", "highest_card"))
        counts = ["stacking", "none"]
        if options["chop_debt_which"] != "highest_card":
            counts.append("doubling")
        options["chop_debt_count"] = rng.choice(counts)
    return options


def money_game(rng: Random) -> dict:
    """Settings of the money game, most of them as the preset has them."""
    choices = {
        "game_ends": ("one_left", "first_out"),
        "losers_pay": ("places", "first", "cards"),
        "left_paid": (True, False),
        "left_counted": (True, False),
        "chops_paid": ("last", "each"),
        "chop_multiple": (1, 2, 5),
        "winner_doubles": (["three_spades", "bomb", "sweep"], ["bomb"], ["sweep"]),
        "cong_place": (True, False),
        "cong_multiple": (1, 2, 3),
        "most_paid": (0, 3, 20),
    }
    return {name: rng.choice(values) for name, values in choices.items() if rng.random() < 0.3}


def of_preset(rng: Random, key: str) -> dict:
    """Options that belong to one preset."""
    options: dict = {}
    if key in ("tien-len", "hawaii-killer") and rng.random() < 0.3:
        options["pass_locks"] = False
        options["locked_out_chops"] = []
    if key == "tien-len" and rng.random() < 0.3:
        options["instant_wins"] = rng.choice(
            ([], ["four_twos", "ultimate_dragon", "three_triples", FIVE_PAIRS, "six_pairs"])
        )
    if key == "tien-len" and rng.random() < 0.1:
        options["deal_all"] = True
    if key == "hawaii-killer" and rng.random() < 0.5:
        options["more_chops_on_twos"] = True
    if key == "thirteen" and rng.random() < 0.5:
        options["instant_wins"] = THIRTEEN_ALL
    if key in SOUTHERN:
        options |= money_game(rng)
        if rng.random() < 0.4:
            options["quad_chops_pair"] = True
        if rng.random() < 0.3:
            wins = PRESETS[key]["instant_wins"]
            options["instant_wins"] = [name for name in wins if rng.random() < 0.6]
        if rng.random() < 0.5:
            names = (
                "last",
                "loser_3",
                "loser_2",
                "third",
                "black_two",
                "red_two",
                "PR3",
                "quad",
                "PR4",
                "cong",
                "instant_win",
                "card",
                "last_two",
                "three_spades",
            )
            options["values"] = {name: rng.choice((0, 1, 2, 5)) for name in names}
    return options


THIRTEEN_WINS = {*PRESETS["thirteen"]["instant_wins"], "three_consecutive_triples"}
THIRTEEN_WINS |= {"six_consecutive_pairs", "one_suit"}
FIVE_PAIRS = "five_consecutive_pairs"
THIRTEEN_ALL = [name for name in INSTANT_ORDER if name in THIRTEEN_WINS]
