"""What the columns of a club's own sheet mean, guessed from their heads and their cells."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from league.base.domain.names import fold, identity, without_phone
from league.exchange.domain.sheet_cells import (
    LAST,
    PLACE_WORDS,
    amount_of,
    day_of,
    is_phone,
    looks_like_name,
    place_of,
    word,
)

MEANINGS = ("date", "night", "round", "table", "game", "person", "name", "place", "money", "total",
            "note", "none")  # fmt: skip
"""Besides them, `rank:N` is who came in at place N, last at `LAST`; `money:N` is their money."""
OURS = ("night", "date", "round", "table", "game")
HEAD_ROWS = 10
MOST_PLACES = 12
"""Places that a head may name: more than a game has, so that its row says that it has too many."""
_HEADS = {
    "date": "ngày|date|day|ngày chơi|ngày đánh|ngày tháng|hôm",
    "night": "đêm|buổi|night|session|evening|tên buổi|tên đêm",
    "round": "vòng|round|lượt",
    "table": "bàn|table|b|tbl|số bàn",
    "game": "ván|game|v|stt ván|số ván|hand|ván số|game no",
    "name": "tên|name|người|người chơi|player|họ tên|họ và tên|who|nick",
    "place": "hạng|thứ hạng|place|rank|về|về thứ|hạng mấy|position|xếp hạng",
    "money": "tiền|money|điểm|amount|ăn thua|thắng thua|số tiền|kết quả|points|+ -|ăn|thua|k",
    "total": "tổng|total|tổng cộng|cộng|sum|check|kiểm tra",
    "note": "ghi chú|note|notes|g chú|gc|chú thích|comment|remark|remarks|ghi",
    "none": "stt|no|tt|#|điện thoại|sđt|số điện thoại|phone|tel|mobile|đt|số đt",
}
_AMBIGUOUS = {"an", "thua", "b", "v", "k", "no", "ve", "tt", "hom", "ghi"}
"""Heads that are also names: they mean a column only where its cells do not say otherwise."""
_WORDS = {
    fold(head): (meaning, head)
    for meaning, heads in _HEADS.items()
    for head in heads.split("|")
    if fold(head)
}
_TOTAL = re.compile(r"(?:tổng|total|cộng|sum)(?!\w)|(?:tong|tong cong)\s*[:.]?$", re.IGNORECASE)


class ReadSheet(NamedTuple):
    """A sheet's name and its cells as text, by row."""

    name: str
    rows: list[list[str]]


@dataclass
class Columns:
    """A sheet's head and the meaning of each of its columns.

    `head` is the head's row from 0, -1 without one; `doubled` and `unknown` are columns to ask for.
    """

    head: int
    heads: list[str]
    meanings: list[str]
    doubled: list[int] = field(default_factory=list)
    unknown: list[int] = field(default_factory=list)

    @property
    def unheaded(self) -> list[int]:
        """Return the unknown columns that have cells and no head."""
        return [at for at in self.unknown if not self.heads[at]]

    @property
    def is_ours(self) -> bool:
        """Whether this is a file of the product's own, which has nothing to ask for."""
        return tuple(self.heads[:5]) == OURS

    def of(self, meaning: str) -> list[int]:
        """Return the columns with this meaning."""
        return [at for at, one in enumerate(self.meanings) if one == meaning]

    def ranked(self, kind: str) -> dict[int, int]:
        """Return the columns of `rank:N` or `money:N` by N."""
        return {
            int(one.split(":")[1]): at
            for at, one in enumerate(self.meanings)
            if one.startswith(f"{kind}:")
        }


def turned(sheet: ReadSheet) -> ReadSheet:
    """Return a sheet with a row a person and a column a night the other way round, others as is."""
    for at, head in enumerate(sheet.rows[:HEAD_ROWS]):
        days = [at for at, cell in enumerate(head) if day_of(cell) and amount_of(cell) is None]
        if len(days) < 3 or not days[0]:
            continue
        below = [row for row in sheet.rows[at + 1 :] if len(row) > days[0]]
        named = [sum(looks_like_name(row[column]) for row in below) for column in range(days[0])]
        names = named.index(max(named))
        people = [
            row
            for row in below
            if looks_like_name(row[names]) and not is_total(row[names : names + 1])
        ]
        if len(people) < 2:
            continue
        kept = [
            column
            for column in range(days[0], len(head))
            if not head[column] or day_of(head[column]) or is_total(head[column : column + 1])
        ]
        rows = [["date", *(row[names] for row in people)]]
        rows += [[head[column], *(_cell(people, no, column) for no in range(len(people)))]
                 for column in kept]  # fmt: skip
        return ReadSheet(sheet.name, rows)
    return sheet


def columns_of(sheet: ReadSheet, chosen: Mapping[int, str]) -> Columns:
    """Return the columns of a sheet; `chosen` meanings go before what is guessed."""
    ours = bool(sheet.rows) and tuple(sheet.rows[0][:5]) == OURS
    head = 0 if ours else _head_row(sheet.rows)
    width = max(map(len, sheet.rows), default=0)
    heads = [_cell(sheet.rows, head, at) or _above(sheet.rows, head, at) for at in range(width)]
    below = sheet.rows[head + 1 :]
    found = Columns(head, heads, [])
    for at in range(width):
        cells = [
            cell
            for row in below
            if (cell := row[at] if at < len(row) else "") not in ("", heads[at])
        ]
        guessed = (head_meaning(heads[at]) or "?") if ours else _meaning(heads[at], cells)
        found.meanings.append(chosen.get(at) or guessed)
    # Where a row names its people, no column stands for one.
    by_row = len(found.ranked("rank")) > 1 or (
        found.of("name") and (found.of("place") or found.of("money"))
    )
    for at, meaning in enumerate(found.meanings):
        if at not in chosen and (meaning == "?" or (meaning == "person" and by_row)):
            found.meanings[at] = "note"
            found.unknown.append(at)
    nights = found.of("night")
    if nights and not found.of("date") and nights[0] not in chosen and not ours:
        cells = [row[nights[0]] for row in below if nights[0] < len(row) and row[nights[0]]]
        if sum(day_of(cell) is not None for cell in cells) >= 0.6 * len(cells) > 0:
            found.meanings[nights[0]] = "date"
    _settle(found, chosen)
    return found


def _settle(found: Columns, chosen: Mapping[int, str]) -> None:
    """Let one column alone have a meaning of which there is one; name the others as doubled."""
    if not found.of("name") and not found.ranked("rank") and len(found.of("money")) == 1:
        money = found.of("money")[0]
        if found.of("person") and money not in chosen and "money" not in word(found.heads[money]):
            found.meanings[money] = "person"
    seen: set[str] = set()
    for at, meaning in enumerate(found.meanings):
        if meaning in OURS and meaning in seen and at not in chosen and len(found.of("person")) > 1:
            first = found.heads[found.of(meaning)[0]]
            if identity(first) != identity(found.heads[at]):
                found.meanings[at] = meaning = "person"  # Van, where marks are not written.
        key = f"person {identity(found.heads[at])}" if meaning == "person" else meaning
        if meaning in ("note", "none"):
            continue
        if key in seen:
            found.doubled.append(at)
        seen.add(key)


def is_total(row: Sequence[str]) -> bool:
    """Return whether a row begins as a total; people are called Tống."""
    first = next((cell.strip() for cell in row if cell.strip()), "")
    return _TOTAL.match(unicodedata.normalize("NFC", first)) is not None


def head_meaning(head: str) -> str:
    """Return what a head means by its words alone: a meaning, `rank:N`, `money:N` or nothing."""
    bare = word(head)
    meaning, spelt = _WORDS.get(bare, ("", ""))
    # Vân, Tiến and Hằng are people; ván, tiền and hạng are columns, with their marks or without.
    if meaning and (" " in bare or identity(head.strip(" _.:;/#*")) in (bare, identity(spelt))):
        return meaning
    first, _, rest = bare.partition(" ")
    for kind, at in (("money", rest), ("rank", bare.removeprefix("hang ").removeprefix("thu "))):
        if kind == "money" and first not in ("money", "tien"):
            continue
        number = PLACE_WORDS.get(at) or (int(at) if at.isdecimal() and len(at) < 3 else 0)
        if 1 <= number <= MOST_PLACES or number == LAST:
            return f"{kind}:{number}"
    return ""


def _meaning(head: str, cells: Sequence[str]) -> str:
    by_head = head_meaning(head)
    bare = word(head)
    numbers = sum(amount_of(cell) is not None or place_of(cell) is not None for cell in cells)
    is_numbers = bool(cells) and numbers >= 0.6 * len(cells)
    days = sum(day_of(cell) is not None for cell in cells)
    if not head and not cells:
        return "none"
    if cells and sum(map(is_phone, cells)) > len(cells) / 2:
        return "none"
    if by_head.startswith("rank:") and is_numbers and not head.strip().isdecimal():
        return "person"  # People are called Ba, Tư and Năm.
    if bare in _AMBIGUOUS and len(head) > 1 and is_numbers and head[:1].isupper():
        return "person"
    if by_head:
        return by_head
    if cells and days >= 0.6 * len(cells) and "/" in "".join(cells):
        return "date"
    if looks_like_name(head) and (not cells or is_numbers):
        return "person"
    return "?"


def _head_row(rows: Sequence[Sequence[str]]) -> int:
    """Return the row of the heads among the first, or -1."""
    best, found = 0, -1
    for at, row in enumerate(rows[:HEAD_ROWS]):
        cells = [cell for cell in row if cell.strip()]
        known = sum(bool(head_meaning(cell)) for cell in cells)
        named = sum(looks_like_name(without_phone(cell)) for cell in cells)
        if any(day_of(cell) for cell in cells) or len(cells) < 2 or not named:
            continue
        merged = sum(bool(head_meaning(_above(rows, at, column)))
                     for column in range(len(row)) if not row[column].strip())  # fmt: skip
        known, named = known + merged, named + merged
        below = [cell for later in rows[at + 1 : at + 4] for cell in later if cell.strip()]
        is_over_numbers = sum(amount_of(c) is not None for c in below) * 2 > len(below) > 0
        score = 2 * known + named
        if (known >= 2 or (named >= 2 and is_over_numbers)) and score > best:
            best, found = score, at
    return found


def _cell(rows: Sequence[Sequence[str]], row: int, at: int) -> str:
    return rows[row][at].strip() if 0 <= row < len(rows) and at < len(rows[row]) else ""


def _above(rows: Sequence[Sequence[str]], head: int, at: int) -> str:
    """Return the head that a merged cell has in the row above, if that row is no title."""
    above = rows[head - 1] if head > 0 else []
    return _cell(rows, head - 1, at) if sum(bool(c.strip()) for c in above) > 1 else ""
