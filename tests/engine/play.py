"""A short way to write games down in tests."""

from __future__ import annotations

from random import Random

from engine.bots import Bot, make
from engine.bots.monte_carlo import DreamerBot
from engine.rules.actions import action_text
from engine.rules.cards import parse_cards, parse_rank
from engine.rules.cardset import pack
from engine.rules.game import SeatAction, State, apply, legal_actions, outcome, start
from engine.rules.instant_hands import wins_with
from engine.rules.ruleset import INSTANT_WINS, Ruleset, preset, with_options


def rules(key: str, **options: object) -> Ruleset:
    """Return a preset with some fields replaced."""
    return with_options(preset(key), options)


def dealt(ruleset: Ruleset, *given: str) -> list[tuple[int, ...]]:
    """Return full hands: the cards given for each seat, filled up with what nobody names.

    The fillers are the same every time, and no filled hand wins as dealt.
    """
    named = [list(parse_cards(text)) for text in given]
    deck = list(range(52)) * ruleset.decks_for(len(named))
    for hand in named:
        for card in hand:
            deck.remove(card)
    each = ruleset.cards_for(len(named))
    for seed in range(1000):
        hands = _filled(named, list(deck), each, Random(seed))
        new = [hand for hand, was in zip(hands, named, strict=True) if len(was) < 4]
        if not any(wins_with(name, pack(hand), ruleset) for hand in new for name in INSTANT_WINS):
            return hands
    raise AssertionError("every way to fill these hands makes an instant win")


def _filled(
    named: list[list[int]], deck: list[int], each: int, rng: Random
) -> list[tuple[int, ...]]:
    rng.shuffle(deck)
    hands = []
    for hand in named:
        short = each - len(hand)
        hands.append(tuple(sorted(hand + deck[:short])))
        del deck[:short]
    return hands


class Table:
    """A game that is written as it is told: ``table.play(0, "3S").passes(1, 2)``."""

    def __init__(
        self,
        ruleset: Ruleset,
        *given: str,
        players: int = 4,
        instant: bool = False,
        **inherited: object,
    ) -> None:
        """Deal to so many players; `instant` leaves instant wins on."""
        if not instant:
            ruleset = with_options(ruleset, {"instant_wins": []})
        hands = dealt(ruleset, *given, *[""] * (players - len(given)))
        self.state: State = start(ruleset, hands, **inherited)  # type: ignore[arg-type]

    def play(self, seat: int, cards: str) -> Table:
        return self.do(SeatAction(seat, "play", parse_cards(cards)))

    def passes(self, *seats: int) -> Table:
        for seat in seats:
            self.do(SeatAction(seat, "pass"))
        return self

    def do(self, action: SeatAction) -> Table:
        apply(self.state, action)
        return self

    def says(self, seat: int, verb: str, text: str = "") -> Table:
        if verb == "ask":
            return self.do(SeatAction(seat, verb, rank=parse_rank(text)))
        return self.do(SeatAction(seat, verb, parse_cards(text)))

    def trades(self, seat: int, other: int, give: str, take: str) -> Table:
        return self.do(
            SeatAction(seat, "trade", parse_cards(give), other=other, take=parse_cards(take))
        )

    @property
    def turn(self) -> int:
        return self.state.turn

    @property
    def legal(self) -> list[str]:
        return sorted(action_text(action) for action in legal_actions(self.state))

    @property
    def result(self):
        return outcome(self.state)

    def hand(self, seat: int) -> tuple[int, ...]:
        return self.result.hands[seat]


def refused(table: Table, seat: int, cards: str) -> str:
    """Return the reason why a play is refused; fails where it is not."""
    from engine.rules.game import IllegalAction

    before = table.result
    try:
        table.play(seat, cards)
    except IllegalAction as error:
        assert table.result == before
        return error.reason()
    raise AssertionError(f"{cards} was accepted")


def run_down(table: Table) -> Table:
    """Play the game to its end: everyone plays the first thing listed that is no pass."""
    while actions := legal_actions(table.state):
        table.do(actions[0])
    return table


def quick(name: str, seed: int) -> Bot:
    """Return a bot that imagines little, so that many games are played: legality needs no more."""
    bot = make(name, seed)
    for dreamer in (bot, getattr(bot, "elsewhere", None)):
        if isinstance(dreamer, DreamerBot):
            dreamer.style = dreamer.style._replace(rounds=((6, 1), (3, 2)))
    return bot
