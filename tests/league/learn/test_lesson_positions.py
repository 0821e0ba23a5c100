"""Every lesson under every ruleset: it can be solved, and only by what it asks for."""

import pytest

from engine.rules import game
from engine.rules.cards import parse_cards
from engine.rules.ruleset import Ruleset, preset, preset_keys, with_options
from engine.rules.state import OVER
from league.learn.domain.lessons import (
    KEYS,
    Exercise,
    Lesson,
    MoveError,
    Question,
    course,
    format_moves,
    parse_moves,
    play_through,
    taught,
)

TAUGHT = [key for key in preset_keys() if taught(preset(key))]
RULES = [preset(key) for key in TAUGHT] + [
    # A club's own: nothing chops, passing does not lock, runs are short, one opens with pairs.
    with_options(preset("penguin"), {"chops": {"one_two": []}, "pass_locks": False}),
    with_options(preset("killa"), {"pair_run_opens": True, "longest_pair_run": 3}),
    with_options(preset("thirteen"), {"first_play_not_pair_run": True}),
]
NAMES = [*TAUGHT, "no-chops", "opens", "no-pairs-first"]


def lesson(key: str, rules: Ruleset | None = None) -> Lesson:
    return next(one for one in course(rules or preset("tien-len")) if one.key == key)


def answers(exercise: Exercise, rules: Ruleset) -> dict[str, list[tuple[int, ...]]]:
    """Every legal first move, a pass and each card alone, by the verdict on it."""
    state = play_through(exercise, rules, []).state
    moves = {action.cards for action in game.legal_actions(state)}
    moves |= {(), *((card,) for card in parse_cards(exercise.hands[0]))}
    found: dict[str, list[tuple[int, ...]]] = {}
    for move in sorted(moves):
        found.setdefault(play_through(exercise, rules, [move]).verdict, []).append(move)
    return found


@pytest.mark.parametrize("rules", RULES, ids=NAMES)
def test_there_are_ten_lessons_and_the_reader_is_to_act_in_each(rules):
    lessons = course(rules)
    assert [one.key for one in lessons] == list(KEYS)
    assert len(lessons) == 10
    for one in lessons:
        for step in one.steps:
            if isinstance(step, Exercise):
                state = play_through(step, rules, []).state
                assert (one.key, state.turn, state.phase) == (one.key, 0, "play")


@pytest.mark.parametrize("rules", RULES, ids=NAMES)
def test_every_exercise_of_one_move_can_be_solved_and_not_by_everything(rules):
    for one in course(rules):
        for step in one.steps:
            if isinstance(step, Exercise) and not step.plays_on:
                found = answers(step, rules)
                assert (one.key, bool(found.get("done"))) == (one.key, True)
                assert (one.key, found.keys() - {"done"}) != (one.key, set())


@pytest.mark.parametrize("rules", RULES, ids=NAMES)
def test_games_to_the_end_are_won_by_the_moves_that_are_taught(rules):
    end = lesson("end", rules).steps[0]
    assert isinstance(end, Exercise)
    moves = parse_moves("2H,9C,5D")
    if rules.forward and rules.pass_locks:
        # Alone on a trick one is asked to go on; a pass takes the trick.
        moves = parse_moves("2H,pass,9C,pass,5D")
    assert play_through(end, rules, moves).verdict == "done"
    assert play_through(end, rules, parse_moves("pass")).verdict in ("going", "other")


@pytest.mark.parametrize("rules", RULES, ids=NAMES)
def test_the_whole_game_can_be_won_by_playing_the_shortest_way(rules):
    whole = lesson("game", rules).steps[0]
    assert isinstance(whole, Exercise)
    verdicts = {play_greedily(whole, rules, most) for most in (True, False)}
    assert "done" in verdicts


def play_greedily(exercise: Exercise, rules: Ruleset, most: bool) -> str:
    """The verdict when the reader leads as many cards as he can, and beats with the lowest."""
    moves: list[tuple[int, ...]] = []
    answer = play_through(exercise, rules, moves)
    while answer.verdict in ("asked", "going"):
        plays = [a.cards for a in game.legal_actions(answer.state) if a.do == "play"]
        if (answer.state.top_by == 0 and answer.state.top) or not plays:
            moves.append(())
        elif answer.state.top:
            moves.append(plays[0] if most else plays[-1])
        else:
            moves.append(max(plays, key=lambda cards: (len(cards), -cards[0])))
        answer = play_through(exercise, rules, moves)
    assert answer.state.phase == OVER
    return answer.verdict


def test_what_the_engine_refuses_comes_with_its_reason():
    pair = lesson("beating").steps[0]
    assert isinstance(pair, Exercise)
    answer = play_through(pair, preset("tien-len"), [parse_cards("QS")])
    assert (answer.verdict, answer.refused.code, answer.moves) == ("refused", "does_not_beat", ())
    answer = play_through(pair, preset("tien-len"), [parse_cards("2H")])
    assert (answer.verdict, answer.refused.code) == ("refused", "not_in_hand")


def test_the_straight_with_a_two_is_the_longest_only_where_it_is_one():
    for key in TAUGHT:
        rules = preset(key)
        longest = lesson("straights", rules).steps[1]
        wanted = "JS QD KC AH 2S" if rules.twos_top_straights else "JS QD KC AH"
        assert answers(longest, rules)["done"] == [parse_cards(wanted)]


@pytest.mark.parametrize("rules", RULES, ids=NAMES)
def test_the_chop_that_is_taught_is_one_of_the_rules(rules):
    state = play_through(lesson("chopping", rules).steps[0], rules, []).state
    shapes = [chop for target, chops in rules.chops if target == "one_two" for chop in chops]
    assert bool(state.table.chops.get(1 << 6 | 48)) == bool(shapes)


@pytest.mark.parametrize(
    ("key", "right"),
    [("tien-len", [1, 0]), ("viet-cong", [1, 0]), ("penguin", [None]), ("mien-nam", [1, 0])],
)
def test_the_hand_that_wins_at_once_follows_the_rules(key, right):
    steps = lesson("instant", preset(key)).steps
    assert [step.right for step in steps if isinstance(step, Question)] == right


@pytest.mark.parametrize("text", ["3X", "pass," * 61, "3S,,4S x"])
def test_a_text_that_is_no_list_of_moves_is_refused(text):
    with pytest.raises(MoveError):
        parse_moves(text)


def test_moves_after_the_end_of_an_exercise_are_refused():
    pair = lesson("groups").steps[0]
    moves = parse_moves("7C 7H,pass")
    assert format_moves(moves) == "7C 7H,pass"
    with pytest.raises(MoveError):
        play_through(pair, preset("tien-len"), moves)
