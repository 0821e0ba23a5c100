"""Ten clubs' notebooks of two years, each with its own habits, through the page itself."""

import io
import random
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models.functions import Coalesce
from openpyxl import Workbook

from league.clubs.acts import merges
from league.exchange.acts import file_imports
from league.models import FileImport, Placing, Season, Transfer
from tests.factories import browser_of, make_season, owner_of, path_of

NAMES = [
    "An", "Bình", "Chi", "Dũng", "Giang", "Hà", "Hùng", "Khoa", "Lan", "Long", "Minh", "Nga",
    "Oanh", "Phúc", "Quý", "Sơn", "Thảo", "Tuấn", "Tý", "Vân",
]  # fmt: skip
AMERICANS = [
    "Kevin Tran", "Co Lan", "Bac Hai", "Jenny", "Tony Nguyen", "Mike", "Di Ba", "Andy", "Vy",
    "Chu Tu", "Linda", "Steve Pham", "Kim", "Huy", "Danny", "Cathy", "Bao", "Tam", "Uncle Bob",
    "Zoe",
]  # fmt: skip

Rows = list[list[object]]
Nights = dict[date, tuple[list[dict[str, int]], dict[str, int]]]


@dataclass
class Game:
    """Names with their places and, where the club plays for money, their amounts."""

    day: date
    number: int
    places: dict[str, int]
    money: dict[str, Decimal]

    def amounts(self, names: list[str]) -> list[int | None]:
        return [int(self.money[name]) if name in self.money else None for name in names]


@dataclass
class ClubSheet:
    file: str
    content: bytes
    games: list[Game]
    waits: tuple[str, ...] = ()  # A part of each reason for which a row waits.
    also: dict[str, str] = field(default_factory=dict)  # Who has two names, merged afterwards.
    unit: str = "đồng"
    times: int = 1000


def nights(seed: int, unit: str = "", games: int = 2, people: Sequence[str] = NAMES) -> list[Game]:
    """Make two years of nights; the money is in multiples of the unit."""
    rng, day, made = random.Random(seed), date(2024, 11, 2), []
    for _ in range(24):
        table = rng.sample(people, 4)
        for number in range(1, rng.randint(1, games) + 1):
            order = rng.sample(table, 4)
            places, money = {name: place for place, name in enumerate(order, 1)}, {}
            if unit:
                lost = sorted(rng.randint(1, 6) for _ in range(3))
                if rng.random() < 0.3 and lost[0] < sum(lost) / 3:
                    lost[0] = -lost[0]  # The second has won from the others, too.
                amounts = [Decimal(unit) * n for n in (sum(lost), *(-n for n in lost))]
                money = dict(zip(order, amounts, strict=True))
                places = {one: 1 + amounts.index(amount) for one, amount in money.items()}
            made.append(Game(day, number, places, money))
        day += timedelta(days=rng.randint(26, 32))
    return made


def by_month(games: list[Game]) -> Iterator[tuple[date, list[Game]]]:
    for month in sorted({game.day.replace(day=1) for game in games}):
        yield month, [game for game in games if game.day.replace(day=1) == month]


def xlsx(sheets: dict[str, Rows], **merged: str) -> bytes:
    book = Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
        for cells in merged.get(title, "").split():
            sheet.merge_cells(cells)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def text(rows: Rows, between: str, encoding: str) -> bytes:
    lines = (between.join("" if cell is None else str(cell) for cell in row) for row in rows)
    whole = "\r\n".join(lines) + "\r\n"
    if encoding == "cp1258":  # Which has the tones behind their letters: ậ is â and a dot.
        whole = unicodedata.normalize("NFD", whole)
        whole = re.sub("([\u0300\u0301\u0303\u0309\u0323])([\u0302\u0306\u031b])", r"\2\1", whole)
        for letter in "âêôăơưÂÊÔĂƠƯ":
            whole = whole.replace(unicodedata.normalize("NFD", letter), letter)
    return whole.encode(encoding)


def plain(name: str) -> str:
    apart = unicodedata.normalize("NFD", name.replace("đ", "d").replace("Đ", "D"))
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


def sums(games: list[Game], names: list[str]) -> list[float]:
    return [float(sum(game.money.get(name, 0) for game in games)) for name in names]


def a_sheet_a_month() -> ClubSheet:
    """Excel, a sheet a month; the days have no year, which is in the title alone."""
    games, sheets = nights(1, unit="10"), {}
    for month, played in by_month(games):
        rows: Rows = [[f"SỔ TIẾN LÊN THÁNG {month.month}/{month.year}"], []]
        rows += [["Ngày", "Ván", *NAMES]]
        rows += [[f"{one.day.day}/{one.day.month}", one.number, *one.amounts(NAMES)]
                 for one in played]  # fmt: skip
        rows += [[], ["Tổng tháng", None, *sums(played, NAMES)]]
        sheets[f"Tháng {month:%m-%Y}"] = rows
    return ClubSheet("so.xlsx", xlsx(sheets, **dict.fromkeys(sheets, "A1:V1")), games)


def a_chat() -> ClubSheet:
    """A chat's export with its talk between the results."""
    games, rng, lines = nights(12), random.Random(22), []
    talk = ["Mai chơi không?", "Anh bận rồi", "ok 8h nhé", "<Media omitted>", "Thua đau quá 😭"]
    for game in games:
        stamp = f"{game.day:%d/%m/%Y}, 21:{10 + game.number * 7:02}"
        a, b, c, d = game.places
        said = f"{a} nhất, {b} nhì, {c} ba, {d} bét"
        said = rng.choice([said, f"{said} nhé", f"{a} 1, {b} 2, {c} 3, {d} 4", plain(said).lower()])
        lines.append([f"{stamp} - Hùng: {said}"])
        if rng.random() < 0.4:
            lines.append([f"{stamp} - {rng.choice(NAMES)}: {rng.choice(talk)}"])
    return ClubSheet("chat.txt", text(lines, "", "utf-8"), games)


def thousands() -> ClubSheet:
    """A column a person, the money as 20.000 or 20k, from an old Windows."""
    games, rng = nights(3, unit="5000"), random.Random(33)

    def typed(money: int | None) -> str:
        if money is None:
            return ""
        return f"{money // 1000}k" if rng.random() < 0.3 else f"{money:,}".replace(",", ".")

    rows: Rows = [["Ngày", *NAMES]]
    rows += [[f"{game.day:%d/%m/%Y}", *map(typed, game.amounts(NAMES))] for game in games]
    return ClubSheet("tien.csv", text(rows, ";", "cp1258"), games, times=1)


def nights_across() -> ClubSheet:
    """A row a person, a column a night, the money of the whole night."""
    games = nights(4, games=1, unit="10")
    rows: Rows = [["STT", "Họ tên", *(game.day for game in games), "Tổng"]]
    rows += [[no, name, *(game.amounts([name])[0] for game in games), *sums(games, [name])]
             for no, name in enumerate(NAMES, 1)]  # fmt: skip
    return ClubSheet("bang-diem.xlsx", xlsx({"Bảng": rows}), games)


def a_column_a_place() -> ClubSheet:
    """The names by place, the day once a night; marks left out, a nickname, a new name."""
    games, rng = nights(5), random.Random(55)

    def typed(name: str, day: date) -> str:
        if name == "Tý" and day >= date(2025, 11, 1):
            return "Tý Đô La"
        if name == "Long" and rng.random() < 0.3:
            return "Long còi"
        return plain(name) if rng.random() < 0.15 else name

    rows: Rows = [["Ngày", "Ván", "Nhất", "Nhì", "Ba", "Bét"]]
    for game in games:
        first = f"{game.day:%d/%m/%Y}" if game.number == 1 else ""
        rows.append([first, game.number, *(typed(name, game.day) for name in game.places)])
    also = {"Tý Đô La": "Tý", "Long còi": "Long"}
    return ClubSheet("xep-hang.txt", text(rows, "\t", "utf-16"), games, also=also)


def notes_and_telephones() -> ClubSheet:
    """Merged titles, a list of members with telephones, places 1-2-3-4 and notes."""
    games, rng = nights(6), random.Random(66)
    members: Rows = [["DANH SÁCH HỘI VIÊN"], [], ["STT", "Họ tên", "SĐT", "Ghi chú"]]
    members += [[no, name, f"09{rng.randint(10**7, 10**8 - 1)}", ""]
                for no, name in enumerate(NAMES, 1)]  # fmt: skip
    rows: Rows = [["CLB TIẾN LÊN PHỐ HUẾ"], ["Kết quả các buổi 2024 - 2026"]]
    rows += [["Liên hệ: anh Hùng 0912 345 678"], [], ["Ngày", "Ván", *NAMES, "Ghi chú"]]
    merged = "A1:W1 A2:W2 A3:W3"
    for game in games:
        note = rng.choice(["", "", "Lan về sớm", "gọi 0987 654 321", "nợ 2 chầu phở"])
        day = game.day if game.number == 1 else None
        rows.append([day, game.number, *map(game.places.get, NAMES), note])
        if game.number == 2:
            merged += f" A{len(rows) - 1}:A{len(rows)}"
    book = xlsx({"Hội viên": members, "Kết quả": rows}, **{"Kết quả": merged})
    return ClubSheet("clb.xlsx", book, games)


def san_jose() -> ClubSheet:
    """English, month before day, dollars and cents, losses in brackets, totals by month."""
    games = nights(7, unit="0.25", people=AMERICANS)

    def dollars(money: float | Decimal | None) -> str:
        if money is None:
            return ""
        return f"(${-money:.2f})" if money < 0 else f"${money:.2f}"

    rows: Rows = [["Bob’s Thursday Game"], ["Date", "Game", *AMERICANS]]
    for month, played in by_month(games):
        for game in played:
            day = f"{game.day.month}/{game.day.day}/{game.day:%y}"
            rows.append([day, game.number, *(dollars(game.money.get(one)) for one in AMERICANS)])
        rows.append([f"Total {month:%B}", "", *map(dollars, sums(played, AMERICANS))])
    return ClubSheet("bob.csv", text(rows, ",", "cp1252"), games, unit="¤USD", times=100)


def halves_without_years() -> ClubSheet:
    """Points with a comma and a long minus; only the first day has its year."""
    games = nights(8, unit="0.5")

    def typed(money: Decimal | None) -> str:
        return "" if money is None else f"{money:g}".replace(".", ",").replace("-", "−")

    rows: Rows = [["Buổi", "Ván", *NAMES]]
    for at, game in enumerate(games):
        day = f"{game.day.day}/{game.day.month}" if at else f"{game.day:%d/%m/%Y}"
        rows.append([day, game.number, *(typed(game.money.get(name)) for name in NAMES)])
    return ClubSheet("diem.csv", text(rows, ";", "utf-8-sig"), games)


def a_block_a_month() -> ClubSheet:
    """One sheet with a title, its own heading and totals for every month."""
    games = nights(9, unit="20")
    rows: Rows = [["SỔ NĂM 2024-2026"]]
    for month, played in by_month(games):
        rows += [[f"Tháng {month.month}/{month.year}"], ["Ngày", "Ván", *NAMES]]
        rows += [[game.day, game.number, *game.amounts(NAMES)] for game in played]
        rows += [[f"Cộng T{month.month}", None, *sums(played, NAMES)], []]
    return ClubSheet("so-nam.xlsx", xlsx({"Sheet1": rows}), games)


def slips_of_the_pen() -> ClubSheet:
    """A sum that is not 0, a 31 February, Long twice, a blank night, signatures below."""
    games, rows = nights(10, unit="10"), Rows([["Ngày", "Ván", *NAMES, "Long"]])
    days = sorted({game.day for game in games})
    impossible = next(day for day in days if day.month == 2)
    uneven, blank, spoilt = days[5], days[20], {days[5], days[20], impossible}
    doubled = next(game.day for game in games if "Long" in game.places and game.day not in spoilt)
    for game in games:
        cells = game.amounts(NAMES)
        day = f"{game.day:%d/%m/%Y}" if game.day != impossible else f"31/02/{game.day.year}"
        if game.day == uneven and game.number == 1:
            winner = NAMES.index(next(iter(game.places)))
            cells[winner] = (cells[winner] or 0) + 10
        if game.day == blank:
            cells = []
        twice = cells[NAMES.index("Long")] if game.day == doubled else None
        rows.append([day, game.number, *(cells or [None] * len(NAMES)), twice])
    rows += [[], ["Hà Nội, ngày 30 tháng 10 năm 2026"], ["Người lập", None, "Thủ quỹ"]]
    rows += [["(đã ký)", None, "(đã ký)"], ["Nguyễn Văn Hùng", None, "Trần Thị Lan"]]
    good = [game for game in games if game.day not in {*spoilt, doubled}]
    waits = ("adds up to +10, not 0", "month 2 has", "there twice: Long")
    return ClubSheet("so-tay.xlsx", xlsx({"Sổ": rows}), good, waits)


NOTEBOOKS: list[Callable[[], ClubSheet]] = [
    a_sheet_a_month, a_chat, thousands, nights_across, a_column_a_place, notes_and_telephones,
    san_jose, halves_without_years, a_block_a_month, slips_of_the_pen,
]  # fmt: skip


def kept(season: Season) -> Nights:
    """Return each night's games as places by name, and its money by name."""
    night, person = "result__sitting__round__event", "entrant__player"
    games: dict[date, dict[int, dict[str, int]]] = defaultdict(lambda: defaultdict(dict))
    name_of = Coalesce(f"{person}__merged_into__name", f"{person}__name")
    placings = Placing.objects.filter(**{f"{night}__season": season})
    for day, result, name, rank in placings.values_list(
        f"{night}__date", "result_id", name_of, "rank"
    ):
        games[day][result][name] = rank
    money: dict[date, Counter[str]] = defaultdict(Counter)
    moved = Transfer.objects.filter(**{f"{night}__season": season})
    for day, payer, payee, amount in moved.values_list(
        "event__date", "payer__player__name", "payee__player__name", "amount"
    ):
        money[day].update({payer: -amount})
        money[day].update({payee: amount})
    return {
        day: ([found for _key, found in sorted(night.items())], without_zeros(money[day]))
        for day, night in games.items()
    }


def truth(book: ClubSheet) -> Nights:
    found: Nights = {}
    for day in {game.day for game in book.games}:
        money: Counter[str] = Counter()
        played = [game for game in book.games if game.day == day]
        for game in played:
            money.update({name: int(one * book.times) for name, one in game.money.items()})
        found[day] = ([game.places for game in played], without_zeros(money))
    return found


def without_zeros(money: Counter[str]) -> dict[str, int]:
    return {name: amount for name, amount in money.items() if amount}


@pytest.mark.django_db
@pytest.mark.parametrize("made", NOTEBOOKS, ids=lambda made: made.__name__)
def test_a_strangers_notebook(made):
    book = made()
    season = make_season()
    club = season.club
    club.unit = book.unit
    club.save()
    client = browser_of(owner_of(club))
    page = path_of(season, "import_results")

    def worked(**post):
        assert client.post(page, post).status_code == 302
        file_imports.work(key=FileImport.objects.get().pk)
        return client.get(page).content.decode()

    shown = worked(file=SimpleUploadedFile(book.file, book.content), act="look")
    assert len(set(re.findall(r'name="doubt [^"]*"', shown))) <= 3
    assert "differ" not in shown  # No total does.
    waits = re.search(r'id="waits-head".*?</section>', shown, re.DOTALL)
    reasons = re.findall(r'<span class="muted">(.*?)</span>', waits[0] if waits else "")
    assert all(any(word in reason for reason in reasons) for word in book.waits)
    assert all(any(word in reason for word in book.waits) for reason in reasons)
    worked(act="save")
    people = {one.name: one for one in club.players.all()}
    for alias, name in book.also.items():
        merges.merge(alias=people[alias], into=people[name], by=owner_of(club))
    assert kept(season) == truth(book)
