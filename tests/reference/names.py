"""The engine's words for the reference's options."""

from tests.reference.cards import parse
from tests.reference.rulesets import CHOP_OPTIONS, PRESETS

TARGETS = {"2": "one_two", "22": "two_twos", "222": "three_twos"}

OPTIONS = {
    "first_play_no_pair_run": "first_play_not_pair_run",
    "pr3_opens": "pair_run_opens",
    "locks": "straight_flush_locks",
    "triples_beat_ace": "triples_beat_aces",
    "chop_debt_from": "chop_debt_owed_by",
    "chop_debt_which": "chop_debt_cards",
    "values": "money",
    "instant_declared": "instant_wins_declared",
    "instant_order": "instant_win_order",
    "instant_then": "instant_win_then",
    "lowest_leads_after_instant": "instant_win_lead",
    "qr2_chops_all_twos": "quad_run_beats_four_twos",
}

MONEY = {"last": "loser", "PR3": "pair_run_3", "PR4": "pair_run_4"}

VALUES = {
    "straight_flush_locks": {"off": "never"},
    "instant_win_order": {"list": "listed"},
    "instant_win_lead": {True: "lowest", False: "usual"},
}

INSTANT_WINS = {"dragon_to_two": "dragon"}


def engine_options(key: str, options: dict) -> dict:
    """The options of a preset as the engine's fields."""
    rows = [name for name in CHOP_OPTIONS if options.get(name) and name not in OPTIONS]
    fields = {OPTIONS.get(name, name): options[name] for name in options if name not in rows}
    for name, words in VALUES.items():
        if name in fields:
            fields[name] = words.get(fields[name], fields[name])
    if "money" in fields:
        fields["money"] = {MONEY.get(name, name): fields["money"][name] for name in fields["money"]}
    if "instant_wins" in fields:
        fields["instant_wins"] = [INSTANT_WINS.get(name, name) for name in fields["instant_wins"]]
    if rows or "chops" in fields:
        fields["chops"] = chop_table({**PRESETS[key], **options}, rows)
    return fields


def chop_table(preset: dict, rows: list[str]) -> dict:
    """The whole chop table of a preset with rows added; four 2s have one if nothing beats them."""
    table = {target: list(choppers) for target, choppers in preset["chops"].items()}
    for row in rows:
        for target, choppers in CHOP_OPTIONS[row].items():
            table[target] = [*table.get(target, []), *choppers]
    named = {TARGETS.get(target, target): sorted(set(table[target])) for target in table}
    return {**named, "four_twos": []} if preset.get("four_twos_unbeatable") else named


def to_engine(record: dict) -> dict:
    """The same record in the words of the engine, which counts the cards of every hand."""
    fields = engine_options(record["ruleset"], record.get("options") or {})
    sizes = [len(parse(hand)) for hand in record["hands"]]
    if len(set(sizes)) == 1 and not fields.get("deal_all"):
        fields["cards_each"] = {str(len(sizes)): sizes[0]}
    return {**record, "options": fields}
