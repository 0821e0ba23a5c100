"""Chops with real cards: the chop table of the ruleset decides what beat what."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.rules import ruleset
from engine.rules.entered_chops import check_chops, playable_on
from engine.rules.specials import Special, SpecialError
from engine.rules.specials_of_game import specials_of
from tests.engine.walk import finished
from tests.plugins.chance import examples

MIEN_NAM, KILLA = ruleset.preset("mien-nam"), ruleset.preset("killa")
WITH_QUAD = ruleset.with_options(
    MIEN_NAM,
    {"chops": {**{k: list(v) for k, v in MIEN_NAM.chops}, "two_twos": ["PR4", "PR5", "Q"]}},
)


def chain(*whats):
    """Seats take turns: each beats what the one before has played."""
    return [Special("chop", n + 1, n, what, n > 0) for n, what in enumerate(whats)]


def refused(rules, *whats):
    with pytest.raises(SpecialError) as error:
        check_chops(rules, chain(*whats))
    return error.value.code, error.value.number


@pytest.mark.parametrize(
    ("rules", "whats"),
    [
        (MIEN_NAM, ["R", "PR3"]),
        (MIEN_NAM, ["R", "PR3", "Q", "PR4"]),
        (MIEN_NAM, ["RR", "PR4", "PR4"]),
        (MIEN_NAM, ["BRR", "PR4"]),
        (MIEN_NAM, ["PR3", "PR3", "PR3"]),
        (MIEN_NAM, ["Q", "Q"]),
        (WITH_QUAD, ["BR", "Q"]),
        (KILLA, ["2", "bomb", "bomb"]),
    ],
)
def test_what_the_table_allows_can_be_entered(rules, whats):
    check_chops(rules, chain(*whats))


@pytest.mark.parametrize(
    ("whats", "number"),
    [
        (["PR4", "PR3"], 2),
        (["RR", "PR3"], 2),
        (["BRR", "Q"], 2),
        (["R", "Q", "PR3"], 3),
        (["Q", "PR3"], 2),
        (["PR4", "Q"], 2),
        (["BB", "Q"], 2),
        # Only five pairs beat three 2s, and only five beat those four.
        (["BRR", "PR4", "Q"], 3),
    ],
)
def test_what_it_forbids_is_refused_by_its_number(whats, number):
    assert refused(MIEN_NAM, *whats) == ("does_not_beat", number)


def test_the_form_offers_the_bombs_that_beat_it():
    assert {on: playable_on(MIEN_NAM, on) for on in ("B", "RR", "BBR", "PR3", "Q", "PR4")} == {
        "B": ("PR3", "Q", "PR4"),
        "RR": ("PR4",),
        "BBR": ("PR4",),
        "PR3": ("PR3", "Q", "PR4"),
        "Q": ("Q", "PR4"),
        "PR4": ("PR4",),
    }
    assert playable_on(KILLA, "bomb") == ("bomb",)


PLAYED = [
    MIEN_NAM,
    KILLA,
    ruleset.with_options(MIEN_NAM, {"quads_beat_singles": True, "quads_beat_pair_runs": True}),
    ruleset.with_options(ruleset.preset("tien-len"), {"betting": "mien_nam", "all_lose": True}),
]


@settings(max_examples=examples(60), deadline=None)
@given(rules=st.sampled_from(PLAYED), seed=st.integers(0, 10**6))
def test_every_chop_of_a_played_game_can_be_entered(rules, seed):
    state = finished((rules, 4), random.Random(seed))
    check_chops(rules, specials_of(state))
