"""The lessons in the reader's language, and an exercise as its page shows it. No queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

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
from tables.card_text import codes, spoken
from tables.refusals import PAYMENTS, REASONS, refusal_of

OTHERS = ("Lan", "Hùng", "Mai")
NEITHER = "neither"


@dataclass(frozen=True)
class LessonSeat:
    """Someone at the table of an exercise; `place` is 0 until the cards are gone."""

    name: str
    cards: int
    passed: bool
    place: int


@dataclass(frozen=True)
class LessonPlay:
    """A play of the trick on the table."""

    name: str
    cards: list[str]


@dataclass(frozen=True)
class Reply:
    """What the page says about the last answer; `good` when it was what was asked."""

    text: str
    good: bool

    @property
    def icon(self) -> str:
        return "check" if self.good else "alert"


def course_page(rules: Ruleset) -> dict[str, Any]:
    """Return the list of lessons: key, title and first sentence of each."""
    lessons = [(one.key, _(one.title), _(one.text[0])) for one in course(rules)]
    return {"rules": rules, "lessons": lessons}


def find(rules: Ruleset, key: str) -> Lesson | None:
    """Return the lesson of that key, or None."""
    return next((lesson for lesson in course(rules) if lesson.key == key), None)


def lesson_page(rules: Ruleset, lesson: Lesson, step: int) -> dict[str, Any]:
    """Return the lesson with the sentences of its rules, and where it leads on."""
    lessons = course(rules)
    number = [one.key for one in lessons].index(lesson.key)
    after = lessons[number + 1] if number + 1 < len(lessons) else None
    return {
        "rules": rules,
        "lesson": lesson.key,
        "title": _(lesson.title),
        "text": [_(sentence) for sentence in lesson.text],
        "number": number + 1,
        "total": len(lessons),
        "step": step,
        "steps": len(lesson.steps),
        "sections": _sections(rules, lesson),
        "next_lesson": after and {"key": after.key, "title": _(after.title)},
    }


def _sections(rules: Ruleset, lesson: Lesson) -> list[SectionView]:
    if not lesson.sections:
        return []
    return [s for s in in_words(rules)["sections"] if s.key in lesson.sections and s.sentences]


def exercise_page(
    exercise: Exercise, rules: Ruleset, moves: Sequence[PlayedCards]
) -> dict[str, Any]:
    """Return the table after the reader's moves, and what is said about the last one."""
    answer = play_through(exercise, rules, moves)
    state = answer.state
    refused = list(moves[-1]) if answer.verdict in ("refused", "other") and moves else []
    return {
        "task": _(exercise.task),
        "seats": _seats(state),
        "trick": _trick(state),
        "news": _news(state),
        "hand": codes(unpack(state.hands[0])),
        "picked": codes(tuple(refused)) if state.phase != OVER else [],
        "moves": format_moves(answer.moves),
        "reply": _reply(exercise, answer),
        "alone": answer.verdict == "going" and state.top_by == 0 and bool(state.top),
        "over": state.phase == OVER,
        "done": answer.verdict == "done",
        "result": _result(state) if state.phase == OVER else None,
    }


def question_page(question: Question, given: str | None) -> dict[str, Any]:
    """Return the hands to choose from, and what is said about the answer `given` to them."""
    right = NEITHER if question.right is None else str(question.right)
    reply = None
    if given is not None:
        good = given == right
        reply = Reply(_(question.praise if good else question.other), good)
    return {
        "task": _(question.task),
        "hands": [hand.split() for hand in question.hands],
        "given": given,
        "reply": reply,
        "done": given == right,
    }


def _reply(exercise: Exercise, answer: Answer) -> Reply | None:
    if answer.verdict == "done":
        return Reply(_(exercise.praise), True)
    if answer.verdict == "other":
        return Reply(_(exercise.other), False)
    if answer.refused is not None:
        return Reply(refusal_of(answer.refused).text, False)
    return None


def nothing_chosen() -> Reply:
    """Return what is said to who plays without having tapped a card."""
    return Reply(str(REASONS["no_cards"]), False)


def name_of(seat: int) -> str:
    """Return what the page calls that seat."""
    return OTHERS[seat - 1] if seat else _("You")


def _seats(state: State) -> list[LessonSeat]:
    places = {seat: place for place, group in enumerate(state.placings, 1) for seat in group}
    return [
        LessonSeat(
            name=name_of(seat),
            cards=size(state.hands[seat]),
            passed=bool((state.locked | state.passed) >> seat & 1) and seat not in places,
            place=places.get(seat, 0),
        )
        for seat in range(1, state.players)
    ]


def _trick(state: State) -> list[LessonPlay]:
    """Return the last two plays of the trick on the table, or the play that ended the game."""
    if not state.top:
        return []
    plays = [event.action for event in state.log if event.action.cards]
    last = [play for play in plays if play.cards == cards_of(state.top)][-1:]
    before = plays[plays.index(last[0]) - 1] if last and plays.index(last[0]) else None
    chopped = before is not None and state.level > 0
    shown = [before, *last] if chopped else last
    return [LessonPlay(name_of(play.seat), codes(play.cards)) for play in shown if play is not None]


def _news(state: State) -> list[str]:
    """Return what has happened since the reader's own last play, in words."""
    actions = [event.action for event in state.log]
    own = [number for number, action in enumerate(actions) if action.seat == 0]
    told = actions[own[-1] if own else 0 :]
    return [
        _("%(name)s: %(cards)s") % {"name": name_of(action.seat), "cards": spoken(action.cards)}
        if action.cards
        else _("%(name)s: pass") % {"name": name_of(action.seat)}
        for action in told[-8:]
    ]


def _result(state: State) -> dict[str, Any]:
    return {
        "places": [
            (
                place,
                "last" if place == len(state.placings) else str(place),
                ", ".join(name_of(seat) for seat in group),
            )
            for place, group in enumerate(state.placings, start=1)
        ],
        "payments": [
            f"{name_of(payment.sender)} → {name_of(payment.receiver)} {payment.amount}: "
            f"{PAYMENTS[payment.reason]}"
            for payment in state.payments
        ],
    }
