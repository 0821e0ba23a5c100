"""A club's own sheets read as nights of games: what is clear, what is asked, and what waits."""

import datetime
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import groupby
from typing import Any, NamedTuple

from engine.rules.texts import mark as _
from league.base.domain.amounts import both_readings
from league.base.domain.csv_text import LineError, plain
from league.base.domain.grouped import grouped
from league.base.domain.names import NameProblem, clean_name, fold, identity, without_phone
from league.exchange.domain import sheet_days
from league.exchange.domain.sheet_cells import (
    LAST,
    WrittenDay,
    amount_of,
    day_of,
    is_decimal,
    is_phone,
    looks_like_name,
    name_and_note,
    place_of,
    word,
)
from league.exchange.domain.sheet_columns import Columns, ReadSheet, columns_of, is_total

MOST_GAMES = 20_000
MOST_PEOPLE = 8
MOST_ROUNDS = 60
MOST_LETTERS = 80
"""Letters of a night's name."""

_CARRIED = ("date", "night", "round", "table", "game")
"""Cells that stand for the empty ones below them; a game's only where its people have rows."""

Groups = tuple[tuple[str, ...], ...]


class Doubt(NamedTuple):
    """A question to the uploader: a kind, what it is about, and the facts below it.

    Every one is answered with yes or no. What is likely goes as long as nobody says otherwise.
    """

    kind: str
    about: str
    facts: tuple[str, ...] = ()
    likely: bool = True

    @property
    def key(self) -> str:
        return f"{self.kind} {self.about}"


class Waits(NamedTuple):
    """Why a row is not read: its sheet and number as a spreadsheet counts, and the reason."""

    sheet: str
    line: int
    template: str
    params: Mapping[str, Any]


@dataclass
class ReadGame:
    """A game's row, its people from first to last place, and their money if there is any."""

    sheet: str
    line: int
    groups: Groups
    money: dict[str, Decimal] = field(default_factory=dict)

    @property
    def shares_by_money(self) -> bool:
        """Whether there is money, and people who share a place have equal amounts."""
        return bool(self.money) and all(
            len({self.money[name] for name in group}) == 1 for group in self.groups
        )

    @property
    def people(self) -> frozenset[str]:
        return frozenset(identity(name) for group in self.groups for name in group)


@dataclass
class ReadNight:
    """A night of the sheets: its games by round and table, and the rows for which it waits."""

    date: datetime.date | None
    name: str
    written: str
    rounds: dict[int, dict[int, list[ReadGame]]] = field(default_factory=dict)
    waits: list[Waits] = field(default_factory=list)

    @property
    def games(self) -> list[ReadGame]:
        return [
            one for tables in self.rounds.values() for games in tables.values() for one in games
        ]


class Total(NamedTuple):
    """A total of the sheet beside the sum of what was read; `name` is empty for a whole sheet."""

    name: str
    theirs: Decimal
    ours: Decimal


@dataclass
class ReadNotebook:
    """What was read: each sheet's columns, nights in order, questions, totals, rows left out."""

    columns: list[Columns] = field(default_factory=list)
    nights: list[ReadNight] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    totals: list[Total] = field(default_factory=list)
    left: list[Waits] = field(default_factory=list)
    goes_without: bool = True
    """Whether the uploader agreed to leave out the columns that are not read."""

    @property
    def is_ours(self) -> bool:
        """Whether the product wrote all sheets itself."""
        return all(columns.is_ours for columns in self.columns)

    @property
    def names(self) -> list[str]:
        """The people's names without duplicates, each as it is saved."""
        return list({identity(name): name for night in self.nights for game in night.games
                     for group in game.groups for name in group}.values())  # fmt: skip


@dataclass
class _Row:
    """A game's row before names are joined: what the columns hold."""

    sheet: str
    line: int
    day: int
    night: str
    round: str
    table: str
    game: str
    ranked: list[tuple[str, int | None, Decimal | None]] = field(default_factory=list)
    total: Decimal | None = None
    wrong: LineError | None = None
    row_of_one: bool = False
    is_one_number: bool = False


class _Reader:
    """One reading of all sheets with the answers that were given so far."""

    def __init__(
        self,
        sheets: Sequence[ReadSheet],
        chosen: Mapping[str, str],
        answers: Mapping[str, bool],
        known: Iterable[str],
        today: datetime.date,
        has_parts: bool,
        same: Mapping[str, str],
    ) -> None:
        self.sheets, self.chosen, self.answers, self.today = sheets, chosen, answers, today
        self.has_parts, self.is_grouped, self.same = has_parts, True, same
        self.known = {identity(name): name for name in known}
        self.found = ReadNotebook()
        self.days: list[tuple[WrittenDay | None, str]] = []
        self.rows: list[_Row] = []
        self.checks: list[tuple[int, dict[str, Decimal]]] = []
        self.unread: dict[str, int] = defaultdict(int)

    def ask(self, kind: str, about: str, *facts: str, likely: bool = True) -> bool:
        """Return the answer to a question: what is likely, as long as there is none."""
        doubt = Doubt(kind, about, facts, likely)
        if doubt.key not in {one.key for one in self.found.doubts}:
            self.found.doubts.append(doubt)
        return self.answers.get(doubt.key, likely)

    def read(self) -> ReadNotebook:
        for number, sheet in enumerate(self.sheets):
            chosen = {int(key.split(":")[1]): meaning for key, meaning in self.chosen.items()
                      if key.startswith(f"{number}:")}  # fmt: skip
            self.found.columns.append(columns_of(sheet, chosen))
        self._choose_groups()
        for sheet, columns in zip(self.sheets, self.found.columns, strict=True):
            before = len(self.rows)
            if columns.head >= 0 and (
                columns.of("person")
                or (columns.of("name") and (columns.of("place") or columns.of("money")))
                or columns.ranked("rank")
            ):
                self._take_sheet(sheet, columns)
            else:
                self._take_text(sheet)
            if any(row.row_of_one for row in self.rows[before:]):
                self.rows[before:] = _games_of_people(self.rows[before:])
        if len(self.rows) > MOST_GAMES:
            beyond = self.rows[MOST_GAMES]
            self.found.left.append(
                Waits(beyond.sheet, beyond.line, _("only 20,000 games are read at once"), {})
            )
            del self.rows[MOST_GAMES:]
        if self.unread:
            told = ", ".join(f"{head} ({count})" for head, count in self.unread.items())
            self.found.goes_without = self.ask("unread", told, likely=False)
        self._choose_numbers()
        dates = self._dates()
        names = self._names()
        self._games(dates, names)
        self._totals(names)
        return self.found

    def _choose_groups(self) -> None:
        """Ask whether 15.000 is 15 or 15,000, where amounts may have decimals."""
        cells = [
            row[at]
            for sheet, columns in zip(self.sheets, self.found.columns, strict=True)
            for row in sheet.rows[columns.head + 1 :]
            for at in range(min(len(row), len(columns.meanings)))
            if columns.meanings[at].split(":")[0] in ("person", "money", "total")
        ]
        asked = next(filter(both_readings, cells), "")
        if asked and (self.has_parts or any(map(is_decimal, cells))):
            whole = amount_of(asked) or Decimal(0)
            self.is_grouped = self.ask("grouped", asked, shown(whole).lstrip("+"))

    def _amount(self, cell: str) -> Decimal | None:
        return amount_of(cell, grouped=self.is_grouped)

    # Rows ------------------------------------------------------------------------------------

    def _take_sheet(self, sheet: ReadSheet, columns: Columns) -> None:
        """Take the rows below a head: a column a person, a row a person, or a column a place."""
        last: dict[str, str] = {}
        titled = self._day_of_title(sheet, columns.head)
        ranks = columns.ranked("rank")
        people = self._people_of_heads(columns)
        below = sheet.rows[columns.head + 1 :]
        for at in _unread(columns):
            count = sum(bool(_cell(row, at)) for row in below)
            if count:
                self.unread[columns.heads[at]] += count
        for line, row in enumerate(below, start=columns.head + 2):
            if not any(cell.strip() for cell in row):
                last.pop("game", None)
                continue
            cells = {
                one: _cell(row, at[0]) if at else ""
                for one in (*_CARRIED, "name", "place", "money", "total")
                for at in [columns.of(one)]
            }
            is_named = any(looks_like_name(_cell(row, at)) for at in ranks.values())
            # A night may be called “Tổng kết”.
            if is_total(row) and not (columns.is_ours or is_named):
                self._check(row, people, cells)
                continue
            if _is_head_again(row, columns):
                continue
            for one in _CARRIED if columns.of("name") else _CARRIED[:-1]:
                if cells[one]:
                    if one == "date" and cells[one] != last.get("date"):
                        last = {}
                    last[one] = cells[one]
                elif one != "night" or not cells["date"]:
                    cells[one] = last.get(one, "")
            day = self._day(cells["date"]) if columns.of("date") else titled
            made = _Row(
                sheet.name, line, day, cells["night"], cells["round"], cells["table"], cells["game"]
            )
            made.total = self._amount(cells["total"])
            if doubled := next(_doubled_in(row, columns), ""):
                made.wrong = LineError(_("a column is there twice: %(name)s"), name=doubled)
            if cell := next(filter(None, (_cell(row, at) for at in columns.unheaded)), ""):
                made.wrong = LineError(
                    _("“%(text)s” stands under no heading: say what its column means"),
                    text=cell[:20],
                )
            made.is_one_number = bool(people) or not (ranks or columns.of("place"))
            if people:
                self._take_cells(made, row, people)
                if cells["date"] and not self.days[day][0] and not _has_numbers(made):
                    self._leave(sheet, line, _("no players in this row"))  # Signatures below.
                    continue
            elif ranks:
                try:
                    self._take_ranks(made, row, columns)
                except LineError as error:
                    made.wrong = error
            elif name := cells["name"]:
                made.row_of_one = True
                place = place_of(cells["place"] or cells["money"])
                made.ranked = [(name, place, self._amount(cells["money"]))]
            if made.ranked or made.wrong:
                self.rows.append(made)
            elif any(
                row[at].strip()
                for at in range(len(row))
                if columns.meanings[at] not in ("date", "note", "none")
            ):
                self._leave(sheet, line, _("no players in this row"))

    def _people_of_heads(self, columns: Columns) -> dict[int, str]:
        return {at: columns.heads[at] for at in columns.of("person") if columns.heads[at]}

    def _take_cells(self, made: _Row, row: Sequence[str], people: Mapping[int, str]) -> None:
        for at, name in people.items():
            cell = _cell(row, at)
            if not cell or cell in "-–—xX.":
                continue
            place, amount = place_of(cell), self._amount(cell)
            if place is None and amount is None:
                made.wrong = LineError(
                    _("“%(text)s” is neither a place nor an amount"), text=cell[:20]
                )
            made.ranked.append((name, place, amount))

    def _take_ranks(self, made: _Row, row: Sequence[str], columns: Columns) -> None:
        place, is_gap, sums = 0, False, columns.ranked("money")
        for rank, at in sorted(columns.ranked("rank").items()):
            cell = _cell(row, at)
            paid = _cell(row, sums[rank]) if rank in sums else ""
            parts = self._parts(cell)
            amounts = [self._amount(one) for one in paid.strip("' ").split("=")] if paid else []
            first = len(made.ranked) + 1
            if parts and is_gap and first < rank != LAST:
                raise LineError(_("place %(place)s is empty"), place=first)
            is_gap = not parts
            place += bool(parts)
            for number, name in enumerate(parts):
                amount = amounts[number] if number < len(amounts) else None
                made.ranked.append((name, place, amount))

    def _parts(self, cell: str) -> list[str]:
        """Return the names that share a cell, with `=` between them unless it is in quotes."""
        for whole in (cell, cell[1:] if cell[:1] == "'" else cell):
            if "=" in whole and identity(whole) in self.known:
                return [whole]
        found = re.findall(r'\s*"(?:[^"]|"")*"\s*(?==|$)|[^=]+', plain(cell))
        return [_unquoted(part.strip()) for part in found if part.strip()]

    def _check(
        self, row: Sequence[str], people: Mapping[int, str], cells: Mapping[str, str]
    ) -> None:
        sums = {name: amount for at, name in people.items()
                if at < len(row) and (amount := self._amount(row[at])) is not None}  # fmt: skip
        if (whole := self._amount(cells["total"])) is not None:
            sums[""] = whole
        self.checks.append((len(self.rows), sums))

    def _take_text(self, sheet: ReadSheet) -> None:
        """Take sentences such as “13/11: An nhất, Bình nhì, Chi ba, Dũng bét”."""
        at, table = self._day_of_title(sheet, -1), ""
        for line, row in enumerate(sheet.rows, start=1):
            text = " , ".join(cell.strip() for cell in row if cell.strip())
            if not text:
                continue
            if written := day_of(text[:30], with_text=True):
                self.days.append((written, text[:20]))
                at, table = len(self.days) - 1, ""
            if numbered := re.search(r"\b(?:bàn|table)\s*(\d+)", text, re.IGNORECASE):
                table = numbered[1]
            people = list(_spoken(text))
            if len(people) < 2:
                if not written:
                    self._leave(sheet, line, _("no game in this line"))
                continue
            game = _Row(sheet.name, line, at, "", "", table, "")
            game.ranked = [(name, place, None) for name, place in people]
            if _PLACE.search(_SPOKEN.sub("", text)):
                game.wrong = LineError(_("not everyone here has a place"))
            self.rows.append(game)

    def _leave(self, sheet: ReadSheet, line: int, template: str) -> None:
        self.found.left.append(Waits(sheet.name, line, template, {}))

    # Days ------------------------------------------------------------------------------------

    def _day(self, cell: str) -> int:
        if self.days and self.days[-1][1] == cell:
            return len(self.days) - 1
        self.days.append((day_of(cell) or day_of(cell, with_text=True), cell))
        return len(self.days) - 1

    def _day_of_title(self, sheet: ReadSheet, head: int) -> int:
        titles = [sheet.name, *(cell for row in sheet.rows[: max(head, 0)] for cell in row)]
        for title in titles:
            if written := day_of(title, with_text=True):
                self.days.append((written, title))
                return len(self.days) - 1
        return -1

    def _dates(self) -> list[datetime.date | LineError | None]:
        days = [day for day, _text in self.days]
        written = [day for day in days if day]
        month_first = sheet_days.is_month_first(written)
        named = [columns.heads[at] for columns in self.found.columns for at in columns.of("date")]
        is_vietnamese = any(word(head).startswith("ngay") for head in named)
        if not (month_first or is_vietnamese or sheet_days.is_order_clear(written)):
            text = next(
                text
                for day, text in self.days
                if day and not day.is_iso and day.first != day.second
            )
            month_first = not self.ask("day", text)
        titles = [cell for sheet in self.sheets for row in sheet.rows[:3] for cell in row[:1]]
        titled = (re.findall(r"\b(?:19|20)\d\d\b", one) for one in titles if not day_of(one))
        years = [int(year) for found in titled for year in found]
        return sheet_days.with_years(
            days, month_first=month_first, today=self.today, year=min(years, default=None)
        )

    # Names -----------------------------------------------------------------------------------

    def _names(self) -> dict[str, str]:
        """Return the name that is saved for each one that is written."""
        counts = Counter(name for row in self.rows for name, _place, _amount in row.ranked)
        ours = self.found.is_ours
        saved = {name: name if ours else self._bare(name) for name in counts}
        shown: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
        for name, count in counts.items():
            shown[identity(saved[name])][saved[name]] += count
        best = {
            key: self.known.get(key) or max(forms, key=lambda one: (one[:1].isupper(), forms[one]))
            for key, forms in shown.items()
        }
        sizes = {key: sum(forms.values()) for key, forms in shown.items()}
        met = {frozenset((identity(saved[one]), identity(saved[other])))
               for row in self.rows for one, *_o in row.ranked for other, *_p in row.ranked
               if one != other}  # fmt: skip
        joined: dict[str, str] = {}
        groups = list[list[str]]()
        for keys in [] if ours else _alike([*self.known, *best]):
            have_met = any(frozenset((a, b)) in met for a in keys for b in keys if a != b)
            # Two that the club knows are two: what is written like one of them is that one.
            are_two = sum(key in self.known for key in keys) > 1
            if any(key in best for key in keys) and not (have_met or are_two):
                groups.append(keys)
        plain_of = {
            keys[0]: sorted(best.get(key) or self.known[key] for key in keys)
            for keys in groups
            if sum(key != fold(key) for key in keys) == 1 and fold(keys[0]) == fold(keys[-1])
        }
        at_once = len(plain_of) > 2
        are_same = at_once and self.ask("marks", "", *map(" = ".join, plain_of.values()))
        for keys in groups:
            into = max(
                keys, key=lambda key: (key in self.known, key != fold(key), sizes.get(key, 0))
            )
            target = self.known.get(into) or best[into]
            names = [best.get(key) or self.known[key] for key in keys]
            facts = [f"{best[key]} {sizes[key]}" for key in keys if key in best]
            if (
                are_same
                if at_once and keys[0] in plain_of
                else self.ask("one", " · ".join(sorted(names)), *facts)
            ):
                joined |= dict.fromkeys(keys, target)
        return {name: joined.get(identity(one), best[identity(one)]) for name, one in saved.items()}

    def _bare(self, name: str) -> str:
        """Return the name without a telephone number, and without a note if it has one."""
        bare = without_phone(name)
        first, note = name_and_note(bare)
        is_new = note and identity(bare) not in self.known and looks_like_name(first)
        if is_new and (is_phone(note) or self.ask("note", bare, first, note)):
            bare = first
        try:
            return clean_name(bare)
        except NameProblem:
            return bare[:60]

    # Games -----------------------------------------------------------------------------------

    def _games(
        self, dates: Sequence[datetime.date | LineError | None], names: Mapping[str, str]
    ) -> None:
        nights: dict[tuple[Any, ...], ReadNight] = {}
        placed: dict[int, list[tuple[_Row, ReadGame]]] = defaultdict(list)
        for row in self.rows:
            date = dates[row.day] if row.day >= 0 else None
            wrong = row.wrong
            if not isinstance(date, datetime.date):
                written = self.days[row.day][1] if row.day >= 0 else row.sheet
                wrong = wrong or date or LineError(_("“%(text)s” is not a date"), text=written[:20])
                date = None
            else:
                written = ""
            try:
                name = plain(row.night) if row.night[:1] == "'" else row.night
                title = clean_name(name, MOST_LETTERS) if name else ""
            except NameProblem as problem:
                title, wrong = row.night, wrong or LineError(problem.template, **problem.params)
            night = nights.setdefault(
                (date, identity(title), written), ReadNight(date, title, written)
            )
            try:
                if wrong:
                    raise wrong
                game = self._game(row, names)
            except LineError as error:
                night.waits.append(Waits(row.sheet, row.line, error.template, error.params))
                continue
            placed[id(night)].append((row, game))
        self.found.nights = sorted(
            nights.values(), key=lambda one: (one.date or datetime.date.max, one.name)
        )
        for night in self.found.nights:
            _seat(night, placed[id(night)], self.same)

    def _choose_numbers(self) -> None:
        """Take numbers that stand alone as places where most rows have places of one game."""
        alone = [row for row in self.rows if row.is_one_number]
        fit = sum(_are_places([place or 0 for _n, place, _a in row.ranked]) for row in alone)
        for row in alone:
            row.ranked = [
                (name, place, None)
                if fit * 2 > len(alone)
                else (name, None if amount is not None else place, amount)
                for name, place, amount in row.ranked
            ]

    def _game(self, row: _Row, names: Mapping[str, str]) -> ReadGame:
        people = [(names[name], place, amount) for name, place, amount in row.ranked]
        keys = [identity(name) for name, _p, _a in people]
        if not 2 <= len(people) <= MOST_PEOPLE:
            raise LineError(
                _("A game has 2 to 8 players; this one has %(count)s."), count=len(people)
            )
        if len(set(keys)) < len(keys):
            raise LineError(_("The same player has two places in this game."))
        for name, _place, _amount in people:
            try:
                clean_name(name)
            except NameProblem as problem:
                raise LineError(problem.template, **problem.params) from problem
        money = self._money(row, people)
        last = len(people)
        places = {name: last if place == LAST else place for name, place, _a in people if place}
        order: dict[str, Decimal | int] = dict(places)
        if not places and money:
            order = {name: -amount for name, amount in money.items()}
            if len(set(money.values())) < len(money) and not self.ask("ties", ""):
                raise LineError(_("equal money: the order is not known"))
        elif len(places) < len(people):
            raise LineError(_("not everyone here has a place"))
        elif not _are_places(list(places.values())):
            named = ", ".join(map(str, sorted(places.values())))
            raise LineError(_("the places %(places)s cannot be"), places=named)
        by_place = sorted(order, key=lambda name: order[name])
        groups = [tuple(group) for _p, group in groupby(by_place, key=lambda name: order[name])]
        return ReadGame(row.sheet, row.line, tuple(groups), money)

    def _money(
        self, row: _Row, people: Sequence[tuple[str, int | None, Decimal | None]]
    ) -> dict[str, Decimal]:
        if all(amount is None for _n, _p, amount in people):
            return {}
        money = {name: amount or Decimal(0) for name, _p, amount in people}
        whole = sum(money.values(), Decimal(0))
        if whole:
            raise LineError(_("the money adds up to %(sum)s, not 0"), sum=shown(whole))
        if row.total is not None and row.total != whole:
            raise LineError(
                _("your total is %(theirs)s, ours %(ours)s"),
                theirs=shown(row.total),
                ours=shown(whole),
            )
        return money

    # Totals ----------------------------------------------------------------------------------

    def _totals(self, names: Mapping[str, str]) -> None:
        """Compare each total with the sum above it, of all rows or since the last total."""
        before = 0
        if all(amount is None for row in self.rows for _n, _p, amount in row.ranked):
            return
        for until, theirs in self.checks:
            for name, total in theirs.items():
                whole, since = (self._sum(name, start, until) for start in (0, before))
                ours = since if since == total else whole
                self.found.totals.append(Total(names.get(name, name), total, ours))
            before = until

    def _sum(self, name: str, start: int, until: int) -> Decimal:
        return sum((amount for row in self.rows[start:until] for who, _place, amount in row.ranked
                    if amount is not None and name in ("", who)), Decimal(0))  # fmt: skip


def read_notebook(
    sheets: Sequence[ReadSheet],
    *,
    today: datetime.date,
    chosen: Mapping[str, str] | None = None,
    answers: Mapping[str, bool] | None = None,
    known: Iterable[str] = (),
    same: Mapping[str, str] | None = None,
    has_parts: bool = False,
) -> ReadNotebook:
    """Return the nights in sheets as a club has them. Never raises: what is not clear waits.

    `chosen` maps "sheet:column" to a meaning, `answers` a doubt's key to yes or no; `known` are
    the names that the club has, `same` leads from the key of each to its person's;
    `has_parts` says that its unit has decimals.
    """
    return _Reader(sheets, chosen or {}, answers or {}, known, today, has_parts, same or {}).read()


def shown(amount: Decimal) -> str:
    """Return an amount as a sheet writes it, with its sign."""
    text = f"{amount:+f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text).replace("-", "−")


def _seat(
    night: ReadNight, games: Sequence[tuple[_Row, ReadGame]], same: Mapping[str, str]
) -> None:
    """Give each game its round and table: no table is table 1, other people begin a new round."""
    last_of_person: dict[str, int] = {}
    at_table: dict[int, tuple[frozenset[str], int, str]] = {}
    tables: dict[str, int] = {}
    for row, game in games:
        digits = re.search(r"\d+", row.table)
        table = tables.setdefault(row.table, int(digits[0]) if digits else len(tables) + 1)
        people, number, written = at_table.get(table, (frozenset(), 0, ""))
        here = frozenset(same.get(one, one) for one in game.people)
        if people != here or written != row.round:
            number = max([number, *(last_of_person.get(one, 0) for one in here)]) + 1
            given = re.search(r"\d+", row.round)
            number = (
                max(number, int(given[0])) if given and int(given[0]) <= MOST_ROUNDS else number
            )
            at_table[table] = (here, number, row.round)
        last_of_person |= dict.fromkeys(here, number)
        night.rounds.setdefault(number, {}).setdefault(table, []).append(game)
    night.rounds = {at: night.rounds[key] for at, key in enumerate(sorted(night.rounds), start=1)}
    if len(night.rounds) > MOST_ROUNDS or any(
        table > 500 for t in night.rounds.values() for table in t
    ):
        first = games[0][0]
        night.waits.append(
            Waits(first.sheet, first.line, _("a night has up to 60 rounds and 500 tables"), {})
        )


def _games_of_people(rows: Sequence[_Row]) -> list[_Row]:
    """Join rows of one person each to games: a name or a first place again begins the next."""
    made: list[_Row] = []
    for row in rows:
        [(name, place, _amount)] = row.ranked or [("", None, None)]
        now = made[-1] if made else None
        same = now and (now.day, now.night, now.round, now.table, now.game) == (
            row.day, row.night, row.round, row.table, row.game)  # fmt: skip
        names = {identity(one) for one, _p, _a in now.ranked} if now else set()
        begins = not row.game and place == 1 and now and any(p != 1 for _n, p, _a in now.ranked)
        if now is None or not same or identity(name) in names or begins:
            made.append(row)
        else:
            now.ranked += row.ranked
            now.wrong = now.wrong or row.wrong
    return made


def _are_places(places: Sequence[int]) -> bool:
    """Return whether numbers are the places of one game, with equal ones counted or not."""
    ordered = sorted(places)
    dense = sorted(set(ordered))
    return bool(ordered) and (
        all(dense.index(place) + 1 == place for place in ordered)
        or all(ordered.index(place) + 1 == place for place in ordered)
    )


def _alike(keys: Iterable[str]) -> Iterator[list[str]]:
    """Yield keys of names that are equal without marks, or but for the order of their letters."""
    bare = {key: fold(key) for key in keys}
    groups = grouped(("".join(sorted(b)) if len(b) > 4 else b, key) for key, b in bare.items())
    yield from (group for group in groups.values() if len(group) > 1)


_SPOKEN = re.compile(
    r"([^,;.|:\n]+?)\s*[:=]?\s+(nhất|nhì|nhi|nhat|bét|bet|chót|ba|tư|bốn|năm|sáu|bảy|tám|[1-8](?:st|nd|rd|th)?|first|second|third|fourth|last)"
    r"(?:\s+(?:nhé|nha|nhá|nhe|rồi|roi|ạ|đó|luôn|thôi))*\s*(?=[^\w\s:\u0300-\u036f]|$|và\b)",
    re.IGNORECASE,
)
_PLACE = re.compile(r"\s(?:nhất|nhì|bét|chót|nhat|bet)\b", re.IGNORECASE)
_NUMBERED = re.compile(r"\b(?:ván|bàn|vòng|game|table|round)\s*\d+\s*[:.,-]?", re.IGNORECASE)
_AROUND = re.compile(r"^\W*(?:(?:và|and)\s+)?|\W+$", re.IGNORECASE)
_LISTED = re.compile(r"(?<!\w)([1-8])[.)]\s*([^\d,;.)]+)")


def _spoken(text: str) -> Iterator[tuple[str, int]]:
    """Yield names and places of a sentence: “An nhất, Bình nhì”, or “1. An 2. Bình”."""
    text = _NUMBERED.sub(" ", text)
    listed = _named((name, place) for place, name in _LISTED.findall(text))
    yield from max(listed, _named(_SPOKEN.findall(text)), key=len)


def _named(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, int]]:
    """Return the pairs of a name and a place."""
    bare = ((_AROUND.sub("", name), at) for name, at in pairs)
    return [(name, rank) for name, at in bare if (rank := place_of(at)) and looks_like_name(name)]


def _unquoted(part: str) -> str:
    return part[1:-1].replace('""', '"') if len(part) > 1 and part[0] == part[-1] == '"' else part


def _has_numbers(row: _Row) -> bool:
    return any(place or amount is not None for _name, place, amount in row.ranked)


def _cell(row: Sequence[str], at: int) -> str:
    return row[at].strip() if at < len(row) else ""


def _unread(columns: Columns) -> Iterator[int]:
    """Yield the columns under a head of which nothing is taken, though nobody said so."""
    ranks = columns.ranked("rank")
    if columns.of("person"):
        taken = {"person", "total"}
    elif ranks:
        taken = {"total", *(f"{kind}:{rank}" for rank in ranks for kind in ("rank", "money"))}
    else:
        taken = {"name", "place", "money", "total"}
    for at, meaning in enumerate(columns.meanings):
        is_taken = meaning in (*_CARRIED, *taken, "note", "none")
        if columns.heads[at] and (at in columns.unknown or not is_taken):
            yield at


def _doubled_in(row: Sequence[str], columns: Columns) -> Iterator[str]:
    """Yield the heads of doubled columns; of a person's only if the row has cells in both."""
    for at in columns.doubled:
        key = identity(columns.heads[at])
        cells = [
            row[other]
            for other in columns.of("person")
            if other < len(row) and row[other] and identity(columns.heads[other]) == key
        ]
        if columns.meanings[at] != "person" or len(cells) > 1:
            yield columns.heads[at]


def _is_head_again(row: Sequence[str], columns: Columns) -> bool:
    cells = [cell.strip() for cell in row if cell.strip()]
    return len(cells) > 1 and cells == [head for head in columns.heads if head][: len(cells)]
