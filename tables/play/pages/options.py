"""A visitor's notices and actions at a table, apart from the cards in hand.

They are decided from plain data alone. Pages and programs get the same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tables.models import Seat, Table
from tables.people.facts import company
from tables.play.pages.boards import Board
from tables.play.pages.notices import Notice

ANYBODY, MEMBERS, GIVEN, ROTATING = "anybody", "members", "given", "rotating"
"""Whom the seats are for: anyone, members of a club, the players drawn, or players in rotation."""


@dataclass(frozen=True)
class Visit:
    """The input of `decide`: the state of the table, and the visitor's seat at it.

    `chairs` is whom the seats are for, `phase` the board's, and `begun` whether a game was dealt.
    With `room` a newcomer can take a seat. `home` is the address of the page that the table belongs
    to, `club` its name, and `again` the address of the table that continues this one. `met` means
    that the players moved to another table. `company` names the players whom a person alone with
    bots can wait for, and `waits` tells whether they do.
    """

    key: str
    status: str
    chairs: str = ANYBODY
    phase: str = ""
    full: bool = True
    room: bool = True
    begun: bool = False
    for_anyone: bool = False
    held: bool = False
    version: int = 0
    home: str = ""
    club: str = ""
    again: str = ""
    met: bool = False
    company: tuple[str, ...] = ()
    waits: bool = False
    seated: bool = False
    host: bool = False
    ready: bool = False
    autopilot: bool = False
    away: bool = False
    leaving: bool = False

    @property
    def waiting(self) -> bool:
        return self.status == Table.Status.WAITING

    @property
    def reserved(self) -> bool:
        return self.chairs in (GIVEN, ROTATING)


@dataclass(frozen=True)
class TableButton:
    """A button. `name` is the last part of its address, for pages and for programs.

    With `links` it opens its address, otherwise it posts to it, with the `version` if any. With
    `follows` the page opens the address without a tap; with `counts` it shows the time left.
    """

    name: str
    label: str | Promise
    style: str = ""
    icon: str = ""
    links: bool = False
    follows: bool = False
    counts: bool = False
    address: str = ""
    version: int | None = None


BACK = TableButton("stay", _("I'm back"), "go lit")
READY = TableButton("deal", _("I'm ready"), "go lit", "check")
DEAL = TableButton("deal", _("Deal now"), "go lit", "cards")
NEXT = TableButton("deal", _("Next game"), "go lit", counts=True)
FILL = TableButton("bots", _("Add bots and deal"), "go lit", "bot")
ASK = TableButton("challenge", _("Invite someone's bot"), links=True)
GET_UP = TableButton("leave", _("Get up"), "pass")
SIT_OUT = TableButton("away", _("Sit out"))
STAY = TableButton("stay", _("Stay"))
LEAVE = TableButton("leave", _("Leave after this game"))
LEAVE_NIGHT = TableButton("leave", _("Leave for tonight"))
MEET = TableButton("company", _("Wait for company"))
MOVE_ALONG = TableButton("", _("Go to your new table"), "go lit", follows=True)
SAME_AGAIN = TableButton("again", _("Reopen this table"), "go lit")
GO_ON = TableButton("", _("Continue at the new table"), "go lit", links=True)
MONEY = TableButton("", _("Money of this table"), "go lit", links=True)
RESULTS = TableButton("", _("Go to the results"), "go lit", links=True)
EVENING = TableButton("", _("Sums of the evening"), links=True)
NEW_TABLE = TableButton("", _("Open a new table"), links=True)


@dataclass(frozen=True)
class Options:
    """One visitor's notice and actions; `part` selects the template (tables/own-*.html).

    `replaced` says why a bot plays for the visitor, and `back` ends that. `asides` are the buttons
    to leave or sit out.
    """

    part: str
    notice: Notice | None = None
    actions: tuple[TableButton, ...] = ()
    replaced: Notice | None = None
    back: tuple[TableButton, ...] = ()
    asides: tuple[TableButton, ...] = ()

    @property
    def template(self) -> str:
        return f"tables/own-{self.part}.html"

    @property
    def names(self) -> list[str]:
        """The names of the actions for programs."""
        first = ["sit"] if self.part in ("sit", "stake") else []
        every = self.actions + self.back + self.asides
        return first + [action.name for action in every if action.name not in ("", MEET.name)]


def options(table: Table, board: Board, seat: Seat | None) -> Options:
    """Return the options of this seat's player; `seat` is None for a spectator."""
    return decide(visit(table, board, seat))


def visit(table: Table, board: Board, seat: Seat | None) -> Visit:
    """Return the plain data of a visit; `table` must be freshly read."""
    found = Visit(
        key=table.key,
        status=table.status,
        phase=board.phase,
        full=board.is_full,
        room=board.has_room,
        begun=bool(board.game_no),
        for_anyone=table.for_anyone,
        version=0 if board.phase else table.version,
        again=_address("table", table.again.key) if table.again else "",
        met=table.met_id is not None,
    )
    if terms := table.terms:
        given = ROTATING if terms.rotates else GIVEN
        found = replace(
            found,
            chairs=MEMBERS if terms.members_only else given,
            held=terms.held,
            home=terms.home,
            club=terms.home_name,
            ready=seat is not None and seat.no in terms.ready,
        )
    if seat is None:
        return found
    if not found.waiting:
        found = replace(found, ready=seat.ready)
    if table.status == Table.Status.BETWEEN and board.is_alone:
        waits = table.company_until is not None
        found = replace(found, waits=waits, company=tuple(company.names(table)))
    return replace(
        found,
        seated=True,
        host=board.plates[seat.no].host,
        autopilot=seat.autopilot,
        away=seat.away,
        leaving=seat.leaving,
    )


@lru_cache(1000)
def decide(visit: Visit) -> Options:
    """Return the options for a visit; a move changes nothing in them."""
    if visit.seated and visit.phase:
        return _in_game(visit)
    if visit.status == Table.Status.CLOSED:
        return Options("actions", actions=_when_closed(visit))
    if visit.seated:
        return _between(visit)
    return _watching(visit)


def _in_game(visit: Visit) -> Options:
    part = visit.phase if visit.phase in ("window", "trade") else "play"
    asides = [] if visit.autopilot else [SIT_OUT]
    if not visit.reserved:
        asides.append(STAY if visit.leaving else LEAVE)
    found = Options(part, asides=_at(visit, *asides))
    return _with_bot(found, visit, "away" if visit.away else "autopilot")


def _between(visit: Visit) -> Options:
    actions = _dealing(visit)
    if visit.company and not visit.waits:
        actions.append(MEET)
    if not visit.reserved:
        actions.append(GET_UP)
    invites = visit.waiting and visit.chairs == ANYBODY and not (visit.full or visit.for_anyone)
    found = Options(
        "invite" if invites else "actions",
        notice=_between_notice(visit),
        actions=_at(visit, *actions),
        asides=_at(visit, LEAVE_NIGHT) if visit.chairs == ROTATING else (),
    )
    return _with_bot(found, visit, "away")


def _between_notice(visit: Visit) -> Notice:
    if visit.held:
        return Notice("held")
    if visit.waits:
        return Notice("waits_for_company")
    if visit.company:
        return Notice("company", {"names": ", ".join(visit.company)})
    if not visit.waiting:
        return Notice("next_ready" if visit.ready else "next_game")
    if visit.reserved and not visit.full:
        return Notice("too_few")
    if visit.reserved:
        code = "ready" if visit.ready else "say_ready"
        return Notice(f"{code}_next" if visit.begun else code)
    if visit.chairs == MEMBERS:
        return Notice("full") if visit.full else Notice("share_with_club", {"club": visit.club})
    if visit.for_anyone and not visit.full:
        return Notice("share_with_anyone")
    return Notice("full" if visit.full else "share")


def _dealing(visit: Visit) -> list[TableButton]:
    """Return the buttons that lead to the next deal."""
    if visit.held:
        return []
    if visit.waiting and visit.reserved:
        return [_dated(READY, visit)] if visit.full and not visit.ready else []
    if not visit.waiting:
        return [] if visit.ready and not visit.waits else [_dated(NEXT, visit)]
    if visit.full:
        return [_dated(DEAL, visit)]
    if visit.for_anyone:
        return []
    return [FILL, ASK] if visit.chairs == ANYBODY and visit.host else []


def _watching(visit: Visit) -> Options:
    if visit.chairs == ROTATING:
        return Options("watching", Notice("watches_rotation"))
    if visit.chairs == GIVEN:
        return Options("watching", Notice("watches_given"))
    if visit.chairs == MEMBERS:
        club = Notice("watches_club", {"club": visit.club})
        return Options("stake") if visit.waiting else Options("watching", club)
    if visit.status == Table.Status.PLAYING:
        return Options("watching", Notice("watches" if visit.room else "watches_people"))
    return Options("sit") if visit.room else Options("watching", Notice("watches_full"))


def _when_closed(visit: Visit) -> tuple[TableButton, ...]:
    found = []
    if visit.met:
        found.append(replace(MOVE_ALONG, address=_address("play_now")))
    elif visit.again:
        found.append(replace(GO_ON, address=visit.again))
    elif visit.chairs == ANYBODY:
        found.extend(_at(visit, SAME_AGAIN))
    if visit.begun and visit.chairs == ANYBODY and not visit.for_anyone:
        found.append(replace(EVENING, address=reverse("evening", args=[visit.key])))
    if visit.home:
        there = MONEY if visit.chairs == MEMBERS else RESULTS
        goes_on = visit.home.startswith(_address("lobby"))
        found.append(replace(there, address=visit.home, follows=goes_on))
    else:
        found.append(replace(NEW_TABLE, address=_address("lobby")))
    return tuple(found)


def _with_bot(found: Options, visit: Visit, code: str) -> Options:
    """Return the options, with the reason and the way back if a bot plays for the visitor."""
    if not visit.autopilot:
        return found
    return replace(found, replaced=Notice(code), back=_at(visit, BACK))


def _dated(action: TableButton, visit: Visit) -> TableButton:
    """Return the action with the version that the visitor sees, so that a repeat does nothing."""
    return replace(action, version=visit.version)


def _at(visit: Visit, *actions: TableButton) -> tuple[TableButton, ...]:
    """Return the actions with their addresses at this table."""
    return tuple(replace(one, address=_address(one.name, visit.key)) for one in actions)


def _address(name: str, *args: str) -> str:
    return reverse(f"tables:{name}", args=args)
