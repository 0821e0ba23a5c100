"""Random legal games played by the reference, biased towards twos, chops and exchanges."""

from dataclasses import dataclass, field
from random import Random

from tests.reference import cards as c
from tests.reference import records
from tests.reference.deals import deal
from tests.reference.exchange import check_trade
from tests.reference.game import play_game
from tests.reference.previous import previous_game
from tests.reference.rulesets import ruleset
from tests.reference.table import Illegal, Question, Table


@dataclass
class Position:
    """A point of a game: how many actions led to it and what the reference says there."""

    actions: int
    legal: dict
    replay: dict
    chop: bool  # whether a chop is legal here


@dataclass
class Game:
    record: dict
    positions: list[Position] = field(default_factory=list)

    def cut(self, position: Position) -> dict:
        """The record up to the position."""
        return {**self.record, "actions": self.record["actions"][: position.actions]}


def bombs_of(table: Table, seat: int) -> set[int]:
    """The cards of the seat that a careful player keeps together."""
    bombs = [combo for combo in table.combos(seat) if combo.is_bomb]
    return set(max(bombs, key=lambda combo: len(combo.cards)).cards) if bombs else set()


class Player:
    """Answers at random, but likes to play twos, and bombs on them; sleepers only ever pass."""

    def __init__(self, rng: Random, game: Game) -> None:
        self.rng, self.game = rng, game
        self.passes = rng.choice((0.1, 0.3, 0.5))
        self.boldness = rng.choice((0.3, 0.7, 0.95))
        self.trades = rng.choice((0, 1, 2, 4))
        self.sleepers = rng.sample(range(8), rng.choice((0, 0, 0, 2, 4, 6)))

    def answer(self, table: Table, question: Question) -> str:
        self.note(table, chop=table.chop_is_legal)
        answer = self.choose(table, question)
        self.game.record["actions"].append(records.action_of(question.seat, answer))
        return answer

    def note(self, table: Table, chop: bool = False) -> None:
        """Keep what the reference says at this point."""
        legal, replay = records.legal_of(table), records.replay_of(table)
        done = len(self.game.record["actions"])
        self.game.positions.append(Position(done, legal, replay, chop))

    def choose(self, table: Table, question: Question) -> str:
        rng, legal = self.rng, question.legal
        if question.phase == "instant_win":
            return "declare" if rng.random() < 0.6 else "decline"
        if question.phase == "exchange":
            return rng.choice(legal)
        plays = [answer for answer in legal if answer != "pass"]
        if not plays:
            return "pass"
        if "pass" in legal and question.seat in self.sleepers and rng.random() < 0.95:
            return "pass"
        if table.chop_is_legal and rng.random() < self.boldness:
            return rng.choice(plays)
        if "pass" in legal and rng.random() < self.passes:
            return "pass"
        twos = [answer for answer in plays if set(answer.split()) <= {"2S", "2C", "2D", "2H"}]
        if twos and rng.random() < (self.boldness if "pass" in legal else 0.3):
            return rng.choice(twos)
        kept = bombs_of(table, question.seat)
        careful = [x for x in plays if not kept & set(c.parse(x.removeprefix("lock ")))]
        if careful and rng.random() < self.boldness:
            return rng.choice(careful)
        if kept and "pass" in legal and rng.random() < self.boldness:
            return "pass"
        return rng.choice(plays)

    def next_trade(self, table: Table) -> dict | None:
        """A random trade that the rules allow, or None."""
        rng = self.rng
        if self.trades == 0:
            return None
        self.trades -= 1
        seat, other = rng.sample(table.seats, 2)
        give = rng.sample(table.hands[seat], rng.choice((0, 1, 1, 2, 3)))
        take = rng.sample(table.hands[other], rng.choice((len(give), len(give), 1, 2)))
        try:
            check_trade(table, seat, other, give, take)
        except Illegal:
            return None
        trade = {"seat": seat, "do": "trade", "with": other}
        trade |= {"give": c.text(give), "take": c.text(take)}
        self.game.record["actions"].append(trade)
        return trade


def random_game(rng: Random, key: str, options: dict | None = None) -> Game:
    """A whole random game of the ruleset, with the reference's word on every position of it."""
    rules = ruleset(key, options)
    seats = 3 if rules["deal_all"] else rng.choice(list(rules["players"]))
    record = {
        "format": "tien-len-record/1",
        "ruleset": key,
        "options": options or {},
        "hands": [c.text(hand) for hand in deal(rng, rules, seats)],
        "leader": rng.randrange(seats) if rng.random() < 0.1 else None,
        "previous": previous_game(rng, seats) if rng.random() < 0.6 else None,
        "stake": rng.choice((1, 1, 5)),
        "actions": [],
    }
    game = Game(record)
    player = Player(rng, game)
    table = records.table_for(record, player.answer, player.next_trade)
    play_game(table)
    player.note(table)
    return game
