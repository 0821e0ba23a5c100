"""The review of a finished game: chances by step, one's own decisions, where the result is from."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from typing import Any

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine import records
from engine.records import read
from engine.rules import game as engine_game
from engine.rules.actions import SeatAction, action_from_json
from engine.rules.cardset import unpack
from engine.rules.state import PLAY
from tables.base.card_text import codes
from tables.base.faces import Face, faces
from tables.base.placings import ranks
from tables.models import Game, Review, Seat
from tables.numbers import rounded
from tables.play.facts import positions
from tables.reviews.facts import reviews
from tables.reviews.pages.asked import JudgedOption, move_words, options, why
from tables.reviews.pages.chart import Chances, chances, turning_points

WORDS = {
    "best": gettext_lazy("Best"),
    "close": gettext_lazy("Too close"),
    "mistake": gettext_lazy("Mistake"),
    "blunder": gettext_lazy("Blunder"),
}
WRONG = ("mistake", "blunder")
BAR, FLOW = 44.0, 340.0


@dataclass(frozen=True)
class Walk:
    """A game gone through once: its actions, whose hands they came from, where tricks began."""

    actions: list[SeatAction]
    hands: list[tuple[int, ...]]
    tricks: list[int]
    ranks: dict[int, int]

    def trick_of(self, step: int) -> int:
        """Return the number of the trick of a step, counted from 1."""
        return max(1, bisect_right(self.tricks, step))


def walk(record: Mapping[str, Any]) -> Walk:
    """Return what happened in a record."""
    state, actions = read.start_of(record), read.actions_of(record)
    hands, tricks = [], []
    for number, action in enumerate(actions):
        if state.phase == PLAY and not state.top and action.do in ("play", "lock"):
            tricks.append(number)
        hands.append(unpack(state.hands[action.seat]))
        records.step(state, action, number + 1)
    return Walk(actions, hands, tricks or [0], ranks(engine_game.outcome(state).placings))


@dataclass(frozen=True)
class DecisionRow:
    """One of my decisions: what I played, how good it was, and the judge's choices."""

    step: int
    trick: int
    cards: list[str]
    word: str
    loss: float
    error: float
    options: list[JudgedOption]
    why: str
    best: str
    money: float | None

    @property
    def verdict(self) -> str:
        """The word for it."""
        return str(WORDS[self.word])

    @property
    def is_wrong(self) -> bool:
        """Whether there is something to try again."""
        return self.word in WRONG

    @property
    def lost(self) -> float:
        """The loss as it is shown: never below 0."""
        return max(self.loss, 0.0)

    @property
    def shown_loss(self) -> str:
        """The loss with its sign."""
        return rounded(-self.lost, 2).replace("-", "−") if self.lost else "0"

    @property
    def bar(self) -> float:
        """The length of its bar; one and a half places fill it."""
        return _length(self.lost)

    @property
    def low(self) -> float:
        """Where the line of twice the error begins."""
        return 2 + _length(self.lost - 2 * self.error)

    @property
    def high(self) -> float:
        """Where it ends."""
        return 2 + _length(self.lost + 2 * self.error)


@dataclass(frozen=True)
class TurningPoint:
    """What changed most, all hands being known: who did what, and the places before and after."""

    number: int
    step: int
    trick: int
    name: str
    face: Face
    move: str
    of: str
    before: float
    after: float


@dataclass(frozen=True)
class FlowRow:
    """A term of where the result came from; its bar begins where the one before ended."""

    key: str
    name: str
    note: str
    value: float
    x: float
    width: float


@dataclass(frozen=True)
class ReviewPage:
    """A review as one visitor sees it; `mine` is None for a stranger, who gets no decisions."""

    record: Mapping[str, Any]
    walked: Walk
    state: str
    why: str
    mine: int | None
    values: list[list[float]]
    found: list[dict[str, Any]]
    terms: list[float] | None
    model_error: float | None
    is_old: bool
    known: Mapping[str, Face] = field(default_factory=dict)
    """The faces at the game's table, by name."""
    is_uncounted: bool = False
    absent: Sequence[str] = ()
    """The names of people for whom the autopilot played cards."""

    @property
    def is_waiting(self) -> bool:
        return self.state == Review.State.WAITING

    @cached_property
    def names(self) -> list[str]:
        return [str(name) for name in self.record["players"]]

    @cached_property
    def player_faces(self) -> list[Face]:
        return faces(self.names, self.known)

    @property
    def place(self) -> int | None:
        """The place in which I finished."""
        return None if self.mine is None else self.walked.ranks.get(self.mine)

    @property
    def face(self) -> Face | None:
        return None if self.mine is None else self.player_faces[self.mine]

    @property
    def expected(self) -> float | None:
        """The place that my hand and seat promised before the first play."""
        if self.mine is None or not self.values:
            return None
        return len(self.names) - float(self.values[0][self.mine])

    @property
    def lost(self) -> float:
        """What my decisions gave away, summed as it is; 0 or below."""
        return -max(0.0, float(sum(one["loss"] for one in self.found)))

    @property
    def good(self) -> int:
        """How many of my decisions were no mistakes."""
        return sum(one["word"] not in WRONG for one in self.found)

    @property
    def luck(self) -> float | None:
        """The cards and the seat, and what I could not know."""
        return None if self.terms is None else self.terms[0] + self.terms[2]

    @cached_property
    def decisions(self) -> list[DecisionRow]:
        """My decisions, the dearest first."""
        found = [self._decision(one) for one in self.found]
        return sorted(found, key=lambda one: (-one.lost, one.step))

    @property
    def dear(self) -> list[DecisionRow]:
        """Those that lost something."""
        return [one for one in self.decisions if one.word != "best"]

    @property
    def fine(self) -> list[DecisionRow]:
        """Those as good as the best."""
        return [one for one in self.decisions if one.word == "best"]

    def decision_at(self, step: int) -> dict[str, Any] | None:
        """Return the judge's body of my decision at a step."""
        return next((one for one in self.found if one["step"] == step), None)

    def next_mistake(self, step: int) -> int | None:
        """Return the step of my next mistake after this one, or the first again."""
        wrong = sorted(one["step"] for one in self.found if one["word"] in WRONG)
        return next((at for at in wrong if at > step), wrong[0] if wrong else None)

    def _decision(self, body: Mapping[str, Any]) -> DecisionRow:
        step, played = body["step"], action_from_json(body["played"])
        return DecisionRow(
            step=step,
            trick=self.walked.trick_of(step),
            cards=codes(played.cards),
            word=body["word"],
            loss=body["loss"],
            error=body["s"],
            options=options(body, len(self.names)),
            why=why(body, self.walked.hands[step]),
            best=move_words(action_from_json(body["best"])),
            money=body["money"],
        )

    @cached_property
    def turns(self) -> list[TurningPoint]:
        """The three steps that changed most."""
        found = []
        players = len(self.names)
        for number, one in enumerate(turning_points(self.values, self.mine), start=1):
            step, seat, before, after = one
            action = self.walked.actions[step]
            found.append(
                TurningPoint(
                    number,
                    step + 1,
                    self.walked.trick_of(step),
                    self.names[action.seat],
                    self.player_faces[action.seat],
                    move_words(action),
                    self.names[seat],
                    players - before,
                    players - after,
                )
            )
        return found

    def chart(self, step: int) -> Chances | None:
        """Return the lines of all seats; None without values."""
        if not self.values:
            return None
        turns = turning_points(self.values, self.mine)
        return chances(
            self.values,
            self.names,
            self.player_faces,
            self.walked.tricks,
            mine=self.mine,
            step=step,
            words={one["step"]: one["word"] for one in self.found},
            turns=[(at, seat) for at, seat, _before, _after in turns],
        )

    @cached_property
    def flow(self) -> list[FlowRow]:
        """The four terms and their sum, in opponents beaten against the middle place."""
        if self.terms is None:
            return []
        named = [
            ("cards", _("Cards and seat"), _("what was dealt")),
            ("others", _("What the others did"), _("their plays, all hands open")),
            ("unknown", _("What you could not know"), _("how the hidden cards lay")),
            (
                "own",
                _("Your decisions") if self.found else _("What was played for you"),
                _("against a strong player in your seat"),
            ),
        ]
        ends = [0.0, *accumulate(self.terms)]
        low, high = min(ends), max(ends)
        scale = (FLOW - 8) / max(high - low, 0.1)
        rows = [
            _flow(key, name, note, value, begin, low, scale)
            for (key, name, note), value, begin in zip(named, self.terms, ends, strict=False)
        ]
        total = _("against the middle place, %(middle)s") % {
            "middle": rounded((len(self.names) + 1) / 2, 1)
        }
        return [*rows, _flow("total", _("Result"), total, ends[-1], 0.0, low, scale)]


def _length(places: float) -> float:
    return round(min(max(places, 0.0) / 1.5, 1.0) * BAR, 1)


def _flow(
    key: str, name: str, note: str, value: float, begin: float, low: float, scale: float
) -> FlowRow:
    x = 4 + (min(begin, begin + value) - low) * scale
    return FlowRow(key, name, note, value, round(x, 1), round(max(abs(value) * scale, 2), 1))


def review_page(
    game: Game, record: Mapping[str, Any], *, user: Any = None, token: str = ""
) -> ReviewPage:
    """Return a finished game's review for a visitor: decisions are those of the own seat alone."""
    mine = reviews.seat_held(game, user=user, token=token)
    page, position = page_of(record, reviews.review_of(game), mine), positions.of(game.table)
    return replace(
        page,
        known=position.faces,
        is_uncounted=game.no in position.uncounted,
        absent=_absent(game),
    )


def _absent(game: Game) -> list[str]:
    """Return the names of people for whom the autopilot played cards; a pass may be forced."""
    played = game.actions.filter(seat=OuterRef("no"), body__do="play").exclude(made_by="player")
    people = Seat.objects.filter(Exists(played), pk__in=game.holders, bot="").order_by("no")
    return list(people.values_list("name", flat=True))


def page_of(record: Mapping[str, Any], made: Review, mine: int | None) -> ReviewPage:
    """Return a review as the player of a seat sees it, or a stranger."""
    body = made.body or {}
    found = [one for one in body.get("decisions", []) if one["seat"] == mine]
    terms = body.get("terms", [])
    return ReviewPage(
        record=record,
        walked=walk(record),
        state=made.state,
        why=str(reviews.WHY.get(made.why, "")),
        mine=mine,
        values=body.get("values", []),
        found=found,
        terms=terms[mine] if mine is not None and terms else None,
        model_error=body.get("model_error"),
        is_old=reviews.is_old(made),
    )
