"""Games of the kernels are the readable engine's games: lists in order, places, money, chops."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bots import make
from engine.bots.imagination import worths
from engine.bots.weights import shipped_weights
from engine.core import games as kernel_games
from engine.core.compiled import plain
from engine.core.games import POLICIES, Games
from engine.core.kernels import layout
from engine.core.kernels.games import may_win_as_dealt
from engine.core.rules_data import fits, rules_data
from engine.rules.deal import below, deal
from engine.rules.game import apply, legal_actions, observe, outcome, start
from engine.rules.instant_wins import best_hand
from engine.rules.plays import prepare
from engine.rules.ruleset import preset
from engine.rules.shapes import cards_of
from engine.rules.state import OVER, PLAY
from engine.rules.trick import legal_plays, make_pass, make_play
from engine.sim import simulation
from engine.sim.simulation import first_instant_win, play_block
from tests.engine.core.cores import CORES, FORMS, Watched
from tests.engine.play import rules
from tests.engine.walk import begin, lumpy_deal, tables
from tests.plugins.chance import examples

_TABLES = tables().filter(lambda table: fits(table[0]))


def started(table, seed):
    """A game whose first trick has begun, or one that is over at once."""
    state = begin(table, Random(seed))
    while state.phase not in (PLAY, OVER):
        apply(state, legal_actions(state)[-1])
    return state


def joined(low, high):
    return int(high) << 56 | int(low)


def turns(games):
    work = games.work
    for number in range(int(work[layout.TURNS])):
        at = layout.TURN_LOG + 4 * number
        yield int(work[at]), joined(work[at + 1], work[at + 2]), int(work[at + 3])


def games_of(core, ruleset, players):
    games = Games(CORES[core](), ruleset, players)
    games.plan(worths(ruleset, players, shipped_weights()))
    return games


def bots_of(name, seed, players):
    names = [[*POLICIES][(seed + seat) % len(POLICIES)] for seat in range(players)]
    names = names if name == "mixed" else [name] * players
    return names, [make(bot, seed + seat) for seat, bot in enumerate(names)]


@pytest.mark.parametrize("core", FORMS)
@settings(max_examples=examples(150), deadline=None)
@given(
    _TABLES, st.integers(0, 2**128 - 9), st.sampled_from([*POLICIES, "mixed"]), st.integers(0, 12)
)
def test_a_game_is_the_same_turn_by_turn(core, table, seed, name, before):
    """From any state of play: the same lists, choices, places, chops and payments."""
    slow = started(table, seed)
    names, bots = bots_of(name, seed, table[1])
    walk = Random(seed)
    for _ in range(before):
        if slow.phase != OVER:
            legal = legal_actions(slow)
            passes = slow.top and not below(walk, 3)
            apply(slow, legal[-1] if passes else legal[below(walk, len(legal))])
    if slow.phase == OVER:
        return
    fast = slow.copy()
    games = games_of(core, *table)
    games.seat([POLICIES[bot] for bot in names], [seed + seat for seat in range(table[1])])
    if games.play_out(fast) is None:
        assert fast.hands == slow.hands
        return
    for seat, play, choices in turns(games):
        plays = legal_plays(slow)
        assert (slow.turn, len(plays)) == (seat, choices)
        legal = legal_actions(slow)
        own = bots[seat].choose(observe(slow, seat), legal)
        assert own.cards == cards_of(play)
        apply(slow, own)
    assert slow.phase == OVER
    assert outcome(fast) == outcome(slow)


@pytest.mark.parametrize("core", FORMS)
@settings(max_examples=examples(100), deadline=None)
@given(_TABLES, st.integers(0, 2**32), st.integers(0, 60))
def test_lists_are_in_the_order_of_the_engine(core, table, seed, most):
    state = started(table, seed)
    games = Games(CORES[core](), *table)
    walk = Random(seed)
    for _ in range(most):
        if state.phase == OVER:
            return
        plays = legal_plays(state)
        found = games.plays(state)
        assert found == plays or found is None
        if plays and (not state.top or below(walk, 2)):
            make_play(state, plays[below(walk, len(plays))])
        else:
            make_pass(state)


@pytest.mark.parametrize("core", FORMS)
@settings(max_examples=examples(60), deadline=None)
@given(_TABLES, st.integers(0, 2**32))
def test_seatings_of_one_deal_meet_the_same_dice(core, table, seed):
    state = started(table, seed)
    if state.phase == OVER or state.out:
        return
    players = table[1]
    games = games_of(core, *table)
    games.seat([0] * players, [seed + seat for seat in range(players)])
    seatings = [[(seat + turn) % 4 for seat in range(players)] for turn in range(players)]
    for policies, played in zip(seatings, games.play_seatings(state, seatings), strict=True):
        twin = state.copy()
        alone = games_of(core, *table)
        alone.seat(policies, [seed + seat for seat in range(players)])
        changes = alone.play_out(twin)
        if played is None or changes is None:
            continue
        whole = outcome(twin)
        result = games.result(played)
        assert (result.placings, result.net) == (whole.placings, whole.net)
        assert tuple(result.chops) == whole.chops
        assert (result.changes, played.leader) == (changes, state.turn)


@pytest.mark.parametrize("core", FORMS)
@settings(max_examples=examples(60), deadline=None)
@given(_TABLES, st.integers(0, 2**128 - 9), st.integers(1, 12))
def test_the_kernel_deals_and_leads_as_the_engine(core, table, seed, most):
    ruleset, players = table
    games = games_of(core, ruleset, players)
    games.seat([3] * players, [])
    games.seed_deck(seed)
    rng = Random(seed)
    played, left = games.deal(most)
    assert len(played) <= most
    for game in played:
        state = start(ruleset, deal(ruleset, players, rng))
        assert not state.declared
        assert state.phase == PLAY
        if game is None:
            continue
        assert games.dealt(game) == state.hands
        assert game.leader == state.leader
        other = games_of(core, ruleset, players)
        other.seat([3] * players, [])
        changes = other.play_out(state)
        whole, result = outcome(state), games.result(game)
        assert (result.placings, result.net) == (whole.placings, whole.net)
        assert result.changes == changes
    if left is not None:
        assert left == start(ruleset, deal(ruleset, players, rng)).hands


@settings(max_examples=examples(300), deadline=None)
@given(_TABLES, st.integers(0, 2**32))
def test_no_hand_that_wins_as_dealt_is_missed(table, seed):
    ruleset, players = table
    state = start(ruleset, lumpy_deal(ruleset, players, Random(seed)))
    if ruleset.plays_instant_wins() and not state.moved:
        data = list(rules_data(ruleset, players))
        for seat, hand in enumerate(state.dealt):
            if best_hand(state, seat) is not None:
                assert may_win_as_dealt(data, hand & layout.LOW_MASK, hand >> 56)


@pytest.mark.parametrize("core", FORMS)
def test_a_list_that_is_too_long_stops_the_game_and_changes_nothing(core):
    """Twenty-six cards of two decks make more pair runs than there is room for."""
    ruleset = rules("thirteen", cards_each={"4": 26}, decks={"4": 2})
    prepare(2)
    suits = [4 * rank + suit for rank in range(6) for suit in range(4)]
    rest = list(range(24, 52))
    hands = [sorted([*suits, 24, 25])]
    deck = sorted([*range(52), *range(52)])
    for card in hands[0]:
        deck.remove(card)
    hands += [sorted(deck[turn::3]) for turn in range(3)]
    assert len(rest) == 28
    state = start(ruleset, hands, leader=0)
    before = outcome(state)
    games = Games(CORES[core](), ruleset, 4)
    games.seat([0] * 4, [1, 2, 3, 4])
    assert games.play_out(state) is None
    assert outcome(state) == before
    assert games.plays(state) is None
    assert games.play_seatings(state, [[0] * 4]) == [None]


def test_plain_kernels_touch_nothing_outside_their_arrays():
    with pytest.raises(IndexError):
        Watched([1, 2])[-1]
    assert plain().array([1]) == [1]
    assert preset("thirteen").max_players == 8


def test_random_players_asked_for_an_instant_win_go_on_with_their_dice(monkeypatch):
    """The kernels take over the dice as they are: they play what Python would have played."""
    ruleset, names = preset("family"), ["random", "greedy", "random", "random"]
    number = first_instant_win(ruleset, 4, "asked")
    without = play_block(ruleset, names, "asked", number, 1)
    monkeypatch.setattr(kernel_games, "current", CORES["plain"])
    monkeypatch.setattr(simulation, "play_out", None)
    assert play_block(ruleset, names, "asked", number, 1) == without
