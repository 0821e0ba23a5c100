"""The private part of a seat: its hand, the questions to it, and its choices."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.rules import game as engine_game
from engine.rules.cards import RANKS, TWO, format_card
from engine.rules.observation import Observation
from engine.rules.state import EXCHANGE, LogEntry, State
from tables.base.card_text import codes, rank, spoken
from tables.base.tokens import hash_of
from tables.models import Game, Seat
from tables.play.facts import absent
from tables.play.facts.positions import Position
from tables.play.facts.replayed import ReplayedGame
from tables.play.pages.boards import Board, Plate
from tables.play.pages.options import Options, TableButton, options
from tables.refusals import Stale

MOST_WANTED = 6
HELPS = {
    "give": TableButton("help", gettext_lazy("Give the seat"), "go lit"),
    "give_second": TableButton("help", gettext_lazy("The second"), "go lit"),
    "skip": TableButton("help", gettext_lazy("Skip")),
    "bot": TableButton("help", gettext_lazy("Bot plays")),
    "wait": TableButton("help", gettext_lazy("Wait")),
    "remove": TableButton("help", gettext_lazy("Free the seat")),
}


class OfferButton(NamedTuple):
    """A button of a trade offer."""

    do: str
    label: str
    style: str = ""


@dataclass(frozen=True)
class OwnStep:
    """The seat's step of the exchange: `count` cards to give or to ask for, and the ranks left.

    Each rank is its letter, its text, and whether the hand has such a card.
    """

    do: str
    other: str
    count: int
    ranks: list[tuple[str, str, bool]]


@dataclass(frozen=True)
class OwnOffer:
    """A trade offer as one of its two players sees it, with the cards.

    `back` is None until the partner has answered.
    """

    number: int
    mine: bool
    other: str
    give: list[str]
    want: int
    back: list[str] | None

    @property
    def buttons(self) -> list[OfferButton]:
        """The buttons for this offer; after the answer only its maker can agree."""
        found = []
        if self.mine and self.back is not None:
            found.append(OfferButton("agree", _("Swap"), "btn-gold"))
        if not self.mine and self.back is None:
            label = _("Offer these cards") if self.want else _("Accept")
            found.append(OfferButton("answer", label, "btn-gold"))
        label = _("Undo") if self.mine else _("Decline")
        return [*found, OfferButton("end", label)]


@dataclass(frozen=True)
class Trading:
    """A seat's choices while players trade; `wants` are the numbers of cards it may ask for."""

    partners: list[Plate]
    offers: list[OwnOffer]
    wants: list[int]
    equal: bool
    most_net: int
    most_hand: int
    ready: bool


@dataclass(frozen=True)
class Absence:
    """Another player, and what the viewer may do for them: `now`, and beside the table."""

    plate: Plate
    now: list[TableButton]
    more: list[TableButton]


@dataclass
class OwnPart:
    """A viewer's own part of the page; `seat` is None for a spectator.

    A spectator may say that one of `guests` is them, and `asked` for that seat as the first or the
    second of two.
    """

    seat: Seat | None
    mark: str
    options: Options
    hand: list[str] = field(default_factory=list)
    acts: bool = False
    may_pass: bool = False
    may_lock: bool = False
    first_with: str = ""
    request: OwnStep | None = None
    wins_at_once: bool = False
    answer: bool | None = None
    notes: list[str] = field(default_factory=list)
    trading: Trading | None = None
    absences: list[Absence] = field(default_factory=list)
    guests: list[Plate] = field(default_factory=list)
    asked: int = 0
    two_ask: bool = False

    @property
    def no(self) -> int:
        return -1 if self.seat is None else self.seat.no


def chair(position: Position, found: Board, seat: Seat | None, *, token: str = "") -> OwnPart:
    """Return the viewer's own part, which stands beside the public board.

    `token` is the secret of the viewer's browser at this table, if any.
    """
    if seat is None:
        own = OwnPart(None, found.watcher_mark, options(position.table, found, None))
        _show_guests(own, position, found, token)
        return own
    own = OwnPart(seat, found.plates[seat.no].mark, options(position.table, found, seat))
    own.absences = [
        absence
        for no, other in sorted(position.seats.items())
        if (absence := _absence(position, found.plates[no], seat, other))
    ]
    if position.replayed is not None:
        _show_hand(own, found, *position.on(), seat)
    return own


def _show_guests(own: OwnPart, position: Position, found: Board, token: str) -> None:
    if not absent.is_of_friends(position.table):
        return
    held = [seat for seat in position.seats.values() if seat.token_hash and seat.gone_at]
    own.guests = [found.plates[seat.no] for seat in held]
    for seat in held if token else ():
        claims = [seat.claim, seat.second_claim]
        if hash_of(token) in claims:
            own.asked, own.two_ask = claims.index(hash_of(token)) + 1, all(claims)


def _absence(position: Position, plate: Plate, seat: Seat, other: Seat) -> Absence | None:
    """Return what the player of a seat may do for the player of another."""
    may = absent.may_do(position, seat, other, later=True)
    buttons = {
        do: replace(
            HELPS[do], address=reverse("tables:help", args=[position.table.key, plate.no, do])
        )
        for do in may
    }
    if "give_second" in buttons:
        buttons["give"] = replace(buttons["give"], label=_("The first"))
    asked = (
        ("give", "give_second")
        if "give" in may
        else ("skip", "bot", "wait")
        if "skip" in may
        else ()
    )
    now = [buttons.pop(do) for do in asked if do in buttons]
    return Absence(plate, now, list(buttons.values())) if may else None


def hints(position: Position, seat: Seat) -> list[list[str]]:
    """Return every play that the seat may make now; empty when it is not its turn."""
    try:
        game, replayed = position.on()
    except Stale:
        return []
    state = replayed.state
    if game.pause or state.turn != seat.no or state.phase == EXCHANGE:
        return []
    actions = engine_game.legal_actions(state)
    return [codes(action.cards) for action in actions if action.do == "play"]


def hand_of(position: Position, seat: Seat) -> list[str]:
    """Return the seat's cards; empty between games."""
    replayed = position.replayed
    return codes(engine_game.observe(replayed.state, seat.no).hand) if replayed else []


def _show_hand(own: OwnPart, found: Board, game: Game, replayed: ReplayedGame, seat: Seat) -> None:
    state = replayed.state
    seen = engine_game.observe(state, seat.no)
    pause = game.pause
    own.hand = codes(seen.hand)
    own.acts = not pause and seen.turn == seat.no
    own.may_pass = own.acts and found.may_pass
    own.may_lock = found.rules.straight_flush_locks == "choice"
    names = [plate.name for plate in found.plates]
    own.notes = [note for event in seen.history if (note := _note(event, seen, names))]
    if seat.cut_off and not seat.autopilot:
        own.notes.append(_("The network was gone, so the autopilot played. You are back."))
    if pause == "trade":
        own.trading = _trading(found, game, seat)
    elif pause:
        own.wins_at_once = replayed.may_declare(seat.no)
        own.answer = game.answers.get(str(seat.no))
    elif seen.must_include is not None:
        own.first_with = format_card(seen.must_include)
    if own.acts and seen.phase == EXCHANGE:
        own.request = _request(state, seen, found)


def _trading(found: Board, game: Game, seat: Seat) -> Trading:
    rules = found.rules
    partners = [
        plate
        for plate in found.plates
        if plate.no != seat.no and not (plate.is_bot or plate.autopilot)
    ]
    offers = [
        OwnOffer(
            number=offer["id"],
            mine=offer["seat"] == seat.no,
            other=found.plates[offer["to" if offer["seat"] == seat.no else "seat"]].name,
            give=offer["give"].split(),
            want=offer["want"],
            back=offer["back"].split() if "back" in offer else None,
        )
        for offer in game.offers
        if seat.no in (offer["seat"], offer["to"])
    ]
    return Trading(
        partners=partners,
        offers=offers,
        wants=list(range(MOST_WANTED + 1)),
        equal=rules.trade_equal,
        most_net=rules.trade_net,
        most_hand=rules.trade_hand,
        ready=seat.no in game.done_trading,
    )


def _request(state: State, seen: Observation, found: Board) -> OwnStep:
    """Return the seat's exchange step."""
    step = state.steps[0]
    pool = [card for card in seen.hand if card >> 2 == TWO] if step.do == "give" else seen.hand
    ranks = [
        (letter, rank(letter), any(card >> 2 == number for card in seen.hand))
        for number, letter in enumerate(RANKS)
        if not state.refused >> number & 1
    ]
    asks = [ask for ask in state.steps if ask == step]
    count = len(asks) if step.do == "ask" else min(step.number, len(pool))
    return OwnStep(step.do, found.plates[step.other].name, count, ranks)


def _note(event: LogEntry, seen: Observation, names: list[str]) -> str:
    """Return a sentence about cards that this seat gave or got before play, or ""."""
    if not event.given or event.seen_by is None or seen.seat not in event.seen_by:
        return ""
    cards = spoken(event.given)
    (other,) = event.seen_by - {seen.seat}
    said = {"name": names[other], "cards": cards}
    if event.action.seat == seen.seat:
        return _("You gave %(cards)s to %(name)s.") % said
    return _("You got %(cards)s from %(name)s.") % said
