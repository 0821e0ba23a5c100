"""Games of reflex bots on the kernels, with results by the engine's own rules.

A kernel reports in which order the seats went out and which bombs were played; the money follows by
`engine.rules.trick` and `engine.rules.betting`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import islice
from struct import unpack
from threading import get_ident
from typing import NamedTuple

from ..rules import betting, payments, trick
from ..rules.cardset import DECK, size
from ..rules.rule_tables import table
from ..rules.ruleset import Ruleset
from ..rules.shapes import is_bomb
from ..rules.state import OVER, Chop, State
from .compiled import Core, Numbers
from .kernels import layout, plan_layout
from .rules_data import fits, rules_data
from .store import current

_WORD = 0xFFFFFFFF
_MOST_KEPT = 1 << 16
Net = tuple[int, ...]
Placings = tuple[Net, ...]

POLICIES = {
    "random": layout.RANDOM,
    "greedy": layout.GREEDY,
    "lowest": layout.LOWEST,
    "planner": layout.PLANNER,
}
"""The bots that the kernels can play, by name; the planner needs `Games.plan` first."""


def games_for(ruleset: Ruleset, players: int) -> Games | None:
    """Return a ruleset's games on this process's core, or None if no core can play them."""
    core = current()
    return games_on(core, ruleset, players, get_ident()) if core and fits(ruleset) else None


class GameResult(NamedTuple):
    """The result of a game; `changes` counts how often the lead went to another seat."""

    placings: Sequence[Sequence[int]]
    net: Sequence[int]
    chops: Sequence[Chop]
    changes: int
    leader: int


class PlayedDeal(NamedTuple):
    """The results of a deal's games, None where the readable engine must play.

    `number` is the deal's index among the seeded deals, `points` those of the seats' hands
    (`engine.sim.effects`).
    """

    number: int
    points: list[int]
    results: list[GameResult | None]


class Games:
    """Games of one ruleset with a fixed number of players."""

    def __init__(self, core: Core, ruleset: Ruleset, players: int) -> None:
        self._core, self._ruleset = core, ruleset
        self.players = players
        self.rules = core.array(rules_data(ruleset, players))
        self.work = core.blank(layout.SIZE)
        self.work[layout.PLAYERS] = players
        self._table = table(ruleset)
        self._plan = core.blank(1)
        self._dice = 0  # dice per deal
        self._by_order: dict[tuple[int, int], tuple[Placings, Net]] = {}

    def plan(self, worths: Sequence[int]) -> None:
        """Enable planners, by `engine.bots.imagination.worths` of this ruleset and table size."""
        if len(self._plan) == 1:
            self._plan = self._core.blank(plan_layout.PLAN_SIZE)
            self._plan[0 : len(worths)] = worths

    def seat(self, policies: Sequence[int], seeds: Sequence[int]) -> None:
        """Give each seat a policy and a newly seeded die."""
        work = self.work
        for seat, policy in enumerate(policies):
            work[layout.POLICIES + seat] = policy
        for seat, seed in enumerate(seeds):
            self._write(layout.SEEDS + layout.SEED * seat, _words(seed))
            work[layout.DIE_STATE + seat] = 1

    def seat_as_dealt(self, policies: Sequence[int], deal: int, thrown: Collection[int]) -> None:
        """Give each seat a policy and its die of a seeded deal.

        Seats in `thrown` have thrown theirs once.
        """
        work = self.work
        for seat, policy in enumerate(policies):
            work[layout.POLICIES + seat] = policy
            work[layout.DIE_STATE + seat] = layout.SHARED + (seat in thrown)
        work[layout.DEAL_DIE] = self._dice * deal + 2

    def seed_deck(self, seed: int) -> None:
        """Seed the die that `deal` shuffles with, as `Random(seed)`."""
        words = _words(seed)
        self._write(layout.DECK, words)
        self._core.seed_die(
            self.work, layout.DECK_DIE, self.rules, layout.DIE_BASE, layout.DECK + 1, words[0]
        )

    def play_out(self, state: State) -> int | None:
        """Play a game from any state of phase PLAY to its end; call `seat` first.

        Return how often the lead went to another seat, or None if a hand has too many plays for the
        list: the state is then unchanged, but the dice are not.
        """
        self._stand(state)
        if self._core.play_game(self.rules, self._plan, self.work):
            return None
        work = self.work
        hands = join_hands(_read(work, layout.HANDS, 16), self.players)
        events = _read(work, layout.EVENT_LOG, layout.EVENT * int(work[layout.EVENTS]))
        settle(state, hands, events)
        return int(work[layout.CHANGES])

    def deals_at_once(self, each: int) -> int:
        """Return the number of deals, of `each` games, for one call of `play_deals`."""
        dice = layout.MOST_DICE // (self.players + 2)
        return max(1, min(layout.MOST_DEALS, layout.MOST_RESULTS // each, dice))

    def seed_deals(
        self, seeds: Sequence[Sequence[bytes]], shuffles: tuple[int, int]
    ) -> list[list[list[int]]]:
        """Seed the deals of `play_deals`; return each deal's shuffles.

        `shuffles` is their number and their length. Each deal has seeds of 16 bytes: of the
        shuffles, of the deck and, where a bot throws dice, of each seat (not bot).
        """
        deals, dice = len(seeds), len(seeds[0])
        self._dice = dice
        words = unpack(f">{4 * deals * dice}I", b"".join([one for deal in seeds for one in deal]))
        rows = [*words[3::4], *words[2::4], *words[1::4], *words[0::4], *[0] * (deals * dice)]
        self._write(layout.DEAL_KEYS, rows)
        count, size = shuffles
        self._core.seed_deals(self.rules, self.work, deals, dice, count, size)
        flat = iter(_read(self.work, layout.ORDERS, deals * count * size))
        return [[list(islice(flat, size)) for _ in range(count)] for _ in range(deals)]

    def play_deals(
        self, policies: Sequence[int], tables: Sequence[Sequence[Sequence[int]]]
    ) -> list[PlayedDeal]:
        """Deal, and play each deal once for each seating of its table; call `seed_deals` first.

        `policies` are by bot; a seating gives the bot in each seat.
        """
        each, games = len(tables[0]), len(tables[0]) * len(tables)
        self._write(layout.BOTS, policies)
        self._write(
            layout.SEATINGS, [bot for table in tables for seating in table for bot in seating]
        )
        results: list[GameResult | None] = []
        while len(results) < games:
            first = len(results)
            done = self._core.play_deals(
                self.rules, self._plan, self.work, first, games, each, self._dice
            )
            results += self._results(done - first)
        found = []
        for number in range(len(tables)):
            at = layout.DEALS + layout.DEAL * number + layout.D_POINTS
            points = _read(self.work, at, self.players)
            found.append(PlayedDeal(number, points, results[each * number : each * (number + 1)]))
        return found

    def deal(self, games: int) -> tuple[list[GameResult | None], list[int] | None]:
        """Deal and play up to `games` games; call `seed_deck` and `seat` first.

        Return the results, and None or the packed hands of a last deal that was not played because
        one of them may be an instant win.
        """
        most = min(games, layout.MOST_RESULTS)
        done = self._core.deal_games(self.rules, self._plan, self.work, most)
        results = self._results(done)
        if done < games and self.work[layout.MUST] < 0:
            return results, join_hands(_read(self.work, layout.HANDS, 16), self.players)
        return results, None

    def plays(self, state: State) -> list[int] | None:
        """Return the plays of the seat to act, or None if the list overflows."""
        self._stand(state)
        count = self._core.list_plays(self.rules, self.work)
        if self.work[layout.FAULT]:
            return None
        lows = _read(self.work, layout.LIST_LOW, count)
        highs = _read(self.work, layout.LIST_HIGH, count)
        return [_join(*words) for words in zip(lows, highs, strict=True)]

    def _results(self, count: int) -> list[GameResult | None]:
        """Return the results of the kernel's last games; the stake is 1."""
        start, end = layout.RESULTS, layout.RESULTS + layout.RESULT * count
        columns = [
            listed(self.work[start + column : end : layout.RESULT])
            for column in (layout.R_ORDER, layout.R_LEFT, layout.R_CHANGES, layout.R_LEADER)
        ]
        found: list[GameResult | None] = []
        for number, (order, left, changes, leader) in enumerate(zip(*columns, strict=True)):
            if order == layout.UNPLAYABLE:
                found.append(None)
                continue
            chops: Sequence[Chop] = ()
            if left < 0:
                placings, net, chops = self._settled(number, self._events(number))
            else:
                key = abs(order), left
                placings, net = self._by_order.get(key) or self._without_chops(number, key)
                if order < 0:
                    net, chops = self._with_chops(number, net)
            found.append(GameResult(placings, net, chops, changes, leader))
        return found

    def _with_chops(self, number: int, net: Net) -> tuple[Net, list[Chop]]:
        """Return a game's money and its chops; `net` is the money of its places alone."""
        state = State(self._ruleset, self._table, (0,) * self.players, None, None, 1)
        events = self._events(number)
        for at in range(0, len(events), layout.EVENT):
            what, *event = events[at : at + 7]
            if what == layout.BOMB:
                _bomb(state, *event)
            elif what == layout.TRICK_OVER:
                betting.trick_over(state)
        betting.trick_over(state)
        chopped = payments.net(self.players, state.payments)
        return tuple([one + other for one, other in zip(net, chopped, strict=True)]), state.chops

    def _events(self, number: int) -> list[int]:
        row = layout.RESULTS + layout.RESULT * number
        first, count = _read(self.work, row + layout.R_FIRST_EVENT, 2)
        return _read(self.work, layout.EVENT_LOG + layout.EVENT * first, layout.EVENT * count)

    def _without_chops(self, number: int, key: tuple[int, int]) -> tuple[Placings, Net]:
        """Return a game's placings and their money, which its R_ORDER and R_LEFT decide."""
        events = self._events(number)
        rest = [
            value
            for at in range(0, len(events), layout.EVENT)
            if events[at] != layout.BOMB
            for value in events[at : at + layout.EVENT]
        ]
        if len(self._by_order) == _MOST_KEPT:
            self._by_order.clear()
        placings, net, _chops = self._settled(number, rest)
        self._by_order[key] = placings, net
        return placings, net

    def _settled(self, number: int, events: list[int]) -> tuple[Placings, Net, list[Chop]]:
        """Return a game's placings, money and chops, by the rules."""
        row = _read(self.work, layout.RESULTS + layout.RESULT * number, layout.RESULT)
        dealt, hands = row[layout.R_DEALT :], row[layout.R_HANDS :]
        state = self.over(dealt, hands, events, row[layout.R_LEADER])
        net = tuple(payments.net(self.players, state.payments))
        return tuple(state.placings), net, state.chops

    def over(
        self, dealt: Sequence[int], hands: Sequence[int], events: list[int], leader: int
    ) -> State:
        """Return the last state of a game, from its hands before and after, in words."""
        before, after = (join_hands(words, self.players) for words in (dealt, hands))
        state = State(self._ruleset, self._table, tuple(before), None, None, 1)
        state.leader = state.turn = leader
        settle(state, after, events)
        return state

    def _stand(self, state: State) -> None:
        """Write a game's state."""
        self._write(0, standing(state))
        self._write(layout.HANDS, [word for hand in state.hands for word in words(hand)])
        if len(self._plan) > 1:
            hidden = state.ruleset.card_counts != "public"
            each = state.ruleset.cards_for(state.players)
            more = [size(hand) - each if hidden else 0 for hand in state.dealt]
            self._write(layout.HIDDEN, more)

    def _write(self, at: int, numbers: Sequence[int]) -> None:
        self.work[at : at + len(numbers)] = numbers


@lru_cache(maxsize=8)
def games_on(core: Core, ruleset: Ruleset, players: int, thread: int) -> Games:
    """Return the games of one thread: threads must not share arrays."""
    del thread
    return Games(core, ruleset, players)


def settle(state: State, hands: list[int], events: list[int]) -> None:
    """Advance a state to the end of the game that a kernel played: places, chops, money."""
    dealt = state.hands
    for at in range(0, len(events), layout.EVENT):
        what, seat, low, high, on_low, on_high, of = events[at : at + 7]
        if what == layout.BOMB:
            _bomb(state, seat, low, high, on_low, on_high, of)
        elif what == layout.OUT_NOW:
            state.played = played = low
            state.top = _join(on_low, on_high)
            # When the first seat goes out, a seat that has not played still holds its dealt hand.
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


def _bomb(state: State, seat: int, low: int, high: int, on_low: int, on_high: int, of: int) -> None:
    state.top, state.top_by = _join(on_low, on_high), of
    if not state.top or not is_bomb(state.top):
        state.level = 0
    trick.note_chop(state, seat, _join(low, high))


def standing(state: State) -> list[int]:
    """Return the numbers at the start of `work` for a state."""
    low, high = words(state.top)
    deck = DECK * state.ruleset.decks_for(state.players)
    unplayed = words(deck - sum(state.dealt) + sum(state.hands))
    return [
        state.players, state.turn, state.out, int(state.first), state.must_include, low, high,
        state.top_by, state.locked, state.passed, state.played, 0, 0, 0, 0, 0, state.turn,
        int(state.debt is not None), *unplayed,
    ]  # fmt: skip


def _words(seed: int) -> list[int]:
    """Return a seed's 32-bit words, lowest first, after their number."""
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


def join_hands(words: Sequence[int], players: int) -> list[int]:
    """Return packed hands from their words."""
    return [_join(int(words[2 * seat]), int(words[2 * seat + 1])) for seat in range(players)]


def _read(work: Numbers, at: int, count: int) -> list[int]:
    return listed(work[at : at + count])


def listed(part: Numbers) -> list[int]:
    """Return a part of the kernels' arrays as a list of Python's numbers."""
    return part if isinstance(part, list) else part.tolist()
