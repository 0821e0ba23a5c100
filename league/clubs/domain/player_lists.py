"""Players as a text table: one line each, with the name and wishes for draws."""

from dataclasses import dataclass, field

from engine.rules.texts import mark as _
from league.base.domain.csv_text import MOST_PROBLEMS, LineError, LineProblem, Row, plain, read_rows
from league.base.domain.names import NameProblem, clean_name, identity

MOST_PLAYERS = 5_000
COLUMNS = {"name": ["tên", "player", "người chơi"]}
OTHERS = {"group": ["nhóm"], "table": ["bàn"], "bot": ["máy"]}
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
    """The players of a table in its order, the number of bot lines, and the problems."""

    players: list[Listed] = field(default_factory=list)
    bots: int = 0
    problems: list[LineProblem] = field(default_factory=list)


def parse_players(text: str) -> PlayerList:
    """Return the players of a table with a column `name`, optionally `group` and `table`.

    Lines of bots are only counted: a bot comes with its first tournament. Never raises.
    """
    rows, problems = read_rows(text, COLUMNS)
    found = PlayerList(problems=problems)
    others = {other: name for name, names in OTHERS.items() for other in names}
    seen: dict[str, int] = {}
    for line, row in rows:
        if len(found.players) >= MOST_PLAYERS or len(found.problems) >= MOST_PROBLEMS:
            template = _("The file is too long; reading stopped here. Split it.")
            found.problems.append(LineProblem(line, template, {}))
            break
        try:
            _take(found, line, {others.get(name, name): cell for name, cell in row.items()}, seen)
        except LineError as wrong:
            found.problems.append(LineProblem(line, wrong.template, wrong.params))
    if not found.players and not found.problems:
        found.problems.append(LineProblem(1, _("There are no players in this file."), {}))
    return found


def _take(found: PlayerList, line: int, row: Row, seen: dict[str, int]) -> None:
    if row.get("bot"):
        found.bots += 1
        return
    try:
        name = clean_name(plain(row.get("name", "")))
    except NameProblem as problem:
        raise LineError(problem.template, **problem.params) from problem
    key = identity(name)
    if key in seen:
        raise LineError(_("%(name)s is already on line %(line)s."), name=name, line=seen[key])
    seen[key] = line
    group = " ".join(plain(row.get("group", "")).split())
    if len(group) > LONGEST_GROUP:
        raise LineError(_("A group name has at most %(most)s characters."), most=LONGEST_GROUP)
    found.players.append(Listed(line, name, group, _table(row.get("table", ""))))


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
