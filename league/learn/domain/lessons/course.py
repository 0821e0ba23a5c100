"""The lessons under some rules, read from `course.toml`."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.rules.cards import format_cards, parse_cards
from engine.rules.cardset import pack
from engine.rules.instant_hands import wins_with
from engine.rules.rule_tables import table
from engine.rules.ruleset import Ruleset
from engine.rules.shapes import kind, shape_of
from league.learn.domain.lessons.exercise import READER, Exercise, Goal, Lesson, Question

_COURSE = tomllib.loads(Path(__file__).with_name("course.toml").read_text(encoding="utf-8"))
_CARDS: dict[str, str] = _COURSE["cards"]
_BOMBS = ("three_pairs", "four_nines", "four_pairs")
KEYS = tuple(lesson["key"] for lesson in _COURSE["lesson"])


def course(rules: Ruleset) -> list[Lesson]:
    """Return all lessons under these rules, in the order in which they are taught."""
    return [
        Lesson(
            key=lesson["key"],
            title=lesson["title"],
            text=tuple(_those_that_hold(rules, lesson["text"])),
            sections=tuple(lesson["sections"]),
            steps=tuple(
                _step(rules, step) for step in lesson["step"] if _hold(rules, step.get("when", []))
            ),
        )
        for lesson in _COURSE["lesson"]
    ]


def taught(rules: Ruleset) -> bool:
    """Return whether the lessons fit: no suits to match, no limits on leads or last plays."""
    ready = table(rules)
    return not ready.matched and not ready.restricted


# --- Conditions on the rules ----------------------------------------------------------------


def _hold(rules: Ruleset, when: str | list[str]) -> bool:
    return all(
        any(_holds(rules, one) for one in condition.split(" or "))
        for condition in ([when] if isinstance(when, str) else when)
    )


def _holds(rules: Ruleset, condition: str) -> bool:
    if condition.startswith("not "):
        return not _holds(rules, condition.removeprefix("not "))
    name, _, rest = condition.partition(" ")
    return _CONDITIONS[name](rules, rest)


def _chops_a_two(rules: Ruleset, name: str) -> bool:
    ready = table(rules)
    play, two = (ready.classify(pack(parse_cards(text))) for text in (_CARDS[name], "2S"))
    return bool(play) and ready.beats(play, two)


def _wins_at_once(rules: Ruleset, hand: str) -> bool:
    packed = pack(parse_cards(hand))
    return rules.plays_instant_wins() and any(
        wins_with(n, packed, rules) for n in rules.instant_wins
    )


_CONDITIONS: dict[str, Callable[[Ruleset, str], bool]] = {
    "betting": lambda rules, scheme: rules.betting == scheme,
    "chops": _chops_a_two,
    "forward": lambda rules, _: rules.forward,
    "nothing_chops": lambda rules, _: not any(_chops_a_two(rules, bomb) for bomb in _BOMBS),
    "pass_locks": lambda rules, _: rules.pass_locks,
    "twos_top_straights": lambda rules, _: rules.twos_top_straights,
    "wins": lambda rules, name: _wins_at_once(rules, _CARDS[name]),
}


def _those_that_hold(rules: Ruleset, entries: list[Any]) -> list[str]:
    """Return the texts without a condition and those whose condition holds."""
    return [
        entry if isinstance(entry, str) else entry["text"]
        for entry in entries
        if isinstance(entry, str) or _hold(rules, entry["when"])
    ]


def _first(rules: Ruleset, entry: str | list[Any]) -> str:
    """Return a text, or of several the first that holds."""
    return entry if isinstance(entry, str) else _those_that_hold(rules, entry)[0]


# --- Tasks and their goals -----------------------------------------------------------------


def _step(rules: Ruleset, step: dict[str, Any]) -> Exercise | Question:
    task, praise, other = (_first(rules, step[name]) for name in ("task", "praise", "other"))
    if "choices" in step:
        hands = tuple(_first(rules, hand) for hand in step["choices"])
        right = next((at for at, hand in enumerate(hands) if _wins_at_once(rules, hand)), None)
        return Question(task=task, hands=hands, right=right, praise=praise, other=other)
    leader = step.get("leader", READER)
    return Exercise(
        task=task,
        hands=_dealt(step["hand"])
        if "hand" in step
        else tuple(_first(rules, hand) for hand in step["hands"]),
        goal=_goal(_first(rules, step["goal"])),
        praise=praise,
        other=other,
        leader=None if leader == "lowest" else leader,
        before=tuple(_those_that_hold(rules, step.get("before", []))),
        plays_on=step.get("plays_on", False),
    )


def _dealt(hand: str) -> tuple[str, ...]:
    """Return the reader's hand and three others from the cards that are left."""
    own = parse_cards(hand)
    rest = [card for card in range(52) if card not in own]
    others = [rest[seat * len(own) :][: len(own)] for seat in range(3)]
    return (hand, *(format_cards(other) for other in others))


def _goal(text: str) -> Goal:
    """Return a goal: these cards, a play of a kind, any play, a pass, a chop, the first place."""
    name, _, rest = text.partition(" ")
    if name == "a":
        return lambda before, action, after: (
            bool(action.cards) and kind(shape_of(after.top)) == rest
        )
    if rest:
        cards = parse_cards(rest)
        return lambda before, action, after: action.cards == cards
    return _GOALS[name]


_GOALS: dict[str, Goal] = {
    "play": lambda before, action, after: bool(action.cards),
    "pass": lambda before, action, after: not action.cards,
    "chop": lambda before, action, after: len(after.chops) > len(before.chops),
    "first": lambda before, action, after: after.placings[0] == (READER,),
}
