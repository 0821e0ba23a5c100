"""What holds for every ruleset, every number of players and every legal game."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.records.record import legal, record_of, replay
from engine.rules.actions import action_from_json, action_text, action_to_json
from engine.rules.cardset import pack, unpack
from engine.rules.deal import below
from engine.rules.game import (
    IllegalAction,
    SeatAction,
    apply,
    legal_actions,
    observe,
    outcome,
    start,
)
from engine.rules.outcome import as_previous, outcome_to_json, previous_to_json
from engine.rules.shapes import cards_of
from engine.rules.state import OVER, PLAY
from tests.engine.rules.test_plays import ALL
from tests.engine.walk import begin, finished, tables, walk
from tests.plugins.chance import examples

seeds = st.integers(0, 2**32).map(Random)
checked = settings(max_examples=examples(120), deadline=None)


@checked
@given(tables(), seeds)
def test_cards_are_conserved(table, rng):
    past = as_previous(outcome(finished(table, rng)))
    for position, _ in walk(begin(table, rng, past), rng):
        shed = sum(
            pack(event.action.cards)
            for event in position.log
            if event.action.do in ("play", "lock")
        )
        assert sum(position.hands) + shed == sum(position.dealt)
        assert all(hand >= 0 for hand in position.hands)


@checked
@given(tables(), seeds)
def test_somebody_can_always_act_until_the_game_ends(table, rng):
    state = begin(table, rng)
    for position, actions in walk(state, rng):
        assert bool(actions) == (position.phase != OVER)
        assert all(action.seat == position.turn for action in actions)
        assert len(set(actions)) == len(actions)
        if position.phase == PLAY:
            assert position.hands[position.turn]


@checked
@given(tables(), seeds)
def test_games_end_with_complete_placings_and_payments_that_sum_to_zero(table, rng):
    result = outcome(finished(table, rng))
    _, players = table
    assert sorted(seat for group in result.placings for seat in group) == list(range(players))
    assert sum(result.net) == 0
    assert result.dealer_next == max(result.placings[-1])
    assert all(p.amount > 0 and p.sender != p.receiver for p in result.payments)
    assert all(1 <= chop.level <= len(result.chops) for chop in result.chops)


def tried(state, rng):
    """Return actions that may be legal or not: plays of the hand, odd sets, words, wrong turns."""
    seat = state.turn
    hand = unpack(state.hands[seat])
    plays = [cards_of(play) for play in ALL.all_plays(state.hands[seat])]
    sets = [plays[below(rng, len(plays))] for _ in range(12)]
    sets += [tuple(sorted(rng.sample(hand, 1 + below(rng, len(hand))))) for _ in range(4)]
    sets += [tuple(sorted(rng.sample(range(52), 1 + below(rng, 3)))) for _ in range(3)]
    actions = [SeatAction(seat, do, cards) for cards in sets for do in ("play", "lock", "return")]
    actions += [SeatAction(seat, do) for do in ("pass", "declare", "decline", "play")]
    actions += [SeatAction(seat, "ask", rank=rank) for rank in range(13)]
    other = (seat + 1) % state.players
    return actions + [SeatAction(other, action.do, action.cards) for action in actions[::7]]


@settings(max_examples=examples(60), deadline=None)
@given(tables(), seeds)
def test_exactly_the_listed_actions_are_accepted(table, rng):
    first = finished(table, rng)
    state = begin(table, rng, as_previous(outcome(first)))
    for position, actions in walk(state, rng):
        if not actions or below(rng, 4):
            continue
        listed = set(actions)
        for action in tried(position, rng):
            twin = position.copy()
            try:
                apply(twin, action)
                accepted = True
            except IllegalAction as error:
                accepted = False
                reason = error.reason()
            assert accepted == (action in listed), action
            if not accepted:
                assert outcome(twin) == outcome(position)
                assert "\n" not in reason


@checked
@given(tables(), seeds)
def test_a_record_replays_to_the_same_state(table, rng):
    past = outcome(finished(table, rng))
    previous = as_previous(past)
    state = begin(table, rng, previous)
    stop = below(rng, 80)
    for number, _ in enumerate(walk(state, rng)):
        if number == stop:
            break
    record = record_of(state, previous_to_json(past))
    assert replay(record) == outcome_to_json(outcome(state))
    answer = legal(record)
    assert answer["legal"] == sorted(action_text(a) for a in legal_actions(state))
    assert answer["seat"] == (None if state.phase == OVER else state.turn)
    assert answer["phase"] == state.phase


@checked
@given(tables(), seeds)
def test_actions_and_their_json_are_inverses(table, rng):
    for _, actions in walk(begin(table, rng), rng):
        for action in actions[:3] + actions[-3:]:
            assert action_from_json(action_to_json(action)) == action


def with_swapped_cards(state, rng):
    """Return the same game with one card of two other seats swapped, or None if it cannot be.

    The seat to act must not be able to tell the difference.
    """
    others = [seat for seat in range(state.players) if seat != state.turn and state.hands[seat]]
    if len(others) < 2:
        return None
    a, b = rng.sample(others, 2)
    give = unpack(state.hands[a])[below(rng, state.hands[a].bit_count())]
    take = unpack(state.hands[b])[below(rng, state.hands[b].bit_count())]
    hands = [list(unpack(hand)) for hand in state.dealt]
    hands[a].remove(give)
    hands[b].remove(take)
    hands[a].append(take)
    hands[b].append(give)
    try:
        twin = start(state.ruleset, hands)
        for event in state.log:
            apply(twin, event.action)
    except IllegalAction:
        return None
    if twin.turn != state.turn or twin.placings != state.placings:
        return None
    return twin


@settings(max_examples=examples(200), deadline=None)
@given(tables().filter(lambda table: table[1] >= 3 and table[1] <= 4), seeds)
def test_hidden_cards_of_others_change_neither_my_view_nor_my_legal_actions(table, rng):
    for position, actions in walk(begin(table, rng), rng):
        if position.phase != PLAY or below(rng, 3):
            continue
        twin = with_swapped_cards(position, rng)
        if twin is None:
            continue
        seat = position.turn
        # What was paid for cards that a player held when the first went out is public.
        mine, other = observe(position, seat), observe(twin, seat)
        assert mine._replace(payments=()) == other._replace(payments=())
        assert actions == legal_actions(twin)
        assert observe(position, None)._replace(payments=()) == observe(twin, None)._replace(
            payments=()
        )


@checked
@given(tables(), seeds)
def test_a_locked_out_seat_never_plays_but_for_the_locked_out_chops(table, rng):
    """A peer's engine let players back into the trick that they had passed."""
    state = begin(table, rng)
    for position, actions in walk(state, rng):
        locked = position.locked >> max(position.turn, 0) & 1
        if position.phase == PLAY and locked and position.ruleset.pass_locks:
            assert position.ruleset.locked_out_chops
            assert all(len(action.cards) in (0, 8, 10) for action in actions)
