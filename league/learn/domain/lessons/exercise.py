"""Exercises: positions of the engine in which the reader, at seat 0, does a task."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from engine.bots import BOTS
from engine.rules import game
from engine.rules.actions import SeatAction
from engine.rules.cards import CardError, format_cards, parse_cards
from engine.rules.errors import IllegalAction
from engine.rules.observation import observe
from engine.rules.ruleset import Ruleset, with_options
from engine.rules.state import OVER, State

READER = 0
MOST_MOVES = 60

PlayedCards = tuple[int, ...]
"""The cards that the reader plays, low to high; empty for a pass."""
Goal = Callable[[State, SeatAction, State], bool]
MoveVerdict = Literal["asked", "refused", "other", "going", "done"]


class MoveError(ValueError):
    """The text is not a list of moves, or a move is impossible in the exercise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What the reader is to do with these hands, and the words that answer it.

    `praise` answers what is right, `other` what is not.
    """

    task: str
    hands: tuple[str, ...]
    praise: str
    other: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Exercise(Task):
    """A task for the reader, and the position in which it is set.

    `hands` are dealt to the reader and then around the table. `before` lists the actions before the
    reader's turn, beginning with `leader` (None: the lowest card leads). `goal` takes the state
    before a legal move, the move, and the state after it. `praise` answers a move that reaches the
    goal, `other` one that does not. With `plays_on`, bots answer each move and the goal is checked
    when the game is over.
    """

    goal: Goal
    leader: int | None = READER
    before: tuple[str, ...] = ()
    plays_on: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Question(Task):
    """A question about several hands; `right` is the answer's index, or None for no hand."""

    right: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """A short lesson; `sections` are the keys of the related sections of the rules in words."""

    key: str
    title: str
    text: tuple[str, ...]
    sections: tuple[str, ...]
    steps: tuple[Exercise | Question, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """The outcome of the reader's last move, with the `state` to show now.

    `refused` is the rules' refusal of the last move. `moves` are the accepted moves.
    """

    state: State
    verdict: MoveVerdict
    moves: tuple[PlayedCards, ...]
    refused: IllegalAction | None = None


def schoolroom(rules: Ruleset, hands: Sequence[str]) -> Ruleset:
    """Return the rules for an exercise: with its number of cards, and no steps before the lead.

    >>> from engine.rules.ruleset import preset
    >>> schoolroom(preset("thirteen"), ["3S 4S 5S", "6S 7S 8S"]).cards_for(2)
    3
    """
    players, each = len(hands), len(parse_cards(hands[0]))
    return with_options(
        rules,
        {
            "min_players": players,
            "max_players": players,
            "cards_each": {str(players): each},
            "decks": {str(players): 1},
            "deal_all": False,
            "exchange": [],
            "trade_net": 0,
            "instant_wins": [],
            "pair_run_opens": False,
            "first_play_not_pair_run": False,
        },
    )


def play_through(exercise: Exercise, rules: Ruleset, moves: Sequence[PlayedCards]) -> Answer:
    """Return the answer to the reader's moves; MoveError if an earlier one is impossible.

    The same moves always give the same answer, because the bots are deterministic.
    """
    answer = Answer(_position(exercise, rules), "asked", ())
    for number, move in enumerate(moves, start=1):
        answer = _one_move(exercise, answer, move)
        if number < len(moves) and answer.verdict != "going":
            raise MoveError("this exercise has no such moves")
    return answer


def _one_move(exercise: Exercise, so_far: Answer, move: PlayedCards) -> Answer:
    before = so_far.state
    action = SeatAction(READER, "play" if move else "pass", move)
    after = before.copy()
    try:
        game.apply(after, action)
    except IllegalAction as refused:
        return Answer(before, "refused", so_far.moves, refused)
    moves = (*so_far.moves, move)
    if not exercise.plays_on:
        reached = exercise.goal(before, action, after)
        return Answer(after, "done", moves) if reached else Answer(before, "other", so_far.moves)
    _let_bots_play(after)
    if after.phase != OVER:
        return Answer(after, "going", moves)
    return Answer(after, "done" if exercise.goal(before, action, after) else "other", moves)


def _position(exercise: Exercise, rules: Ruleset) -> State:
    hands = [parse_cards(hand) for hand in exercise.hands]
    state = game.start(schoolroom(rules, exercise.hands), hands, leader=exercise.leader)
    for text in exercise.before:
        cards = () if text == "pass" else parse_cards(text)
        game.apply(state, SeatAction(state.turn, "play" if cards else "pass", cards))
    if exercise.plays_on:
        _let_bots_play(state)
    return state


def _let_bots_play(state: State) -> None:
    """Play the other seats with bots until it is the reader's turn or the game is over."""
    while state.phase != OVER and state.turn != READER:
        bot = BOTS["lowest"](0)
        game.apply(state, bot.choose(observe(state, state.turn), game.legal_actions(state)))


def format_moves(moves: Sequence[PlayedCards]) -> str:
    """Return the moves as text for a form field; the inverse of `parse_moves`.

    >>> format_moves([(0, 1), ()])
    '3S 3C,pass'
    """
    return ",".join(format_cards(move) if move else "pass" for move in moves)


def parse_moves(text: str) -> list[PlayedCards]:
    """Return the moves in a text; MoveError if it is invalid.

    >>> parse_moves("3S 3C,pass")
    [(0, 1), ()]
    """
    parts = text[: MOST_MOVES * 50].split(",") if text else []
    if len(parts) > MOST_MOVES:
        raise MoveError("too many moves")
    try:
        return [() if part == "pass" else parse_cards(part) for part in parts]
    except CardError as error:
        raise MoveError(str(error)) from error
