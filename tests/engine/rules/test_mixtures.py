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
    CHOICES,
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
LISTS = {"instant_wins", "exchange", "locked_out_chops", "answers_free", "winner_doubles"}
VALUES = {
    **{name: names for name, names in CHOICES.items() if name not in LISTS},
    "winner_doubles": ((), ("sweep",), ("three_spades", "bomb")),
    "most_paid": (0, 5),
}


def some_of(names, most: int):
    return st.lists(st.sampled_from(names), max_size=most, unique=True)


options = st.fixed_dictionaries(
    {},
    optional={
        **{name: st.booleans() for name in FLAGS},
        **{name: st.sampled_from(values) for name, values in VALUES.items()},
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
