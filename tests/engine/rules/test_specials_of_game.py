"""Live games and games entered by hand agree: the specials of a played game pay what it paid."""

import random
from collections import Counter

import pytest

from engine.bots import make
from engine.rules import game as engine_game
from engine.rules import ruleset
from engine.rules.deal import deal
from engine.rules.outcome import outcome
from engine.rules.specials import check_specials, payments_of_game
from engine.rules.specials_of_game import specials_of
from engine.rules.state import OVER, State


class Miser:
    """Plays its highest card by itself, so that a low card or a bomb is what it finishes on."""

    def choose(self, _observation, legal):
        plays = [action for action in legal if action.cards]
        if not plays:
            return legal[-1]
        bombs = [a for a in plays if len(a.cards) > 3 and a.cards[0] >> 2 == a.cards[-1] >> 2]
        kept = {card for bomb in bombs for card in bomb.cards}
        free = [a for a in plays if not kept & set(a.cards)] or bombs or plays
        return max(free, key=lambda action: (-len(action.cards), action.cards[-1]))


def played(rules: ruleset.Ruleset, seed: str) -> State:
    """A game of bots who play anything, so that chops and cards left are common."""
    dice = random.Random(seed)
    hands = deal(rules, 4, dice)
    # Who must lead the 3 of spades cannot finish on it.
    leader = dice.randrange(4) if rules.winner_doubles else None
    state = engine_game.start(rules, hands, leader=leader, stake=3)
    bots = [make("random", dice.getrandbits(32)) for _ in range(4)]
    if rules.winner_doubles:
        bots[dice.randrange(4)] = Miser()
    while state.phase != OVER:
        bot = bots[state.turn]
        choice = bot.choose(
            engine_game.observe(state, state.turn), engine_game.legal_actions(state)
        )
        engine_game.apply(state, choice)
    return state


ALL = {"chop", "left", "cong"}
LONG_CHOPS = {"one_two": ["PR3", "Q", "S5+"], "three_twos": ["S6+"], "S5+": ["PR4"]}
COUNTED = {"losers_pay": "cards", "game_ends": "first_out"}
SCHEMES = (
    ("mien-nam", {}, ALL),
    ("killa", {}, {"chop"}),
    ("dem-la", {}, {*ALL, "cards"}),
    ("nhat-an-tat", {}, ALL),
    ("mien-bac", {}, {"chop", "left", "cards"}),
    ("mien-nam", {"chops_paid": "each", "chop_multiple": 3, "losers_pay": "first"}, ALL),
    ("dem-la", {"left_counted": False, "most_paid": 9}, {*ALL, "cards"}),
    (
        "mien-bac",
        {
            "last_play": "twos_lose",
            "three_spades_last": True,
            "most_paid": 60,
            "answers_match": False,
            "chops": LONG_CHOPS,
        },
        {"chop", "left", "cards", "finish"},
    ),
    (
        "nhat-an-tat",
        {"cong_place": True, "cong_multiple": 2, "last_play": "twos_lose", "money": {"loser": 3}},
        {*ALL, "finish"},
    ),
    ("mien-nam", {"left_paid": False, "most_paid": 3}, {"chop", "cong"}),
    (
        "mien-bac",
        {"left_paid": False, "three_spades_last": True, "answers_match": False},
        {"chop", "cards"},
    ),
    ("nhat-an-tat", {"last_play": "twos_lose", "betting": "loser_pays_all"}, {"finish"}),
    ("nhat-an-tat", {"last_play": "twos_lose", "betting": "loser_pays_winner"}, {"finish"}),
    (
        "mien-nam",
        {"winner_doubles": ["three_spades", "bomb", "sweep"], "chops_paid": "each"},
        {*ALL, "finish"},
    ),
    (
        "mien-nam",
        {**COUNTED, "winner_doubles": ["three_spades", "bomb", "sweep"], "most_paid": 30},
        {*ALL, "cards", "finish"},
    ),
)


@pytest.mark.parametrize(("key", "options", "seen"), SCHEMES)
def test_the_specials_of_a_played_game_pay_what_the_engine_paid(key, options, seen):
    rules = ruleset.with_options(ruleset.preset(key), options)
    kinds: Counter[str] = Counter()
    for number in range(300):
        state = played(rules, f"happened {key} {number}")
        result = outcome(state)
        specials = specials_of(state)
        check_specials(rules, result.placings, specials)
        entered = payments_of_game(rules, result.placings, specials, 3)
        assert Counter(entered) == Counter(p for p in result.payments if p.amount)
        kinds.update(special.kind for special in specials)
    assert set(kinds) >= seen
