"""Score sheets as people write them, turned into tallies."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from league.seasons.domain.standings import Facts, Line, TallyFact, meetings

Sheet = Sequence[str]


def ranks(game: str) -> dict[str, int]:
    """Ranks of a game written in the order of finish; `=` joins those who share: `An Bi=Cu`."""
    result: dict[str, int] = {}
    for group in game.split():
        rank = len(result) + 1
        result |= dict.fromkeys(group.split("="), rank)
    return result


def tallies(sheet: Sheet, event: int | str = 1, sitting: str | None = None) -> list[TallyFact]:
    """One tally for every placing of every game of a sheet."""
    games = [ranks(game) for game in sheet]
    return [
        TallyFact(name, event, len(game), rank, list(game.values()).count(rank), 1, sitting)
        for game in games
        for name, rank in game.items()
    ]


def facts(*sheets: Sheet, money: Mapping[tuple[str, int], int] | None = None) -> Facts:
    ahead, met = meetings(ranks(game) for sheet in sheets for game in sheet)
    return Facts(money=dict(money or {}), ahead=ahead, met=met)


def table(rows: Sequence) -> list[str]:
    """Rows as a page shows them: `1 An 9`, `2= Bi 5`, `- Cu 3`."""
    return [
        f"{'-' if row.rank is None else row.rank}{'=' * row.shared} {row.entrant} {row.points}"
        for row in rows
    ]


def sums(lines: Sequence[Line]) -> list[str]:
    """Lines as `placing 2 × 3 = 6`, with the weight where there is one."""
    return [
        f"{line.what} {line.count} × {line.each}"
        + (f" × {line.weight}" if line.weight != 1 else "")
        + f" = {line.total}"
        for line in lines
    ]


def total(lines: Sequence[Line]) -> Fraction:
    return sum((line.total for line in lines), Fraction(0))
