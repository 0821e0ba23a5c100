"""A round's pages: its seating by table and by name, and how it was drawn."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.base.domain.names import is_meant
from league.base.page_parts import Badge, Button, MenuRow
from league.base.pages.address import address
from league.models import Entrant, Event, Place, Player, Round, Sitting
from league.nights.facts import draw_changes, stages
from league.nights.facts.clock import Clock, clock_of
from league.nights.facts.events import rounds_of
from league.nights.facts.persons import pair_of
from league.nights.facts.sittings import own_at
from league.nights.facts.waitlist import drawn_queue, queue
from league.nights.pages.draft_price import (
    DraftPrice,
    draft_price,
    meetings_again,
    met_in,
    pairs_of,
)
from league.nights.pages.my_night import OwnSeat
from league.nights.pages.next_step import post
from league.nights.pages.stage_page import StageCut, pool_name, round_name, way_on, who_went_on
from league.nights.pages.table_page import DrawnSeat

LONG = 30
"""With more players than this the page offers a name search."""
MAPPED, SQUARE = 40, 17.0
"""The most players on a map of who met whom, and the side of a square."""


@dataclass(frozen=True)
class TableView:
    """A table with its seats, the address of its page once it is released, and its pool's badge.

    Where all tables are of one pool, none has a badge. `from_own` are the seats of a released table
    where the visitor sits, the own first.
    """

    sitting: Sitting
    seats: list[DrawnSeat]
    address: str
    pool: Badge | None
    from_own: list[OwnSeat]


def are_printed(round_: Round) -> bool:
    """Return whether every table of the round had its card printed in an earlier round."""
    earlier = Sitting.objects.filter(
        round__event=round_.event_id,
        round__number__lt=round_.number,
        round__status=Round.Status.RELEASED,
    )
    return not round_.sittings.exclude(table_no__in=earlier.values("table_no")).exists()


@dataclass(frozen=True)
class MetMap:
    """Who met whom: faces along two sides, and a square for each pair that met.

    A square is "met" before, and in this round "new" or "again".
    """

    faces: list[tuple[float, Player]]
    squares: list[tuple[float, float, str]]
    size: float
    pairs: int
    first_time: int


@dataclass(frozen=True)
class DraftPanel:
    """What an organiser decides by before the release, and the buttons for it.

    `price` is what the draft costs, None where tables have a queue; `back` leads to the round's
    first draft, and `actions` go beside the release.
    """

    warnings: list[str]
    price: DraftPrice | None
    met: MetMap | None
    back: Button | None
    actions: list[Button]
    dock: list[Button]


@dataclass(frozen=True)
class RoundPage:
    """A round's tables, the `own` first, its places by name, and who sits out or is out.

    Of those who were here for a stage's draw without a seat in it, the `eliminated` had one in an
    earlier round, the `late` had none.
    `menu` has its other pages, `waiting` is the queue after the release, `byes` are those without a
    table in the draw. What is None is not offered to this visitor; `rings` says that the page calls
    an organiser, `way_on` who of the tables advances. Who `sees_plan` has all tables in one
    picture, the own among them. `starts` starts the clock that the night is planned with.
    `is_over` says that it is past, `now` leads to the round that is played instead.
    """

    round: Round
    menu: list[MenuRow]
    query: str
    own_tables: list[TableView]
    tables: list[TableView]
    by_name: list[tuple[Place, Sitting]]
    is_long: bool
    waiting: list[Entrant] | None
    byes: list[Player]
    stage: StageCut | None
    way_on: str
    eliminated: list[Entrant]
    late: list[Entrant]
    games: range
    draft: DraftPanel | None
    withdraw: Button | None
    clock: Clock | None
    starts: Button | None
    rings: bool
    own: Collection[int]
    is_over: bool
    now: Button | None
    sees_plan: bool

    @property
    def seeks_name(self) -> bool:
        """Whether the list by name is open at first: for who has no table and runs no night."""
        return not (self.own_tables or self.sees_plan)

    @property
    def ringed(self) -> Collection[int]:
        """The keys of players whose faces are ringed: who meets again in a draft, else the own."""
        return self.draft.price.meeting if self.draft and self.draft.price else self.own


def round_page(
    event: Event,
    round_: Round,
    *,
    query: str = "",
    hosts: bool = False,
    own: Collection[int] = (),
) -> RoundPage:
    """Return the round's page for an organiser (`hosts`) or anyone else, as whom `own` plays.

    With a `query`, it is reduced to the places and tables of players whose name matches.
    """
    rounds = rounds_of(event, with_drafts=True)
    full = next(one for one in rounds if one.pk == round_.pk)
    everyone = _by_name(full)
    by_name = [pair for pair in everyone if is_meant(pair[0].entrant.player.name, query)]
    meant = {sitting.pk for _place, sitting in by_name}
    stage, is_draft = who_went_on(event, full), full.status == Round.Status.DRAFT
    released = [one for one in rounds if one.status == Round.Status.RELEASED]
    is_decided = any(one.number > round_.number for one in released)
    is_over = is_decided or not event.is_open
    drawn = list(_tables(event, full, own))
    out = _out(full, everyone)
    before = {
        place.entrant_id
        for one in rounds
        if one.number < full.number
        for sitting in one.sittings.all()
        for place in sitting.places.all()
    }
    is_last = not event.rounds.filter(number__gt=round_.number).exists()
    withdraws = hosts and not is_draft and is_last and event.is_open
    clock = None if is_draft or is_over else clock_of(full)
    return RoundPage(
        round=round_,
        menu=[
            MenuRow("list", _("How it was drawn"), address(event, "round_explain", round_.number)),
            MenuRow("print", _("Print"), address(event, "print", round_.number)),
        ],
        query=query,
        own_tables=[each for each in drawn if each.from_own],
        tables=[
            each
            for each in drawn
            if (hosts or not each.from_own) and (not query or each.sitting.pk in meant)
        ],
        by_name=by_name,
        is_long=bool(query) or len(by_name) > LONG,
        waiting=queue(event) if event.has_queue and not is_draft else None,
        byes=_byes(full),
        stage=stage,
        way_on="" if is_over else way_on(event, full),
        eliminated=[one for one in out if one.pk in before],
        late=[one for one in out if one.pk not in before],
        games=range(1, (event.games_per_round or 8) + 1),
        draft=_draft(event, round_, stage, rounds) if hosts and is_draft else None,
        withdraw=_button(event, round_, _("Withdraw"), "discard", "danger") if withdraws else None,
        clock=clock,
        starts=_starts(event, full) if withdraws and clock is None else None,
        rings=hosts and event.is_open,
        own=own,
        is_over=is_over and not is_draft,
        now=_now(event, released[-1]) if is_decided and event.is_open else None,
        sees_plan=hosts,
    )


def _now(event: Event, latest: Round) -> Button:
    text = _("Being played: %(name)s") % {"name": round_name(event, latest)}
    return Button(text, address(event, "round", latest.number))


def _starts(event: Event, round_: Round) -> Button | None:
    if (minutes := event.round_minutes) is None:
        return None
    text = ngettext("Start %(n)s minute", "Start %(n)s minutes", minutes) % {"n": minutes}
    hidden = (("minutes", str(minutes)), ("seen", "0"))
    button = post(text, address(event, "round_clock", round_.number), "primary", do="start")
    return replace(button, hidden=hidden, icon="clock")


def _by_name(round_: Round) -> list[tuple[Place, Sitting]]:
    seated = [(place, sitting) for sitting in round_.sittings.all() for place in sitting.seated]
    return sorted(seated, key=lambda pair: pair[0].entrant.player.sort_key)


def _byes(round_: Round) -> list[Player]:
    """Return who has no table in the draw, in queue order."""
    order = {key: at for at, key in enumerate(drawn_queue(round_))}
    byes = sorted(round_.byes.all(), key=lambda bye: order.get(bye.entrant_id, 0))
    return [bye.entrant.player for bye in byes]


def _tables(event: Event, round_: Round, own: Collection[int]) -> Iterator[TableView]:
    pools = stages.labels(round_)
    alike = {kind for kind, _no in pools.values()} == {"table"}
    for sitting in round_.sittings.all():
        names_dealer = sitting.was_cut or not event.cuts_first
        dealer = sitting.first_dealer if names_dealer else None
        kind, no = pools.get(sitting.table_no, ("", 0))
        yield TableView(
            sitting,
            [
                DrawnSeat(p.entrant.player.name, p.seat == dealer, player=p.entrant.player)
                for p in sitting.seated
            ],
            address(event, "table", round_.number, sitting.table_no)
            if round_.status == Round.Status.RELEASED
            else "",
            Badge(pool_name(kind, no), "gold" if kind == "final" else "")
            if kind and not alike
            else None,
            _from_own(sitting.seated, dealer, own)
            if round_.status == Round.Status.RELEASED
            else [],
        )


def _from_own(places: Sequence[Place], dealer: int | None, own: Collection[int]) -> list[OwnSeat]:
    """Return the seats in order of play from the visitor's own; [] without one."""
    at = own_at(places, own)
    if at is None:
        return []
    seats = [
        OwnSeat(place.entrant.player, n == at, _("deals first") if place.seat == dealer else "")
        for n, place in enumerate(places)
    ]
    return seats[at:] + seats[:at]


def met_map(rounds: Sequence[Round]) -> MetMap | None:
    """Return who met whom before the last of these rounds, and in it; None for very many."""
    *earlier, now = rounds
    people = {
        p.entrant.player.merged_into_id or p.entrant.player_id: p.entrant.player
        for s in now.sittings.all()
        for p in s.seated
    }
    if not 0 < len(people) <= MAPPED:
        return None
    before = met_in(earlier).keys()
    here = {pair_of(a, b) for a, b, _table in pairs_of(now)}
    at = {key: SQUARE * (n + 1.5) for n, key in enumerate(people)}
    squares = [
        (at[a] - SQUARE / 2, at[b] - SQUARE / 2, _tone(frozenset((a, b)), before, here))
        for a in people
        for b in people
        if a != b and frozenset((a, b)) in before | here
    ]
    return MetMap(
        faces=[(at[key], player) for key, player in people.items()],
        squares=squares,
        size=SQUARE * (len(people) + 1),
        pairs=len(here),
        first_time=len(here - before),
    )


def _tone(pair: frozenset[int], before: Set[frozenset[int]], here: set[frozenset[int]]) -> str:
    if pair not in here:
        return "met"
    return "again" if pair in before else "new"


def _draft(
    event: Event, round_: Round, stage: StageCut | None, rounds: Sequence[Round]
) -> DraftPanel:
    button = partial(_button, event, round_)
    draw = (
        ("method", round_.settings["method"]),
        ("round", str(round_.number)),
        ("version", str(round_.version)),
    )
    again = Button(_("Redraw"), address(event, "draw"), posts=True, hidden=draw)
    known, first = [r for r in rounds if r.number <= round_.number], round_.settings.get("first")
    has_choice = not stages.pools_of(round_) or len(known[-1].sittings.all()) > 1
    since, release = draw_changes.since(event, round_), button(_("Release"), "release", "primary")
    swap = Button(_("Swap two players"), address(event, "swap", round_.number), "quiet")
    return DraftPanel(
        warnings=[*(stage.changes if stage else []), *([since] if since else [])],
        price=draft_price(known) if has_choice and not event.has_queue else None,
        met=met_map(known) if has_choice and len(known) > 1 else None,
        back=replace(
            again,
            text=_("Back to draft 1"),
            hidden=(*draw, ("back", "1")),
            icon="undo",
            about=meetings_again(first["repeats"]),
        )
        if first
        else None,
        actions=[button(_("Discard the draft"), "discard", "quiet"), swap],
        dock=[again, replace(release, hidden=(*release.hidden, ("since", since)))],
    )


def _button(event: Event, round_: Round, text: str, act: str, tone: str) -> Button:
    """Return the button that changes exactly the draw that the page shows."""
    seen = (("version", str(round_.version)),)
    return Button(text, address(event, act, round_.number), tone, posts=True, hidden=seen)


def _out(round_: Round, places: list[tuple[Place, Sitting]]) -> list[Entrant]:
    """Return the entrants who were here for the draw but are eliminated or came too late for it."""
    if not stages.pools_of(round_):
        return []
    drawn = {place.entrant_id for place, _sitting in places}
    drawn |= {bye.entrant_id for bye in round_.byes.all()}
    missing = set(round_.settings["here"]) - drawn
    found = Entrant.objects.filter(pk__in=missing).exclude(places__round=round_)
    return list(found.select_related("player").order_by("player__sort_key"))


@dataclass(frozen=True)
class RepeatMeeting:
    """A pair at one table of this round who met in earlier rounds."""

    names: tuple[str, str]
    table_no: int
    rounds: list[int]


@dataclass(frozen=True)
class Explanation:
    """How a round was drawn: its measures, its pools with their members, who meets again."""

    method: str
    stage: StageCut | None
    pools: list[tuple[str, list[int]]]
    again: list[RepeatMeeting]


def explanation(event: Event, round_: Round) -> Explanation:
    rounds = [each for each in rounds_of(event, with_drafts=True) if each.number <= round_.number]
    *earlier, now = rounds
    met = met_in(earlier)
    pools = [(pool_name(p["kind"], p["no"]), p["members"]) for p in stages.pools_of(now)]
    words = {
        "loser_leaves": _(
            "first tables and queue by lot; after that, last place gives up the seat"
        ),
        "open": _("by lot among the players present; after that, tables form as players arrive"),
        "swiss": _("players with similar scores meet; nobody again within four rounds if possible"),
    }
    return Explanation(
        method=words.get(now.settings["method"], _("as few repeat meetings as possible")),
        stage=who_went_on(event, now),
        pools=pools,
        again=[
            RepeatMeeting((a.player.name, b.player.name), table_no, met[pair])
            for a, b, table_no in pairs_of(now)
            if (pair := pair_of(a, b)) in met
        ],
    )


def swap_choices(round_: Round) -> list[tuple[int, str]]:
    """Return a draft's entrants by name, each with the table or as sitting out."""
    found = Entrant.objects.filter(Q(places__round=round_) | Q(byes__round=round_))
    people = found.select_related("player").order_by("player__sort_key").distinct()
    tables = dict(
        Place.objects.filter(round=round_, to_game=None).values_list(
            "entrant_id", "sitting__table_no"
        )
    )
    return [(one.pk, f"{one.player.name} · {_where(tables.get(one.pk))}") for one in people]


def _where(table_no: int | None) -> str:
    if table_no is None:
        return _("sits out")
    return _("table %(table)s") % {"table": table_no}
