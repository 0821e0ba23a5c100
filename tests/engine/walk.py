"""Random legal games for property tests: rulesets, deals that make bombs, walks."""

from collections.abc import Iterator
from random import Random

from hypothesis import strategies as st

from engine.rules.deal import below, deal
from engine.rules.game import SeatAction, State, apply, legal_actions, start
from engine.rules.inherited import Previous
from engine.rules.ruleset import Ruleset, preset, preset_keys, with_options

VARIANTS: tuple[tuple[str, dict[str, object]], ...] = (
    *((key, {}) for key in preset_keys()),
    ("tien-len", {"pass_locks": False}),
    ("tien-len", {"deal_all": True}),
    ("tien-len", {"twos_top_straights": True, "twos_top_pair_runs": True}),
    ("tien-len", {"locked_out_chops": ["PR4", "PR5"], "betting": "loser_pays_winner"}),
    ("tien-len", {"pair_run_opens": True, "quads_beat_pair_runs": True}),
    ("tien-len", {"pair_run_opens": True, "opened_with": "chops", "instant_wins": ["two_bombs"]}),
    ("tien-len", {"straight_flush_locks": "always", "all_lose": True}),
    ("tien-len", {"straight_flush_locks": "choice", "first_play_not_pair_run": True}),
    ("tien-len", {"pair_runs_beat_singles": True, "quads_beat_singles": True,
                  "triples_beat_aces": True, "quad_run_beats_four_twos": True}),
    ("tien-len", {"betting": "mien_nam", "all_lose": True}),
    ("hawaii-killer", {"pass_locks": False, "betting": "loser_pays_all"}),
    ("penguin", {"cards_each": {"3": 17}, "betting": "points"}),
    ("killa", {"betting": "none", "later_games_led_by": "winner"}),
    ("thirteen", {"forward": True, "betting": "loser_pays_winner"}),
    ("mien-nam", {"forward": True, "exchange": ["go_fish", "twos_left"]}),
    ("tien-len", {"exchange": ["chop_debt", "twos_left"], "betting": "mien_nam"}),
    ("tien-len", {"exchange": ["chop_debt"], "chop_debt_cards": "any_two",
                  "chop_debt_count": "doubling"}),
    ("thirteen", {"exchange": ["winner_takes"]}),
    ("mien-nam", {"losers_pay": "cards", "winner_doubles": ["bomb", "sweep", "three_spades"],
                  "chops_paid": "each", "most_paid": 12}),
    ("killa", {"last_play": "no_twos", "bombs_lead": False, "answers_match": True}),
    ("thirteen", {"pairs_match": "colour", "straights_match": "suit", "answers_match": True,
                  "instant_wins": ["four_threes", "six_pairs"]}),
    ("mien-nam", {"chop_multiple": 2, "chops_paid": "each", "left_paid": False,
                  "losers_pay": "first", "most_paid": 7}),
    ("mien-bac", {"last_play": "twos_lose", "three_spades_last": True, "most_paid": 40,
                  "answers_free": ["triple", "single"], "chops": {
                      "one_two": ["PR3", "Q", "S5+"], "three_twos": ["S6+"], "Q": ["PR4", "S5+"],
                      "S5+": ["PR4"]}}),
    ("mien-bac", {"longest_pair_run": 2, "answers_free": ["pair", "straight"],
                  "losers_pay": "first", "cong_place": True, "cong_multiple": 2,
                  "instant_pairs": "one_colour"}),
    ("mien-nam", {"last_play": "twos_lose", "game_ends": "first_out", "cong_place": True,
                  "money": {"loser_2": 1},
                  "instant_wins": ["three_pairs_with_three_spades", "two_bombs"]}),
    ("family", {"exchange": ["go_fish", "chop_debt"], "chop_debt_owed_by": "last"}),
)  # fmt: skip


def tables() -> st.SearchStrategy[tuple[Ruleset, int]]:
    """A ruleset, with or without house rules, and a number of players for it."""
    rulesets = st.sampled_from(VARIANTS).map(lambda v: with_options(preset(v[0]), v[1]))
    return rulesets.flatmap(
        lambda rules: st.tuples(
            st.just(rules), st.integers(rules.min_players, rules.max_players)
        )
    )  # fmt: skip


def lumpy_deal(ruleset: Ruleset, players: int, rng: Random) -> list[tuple[int, ...]]:
    """Return hands with many cards of one rank: bombs, runs of pairs, instant wins."""
    hands = [list(hand) for hand in deal(ruleset, players, rng)]
    for _ in range(below(rng, 60)):
        giver, taker = below(rng, players), below(rng, players)
        wanted = hands[taker][below(rng, len(hands[taker]))] // 4
        got = next((card for card in hands[giver] if card // 4 == wanted), None)
        if got is None or giver == taker:
            continue
        back = hands[taker][below(rng, len(hands[taker]))]
        hands[giver].remove(got)
        hands[taker].remove(back)
        hands[giver].append(back)
        hands[taker].append(got)
    return [tuple(sorted(hand)) for hand in hands]


def begin(table: tuple[Ruleset, int], rng: Random, previous: Previous | None = None) -> State:
    """Start a game with ordinary or lumpy hands."""
    ruleset, players = table
    dealer = lumpy_deal if below(rng, 3) else deal
    return start(ruleset, dealer(ruleset, players, rng), previous=previous)


def walk(state: State, rng: Random, most: int = 3000) -> Iterator[tuple[State, list[SeatAction]]]:
    """Yield each position with its legal actions, then take one of them at random.

    A play is preferred to a pass half of the time, so that tricks get long.
    """
    for _ in range(most):
        legal = legal_actions(state)
        yield state, legal
        if not legal:
            return
        plays = [action for action in legal if action.do != "pass"]
        choices = plays if plays and below(rng, 2) else legal
        apply(state, choices[below(rng, len(choices))])
    raise AssertionError("the game does not end")


def finished(table: tuple[Ruleset, int], rng: Random, previous: Previous | None = None) -> State:
    """Return a game played to its end at random."""
    state = begin(table, rng, previous)
    for _ in walk(state, rng):
        pass
    return state
