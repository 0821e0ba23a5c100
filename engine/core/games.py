"""Games of reflexes on the kernels, and what they come to by the engine's own rules.

A kernel says who went out when and which bombs fell; whatever costs money is worked out from that
by `engine.rules.trick` and `engine.rules.betting`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from threading import get_ident
from typing import NamedTuple

from engine.core.compiled import Core, Numbers
from engine.core.kernels import layout, plan_layout
from engine.core.kernels.dice import DIE
from engine.core.rules_data import fits, rules_data
from engine.core.store import current
from engine.rules import betting, payments, trick
from engine.rules.cardset import DECK, size
from engine.rules.rule_tables import table
from engine.rules.ruleset import Ruleset
from engine.rules.shapes import is_bomb
from engine.rules.southern_money import holds_worth
from engine.rules.state import OVER, Chop, State

_WORD = 0xFFFFFFFF
Placings = tuple[tuple[int, ...], ...]

POLICIES = {
    "random": layout.RANDOM,
    "greedy": layout.GREEDY,
    "lowest": layout.LOWEST,
    "planner": layout.PLANNER,
}
"""The bots that the kernels can play, by name; the planner after `Games.plan`."""


def games_for(ruleset: Ruleset, players: int) -> Games | None:
    """Return the games of a ruleset on this process's core, or None where there is none."""
    core = current()
    return _games(core, ruleset, players, get_ident()) if core and fits(ruleset) else None


class KernelResult(NamedTuple):
    """What a game came to; `changes` is how often the lead went to another seat."""

    placings: tuple[tuple[int, ...], ...]
    net: tuple[int, ...]
    chops: Sequence[Chop]
    changes: int


class KernelGame(NamedTuple):
    """A game that a kernel played: hands as words before and after, events as in `kernels.layout`.

    `finished` are the seats that went out one by one.
    """

    leader: int
    changes: int
    finished: tuple[int, ...]
    bombs: int
    dealt: list[int]
    hands: list[int]
    events: list[int]


class Games:
    """Plays games of one ruleset between so many players."""

    def __init__(self, core: Core, ruleset: Ruleset, players: int) -> None:
        self._core, self._ruleset = core, ruleset
        self.players = players
        self.rules = core.array(rules_data(ruleset, players))
        self.work = core.blank(layout.SIZE)
        self.work[layout.PLAYERS] = players
        self._table = table(ruleset)
        self._plan = core.blank(1)
        self._by_places: dict[tuple[int, ...], tuple[Placings, tuple[int, ...]]] = {}

    def plan(self, worths: Sequence[int]) -> None:
        """Let planners play too: `engine.bots.imagination.worths` of this ruleset and table."""
        if len(self._plan) == 1:
            self._plan = self._core.blank(plan_layout.PLAN_SIZE)
            self._plan[0 : len(worths)] = worths

    def seat(self, policies: Sequence[int], seeds: Sequence[int]) -> None:
        """Give each seat a policy and fresh dice."""
        work = self.work
        for seat, policy in enumerate(policies):
            work[layout.POLICIES + seat] = policy
        for seat, seed in enumerate(seeds):
            self._write(layout.SEEDS + layout.SEED * seat, _words(seed))
            work[layout.DIE_STATE + seat] = 2

    def hand_over(self, seat: int, dice: Random) -> None:
        """Let a seat go on with dice that were thrown already: their state, not the dice."""
        self._write(layout.DICE + DIE * seat, [*dice.getstate()[1], DIE - 2])
        self.work[layout.DIE_STATE + seat] = 0

    def seed_deck(self, seed: int) -> None:
        """Seed the die that `deal` shuffles with, as `Random(seed)`."""
        words = _words(seed)
        self._write(layout.DECK, words)
        self._core.seed_die(
            self.work, layout.DECK_DIE, self.rules, layout.DIE_BASE, layout.DECK + 1, words[0]
        )

    def play_out(self, state: State) -> int | None:
        """Play a game to its end from any state of the phase PLAY; `seat` first.

        Returns how often the lead went to another seat, or None where a hand has more plays than
        there is room for: the state is then as it was, and the dice are not.
        """
        self._stand(state)
        self._write(layout.HANDS, _split_hands(state.hands))
        if self._core.play_game(self.rules, self._plan, self.work):
            return None
        work = self.work
        hands = _join_hands(_read(work, layout.HANDS, 16), self.players)
        events = _read(work, layout.EVENT_LOG, layout.EVENT * int(work[layout.EVENTS]))
        _settle(state, hands, events)
        return int(work[layout.CHANGES])

    def play_seatings(
        self, state: State, seatings: Sequence[Sequence[int]]
    ) -> list[KernelGame | None]:
        """Play the same first lead once for each seating, given as policies by seat.

        All seats throw the same dice in each. None stands for a game that there was no room for.
        """
        self._stand(state)
        self._write(layout.START, _split_hands(state.hands))
        return self._play_dealt(seatings)

    def deal_seatings(self, seatings: Sequence[Sequence[int]]) -> list[KernelGame | None] | None:
        """Deal, and play that as `play_seatings`; `seed_deck` first.

        None where a hand may win as dealt: it is dealt and not played.
        """
        if not self._core.deal_once(self.rules, self.work):
            return None
        return self._play_dealt(seatings)

    def hands_dealt(self) -> list[int]:
        """Return the packed hands of the last `deal_seatings`."""
        return _join_hands(_read(self.work, layout.START, 16), self.players)

    def _play_dealt(self, seatings: Sequence[Sequence[int]]) -> list[KernelGame | None]:
        leader, must = self.work[layout.LEADER], self.work[layout.MUST]
        results: list[KernelGame | None] = []
        while len(results) < len(seatings):
            some = seatings[len(results) : len(results) + layout.MOST_RESULTS]
            flat = [0] * (8 * len(some))
            for number, policies in enumerate(some):
                flat[8 * number : 8 * number + len(policies)] = policies
            self._write(layout.SEATINGS, flat)
            self.work[layout.LEADER], self.work[layout.MUST] = leader, must
            done = self._core.play_seatings(self.rules, self._plan, self.work, len(some))
            results += self._results(done)
        return results

    def deal(self, games: int) -> tuple[list[KernelGame | None], list[int] | None]:
        """Deal and play up to so many games; `seed_deck` and `seat` first.

        Returns them, and packed hands that were dealt next and not played, since one of them may
        win as dealt, or None.
        """
        most = min(games, layout.MOST_RESULTS)
        done = self._core.deal_games(self.rules, self._plan, self.work, most)
        results = self._results(done)
        if done < games and self.work[layout.MUST] < 0:
            at = layout.HANDS
            return results, _join_hands(_read(self.work, at, 16), self.players)
        return results, None

    def plays(self, state: State) -> list[int] | None:
        """Return the plays of the seat to act, or None where there is no room for them."""
        self._stand(state)
        self._write(layout.HANDS, _split_hands(state.hands))
        count = self._core.list_plays(self.rules, self.work)
        if self.work[layout.FAULT]:
            return None
        lows = _read(self.work, layout.LIST_LOW, count)
        highs = _read(self.work, layout.LIST_HIGH, count)
        return [_join(*words) for words in zip(lows, highs, strict=True)]

    def dealt(self, played: KernelGame) -> list[int]:
        """Return the hands that a game began with, packed."""
        return _join_hands(played.dealt, self.players)

    def result(self, played: KernelGame) -> KernelResult:
        """Return what a game came to that was played from its first lead on; the stake is 1."""
        if not self._is_settled_by_places(played):
            state = self.first_lead(played)
            _settle(state, _join_hands(played.hands, self.players), played.events)
            net = payments.net(self.players, state.payments)
            return KernelResult(tuple(state.placings), tuple(net), state.chops, played.changes)
        found = self._by_places.get(played.finished)
        if found is None:
            rest = tuple(seat for seat in range(self.players) if seat not in played.finished)
            placings = (*[(seat,) for seat in played.finished], rest)
            paid = payments.payments_from_placings(self._ruleset, placings)
            found = placings, tuple(payments.net(self.players, paid))
            self._by_places[played.finished] = found
        return KernelResult(*found, (), played.changes)

    def first_lead(self, played: KernelGame) -> State:
        """Return the state that a game was played from; what must be led is not said."""
        state = State(self._ruleset, self._table, tuple(self.dealt(played)), None, None, 1)
        state.leader = state.turn = played.leader
        return state

    def _is_settled_by_places(self, played: KernelGame) -> bool:
        """Tell whether nothing else costs money: no bomb, and no cards that are held."""
        if played.bombs:
            return False
        if self._ruleset.betting != "mien_nam":
            return True
        everybody_played = played.events[2] == (1 << self.players) - 1
        by_cards = self._ruleset.losers_pay == "cards"
        if by_cards or self._ruleset.most_paid or not everybody_played:
            return False
        hands = _join_hands(played.hands, self.players)
        return not any(holds_worth(self._ruleset, hand) for hand in hands if hand)

    def _results(self, count: int) -> list[KernelGame | None]:
        numbers = _read(self.work, layout.RESULTS, layout.RESULT * count)
        events = _read(self.work, layout.EVENT_LOG, layout.EVENT * int(self.work[layout.EVENTS]))
        found: list[KernelGame | None] = []
        for at in range(0, len(numbers), layout.RESULT):
            row = numbers[at : at + layout.RESULT]
            if row[layout.R_FAULT]:
                found.append(None)
                continue
            first = layout.EVENT * row[layout.R_FIRST_EVENT]
            found.append(
                KernelGame(
                    row[layout.R_LEADER],
                    row[layout.R_CHANGES],
                    tuple(row[layout.R_ENDED : layout.R_ENDED + row[layout.R_FINISHED]]),
                    row[layout.R_BOMBS],
                    row[layout.R_DEALT : layout.R_DEALT + 16],
                    row[layout.R_HANDS : layout.R_HANDS + 16],
                    events[first : first + layout.EVENT * row[layout.R_EVENTS]],
                )
            )
        return found

    def _stand(self, state: State) -> None:
        """Write down where a game stands, but for its hands."""
        self._write(0, _standing(state))
        if len(self._plan) > 1:
            hidden = state.ruleset.card_counts != "public"
            each = state.ruleset.cards_for(state.players)
            more = [size(hand) - each if hidden else 0 for hand in state.dealt]
            self._write(layout.HIDDEN, more)

    def _write(self, at: int, numbers: list[int]) -> None:
        self.work[at : at + len(numbers)] = numbers


@lru_cache(maxsize=8)
def _games(core: Core, ruleset: Ruleset, players: int, thread: int) -> Games:
    """Return the games of a thread: no two may write into the same arrays."""
    del thread
    return Games(core, ruleset, players)


def _settle(state: State, hands: list[int], events: list[int]) -> None:
    """Bring a state to the end of the game that a kernel played from it: places, chops, money."""
    dealt = state.hands
    for at in range(0, len(events), layout.EVENT):
        what, seat, low, high, on_low, on_high, of = events[at : at + 7]
        if what == layout.BOMB:
            state.top, state.top_by = _join(on_low, on_high), of
            if not state.top or not is_bomb(state.top):
                state.level = 0
            trick.note_chop(state, seat, _join(low, high))
        elif what == layout.OUT_NOW:
            state.played = played = low
            # When the first goes out, who has not played yet still holds all his cards.
            state.hands = hands if state.placings else [
                now if played >> seat & 1 else then
                for seat, (now, then) in enumerate(zip(hands, dealt, strict=True))
            ]  # fmt: skip
            trick.go_out(state, seat)
        else:
            betting.trick_over(state)
    state.hands = hands
    if state.phase != OVER:
        trick.finish(state)


def _standing(state: State) -> list[int]:
    """Return the numbers that `work` begins with."""
    low, high = words(state.top)
    deck = DECK * state.ruleset.decks_for(state.players)
    unplayed = words(deck - sum(state.dealt) + sum(state.hands))
    return [
        state.players, state.turn, state.out, int(state.first), state.must_include, low, high,
        state.top_by, state.locked, state.passed, state.played, 0, 0, 0, 0, 0, state.turn,
        int(state.debt is not None), *unplayed,
    ]  # fmt: skip


def _words(seed: int) -> list[int]:
    """Return the number of a seed's words of 32 bits, and the words, the lowest first."""
    if seed >> 128:
        raise ValueError("a seed has 128 bits at most")
    words = [seed & _WORD]
    while seed := seed >> 32:
        words.append(seed & _WORD)
    return [len(words), *words]


def words(packed: int) -> tuple[int, int]:
    """Return packed cards, or a play, as the kernels' two words."""
    return packed & layout.LOW_MASK, packed >> 56


def _join(low: int, high: int) -> int:
    return high << 56 | low


def _split_hands(hands: Sequence[int]) -> list[int]:
    return [word for hand in hands for word in words(hand)]


def _join_hands(words: Sequence[int], players: int) -> list[int]:
    return [_join(words[2 * seat], words[2 * seat + 1]) for seat in range(players)]


def _read(work: Numbers, at: int, count: int) -> list[int]:
    part = work[at : at + count]
    return part if isinstance(part, list) else part.tolist()
