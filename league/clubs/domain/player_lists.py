"""Players as a text table: one line each, with the name and wishes for draws."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from engine.rules.texts import mark as _
from league.base.domain.csv_text import MOST_PROBLEMS, LineError, LineProblem, plain
from league.base.domain.names import NameProblem, clean_name, fold, identity

MOST_PLAYERS = 5_000
_HEADS = {
    "name": "name|tên|player|người chơi|full name|họ tên|họ và tên",
    "group": "group|nhóm",
    "table": "table|bàn",
    "bot": "bot|máy",
    "since": "since|từ ngày|stt|tt|no|#",
}
_COLUMNS = {head: column for column, heads in _HEADS.items() for head in heads.split("|")}
_NO = {"", "no", "n", "khong", "k", "0", "false", "-"}
"""What people write under `bot` for a person, without marks."""
LONGEST_GROUP = 40
LAST_TABLE = 500


@dataclass(frozen=True)
class Listed:
    """One player's line of the table."""

    line: int
    name: str
    group: str
    fixed_table: int | None


@dataclass
class PlayerList:
    """The players of a table in its order, the number of bot lines, and the problems.

    `unread` counts the cells of each column that is not known.
    """

    players: list[Listed] = field(default_factory=list)
    bots: int = 0
    problems: list[LineProblem] = field(default_factory=list)
    unread: dict[str, int] = field(default_factory=dict)


def parse_players(rows: Iterable[Sequence[str]]) -> PlayerList:
    """Return the players of a table with a column `name`, optionally `group` and `table`.

    Lines of bots are only counted: a bot comes with its first tournament. Never raises.
    """
    numbered = [row for row in enumerate(rows, start=1) if any(row[1])]
    line, heads = numbered[0] if numbered else (1, ())
    columns = [_COLUMNS.get(head.casefold(), head) for head in heads]
    found = PlayerList(problems=list(_wrong_heads(line, columns)))
    if found.problems:
        return found
    seen: dict[str, int] = {}
    for line, row in numbered[1:]:
        if len(found.players) >= MOST_PLAYERS or len(found.problems) >= MOST_PROBLEMS:
            template = _("The file is too long; reading stopped here. Split it.")
            found.problems.append(LineProblem(line, template, {}))
            break
        try:
            _take(found, line, columns, row, seen)
        except LineError as wrong:
            found.problems.append(LineProblem(line, wrong.template, wrong.params))
    if not found.players and not found.problems:
        found.problems.append(LineProblem(1, _("There are no players in this file."), {}))
    return found


def _wrong_heads(line: int, columns: Sequence[str]) -> Iterator[LineProblem]:
    if "name" not in columns:
        yield LineProblem(line, _("This line must name the columns, one of them “name”."), {})
    for twice in sorted({one for one in columns if one and columns.count(one) > 1}):
        yield LineProblem(line, _("A column is there twice: %(name)s."), {"name": twice})


def _take(
    found: PlayerList, line: int, columns: Sequence[str], row: Sequence[str], seen: dict[str, int]
) -> None:
    cells = dict.fromkeys(_HEADS, "") | dict(zip(columns, row, strict=False))
    for at, cell in enumerate(row):
        if cell and not (at < len(columns) and columns[at]):
            raise LineError(_("“%(text)s” stands under no heading."), text=cell[:20])
        if cell and columns[at] not in _HEADS:
            found.unread[columns[at]] = found.unread.get(columns[at], 0) + 1
    if fold(cells["bot"]) not in _NO:
        found.bots += 1
        return
    try:
        name = clean_name(plain(cells["name"]))
        group = clean_name(plain(cells["group"])) if cells["group"] else ""
    except NameProblem as problem:
        raise LineError(problem.template, **problem.params) from problem
    if len(group) > LONGEST_GROUP:
        raise LineError(_("A group name has at most %(most)s characters."), most=LONGEST_GROUP)
    key = identity(name)
    if key in seen:
        raise LineError(_("%(name)s is already on line %(line)s."), name=name, line=seen[key])
    seen[key] = line
    found.players.append(Listed(line, name, group, _table(cells["table"])))


def _table(text: str) -> int | None:
    if not text:
        return None
    if text.isascii() and text.isdecimal() and len(text) < 6 and 1 <= int(text) <= LAST_TABLE:
        return int(text)
    raise LineError(_(
            "“%(text)s” is not a table number. Enter a number from 1 to %(most)s, or leave it "
            "empty."
        ),
                text=text[:20], most=LAST_TABLE)  # fmt: skip
