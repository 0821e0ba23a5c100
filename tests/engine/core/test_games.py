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
from engine.core.kernels.dice import throw_all
from engine.core.kernels.games import hand_points as kernel_points
from engine.core.kernels.games import may_win_as_dealt
from engine.core.kernels.plays import may_hold_bombs
from engine.core.rules_data import fits, rules_data
from engine.rules.actions import SeatAction
from engine.rules.cards import parse_cards
from engine.rules.deal import below, deal
from engine.rules.game import apply, legal_actions, observe, outcome, start
from engine.rules.instant_wins import best_hand
from engine.rules.plays import prepare
from engine.rules.ruleset import KINDS, WINNER_DOUBLES, preset, with_options
from engine.rules.shapes import cards_of
from engine.rules.southern_money import left_with
from engine.rules.state import OVER, PLAY
from engine.rules.trick import legal_plays, make_pass, make_play
from engine.sim import simulation
from engine.sim.designs import DESIGNS, seatings
from engine.sim.effects import hand_points
from engine.sim.simulation import first_instant_win, play_block
from tests.engine.core.cores import CORES, FORMS, Watched
from tests.engine.play import dealt, rules
from tests.engine.walk import begin, lumpy_deal, tables
from tests.plugins.chance import examples

# House rules on what may be played on what, and what is paid for it, all at once.
_HOUSE_RULES = st.fixed_dictionaries(
    {},
    optional={
        "pairs_match": st.sampled_from(["any", "colour"]),
        "straights_match": st.sampled_from(["any", "suit"]),
        "pair_runs_match": st.sampled_from(["any", "colour"]),
        "answers_match": st.booleans(),
        "answers_free": st.lists(st.sampled_from(KINDS), unique=True),
        "last_play": st.sampled_from(["any", "no_twos", "twos_lose"]),
        "bombs_lead": st.booleans(),
        "game_ends": st.sampled_from(["one_left", "first_out"]),
        "winner_doubles": st.lists(st.sampled_from(WINNER_DOUBLES), unique=True),
        "instant_wins": st.sampled_from([[], ["four_threes", "two_bombs"]]),
        "twos_top_straights": st.booleans(),
        "twos_top_pair_runs": st.booleans(),
        "locked_out_chops": st.just(["PR4", "PR5"]),
        "forward": st.booleans(),
        "pass_locks": st.booleans(),
    },
)


def _together(options):
    """Going out on 2s loses only where the first out ends the game."""
    ends = {"game_ends": "first_out"} if options.get("last_play") == "twos_lose" else {}
    return {**options, **ends}


def house_ruled():
    return st.sampled_from(["mien-bac", "thirteen", "viet-cong"]).flatmap(
        lambda key: st.tuples(
            _HOUSE_RULES.map(lambda options: with_options(preset(key), _together(options))),
            st.integers(preset(key).min_players, preset(key).max_players),
        )
    )


_TABLES = (tables() | house_ruled()).filter(lambda table: fits(table[0]))


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
    seats = [simulation.policy_of(table[0], bot) for bot in names]
    games.seat(seats, [seed + seat for seat in range(table[1])])
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
@settings(max_examples=examples(30), deadline=None)
@given(_TABLES, st.integers(0, 2**32), st.sampled_from(DESIGNS))
def test_a_block_is_the_same_with_the_core(core, table, seed, design):
    """Shuffles, dice, leads, money, chops, hands and the digest: everything that is told."""
    ruleset, players = table
    if design in ("versus", "tables") and not ruleset.min_players <= 4 <= ruleset.max_players:
        return
    bots = {"versus": 2, "tables": 5}.get(design, players)
    names = [["random", "greedy", "lowest"][(seed + bot) % 3] for bot in range(bots)]
    without = play_block(ruleset, names, seed, 0, 5, design)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel_games, "current", CORES[core])
        assert play_block(ruleset, names, seed, 0, 5, design) == without


@pytest.mark.parametrize("core", FORMS)
@settings(max_examples=examples(30), deadline=None)
@given(_TABLES, st.lists(st.sampled_from([0, 32, 64, 96, 128]), min_size=10), st.integers(0, 2**32))
def test_seeds_of_any_length_are_those_of_python(core, table, lengths, seed):
    players = table[1]
    rng = Random(seed)
    seeds = [rng.getrandbits(length) for length in lengths[: players + 2]]
    games, twin = games_of(core, *table), games_of(core, *table)
    packed = [one.to_bytes(16, "big") for one in seeds]
    assert games.seed_deals([packed], (1, players)) == [
        seatings(players, "single", Random(seeds[0]))
    ]
    [deal] = games.play_deals([0] * players, [[range(players)]])
    twin.seed_deck(seeds[1])
    twin.seat([0] * players, seeds[2:])
    played, left = twin.deal(1)
    assert deal.results == ([None] if left else played)


def test_dice_side_by_side_are_thrown_as_pythons():
    """From the first throw to the last that there is room for."""
    games = Games(plain(Watched), preset("killa"), 4)
    seeds = [Random(number).getrandbits(128) | 1 << 127 for number in range(6)]
    games.seed_deals([[seed.to_bytes(16, "big") for seed in seeds]], (0, 0))
    twins = [Random(seed) for seed in seeds]
    for number in range(layout.MOST_THROWS):
        throw_all(games.work, layout.THROWS, layout.DEAL_DICE, len(seeds), number)
        found = games.work[layout.THROWS : layout.THROWS + len(seeds)]
        assert found == [int(twin.random() * 2**53) for twin in twins]


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
        assert game.leader == state.leader
        other = games_of(core, ruleset, players)
        other.seat([3] * players, [])
        changes = other.play_out(state)
        whole = outcome(state)
        assert (game.placings, game.net) == (whole.placings, whole.net)
        assert (tuple(game.chops), game.changes) == (whole.chops, changes)
    if left is not None:
        assert left == start(ruleset, deal(ruleset, players, rng)).hands


@settings(max_examples=examples(300), deadline=None)
@given(_TABLES, st.integers(0, 2**32))
def test_no_hand_that_wins_or_holds_bombs_is_missed(table, seed):
    ruleset, players = table
    state = start(ruleset, lumpy_deal(ruleset, players, Random(seed)))
    data = list(rules_data(ruleset, players))
    wins = ruleset.plays_instant_wins() and not state.moved
    for seat, hand in enumerate(state.dealt):
        words = hand & layout.LOW_MASK, hand >> 56
        if wins and best_hand(state, seat) is not None:
            assert may_win_as_dealt(data, *words)
        assert kernel_points(data, *words) == hand_points(hand)
        if left_with(ruleset, hand).bombs:
            assert may_hold_bombs(*words)


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


def test_nothing_beats_four_2s_of_two_decks():
    ruleset = rules("thirteen", instant_wins=[])
    hands = dealt(ruleset, "2S 2S 2C 2C", "2D 2D 2H 2H", "", "", "")
    state = start(ruleset, hands, leader=0)
    apply(state, SeatAction(0, "play", parse_cards("2S 2S 2C 2C")))
    assert Games(plain(), ruleset, 5).plays(state) == legal_plays(state) == []


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
    monkeypatch.setattr(simulation, "play_tricks", None)
    assert play_block(ruleset, names, "asked", number, 1) == without
