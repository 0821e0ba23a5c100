"""House rules in any mixture that a ruleset allows: games still end, add up and replay."""

from random import Random

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.records.record import record_of, replay
from engine.rules.deal import below
from engine.rules.exchange import TooMany
from engine.rules.game import outcome
from engine.rules.outcome import as_previous, outcome_to_json, previous_to_json
from engine.rules.ruleset import (
    BETTING,
    CHOPS,
    EXCHANGES,
    INSTANT_WINS,
    MONEY,
    TARGETS,
    Ruleset,
    RulesetError,
    preset,
    preset_keys,
    to_json,
    with_options,
)
from tests.engine.walk import begin, walk
from tests.plugins.chance import examples

FLAGS = [name for name, value in to_json(preset("killa")).items() if isinstance(value, bool)]
CHOICES = {
    "later_games_led_by": ("winner", "lowest"),
    "first_play": ("any", "single_pair_straight", "alone"),
    "straight_flush_locks": ("never", "always", "choice"),
    "instant_wins_declared": ("choice", "automatic"),
    "instant_win_then": ("play_on", "end", "end_without_betting"),
    "instant_win_order": ("listed", "previous_placings", "top_pair"),
    "instant_win_lead": ("usual", "lowest"),
    "chop_debt_owed_by": ("each", "last"),
    "chop_debt_cards": ("highest_two", "any_two", "highest_card"),
    "chop_debt_count": ("stacking", "doubling", "none"),
    "betting": BETTING,
    "card_counts": ("public", "hidden"),
    "pairs_match": ("any", "colour"),
    "straights_match": ("any", "suit"),
    "pair_runs_match": ("any", "colour"),
    "last_play": ("any", "no_twos"),
    "game_ends": ("one_left", "first_out"),
    "losers_pay": ("places", "first", "cards"),
    "chops_paid": ("last", "each"),
    "winner_doubles": ((), ("sweep",), ("three_spades", "bomb")),
    "most_paid": (0, 5),
}


def some_of(names, most: int):
    return st.lists(st.sampled_from(names), max_size=most, unique=True)


options = st.fixed_dictionaries(
    {},
    optional={
        **{name: st.booleans() for name in FLAGS},
        **{name: st.sampled_from(values) for name, values in CHOICES.items()},
        "chops": st.dictionaries(st.sampled_from(TARGETS), some_of(CHOPS, 4), max_size=4),
        "locked_out_chops": some_of(("PR4", "PR5"), 2),
        "instant_wins": some_of(INSTANT_WINS, 8),
        "exchange": some_of(EXCHANGES, 3),
        "longest_pair_run": st.integers(3, 13),
        "money": st.fixed_dictionaries({name: st.integers(0, 4) for name in MONEY}),
        "cards_each": st.fixed_dictionaries({str(n): st.integers(3, 13) for n in range(2, 9)}),
    },
)


@settings(max_examples=examples(250), deadline=None)
@given(st.sampled_from(preset_keys()), options, st.integers(0, 2**32).map(Random))
def test_a_match_under_any_house_rules_ends_adds_up_and_replays(key, chosen, rng):
    try:
        ruleset: Ruleset = with_options(preset(key), chosen)
    except RulesetError:
        assume(False)
    span = ruleset.max_players - ruleset.min_players + 1
    players = ruleset.min_players + below(rng, span)
    past = None
    for _ in range(3):
        state = begin((ruleset, players), rng, as_previous(past) if past else None)
        try:
            for position, _ in walk(state, rng):
                assert sum(position.hands) <= sum(position.dealt)
        except TooMany:
            return
        result = outcome(state)
        assert sum(result.net) == 0
        assert sorted(seat for group in result.placings for seat in group) == list(range(players))
        record = record_of(state, previous_to_json(past) if past else None)
        assert replay(record) == outcome_to_json(result)
        past = result
