"""The big screen while a round is played: tables, standings and everyone else on one view."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from itertools import groupby

from django.utils.translation import gettext as _

from league.models import Event, Player, Round, Sitting
from league.nights.facts import ceremony
from league.nights.facts.final_places import Placed
from league.nights.facts.night import Night
from league.nights.facts.stages import is_final
from league.nights.facts.waitlist import queue
from league.nights.pages.night_specials import ChopSentence, chop_of, specials_of
from league.nights.pages.night_tables import SEATS, NightTable, tables_of
from league.nights.pages.stage_page import (
    PartView,
    advanced_from,
    begun,
    deciding_parts,
    round_name,
    stage_names,
    way_on,
)
from league.seasons.facts.honours import Honour, Specials, season_honours
from league.seasons.facts.standings import Standing

ALL, SOME = 10, 6
"""Up to `ALL` tables share one view; more are shown `SOME` at a time."""
ROWS, FEW, FOOT, LEAST = 10, 8, 130, 30
"""Rows beside many tables and few, and the letters that fit the foot, at least beside a chop."""
ITEM = 10
"""The letters that a face, a number and a gap take in the foot."""
DRAWN = 3
"""The most columns of drawn tables; in more of them the seats are lists."""
HOLDERS = 3
"""A title shared by more players than this is not shown."""


@dataclass(frozen=True)
class FootItem:
    """A person in the foot, or those who share a title, after a number or that title."""

    players: Sequence[Player]
    lead: str = ""
    value: str = ""
    points: Fraction | None = None

    @property
    def letters(self) -> int:
        return sum(ITEM + len(one.name) for one in self.players) + len(self.lead) + len(self.value)


@dataclass(frozen=True)
class FootPart:
    """A part of a list in the foot that fits one line."""

    label: str
    items: list[FootItem]


@dataclass(frozen=True)
class TableMark:
    """A table's number in the head, where there are more tables than one view shows."""

    table_no: int
    tone: str
    is_shown: bool


@dataclass(frozen=True)
class SeatOf:
    """A person and the table to go to; None sits out."""

    player: Player
    table_no: int | None


@dataclass(frozen=True)
class WallRound:
    """A view of the round: some or all tables, a part of the standings, one line of the foot.

    `stages` names the groups and the final by table number. `names` stand in for the standings
    before the first game, in a cup of each round; then `deciding` are the groups or tables from
    which players advance. The chop has the free place beside an odd number of tables (`has_cell`),
    above one or two until the next game is entered, and else stands in the foot; then the places
    after the `standings` have it, `more` of them. `parts` is the number of views. Tables without a
    game wait for it since the release, `since`.
    """

    tables: list[NightTable]
    since: datetime | None
    stages: Mapping[int, str]
    columns: int
    has_cell: bool
    chop: ChopSentence | None
    standings: Sequence[Placed]
    more: Sequence[Placed]
    names: Sequence[SeatOf]
    deciding: Sequence[PartView]
    foot: FootPart | None
    parts: int
    part: int
    facts: str
    marks: list[TableMark]

    @property
    def is_dense(self) -> bool:
        """Whether the tables are too narrow to be drawn."""
        return self.columns > DRAWN


def wall_round(
    night: Night, places: Sequence[Placed], *, number: int, sees_money: bool
) -> WallRound:
    """Return view `number` of the round, counted from 0 and wrapping around.

    `places` are those with games.
    """
    event, released, played = night.event, night.released, night.played
    current = released[-1]
    places = [one for one in places if one.stage == places[0].stage]
    is_cup = event.rules_of_format.has_stages and not any(map(is_final, released))
    stage = deciding_parts(event, released, played) if is_cup else []
    advanced = advanced_from(event, current, stage) if is_cup else {}
    tables = tables_of(event, [current], played, advanced, sees_money=sees_money)[current.number]
    pages = _pages(tables)
    rows = FEW if len(tables) < SEATS else ROWS
    deciding = _by_rows(begun(stage))
    ranks = bool(places) and not (stage and not deciding)
    everybody = [] if ranks else _by_name(current)
    lists = [everybody[at : at + ROWS] for at in range(0, len(everybody), ROWS)]
    chop = chop_of(event, released)
    current_page = pages[number % len(pages)]
    columns = max(-(-len(current_page) // 2), min(len(current_page), 2))
    times = [at for table in tables for at in table.times]
    is_few, has_cell = len(current_page) <= 2, False
    if chop is not None and chop.round_no == current.number:
        has_cell = chop.at >= max(times) if is_few else len(current_page) % 2 == 1
    if has_cell and is_few:
        columns += 1
    beside = [] if deciding else places[rows:]
    is_free = len(current_page) > 2 and len(current_page) % 2 == 1 and not has_cell
    more = beside[:ROWS] if is_free and columns <= DRAWN else []
    following = _following(beside[len(more) :])
    groups = [*_waiting(event, current), *following, *_honours(event, night.standings)]
    room = FOOT if has_cell or chop is None else max(LEAST, FOOT - len(chop.text) - 3 * ITEM)
    foot = [part for label, items in groups for part in _lines(label, items, room)]
    parts = max(len(pages), len(foot), len(lists), len(deciding))
    return WallRound(
        tables=current_page,
        since=current.released_at,
        stages=stage_names(event, current),
        columns=columns,
        has_cell=has_cell,
        chop=chop,
        standings=places[:rows],
        more=more,
        names=lists[number % len(lists)] if lists else [],
        deciding=deciding[number % len(deciding)] if deciding else [],
        foot=foot[number % len(foot)] if foot else None,
        parts=parts,
        part=number % parts + 1,
        facts=_facts(event, current, tables),
        marks=_marks(tables, current_page) if len(pages) > 1 else [],
    )


def titles_of(
    event: Event, standings: Sequence[Standing], specials: list[Specials] | None = None
) -> list[list[Honour]]:
    """Return the titles' leaders; none before a first game or while results are held.

    `specials` are the event's, if they are at hand.
    """
    if not any(standing.row.games for standing in standings) or ceremony.is_waiting(event):
        return []
    if specials is None:
        specials, _pairs = specials_of([event])
    honours = groupby(season_honours(specials, standings), key=lambda one: one.key)
    found = [list(group) for _key, group in honours]
    return [group for group in found if len(group) <= HOLDERS]


def _pages(tables: list[NightTable]) -> list[list[NightTable]]:
    """Return one page, or pages of six by need."""
    if len(tables) <= ALL:
        return [tables]
    by_need = sorted(tables, key=lambda table: table.need)
    return [by_need[at : at + SOME] for at in range(0, len(by_need), SOME)]


def _by_rows(parts: Sequence[PartView]) -> list[list[PartView]]:
    """Return the groups or tables by views: as many as fit beside the tables."""
    views: list[list[PartView]] = []
    left = 0
    for part in parts:
        needed = len(part.lines) + 1
        if needed > left:
            views.append([])
            left = ROWS
        views[-1].append(part)
        left -= needed
    return views


def _marks(tables: list[NightTable], current_page: list[NightTable]) -> list[TableMark]:
    numbers = {table.table_no for table in current_page}
    return [TableMark(one.table_no, one.tone, one.table_no in numbers) for one in tables]


def _facts(event: Event, current: Round, tables: list[NightTable]) -> str:
    """Return the round and how many games are entered, in one line."""
    planned, played = sum(one.planned for one in tables), sum(one.played for one in tables)
    found = []
    if event.rules_of_format.kind == "rounds":
        numbers = {"number": current.number, "total": event.rounds_planned}
        found.append(_("round %(number)s of %(total)s") % numbers)
    elif not event.has_queue:
        found.append(round_name(event, current))
    if planned:
        found.append(_("%(done)s of %(total)s games") % {"done": played, "total": planned})
    if who := way_on(event, current):
        found.append(who.rstrip("."))
    return " · ".join(found)


def _by_name(current: Round) -> list[SeatOf]:
    """Return everyone's name and table number, by name; None for those who sit out."""
    sittings: list[Sitting] = list(current.sittings.all())
    places = [SeatOf(p.entrant.player, s.table_no) for s in sittings for p in s.seated]
    resting = [SeatOf(bye.entrant.player, None) for bye in current.byes.all()]
    return sorted([*places, *resting], key=lambda one: one.player.sort_key)


def _waiting(event: Event, current: Round) -> Iterator[tuple[str, list[FootItem]]]:
    if event.has_queue:
        line = enumerate(queue(event), start=1)
        yield _("Waiting"), [FootItem([one.player], str(number)) for number, one in line]
    resting = sorted((bye.entrant.player for bye in current.byes.all()), key=lambda p: p.sort_key)
    # Without stages nobody is out for good.
    label = _("eliminated") if event.rules_of_format.has_stages else _("sits out")
    yield label, [FootItem([player]) for player in resting]


def _following(places: Sequence[Placed]) -> Iterator[tuple[str, list[FootItem]]]:
    items = [
        FootItem([one.player], str(one.row.rank or "–"), points=one.row.points) for one in places
    ]
    yield _("Next places"), items


def _honours(event: Event, standings: Sequence[Standing]) -> Iterator[tuple[str, list[FootItem]]]:
    players = {standing.player.pk: standing.player for standing in standings}
    items = [
        FootItem(holders, group[0].title, str(group[0].count))
        for group in titles_of(event, standings)
        if (holders := [players[one.player] for one in group if one.player in players])
    ]
    yield _("Titles"), items


def _lines(label: str, items: Sequence[FootItem], room: int) -> Iterator[FootPart]:
    """Yield parts of the list that fit one line each."""
    line: list[FootItem] = []
    left = room - len(label)
    for item in items:
        if line and item.letters > left:
            yield FootPart(label, line)
            line, left = [], room - len(label)
        line.append(item)
        left -= item.letters
    if line:
        yield FootPart(label, line)
