"""Games between bots, the same on every machine: blocks of deals with a tally and a digest.

All dice come from one seed through HMAC: the deck of a deal, the order of the bots, and the dice of
each seat's bot. A bot's dice depend on the deal and the seat alone, so the same bot has the same
luck in every rotation and can learn nothing about the deck from them.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from random import Random
from typing import Any, NamedTuple, cast

from ..bots import BOTS, LADDER, Bot, is_known, is_outside, make
from ..bots.base import Outside, OutsideMaker, Reflex
from ..bots.imagination import worths
from ..bots.suited import is_suited
from ..bots.weights import shipped_weights
from ..core.games import POLICIES, GameResult, Games, PlayedDeal, games_for
from ..core.rules_data import fits
from ..records.record import record_of
from ..rules import trick
from ..rules.actions import SeatAction, action_text
from ..rules.deal import deal
from ..rules.errors import EngineError
from ..rules.game import State, apply, legal_actions, observe, outcome, start
from ..rules.inherited import Previous
from ..rules.outcome import Outcome, as_previous
from ..rules.ruleset import Ruleset
from ..rules.state import INSTANT_WIN, OVER, PLAY
from .designs import (
    DESIGNS,
    check_design,
    games_of_deal,
    seated,
    seatings,
    shuffles,
    table_size,
)
from .effects import Effects, points_of
from .faults import (
    BotFault,
    Conditions,
    Fault,
    GameLog,
    Unanswered,
    ask,
    crashes,
    forfeit,
)

__all__ = ["DESIGNS", "Block", "SimulationError", "check", "play_block", "play_one"]
Seed = str | int


_USUAL = Conditions()
_HASH_BLOCK = 64
_compact = json.JSONEncoder(separators=(",", ":")).encode


class SimulationError(EngineError, ValueError):
    """A simulation that cannot be run as requested."""


@dataclass(frozen=True)
class Block:
    """The results of a run of deals.

    `tally` holds JSON values: ``counts`` lists [bot, rank, seats sharing it, games];
    ``deal_scores`` has for each deal each bot's score, summed over the games of the deal, one game
    giving 2 for each opponent beaten and 1 for each tie; ``deal_net`` each bot's money likewise,
    and ``net`` its sum. ``deal_orders`` has for each deal the bots of its games by place, those who
    share one in brackets: ``"2031 03(12)"``. Bots are indices into the list that was requested.
    ``effects`` are sums of engine.sim.effects, and ``notes`` the first verdicts on bots with their
    texts. `digest` is the SHA-256 over the results of all games in order. `records` are those of
    all games, if requested.
    """

    games: int
    deals: int
    tally: dict[str, Any]
    digest: str
    records: list[dict[str, Any]] = field(default_factory=list)


def play_block(
    ruleset: Ruleset,
    bots: Sequence[str],
    seed: Seed,
    first_deal: int,
    deals: int,
    design: str = "rotations",
    *,
    after_deal: Callable[[], object] = lambda: None,
    conditions: Conditions = _USUAL,
) -> Block:
    """Play `deals` deals from number `first_deal` on; engine.sim.designs has the designs.

    `after_deal` is called after each deal, as a heartbeat.
    """
    check(ruleset, bots, design)
    players = table_size(len(bots), design)
    sums = _Sums(len(bots), players)
    records: list[dict[str, Any]] = []
    quick = None if conditions.keep else quick_games(ruleset, bots, players)
    try:
        for dealt, table, played in _deals(ruleset, bots, seed, first_deal, deals, design, quick):
            number = dealt.number
            sums.begin_deal(played.points if played else points_of(dealt.hands))
            for rotation, seating in enumerate(table):
                if played and (result := played.results[rotation]):
                    sums.add(result, seating, number, rotation)
                    continue
                log = conditions.logs(number, rotation)
                game = _Game(ruleset, bots, dealt, seating, conditions, sums.effects, log=log)
                state = game.play(quick, played)
                won = state.instant_winners
                sums.add(_result(game, state), seating, number, rotation, won, game.faults)
                if conditions.keep:
                    records.append({**record_of(state), "players": [bots[bot] for bot in seating]})
            sums.end_deal()
            after_deal()
    finally:
        _rest(bots)
    games = deals * games_of_deal(len(bots), design)
    return Block(games, deals, sums.tally(), sums.digest.hexdigest(), records)


def imagined(
    ruleset: Ruleset,
    bots: Sequence[str],
    seed: Seed,
    first_deal: int,
    deals: int,
    *,
    after_deal: Callable[[], object] = lambda: None,
) -> list[str]:
    """Return the orders of the games of the design ``single`` imagined in all rotations.

    The first of each deal is imagined as it was seated. What the others do with their own seats is
    luck of the cards and the seat, and its mean is 0. A bot whose choices take long to know is
    imagined as a planner.
    """
    known = [bot if bot in POLICIES else "planner" for bot in bots]
    block = play_block(ruleset, known, seed, first_deal, deals, after_deal=after_deal)
    orders: list[str] = block.tally["deal_orders"]
    return orders


def quick_games(ruleset: Ruleset, bots: Sequence[str], players: int) -> Games | None:
    """Return the compiled core's games if it is ready and can play all of these bots, else None."""
    games = games_for(ruleset, players) if all(name in POLICIES for name in bots) else None
    if games and "planner" in bots and not is_suited(ruleset):
        games.plan(worths(ruleset, players, shipped_weights()))
    return games


def policy_of(ruleset: Ruleset, bot: str) -> int:
    """Return the kernels' number of a bot: where suits count, a planner plays like `greedy`."""
    return POLICIES["greedy" if bot == "planner" and is_suited(ruleset) else bot]


def _deals(
    ruleset: Ruleset,
    bots: Sequence[str],
    seed: Seed,
    first: int,
    deals: int,
    design: str,
    quick: Games | None,
) -> Iterator[tuple[_Deal, list[list[int]], PlayedDeal | None]]:
    """Yield each deal with its seatings and, if `quick` is given, the games it played."""
    players = table_size(len(bots), design)
    most = quick.deals_at_once(games_of_deal(len(bots), design)) if quick else 1
    for begin in range(first, first + deals, most):
        numbers = range(begin, min(begin + most, first + deals))
        dealt = [_Deal(ruleset, players, seed, number) for number in numbers]
        played: Sequence[PlayedDeal | None] = [None] * len(numbers)
        if quick:
            seeds = [
                [_secret(seed, f"order|{deal.number}"), *deal.secrets("random" in bots)]
                for deal in dealt
            ]
            orders = quick.seed_deals(seeds, shuffles(len(bots), design))
            tables = [seated(len(bots), design, order) for order in orders]
            played = quick.play_deals([policy_of(ruleset, bot) for bot in bots], tables)
        else:
            tables = [_seatings(bots, seed, number, design) for number in numbers]
        yield from zip(dealt, tables, played, strict=True)


def play_one(
    ruleset: Ruleset,
    bots: Sequence[str],
    seed: Seed,
    number: int,
    rotation: int = 0,
    design: str = "rotations",
    *,
    conditions: Conditions = _USUAL,
) -> dict[str, Any]:
    """Return the record of one game of a run, identical to the game in its block."""
    check(ruleset, bots, design)
    seating = seats(bots, seed, number, rotation, design)
    dealt = _Deal(ruleset, len(seating), seed, number)
    try:
        state = _Game(ruleset, bots, dealt, seating, conditions).play(logged=True)
    finally:
        _rest(bots)
    return {**record_of(state), "players": [bots[bot] for bot in seating]}


def go_on(
    ruleset: Ruleset,
    bots: Sequence[str],
    seed: Seed,
    number: int,
    rotation: int,
    design: str,
    log: GameLog,
    *,
    conditions: Conditions = _USUAL,
) -> tuple[int, Unanswered] | None:
    """Play one game of a run until a remote bot has to answer; return None if the game is over.

    Otherwise return the index of that bot, and the question. The log has the decisions so far. The
    bots' dice are seeded again at each visit, since they cannot be kept between visits.
    """
    seating = seats(bots, seed, number, rotation, design)
    dealt = _Deal(ruleset, len(seating), seed, number, visit=f"|{len(log.entries)}")
    game = _Game(ruleset, bots, dealt, seating, conditions, log=log)
    try:
        game.play(logged=True)
    except Unanswered as asked:
        return seating[cast("int", asked.observation.seat)], asked
    return None


def play_in_a_row(
    ruleset: Ruleset,
    bots: Sequence[str],
    seed: Seed,
    games: int,
    *,
    first: int = 0,
    previous: Previous | None = None,
    conditions: Conditions = _USUAL,
) -> Block:
    """Play games that each inherit from the one before, so that exchanges occur too.

    They are dealt from number `first` on, and the first inherits from `previous`.

    The digest is over all actions; the tally has only ``effects`` and ``notes``, which give the
    number of the game as that of the deal.
    """
    check(ruleset, bots, "single")
    seating = list(range(len(bots)))
    effects, actions, records = Effects(len(bots), len(bots)), hashlib.sha256(), []
    try:
        for number in range(first, first + games):
            dealt = _Deal(ruleset, len(bots), seed, number)
            effects.begin_deal(points_of(dealt.hands))
            game = _Game(ruleset, bots, dealt, seating, conditions, effects, previous)
            state = game.play(logged=True)
            for seat, fault in game.faults:
                effects.add_fault(Fault(seat, fault.kind, number, 0, str(fault)))
            record = record_of(state)
            records.append(record)
            actions.update(json.dumps(record["actions"]).encode() + b"\n")
            previous = as_previous(outcome(state))
    finally:
        _rest(bots)
    tally = {"effects": effects.to_json(), "notes": effects.notes()}
    return Block(games, games, tally, actions.hexdigest(), records)


def check(ruleset: Ruleset, bots: Sequence[str], design: str) -> None:
    """Raise SimulationError if these bots cannot play this ruleset in this design."""
    for name in bots:
        if not is_known(name):
            raise SimulationError(f"there is no bot {name[:40]!r}: choose {', '.join(BOTS)}")
    try:
        check_design(ruleset, len(bots), design)
    except EngineError as error:
        raise SimulationError(str(error)) from None


def first_instant_win(ruleset: Ruleset, players: int, seed: Seed, most: int = 5000) -> int | None:
    """Return the number of the first deal that offers a seat an instant win, or None."""
    for number in range(most):
        hands = deal(ruleset, players, _dice(seed, f"deck|{number}"))
        if start(ruleset, hands).phase == INSTANT_WIN:
            return number
    return None


def seats(
    bots: Sequence[str], seed: Seed, number: int, rotation: int, design: str = "rotations"
) -> list[int]:
    """Return the index of the bot in each seat, for one game of a deal."""
    return _seatings(bots, seed, number, design)[rotation]


def hands_of(ruleset: Ruleset, players: int, seed: Seed, number: int) -> list[tuple[int, ...]]:
    return _Deal(ruleset, players, seed, number).hands


def _seatings(bots: Sequence[str], seed: Seed, number: int, design: str) -> list[list[int]]:
    return seatings(len(bots), design, _dice(seed, f"order|{number}"))


def _secret(seed: Seed, purpose: str) -> bytes:
    """Return 128 bits for a purpose: the first half of its HMAC-SHA256."""
    inner, outer = [one() for one in _keyed(str(seed))]
    inner.update(purpose.encode())
    outer.update(inner.digest())
    return outer.digest()[:16]


@lru_cache(maxsize=8)
def _keyed(seed: str) -> list[Callable[[], hashlib._Hash]]:
    """Return copiers of an HMAC's two hashes with the key absorbed: `hmac` absorbs it each time."""
    key = seed.encode()
    if len(key) > _HASH_BLOCK:
        key = hashlib.sha256(key).digest()
    key = key.ljust(_HASH_BLOCK, b"\0")
    return [hashlib.sha256(bytes(byte ^ pad for byte in key)).copy for pad in (0x36, 0x5C)]


def _dice(seed: Seed, purpose: str) -> Random:
    return Random(int.from_bytes(_secret(seed, purpose), "big"))


@dataclass
class _Deal:
    """The data that all games of one deal share: the cards and the seed of each seat's bot.

    `visit` varies the bots' seeds, for a game that is played in several visits.
    """

    ruleset: Ruleset
    players: int
    seed: Seed
    number: int
    visit: str = ""

    def secrets(self, of_seats: bool) -> list[bytes]:
        """Return the seeds of the deck and, if requested, of each seat's bot."""
        purposes = [f"deck|{self.number}"]
        if of_seats:
            seats = range(self.players)
            purposes += [f"bot|{self.number}|{seat}{self.visit}" for seat in seats]
        return [_secret(self.seed, purpose) for purpose in purposes]

    @cached_property
    def hands(self) -> list[tuple[int, ...]]:
        [secret] = self.secrets(of_seats=False)
        return deal(self.ruleset, self.players, Random(int.from_bytes(secret, "big")))

    @cached_property
    def started(self) -> State:
        return start(self.ruleset, self.hands)

    @cached_property
    def seeds(self) -> list[int]:
        return [int.from_bytes(secret, "big") for secret in self.secrets(of_seats=True)[1:]]


class _Game:
    """One game of bots; a bot at fault is replaced for the rest of it.

    `faults` are the verdicts by seat, `changes` how often the lead went to another seat.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        bots: Sequence[str],
        dealt: _Deal,
        seating: list[int],
        conditions: Conditions,
        effects: Effects | None = None,
        previous: Previous | None = None,
        log: GameLog | None = None,
    ) -> None:
        self.faults: list[tuple[int, BotFault]] = []
        self.changes = 0
        self._ruleset, self._dealt = ruleset, dealt
        self._seating, self._conditions, self._effects = seating, conditions, effects
        self._previous, self._log = previous, log
        if log and effects:
            for bot, seconds in log.thoughts:
                effects.add_thought(bot, seconds)
        self._names = [bots[bot] for bot in seating]
        self._players: list[Bot] = []

    def play(
        self, quick: Games | None = None, deal: PlayedDeal | None = None, *, logged: bool = False
    ) -> State:
        """Return the game's last state; `quick` plays it if it can, with the deal's dice."""
        if quick and deal and (played := self._play_on_core(quick, deal)):
            return played
        state = start(self._ruleset, self._dealt.hands, previous=self._previous)
        try:
            for seat, name in enumerate(self._names):
                self._players.append(self._made(seat, name))
            if self._may_play_at_once() and not (logged or self._conditions.keep):
                self._play_at_once(state)
            else:
                self._play_by_turns(state)
        finally:
            for seat in range(len(self._players)):
                self._end(seat, state)
        return state

    def _play_on_core(self, quick: Games, deal: PlayedDeal) -> State | None:
        """Return the last state, or None if the kernels' lists overflow."""
        state, thrown = self._dealt.started.copy(), set[int]()
        while state.phase not in (PLAY, OVER):
            seat = state.turn
            thrown.add(seat)  # A random bot throws its die once here: no seat is asked twice.
            take_turn(state, self._made(seat, self._names[seat]))
        if state.phase == OVER:
            return state
        policies = [policy_of(self._ruleset, name) for name in self._names]
        quick.seat_as_dealt(policies, deal.number, thrown)
        changes = quick.play_out(state)
        if changes is None:
            return None
        self.changes = changes
        return state

    def _play_at_once(self, state: State) -> None:
        """Play to the end without asking the bots at each turn."""
        while state.phase not in (PLAY, OVER):
            take_turn(state, self._players[state.turn])
        self.changes = play_tricks(state, cast("list[Reflex]", self._players))

    def result(self, state: State) -> Outcome:
        """Return the outcome that counts: a bot at fault does not get its substitute's result."""
        found = outcome(state)
        if not self._conditions.forfeits:
            return found
        return forfeit(found, [seat for seat, _fault in self.faults])

    def _may_play_at_once(self) -> bool:
        """Return whether plays and passes are all that there is, and only reflexes are asked.

        They bypass the guard, so only bots of the ladder may be.
        """
        return fits(self._ruleset) and all(
            name in LADDER and hasattr(player, "pick")
            for name, player in zip(self._names, self._players, strict=True)
        )

    def _play_by_turns(self, state: State) -> None:
        leader = -1
        while state.phase != OVER:
            if state.phase == PLAY and not state.top and state.opening < 0:
                self.changes += leader not in (-1, state.turn)
                leader = state.turn
            seat, legal = state.turn, legal_actions(state)
            apply(state, self._choice(state, seat, legal))

    def _choice(self, state: State, seat: int, legal: list[SeatAction]) -> SeatAction:
        if self._log is None:
            return self._asked(state, seat, legal)
        while (entry := self._log.read()) is not None:
            if isinstance(entry, str):
                return next(action for action in legal if action_text(action) == entry)
            self._replace(seat, BotFault(*entry))
        known = len(self.faults)
        choice = self._asked(state, seat, legal)
        for _seat, fault in self.faults[known:]:
            self._log.write((fault.kind, str(fault), fault.move))
        self._log.write(action_text(choice))
        return choice

    def _asked(self, state: State, seat: int, legal: list[SeatAction]) -> SeatAction:
        observation = observe(state, seat)
        own = all(of != seat for of, _ in self.faults)
        clock = self._conditions.clock if self._effects and own and len(legal) > 1 else None
        watched = self._names[seat] not in LADDER
        began = clock() if clock else 0.0
        try:
            if watched:
                with self._conditions.guard(self._names[seat]):
                    choice = ask(self._players[seat], observation, legal)
            else:
                choice = self._players[seat].choose(observation, legal)
        except BotFault as fault:
            fault.move = sum(not entry.moved for entry in state.log)
            self._replace(seat, fault)
            return self._players[seat].choose(observation, legal)
        if clock and self._effects:
            thought = self._seating[seat], clock() - began
            self._effects.add_thought(*thought)
            if self._log:
                self._log.thoughts.append(thought)
        return choice

    def _made(self, seat: int, name: str) -> Bot:
        if name in LADDER:
            return make(name, self._dealt.seeds[seat])
        try:
            with self._conditions.guard(name), crashes():
                return make(name, self._dealt.seeds[seat])
        except BotFault as fault:
            self.faults.append((seat, fault))
            return self._substitute(seat)

    def _replace(self, seat: int, fault: BotFault) -> None:
        self.faults.append((seat, fault))
        self._end(seat)
        self._players[seat] = self._substitute(seat)

    def _end(self, seat: int, state: State | None = None) -> None:
        if is_outside(self._names[seat]):
            result = outcome(state) if state and state.phase == OVER else None
            cast("Outside", self._players[seat]).end(result)

    def _substitute(self, seat: int) -> Bot:
        self._names[seat] = self._conditions.substitute
        return make(self._conditions.substitute, self._dealt.seeds[seat])


def _rest(bots: Sequence[str]) -> None:
    """Make outside bots release resources kept between games."""
    for name in set(bots):
        if is_outside(name):
            cast("OutsideMaker", BOTS[name]).rest()


def take_turn(state: State, bot: Bot | Reflex) -> None:
    """Apply a bot's choice for the seat to act, given that seat's observation."""
    apply(state, bot.choose(observe(state, state.turn), legal_actions(state)))


def play_tricks(state: State, bots: Sequence[Reflex]) -> int:
    """Play a game of plays and passes to its end without logging.

    Return how often the lead went to another seat.
    """
    changes, leader = 0, state.turn
    while state.phase != OVER:
        turn = state.turn
        if not state.top and turn != leader:
            changes += 1
            leader = turn
        play = bots[turn].pick(trick.legal_plays(state), state.top, turn == state.top_by)
        if play:
            trick.make_play(state, play)
        else:
            trick.make_pass(state)
    return changes


def _result(game: _Game, state: State) -> GameResult:
    whole = game.result(state)
    return GameResult(whole.placings, whole.net, whole.chops, game.changes, state.leader)


class _Sums:
    """The sums of a block's games: its tally and the digest over their results."""

    def __init__(self, bots: int, players: int) -> None:
        self.effects = Effects(bots, players)
        self.digest = hashlib.sha256()
        self._bots = bots
        # By the text of a result: the number of games with it, and its ranks.
        self._seen: dict[str, list[Any]] = {}
        self._scores: list[list[int]] = []
        self._money: list[list[int]] = []
        self._orders: list[str] = []
        # Of the current deal: its games' results, and their lines for the digest.
        self._seated: list[_SeatedResult] = []
        self._lines: list[str] = []

    def begin_deal(self, points: Sequence[int]) -> None:
        self._seated, self._lines = [], []
        self.effects.begin_deal(points)

    def end_deal(self) -> None:
        seated_result = self._seated
        scores, money = [one.scores for one in seated_result], [one.money for one in seated_result]
        self._scores.append([sum(column) for column in zip(*scores, strict=True)])
        self._money.append([sum(column) for column in zip(*money, strict=True)])
        self._orders.append(" ".join([one.order for one in seated_result]))
        self.digest.update("".join(self._lines).encode())
        self.effects.end_deal()

    def add(
        self,
        result: GameResult,
        seating: list[int],
        number: int,
        rotation: int,
        winners: Sequence[int] = (),
        faults: Sequence[tuple[int, BotFault]] = (),
    ) -> None:
        """Add a game of the deal `number`; `winners` had instant wins."""
        seated_result = _seated_result(result.placings, result.net, tuple(seating), self._bots)
        seen = self._seen.get(seated_result.text)
        if seen is None:
            seen = self._seen[seated_result.text] = [0, seated_result.ranks]
        seen[0] += 1
        self._seated.append(seated_result)
        self.effects.add_game(
            seating, result.chops, seated_result.of_seats, result.leader, winners, result.changes
        )
        line = f"{number},{rotation},{seated_result.text}"
        for seat, fault in faults:
            line += f",{_compact([seat, fault.kind])}"
            self.effects.add_fault(
                Fault(seating[seat], fault.kind, number, rotation, str(fault), fault.move)
            )
        self._lines.append(f"[{line}]\n")

    def tally(self) -> dict[str, Any]:
        return {
            "counts": [[*key, count] for key, count in sorted(self._counts().items())],
            "deal_scores": self._scores,
            "deal_net": self._money,
            "deal_orders": self._orders,
            "net": [sum(column) for column in zip(*self._money, strict=True)] or [0] * self._bots,
            "effects": self.effects.to_json(),
            "notes": self.effects.notes(),
        }

    def _counts(self) -> Counter[tuple[int, int, int]]:
        """Return how often each bot had each rank, by the number of seats that shared it."""
        found: Counter[tuple[int, int, int]] = Counter()
        for games, ranks in self._seen.values():
            for place in ranks:
                found[place] += games
        return found


class _SeatedResult(NamedTuple):
    """The contribution of a result in one seating to the sums.

    `ranks` has the bot, its rank and the seats sharing it for each seat, `of_seats` each seat's
    score; `scores` and `money` are the score and the net by bot; `order` is for the tally, `text`
    for the digest.
    """

    ranks: tuple[tuple[int, int, int], ...]
    of_seats: tuple[int, ...]
    scores: tuple[int, ...]
    money: tuple[int, ...]
    order: str
    text: str


@lru_cache(maxsize=1 << 13)
def _seated_result(
    placings: Sequence[Sequence[int]], net: Sequence[int], seating: tuple[int, ...], bots: int
) -> _SeatedResult:
    """Return a result's contribution; cached because quick bots produce few distinct results."""
    ranks = []
    of_seats, scores, money = [0] * len(seating), [0] * bots, [0] * bots
    below_group = len(seating)
    rank = 1
    for group in placings:
        below_group -= len(group)
        for seat in group:
            ranks.append((seating[seat], rank, len(group)))
            of_seats[seat] = 2 * below_group + len(group) - 1
            scores[seating[seat]] += of_seats[seat]
        rank += len(group)
    for seat, amount in enumerate(net):
        money[seating[seat]] += amount
    groups = ["".join(str(seating[seat]) for seat in group) for group in placings]
    order = "".join(group if len(group) == 1 else f"({group})" for group in groups)
    text = _compact([seating, placings, net])[1:-1]
    return _SeatedResult(tuple(ranks), tuple(of_seats), tuple(scores), tuple(money), order, text)
