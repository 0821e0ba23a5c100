"""Dividing hands into groups, and the choices that follow from it."""

from random import Random

import pytest

from engine.bots import make
from engine.bots.decompose import decomposer
from engine.bots.imagination import Imagining, Option, imagination
from engine.bots.money import Money
from engine.bots.policy import with_suits
from engine.bots.weights import cost_of, shipped_weights
from engine.core.kernels import plan_layout
from engine.rules.cards import RANKS, format_cards, parse_cards
from engine.rules.cardset import pack, rank_counts
from engine.rules.game import SeatAction, State, legal_actions, observe, start
from engine.rules.rule_tables import table
from engine.rules.shapes import kind, length
from tests.engine.play import Table, rules

THINKERS = ["planner", "dreamer", "sage", "master"]


def groups(cards: str, key: str = "tien-len") -> list[str]:
    """Return a hand's groups in words: kind, length for runs, highest rank."""
    plan = decomposer(table(rules(key)).generator, shipped_weights())
    found = plan.best(rank_counts(pack(parse_cards(cards))))[1]
    return [f"{kind(g >> 4)} {length(g >> 4)} {RANKS[g & 15]}" for g in found]


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("3S 4S 5S 6S 7S", ["straight 5 7"]),
        ("3S 3C 9S 9C 9D", ["pair 1 3", "triple 1 9"]),
        ("3S 4S 5S 5C KS", ["straight 3 5", "single 1 5", "single 1 K"]),
        ("3S 3C 4S 4C 5S 5C", ["pair_run 3 5"]),
        ("TS JS QS 2S", ["straight 3 Q", "single 1 2"]),
        ("", []),
    ],
)
def test_a_hand_is_divided_into_the_groups_that_burden_it_least(cards, expected):
    assert groups(cards) == expected


def test_groups_are_those_that_the_ruleset_has():
    five_pairs = "3S 3C 4S 4C 5S 5C 6S 6C 7S 7C"
    assert groups(five_pairs, "tien-len") == ["pair_run 5 7"]
    assert "pair_run 5 7" not in groups(five_pairs, "family")


def test_a_division_uses_every_card_once_and_costs_the_sum_of_its_groups():
    weights = shipped_weights()
    plan = decomposer(table(rules("thirteen")).generator, weights)
    hand = "3S 4S 5C 5D 6S 7S 7C 8D 9S 9C QH QD 2S"
    cost, found = plan.best(rank_counts(pack(parse_cards(hand))))
    assert cost == sum(cost_of(group, weights) for group in found)
    sizes = [g >> 4 if g >> 4 <= 4 else length(g >> 4) * (g >> 8) for g in found]
    assert sum(sizes) == 13


def test_a_gap_parts_a_hand_into_stretches_that_are_divided_each_by_itself():
    plan = decomposer(table(rules("thirteen")).generator, shipped_weights())
    low, high = (
        plan.best(rank_counts(pack(parse_cards(cards))))
        for cards in ("3S 4S 4C 5D 6S", "8D 9S 9C TD QH QD 2S")
    )
    together = rank_counts(pack(parse_cards("3S 4S 4C 5D 6S 8D 9S 9C TD QH QD 2S")))
    assert plan.best(together) == (low[0] + high[0], low[1] + high[1])


def imagined(hand: str, *others: str, led: str = "", key: str = "tien-len") -> int:
    """Return the reward of seat 0 in an imagined game in which all cards are known.

    It has just led a card and holds a hand beside, or it leads from the hand.
    """
    ruleset, weights = rules(key), shipped_weights()
    plan = decomposer(table(ruleset).generator, weights)
    own, cards = pack(parse_cards(hand)), parse_cards(led)
    counts = rank_counts(own)
    left = with_suits(plan.best(counts)[1], own)
    question = Imagining(
        seat=0, out=0, locked=0, top=0, top_by=0, pool=(), rounds=((1, 1),),
        sizes=[len(parse_cards(cards)) for cards in (f"{hand} {led}", *others)],
        known={seat: parse_cards(cards) for seat, cards in enumerate(others, start=1)},
        options=[Option(len(cards), cards, 0, 0, left, int.from_bytes(counts, "little"))],
    )  # fmt: skip
    games = imagination(ruleset, len(others) + 1, weights)
    games.best_of(question, Random(1))
    return int(games._dream[plan_layout.CANDIDATES + plan_layout.C_TOTAL]) // 100


@pytest.mark.parametrize(
    ("hands", "led", "wins"),
    [
        # Unless somebody takes a pair apart to beat the 9, the 4 wins the game.
        (("4S", "KS KC", "3S 3C 5S 6S", "3D 3H 5C 6C"), "9S", False),
        # Nobody beats it with what he does not hold.
        (("4S", "8S 8C", "3S 3C 5S 6S", "3D 3H 5C 6C"), "9S", True),
        # The 2 first, then the pair: led the other way round, the pair would be beaten.
        (("2H 4S 4C", "5S 5C", "7S 7C", "9S 9C"), "", True),
        # There is no way out where a card above the 2 is out.
        (("2D 4S 4C", "5S 5C", "7S 7C", "9S 2H"), "", False),
    ],
)
def test_imagined_players_break_up_groups_to_beat_and_take_a_way_out(hands, led, wins):
    first = Money(rules("tien-len"), len(hands)).places[0]
    assert (imagined(*hands, led=led) == first) == wins


def test_chops_in_imagined_games_are_paid():
    """Two units, as much as the places: of whom the last pays the first."""
    bomb = "5S 5C 5D 5H 9S"
    first, last = Money(rules("killa"), 2).places
    assert imagined("4S 6S", bomb, led="2S", key="killa") == last - 2
    assert imagined(bomb, "2S 3C", led="4S", key="killa") == first + 2


def duel(*hands: str, **options: object) -> State:
    """Return a game of two with such hands of three cards, the first to lead."""
    ruleset = rules("tien-len", instant_wins=[], cards_each={"2": 3}, **options)
    return start(ruleset, [parse_cards(hand) for hand in hands], leader=0)


def choice(name: str, state: State) -> SeatAction:
    return make(name, 1).choose(observe(state, state.turn), legal_actions(state))


@pytest.mark.parametrize("name", THINKERS)
def test_a_thinker_goes_out_when_it_can(name):
    assert format_cards(choice(name, duel("3S 4S 5S", "6S 7C 9S")).cards) == "3S 4S 5S"


@pytest.mark.parametrize("name", THINKERS)
def test_a_thinker_declares_an_instant_win(name):
    game = Table(rules("killa"), "2S 2C 2D 2H", instant=True)
    assert choice(name, game.state).do == "declare"


@pytest.mark.parametrize("name", THINKERS)
def test_a_thinker_locks_a_straight_flush_where_it_may_choose(name):
    state = duel("3S 4S 5S", "6S 7C 9S", straight_flush_locks="choice")
    assert choice(name, state).do == "lock"


@pytest.mark.parametrize("name", ["dreamer", "sage", "master"])
def test_a_dreamer_leads_no_single_to_a_player_with_one_card(name):
    """He can hardly fail to beat a 4; the pair he cannot beat, and the 4 goes out after it."""
    state = duel("4S 9S 9C", "KS AS 2S")
    state.hands[1] = pack(parse_cards("KS"))
    assert format_cards(choice(name, state).cards) == "9S 9C"
