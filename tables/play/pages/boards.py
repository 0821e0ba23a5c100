"""The public board of a table, the same for players, spectators and strangers.

It is built from the engine's observation without a seat. While players may declare an instant win,
the engine's phase and turn are withheld too: they would reveal that someone holds one.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.rules import game as engine_game
from engine.rules.observation import Observation
from engine.rules.ruleset import Ruleset
from engine.rules.state import EXCHANGE, PLAY, LogEntry, State
from tables.base import currencies, rulesets
from tables.base.card_text import codes
from tables.base.faces import Face
from tables.base.placings import ranks
from tables.models import Game, Seat, Table
from tables.play.acts import clocks
from tables.play.facts import standings
from tables.play.facts.positions import Position
from tables.play.facts.replayed import ReplayedGame
from tables.play.facts.standings import FinalPlace, MatchRow
from tables.play.pages import moves
from tables.play.pages.notices import Notice

USUAL_FACE = Face("cat", 1)
LEVELS = {
    "greedy": gettext_lazy("easy bot"),
    "planner": gettext_lazy("good bot"),
    "sage": gettext_lazy("strong bot"),
    "master": gettext_lazy("strongest bot"),
}


@dataclass
class Plate:
    """A seat as everyone sees it. `mark` changes when the seat's own part of the page does.

    `time` is the acting person's time for this move, and `bank` the time bank at the start of the
    turn, both in milliseconds. `sum` is what the player has won or lost at this table so far, None
    before the first game and where nothing is paid.
    """

    no: int
    holder: int = 0
    name: str = ""
    empty: bool = False
    bot: str = ""
    face: Face = USUAL_FACE
    sum: int | None = None
    autopilot: bool = False
    away: bool = False
    gone: bool = False
    claim: str = ""
    second_claim: str = ""
    leaving: bool = False
    traded: bool = False
    ready: bool = False
    host: bool = False
    time: int | None = None
    bank: int = 0
    cards: int | None = None
    acts: bool = False
    passed: bool = False
    place: int | None = None
    deals: bool = False
    owes: int = 0
    mark: str = ""

    @property
    def is_bot(self) -> bool:
        return bool(self.bot)

    @property
    def level(self) -> str:
        """How well a bot plays, in words; a member's bot has its author's name for it."""
        return str(LEVELS.get(self.bot, _("bot"))) if self.bot else ""

    @property
    def style(self) -> str:
        """The seat's states, as CSS classes."""
        looks = [
            (self.acts, "turn"),
            (self.passed, "passed"),
            (self.place, "out"),
            (self.empty, "vacant"),
            (self.autopilot or self.gone, "away"),
            (self.cards == 1, "last1"),
        ]
        return " ".join(look for on, look in looks if on)

    @property
    def called(self) -> str:
        """The name, or the words for an empty seat."""
        return _("Empty seat") if self.empty else self.name

    @property
    def acting(self) -> str:
        """The words beside the player whose turn it is, on the big screen."""
        return _("is thinking") if self.is_bot else _("their turn")

    @property
    def notes(self) -> list[str]:
        """The other words beside the name."""
        known = {
            _("done trading"): self.traded,
            _("ready"): self.ready,
            _("offline"): self.gone,
            _("sits out") if self.away else _("autopilot"): self.autopilot,
            _("leaves after the game"): self.leaving,
        }
        return [words for words, is_said in known.items() if is_said]

    @property
    def played_for(self) -> bool:
        """Whether a bot plays for this seat, so that nobody waits for its clock."""
        return self.is_bot or self.autopilot


@dataclass(frozen=True)
class Offered:
    """The public part of a trade offer: both players, and the number of cards each would give."""

    name: str
    other: str
    gives: int
    wants: int
    answered: bool


@dataclass
class Board:
    """The public state of a table.

    `phase` is the engine's, or `trade` or `window` before play, or "" between games. `due` is when
    the running time ends: a person's turn, the pause before play, or the wait for the next deal.
    """

    table: Table
    rules: Ruleset
    plates: list[Plate]
    game_no: int = 0
    phase: str = ""
    turn: int | None = None
    may_pass: bool = False
    trick: list[moves.Move] = field(default_factory=list)
    last_trick: list[moves.Move] = field(default_factory=list)
    tricks: list[list[moves.Move]] = field(default_factory=list)
    to_beat: list[str] = field(default_factory=list)
    forward: bool = False
    locked: bool = False
    chop_pays: int = 0
    news: str = ""
    request: Notice | None = None
    offers: list[Offered] = field(default_factory=list)
    instant_winners: list[str] = field(default_factory=list)
    due: datetime.datetime | None = None
    commitment: str = ""
    result: standings.FinishedGame | None = None
    is_uncounted: bool = False
    absent: frozenset[int] = frozenset()
    standings: list[standings.MatchRow] = field(default_factory=list)
    watcher_mark: str = ""
    faces: dict[str, Face] = field(default_factory=dict)

    @property
    def awaited(self) -> list[str]:
        """The people at a reserved, waiting table who have not said that they are ready."""
        if not (self.table.is_reserved and self.table.status == Table.Status.WAITING):
            return []
        agreed = self.table.arrangement
        if agreed.held:
            return []
        people = (plate for plate in self.plates if not (plate.is_bot or plate.empty))
        return [plate.name for plate in people if plate.no not in agreed.ready]

    @property
    def turn_name(self) -> str:
        return "" if self.turn is None else self.plates[self.turn].name

    @property
    def is_full(self) -> bool:
        """Whether every seat is taken."""
        return not any(plate.empty for plate in self.plates)

    @property
    def has_room(self) -> bool:
        """Whether a seat is empty or a bot's, so that someone may sit down between games."""
        return any(plate.empty or plate.is_bot for plate in self.plates)

    @property
    def is_dealt_soon(self) -> bool:
        """Whether the next deal starts at `due`."""
        table = self.table
        if table.status == Table.Status.WAITING:
            if table.for_anyone:
                return True
            return self.is_full and not (table.is_reserved and table.arrangement.held)
        return table.status == Table.Status.BETWEEN and table.company_until is None

    @property
    def is_alone(self) -> bool:
        """Whether only one person sits at a table for anyone."""
        people = [plate for plate in self.plates if not (plate.empty or plate.is_bot)]
        return self.table.for_anyone and len(people) == 1

    @property
    def lines(self) -> list[tuple[FinalPlace, Plate | None, Face]]:
        """The result, best first, each place with its player's seat of now, if any, and face."""
        now = {plate.holder: plate for plate in self.plates}
        return [
            (place, now.get(place.holder), self.faces[place.name])
            for place in (self.result.places if self.result else ())
        ]

    @property
    def scores(self) -> list[tuple[MatchRow, Face]]:
        """The match's rows, each with its player's face."""
        return [(row, self.faces[row.name]) for row in self.standings]

    @property
    def unit(self) -> str:
        """The unit of money; "" for play money."""
        return self.table.unit

    @property
    def stake(self) -> str:
        """The stake with its unit."""
        return currencies.amount(self.table.stake, self.unit)

    @property
    def hand_rows(self) -> int:
        """The rows of seven cards that a dealt hand needs on a phone; the height stays reserved."""
        dealt = self.rules.cards_for(self.table.players) + self.rules.deal_all
        return max(2, -(-dealt // 7))

    @property
    def notice(self) -> Notice | None:
        """The notice in the middle of the table while no cards lie there."""
        if self.result or self.trick:
            return None
        if self.phase in ("window", "trade"):
            return Notice(self.phase)
        if self.request:
            return self.request
        if self.phase == PLAY:
            return Notice("leads", {"name": self.turn_name})
        if self.table.status == Table.Status.WAITING:
            if self.table.is_reserved:
                return Notice("people_ready", {"ready": len(self.table.arrangement.ready)})
            lacks = "players_come" if self.table.for_anyone else "chairs_empty"
            return Notice("full" if self.is_full else lacks)
        closed = Notice("broken_off" if self.game_no else "closed")
        return closed if self.table.status == Table.Status.CLOSED else None

    @property
    def is_void(self) -> bool:
        """Whether the table was closed in the middle of its last game."""
        return self.notice == Notice("broken_off")

    @property
    def milliseconds(self) -> int | None:
        """The milliseconds left until `due`; None while no clock runs."""
        if self.due is None:
            return None
        return max(0, int((self.due - timezone.now()).total_seconds() * 1000))

    @property
    def chop(self) -> bool:
        """Whether the last move of the trick is a chop."""
        return bool(self.trick) and self.trick[-1].chop

    @property
    def pays(self) -> bool:
        """Whether money changes hands at this table, if only play money."""
        return self.rules.betting != "none"

    @property
    def chops_pay(self) -> bool:
        """Whether a chopped player pays for it; the page then animates coins."""
        return self.rules.betting in ("mien_nam", "loser_pays_winner")

    @property
    def cheer(self) -> str:
        """The event to celebrate: `chop`, `chops` (a counter-chop), `instant` or ""."""
        if self.chop:
            return "chops" if len([move for move in self.trick if move.chop]) > 1 else "chop"
        won = self.result.instant if self.result else self.instant_winners and not self.tricks
        return "instant" if won else ""

    @property
    def cheer_words(self) -> str:
        return {
            "chop": _("Chop!"),
            "chops": _("Counter-chop!"),
            "instant": _("Instant win!"),
        }[self.cheer]

    @property
    def fairness(self) -> str:
        """The sentence that explains the commitment, before the deal or after it."""
        if not self.phase:
            return _(
                "This is the fingerprint of the secret that will deal the next cards. "
                "It can no longer be changed."
            )
        return _(
            "This is the fingerprint of the secret that dealt these cards. When the "
            "game is over, the secret is revealed and your browser can repeat the "
            "deal."
        )


def board(position: Position) -> Board:
    """Return the board of a table; it depends on the position alone, not on the clock."""
    table, game = position.table, position.game
    found = Board(
        table=table,
        rules=rulesets.of(table),
        plates=[_plate(no, position.seats.get(no), table) for no in range(table.players)],
        commitment=position.commitment,
        standings=position.standings,
        watcher_mark=str(table.version),
        faces=position.faces,
    )
    for seat in position.seats.values():
        found.plates[seat.no].face = position.faces[seat.name]
    sums = {row.first_seat: row.net for row in found.standings}
    for plate in found.plates if found.pays else ():
        plate.sum = sums.get(position.first_seats.get(plate.holder, 0))
    if host := position.host:
        found.plates[host.no].host = True
    if found.is_dealt_soon:
        found.due = table.due_at
    if game is None:
        return found
    if position.replayed is not None:
        show_game(found, game, position.replayed)
        return found
    found.game_no = game.no
    if game.over_at:
        found.result = standings.result(game, [position.names[pk] for pk in game.holders])
        found.is_uncounted = game.no in position.uncounted
        found.absent = position.absent
    return found


def show_game(found: Board, game: Game, replayed: ReplayedGame) -> None:
    """Add the game in progress to the board."""
    pause = game.pause
    seen = engine_game.observe(replayed.state, None)
    names = [plate.name for plate in found.plates]
    found.game_no, found.phase = game.no, pause or seen.phase
    found.turn = None if pause else seen.turn
    found.tricks = moves.tricks(replayed, names)
    found.to_beat = codes(seen.to_beat)
    found.forward, found.locked = seen.forward, seen.trick_locked
    found.may_pass = not pause and (bool(seen.to_beat) or seen.opening)
    if seen.to_beat and found.tricks:
        found.trick = found.tricks[-1]
    if found.chop:
        found.chop_pays = _price_of_chop(replayed.state)
    earlier = found.tricks[:-1] if found.trick else found.tricks
    found.last_trick = earlier[-1] if earlier else []
    found.news = moves.news(_last_public(replayed, pause), names)
    if pause == "trade":
        found.offers = [
            Offered(
                name=names[offer["seat"]],
                other=names[offer["to"]],
                gives=len(offer["give"].split()),
                wants=offer["want"],
                answered="back" in offer,
            )
            for offer in game.offers
        ]
    if not pause:
        found.instant_winners = [names[no] for no in replayed.state.instant_winners]
    if seen.phase == EXCHANGE:
        step = replayed.state.steps[0]
        found.request = Notice(step.do, {"name": names[step.seat], "other": names[step.other]})
        for step in replayed.state.steps:
            found.plates[step.other].owes += step.do == "ask"
    if pause or (found.turn is not None and not found.plates[found.turn].played_for):
        found.due = found.table.due_at
    _show_seats(found, game, replayed, seen, pause)


def _price_of_chop(state: State) -> int:
    """Return what the newest chop costs, 0 where nothing is paid for it."""
    paid = [payment for payment in state.payments if payment.reason == "chop"]
    newest = state.debt or (paid[-1] if paid else None)
    return newest.amount if newest else 0


def marks(found: Board) -> str:
    """Return the marks of all seats, then the spectators' mark, separated by spaces."""
    return " ".join([*(plate.mark for plate in found.plates), found.watcher_mark])


def _plate(no: int, seat: Seat | None, table: Table) -> Plate:
    if seat is None:
        return Plate(no, empty=True, mark=str(table.version))
    return Plate(
        no,
        holder=seat.pk,
        name=seat.name,
        bot=seat.bot,
        autopilot=seat.autopilot,
        away=seat.away,
        gone=seat.gone_at is not None,
        claim=seat.claim,
        second_claim=seat.second_claim,
        leaving=seat.leaving,
        ready=seat.ready,
        bank=seat.bank_in(table.turn_at),
        mark=str(table.version),
    )


def _show_seats(
    found: Board, game: Game, replayed: ReplayedGame, seen: Observation, pause: str
) -> None:
    state = replayed.state
    exchanged = sum(
        event.action.do in ("ask", "give", "return", "trade") and not event.moved
        for event in state.log
    )
    plays = [event.action.seat for event in state.log if event.action.do in ("play", "lock")]
    places = ranks(seen.placings)
    absent = _absent(found)
    for plate in found.plates:
        no = plate.no
        plate.cards = seen.counts[no]
        plate.acts = found.turn == no
        if plate.acts and not plate.played_for:
            plate.time, plate.bank = clocks.allowance(found.table, state, plate.bank)
        plate.passed = no in seen.locked_out or _passed_last(found, no)
        plate.place = None if pause else places.get(no)
        plate.traded = pause == "trade" and no in game.done_trading
        plate.deals = game.dealer == no
        own = f"{int(plate.autopilot)}{int(plate.away)}{int(plate.leaving)}{pause[:1]}"
        own += _trade_mark(game, no) if pause == "trade" else ""
        plate.mark = f"{game.no}.{exchanged}.{plays.count(no)}.{own}{absent}"
    found.watcher_mark = f"{game.no}{absent}"


def _absent(found: Board) -> str:
    """Return a mark of who is offline, whether they are in turn, and whose seat is asked for."""
    away = [plate for plate in found.plates if plate.gone or plate.claim]
    return "".join(
        f"-{one.no}{'g' * one.gone}{'t' * (found.turn == one.no)}"
        f"{one.claim[:6]}{one.second_claim[:6]}"
        for one in away
    )


def _trade_mark(game: Game, seat: int) -> str:
    """Return a mark of the offers that concern a seat; it contains public facts only."""
    own = [offer for offer in game.offers if seat in (offer["seat"], offer["to"])]
    marks = [f"{offer['id']}{'a' if 'back' in offer else 'o'}" for offer in own]
    return "".join([*marks, "r" if seat in game.done_trading else ""])


def _passed_last(found: Board, seat: int) -> bool:
    """Return whether the seat has passed since the top play, where a pass does not last."""
    for move in reversed(found.trick):
        if not move.passed:
            return False
        if move.seat == seat:
            return True
    return False


def _last_public(replayed: ReplayedGame, pause: str) -> LogEntry | None:
    state = replayed.state
    public = (
        event
        for event in reversed(state.log)
        if event.seen_by is None or (event.action.do == "declare" and not pause)
    )
    return next(public, None)
