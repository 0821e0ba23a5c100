"""A game as a score sheet: what happens, what may happen, what came of it.

Every method checks what it says against the engine and returns the sheet.
"""

from collections.abc import Iterable
from typing import Any, Self

from engine.records.record import action_name, legal, play_through, replay
from engine.rules.cards import format_card
from engine.rules.errors import EngineError
from engine.rules.game import Observation, observe
from tests.rules.deal import sort_cards


class Sheet:
    """One game: the record so far, and what is said of it."""

    def __init__(self, record: dict[str, Any], named: list[str]) -> None:
        self.record = record
        self.named = [set(text.split()) for text in named]

    # What happens

    def does(self, seat: int, do: str, **fields: Any) -> Self:
        """Let a seat act; fails where the engine does not ask that seat or does not take it."""
        assert self.seat == seat, f"seat {self.seat} is to act, not {seat}"
        return self._takes({"seat": seat, "do": do, **fields})

    def plays(self, seat: int, cards: str) -> Self:
        return self.does(seat, "play", cards=cards)

    def passes(self, *seats: int) -> Self:
        for seat in seats:
            self.does(seat, "pass")
        return self

    def declares(self, seat: int) -> Self:
        return self.does(seat, "declare")

    def declines(self, *seats: int) -> Self:
        for seat in seats:
            self.does(seat, "decline")
        return self

    def locks(self, seat: int, cards: str) -> Self:
        return self.does(seat, "lock", cards=cards)

    def asks(self, seat: int, rank: str) -> Self:
        return self.does(seat, "ask", rank=rank)

    def returns(self, seat: int, cards: str) -> Self:
        return self.does(seat, "return", cards=cards)

    def gives(self, seat: int, cards: str) -> Self:
        return self.does(seat, "give", cards=cards)

    def trades(self, seat: int, with_: int, *, give: str, take: str) -> Self:
        action = {"seat": seat, "do": "trade", "with": with_, "give": give, "take": take}
        return self._takes(action)

    def _takes(self, action: dict[str, Any]) -> Self:
        try:
            replay(self.record | {"actions": [*self.record["actions"], action]})
        except EngineError as error:
            raise AssertionError(str(error)) from error
        self.record["actions"].append(action)
        return self

    def settles_by_asking(self) -> list[int]:
        """Let every debt be asked for, rank by rank; return who asked, once for each card."""
        asked = []
        while (state := self._asked())["phase"] == "exchange":
            seat, first = state["seat"], state["legal"][0]
            verb, _, rest = first.partition(" ")
            if verb == "return":
                asked.append(seat)
            self.does(seat, verb, **({"rank": rest} if verb == "ask" else {"cards": rest}))
        return asked

    # What may happen

    def asks_seat(self, seat: int | None, phase: str = "play") -> Self:
        asked = self._asked()
        assert (asked["seat"], asked["phase"]) == (seat, phase)
        return self

    def may(self, *choices: str) -> Self:
        """Say that the seat to act has each of these choices: cards, or words as listed."""
        missing = [choice for choice in map(_choice, choices) if choice not in self.choices]
        assert not missing, f"not allowed: {missing}"
        return self

    def may_not(self, *choices: str) -> Self:
        """Say that the seat to act has none of these choices, listed or tried."""
        for choice in map(_choice, choices):
            assert choice not in self.choices, f"allowed: {choice}"
            assert self.is_refused(_action(self._asked()["seat"], choice)), f"taken: {choice}"
        return self

    def may_only(self, *choices: str) -> Self:
        """Say what all choices are, of words and of plays from the cards named in the deal."""
        asked = self._asked()
        named, every = self.named[asked["seat"]], asked["phase"] != "play"
        listed = [c for c in asked["legal"] if every or c in _WORDS or set(c.split()) <= named]
        assert sorted(listed) == sorted(map(_choice, choices))
        return self

    def refuses(self, seat: int, do: str, **fields: Any) -> Self:
        """Say that the engine refuses this action of this seat."""
        assert self.is_refused({"seat": seat, "do": do, **fields}), f"taken: {seat} {do} {fields}"
        return self

    def refuses_trade(self, seat: int, with_: int, *, give: str, take: str) -> Self:
        return self.refuses(seat, "trade", **{"with": with_, "give": give, "take": take})

    def is_refused(self, action: dict[str, Any]) -> bool:
        """Tell whether the engine refuses this action after those of the record."""
        try:
            replay(self.record | {"actions": [*self.record["actions"], action]})
        except EngineError:
            return True
        return False

    @property
    def choices(self) -> list[str]:
        return self._asked()["legal"]

    @property
    def seat(self) -> int | None:
        """The seat to act."""
        return self._asked()["seat"]

    # What came of it

    @property
    def result(self) -> dict[str, Any]:
        return replay(self.record)

    def places(self, *placings: Iterable[int] | int) -> Self:
        """Say all places decided so far, first place first; a shared place is a tuple of seats."""
        groups = [[place] if isinstance(place, int) else list(place) for place in placings]
        assert self.result["placings"] == groups
        return self

    def over(self, *placings: Iterable[int] | int) -> Self:
        assert self.result["finished"], "the game is not over"
        return self.places(*placings)

    def pays(self, *payments: tuple[int, int, int, str]) -> Self:
        """Say all payments as (from, to, amount, reason), in any order."""
        paid = [(p["from"], p["to"], p["amount"], p["reason"]) for p in self.result["payments"]]
        assert sorted(paid) == sorted(payments)
        return self

    def nets(self, *amounts: int) -> Self:
        assert self.result["net"] == list(amounts)
        return self

    def chopped(self, *chops: tuple[int, int, str, str, int]) -> Self:
        """Say all chops as (by, of, cards, on, level), in order."""
        listed = [(c["by"], c["of"], c["cards"], c["on"], c["level"]) for c in self.result["chops"]]
        assert listed == [(by, of, sort_cards(c), sort_cards(on), n) for by, of, c, on, n in chops]
        return self

    def holds(self, seat: int, cards: str) -> Self:
        hand = self.result["hands"][seat].split()
        missing = [card for card in cards.split() if card not in hand]
        assert not missing, f"seat {seat} does not hold {missing}"
        return self

    def lacks(self, seat: int, cards: str) -> Self:
        held = set(self.result["hands"][seat].split()) & set(cards.split())
        assert not held, f"seat {seat} holds {held}"
        return self

    # What a seat may see

    def counts(self, seat: int) -> list[int | None]:
        """Return how many cards each seat holds, as far as `seat` may know."""
        return list(self._seen_by(seat).counts)

    def lowest_cards(self, seat: int) -> list[str] | None:
        """Return each seat's lowest card, where the ruleset reveals them to `seat`."""
        cards = self._seen_by(seat).lowest_cards
        return None if cards is None else [format_card(card) for card in cards]

    def told(self, seat: int | None) -> list[str]:
        """Return the events that `seat` may read (None: anybody), each as `seat verb what`."""
        actions = [event.action for event in self._seen_by(seat).history]
        return [f"{action.seat} {action_name(action)}" for action in actions]

    def _seen_by(self, seat: int | None) -> Observation:
        return observe(play_through(self.record), seat)

    def _asked(self) -> dict[str, Any]:
        return legal(self.record)


_WORDS = ("pass", "declare", "decline")
_VERBS = ("ask", "return", "give", "lock")


def _choice(text: str) -> str:
    verb, _, rest = text.partition(" ")
    if text in _WORDS or verb == "ask":
        return text
    return f"{verb} {sort_cards(rest)}" if verb in _VERBS else sort_cards(text)


def _action(seat: int, choice: str) -> dict[str, Any]:
    verb, _, rest = choice.partition(" ")
    if choice in _WORDS:
        return {"seat": seat, "do": choice}
    if verb == "ask":
        return {"seat": seat, "do": "ask", "rank": rest}
    if verb in _VERBS:
        return {"seat": seat, "do": verb, "cards": rest}
    return {"seat": seat, "do": "play", "cards": choice}
