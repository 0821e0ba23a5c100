"""Data of the pages of lessons and exercises, in the reader's language. No queries."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from django.utils.translation import gettext as _

from engine.rules.cardset import size, unpack
from engine.rules.ruleset import Ruleset
from engine.rules.shapes import cards_of
from engine.rules.state import OVER, State
from league.clubs.facts.club_rules import SectionView, in_words
from league.learn.domain.lessons import (
    Answer,
    Exercise,
    Lesson,
    PlayedCards,
    Question,
    course,
    format_moves,
    play_through,
)
from tables.base.card_text import codes, spoken
from tables.refusals import PAYMENTS, REASONS, refusal_of

OTHERS = ("Lan", "Hùng", "Mai")
FACES = ("pig-2", "cat-1", "rooster-3", "goat-4")
NEITHER = "neither"


@dataclass(frozen=True)
class LessonSeat:
    """Another player in an exercise; `place` is 0 until the player has one."""

    name: str
    face: str
    cards: int
    passed: bool
    place: int


@dataclass(frozen=True)
class LessonPlay:
    """A play in the trick on the table."""

    name: str
    face: str
    cards: list[str]


@dataclass(frozen=True)
class Reply:
    """The page's reply to the last answer; `good` if the answer was right."""

    text: str
    good: bool

    @property
    def icon(self) -> str:
        return "check" if self.good else "alert"


@dataclass(frozen=True)
class LessonPage:
    """A lesson's texts, its sections of the rules, and the way on."""

    key: str
    title: str
    text: list[str]
    number: int
    total: int
    step: int
    steps: int
    share: int  # Per cent of the whole course.
    sections: list[SectionView]
    next_key: str
    next_title: str


@dataclass(frozen=True)
class ExercisePage:
    """The table after the reader's moves, and the reply to the last one."""

    task: str
    seats: list[LessonSeat]
    trick: list[LessonPlay]
    news: list[str]
    hand: list[str]
    picked: list[str]
    moves: str
    reply: Reply | None
    alone: bool
    over: bool
    done: bool
    places: list[tuple[int, str, str]]
    payments: list[str]
    hands: ClassVar[Sequence[list[str]]] = ()
    """Those of a question: here is none to choose from."""


@dataclass(frozen=True)
class QuestionPage:
    """Hands to choose from, and the reply to the answer given."""

    task: str
    hands: list[list[str]]
    reply: Reply | None
    done: bool
    over: ClassVar[bool] = False


def first_sentences(rules: Ruleset) -> list[tuple[str, str, str]]:
    """Return the key, title and first sentence of each lesson."""
    return [(one.key, _(one.title), _(one.text[0])) for one in course(rules)]


def find(rules: Ruleset, key: str) -> Lesson | None:
    """Return the lesson with this key, or None."""
    return next((lesson for lesson in course(rules) if lesson.key == key), None)


def lesson_page(rules: Ruleset, lesson: Lesson, step: int) -> LessonPage:
    """Return what surrounds exercise `step`, counted from 1."""
    lessons = course(rules)
    number = [one.key for one in lessons].index(lesson.key)
    after = lessons[number + 1] if number + 1 < len(lessons) else None
    return LessonPage(
        key=lesson.key,
        title=_(lesson.title),
        text=[_(sentence) for sentence in lesson.text],
        number=number + 1,
        total=len(lessons),
        step=step,
        steps=len(lesson.steps),
        share=round(100 * (number + step / (len(lesson.steps) + 1)) / len(lessons)),
        sections=_sections(rules, lesson),
        next_key=after.key if after else "",
        next_title=_(after.title) if after else "",
    )


def _sections(rules: Ruleset, lesson: Lesson) -> list[SectionView]:
    if not lesson.sections:
        return []
    return [s for s in in_words(rules).sections if s.key in lesson.sections and s.sentences]


def exercise_page(
    exercise: Exercise, rules: Ruleset, moves: Sequence[PlayedCards], reply: Reply | None = None
) -> ExercisePage:
    """Return the table after `moves`, with `reply` or what there is to say of the last of them."""
    answer = play_through(exercise, rules, moves)
    state = answer.state
    over = state.phase == OVER
    refused = list(moves[-1]) if answer.verdict in ("refused", "other") and moves else []
    return ExercisePage(
        task=_(exercise.task),
        seats=_seats(state),
        trick=_trick(state),
        news=_news(state),
        hand=codes(unpack(state.hands[0])),
        picked=[] if over else codes(tuple(refused)),
        moves=format_moves(answer.moves),
        reply=reply or _reply(exercise, answer),
        alone=answer.verdict == "going" and state.top_by == 0 and bool(state.top),
        over=over,
        done=answer.verdict == "done",
        places=_places(state) if over else [],
        payments=_payments(state) if over else [],
    )


def question_page(question: Question, given: str | None) -> QuestionPage:
    """Return the hands to choose from, and the reply to the answer `given`."""
    right = NEITHER if question.right is None else str(question.right)
    good = given == right
    reply = None if given is None else Reply(_(question.praise if good else question.other), good)
    return QuestionPage(_(question.task), [hand.split() for hand in question.hands], reply, good)


def _reply(exercise: Exercise, answer: Answer) -> Reply | None:
    if answer.verdict == "done":
        return Reply(_(exercise.praise), True)
    if answer.verdict == "other":
        return Reply(_(exercise.other), False)
    if answer.refused is not None:
        return Reply(refusal_of(answer.refused).text, False)
    return None


def nothing_chosen() -> Reply:
    """Return the reply to a play without any tapped card."""
    return Reply(str(REASONS["no_cards"]), False)


def name_of(seat: int) -> str:
    """Return the name of a seat on the page."""
    return OTHERS[seat - 1] if seat else _("You")


def _seats(state: State) -> list[LessonSeat]:
    places = {seat: place for place, group in enumerate(state.placings, 1) for seat in group}
    return [
        LessonSeat(
            name=name_of(seat),
            face=FACES[seat],
            cards=size(state.hands[seat]),
            passed=bool((state.locked | state.passed) >> seat & 1) and seat not in places,
            place=places.get(seat, 0),
        )
        for seat in range(1, state.players)
    ]


def _trick(state: State) -> list[LessonPlay]:
    """Return the top play of the trick, preceded by the play that it chopped, if any."""
    if not state.top:
        return []
    plays = [event.action for event in state.log if event.action.cards]
    last = [play for play in plays if play.cards == cards_of(state.top)][-1:]
    before = plays[plays.index(last[0]) - 1] if last and plays.index(last[0]) else None
    chopped = before is not None and state.level > 0
    plays_on_table = [before, *last] if chopped else last
    return [
        LessonPlay(name_of(play.seat), FACES[play.seat], codes(play.cards))
        for play in plays_on_table
        if play is not None
    ]


def _news(state: State) -> list[str]:
    """Return the reader's last action and the actions since in words, at most the last 8."""
    actions = [event.action for event in state.log]
    own = [number for number, action in enumerate(actions) if action.seat == 0]
    recent = actions[own[-1] if own else 0 :]
    return [
        _("%(name)s: %(cards)s") % {"name": name_of(action.seat), "cards": spoken(action.cards)}
        if action.cards
        else _("%(name)s: pass") % {"name": name_of(action.seat)}
        for action in recent[-8:]
    ]


def _places(state: State) -> list[tuple[int, str, str]]:
    """Return each place, its medal and who has it."""
    last = len(state.placings)
    return [
        (place, "last" if place == last else str(place), ", ".join(map(name_of, group)))
        for place, group in enumerate(state.placings, start=1)
    ]


def _payments(state: State) -> list[str]:
    return [
        f"{name_of(payment.sender)} → {name_of(payment.receiver)} {payment.amount}: "
        f"{PAYMENTS[payment.reason]}"
        for payment in state.payments
    ]
