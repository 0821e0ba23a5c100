"""Clubs' own sheets as they have them: what is read, what is asked, and what waits."""

import datetime
import unicodedata
from decimal import Decimal

import pytest

from league.exchange.domain.notebooks import ReadNotebook, read_notebook
from league.exchange.domain.sheet_cells import amount_of, day_of
from league.exchange.domain.sheet_columns import ReadSheet
from league.exchange.facts import exports

TODAY = datetime.date(2015, 11, 23)
DAY = str(TODAY - datetime.timedelta(10))
FOUR = ("An", "Bình", "Chi", "Dũng")


def read(rows, name="Sheet1", **more) -> ReadNotebook:
    """Read one sheet, whose rows are lists or lines with commas."""
    cells = [row.split(",") if isinstance(row, str) else row for row in rows]
    return read_notebook([ReadSheet(name, cells)], today=TODAY, **more)


def lines(found: ReadNotebook) -> list[str]:
    """Each game in a line: day, round.table, and people from first to last."""
    return [
        f"{night.date} {number}.{table} " + " ".join("=".join(group) for group in game.groups)
        for night in found.nights for number, tables in night.rounds.items()
        for table, games in tables.items() for game in games
    ]  # fmt: skip


def waiting(found: ReadNotebook) -> list[tuple[int, str]]:
    return [(w.line, w.template % w.params) for night in found.nights for w in night.waits]


def asked(found: ReadNotebook) -> list[str]:
    return [doubt.key for doubt in found.doubts]


# --- The ten files of clubs, made again --------------------------------------------------------


def test_a_column_a_person_with_money_and_totals_as_proof():
    found = read(
        [
            ["SỔ TIẾN LÊN 2013 – 2014"],
            ["Ngày", "B", "V", "An", "Thảo", "Cô Ba", "Long", "Tổng", "G.chú"],
            ["25/12", "1", "1", "−10", "-20", "20", "10", "0", "heo đỏ"],
            ["", "1", "2", "20", "10", "(10)", "-20", "0", ""],
            ["03/01", "1", "1", "-20", "-10", "10", "20", "0", "Ân về sớm"],
            ["", "2", "1", "10", "", "-10", "", "", ""],
            ["Tổng cộng", "", "", "0", "-20", "10", "11", "", ""],
        ]
    )
    assert lines(found) == [
        "2013-12-25 1.1 Cô Ba Long An Thảo",
        "2013-12-25 1.1 An Thảo Cô Ba Long",
        "2014-01-03 1.1 Long Cô Ba Thảo An",
        "2014-01-03 2.2 An Cô Ba",
    ]
    assert found.nights[0].games[1].money == {
        "An": 20, "Thảo": 10, "Cô Ba": -10, "Long": -20,
    }  # fmt: skip
    assert [(t.name, t.theirs, t.ours) for t in found.totals] == [
        ("An", 0, 0), ("Thảo", -20, -20), ("Cô Ba", 10, 10), ("Long", 11, 10),
    ]  # fmt: skip
    assert (asked(found), waiting(found)) == ([], [])


def test_a_column_a_person_with_places():
    found = read(["Ngày,An,Bình,Chi,Dũng", "13/11/2015,1,2,3,4", ",2,1,4,3", "20/11/2015,4,1,2,2"])
    assert lines(found) == [
        "2015-11-13 1.1 An Bình Chi Dũng",
        "2015-11-13 1.1 Bình An Dũng Chi",
        "2015-11-20 1.1 Bình Chi=Dũng An",
    ]


def test_a_sheet_a_night_with_merged_heads():
    found = read_notebook(
        [
            ReadSheet("13-11", [["Đêm thứ Sáu 13/11/2015"], ["Bàn", "Ván", "Người"],
                            ["", "", *FOUR], ["1", "1", "1", "2", "3", "4"],
                            ["", "2", "4", "3", "2", "1"]]),
            ReadSheet("20-11", [["Đêm thứ Sáu 20/11/2015"], ["Bàn", "Ván", "Người"],
                            ["", "", *FOUR], ["1", "1", "2", "1", "3", "4"]]),
        ],
        today=TODAY,
    )  # fmt: skip
    assert lines(found) == [
        "2015-11-13 1.1 An Bình Chi Dũng",
        "2015-11-13 1.1 Dũng Chi Bình An",
        "2015-11-20 1.1 Bình An Chi Dũng",
    ]


def test_vietnamese_heads_of_places():
    found = read(
        ["Đêm,Ngày,Vòng,Bàn,Nhất,Nhì,Ba,Bét", "Đêm 1,13/11/2015,1,2,An,Bình,Chi,Dũng",
         "Đêm 1,13/11/2015,2,2,Bình,An,Chi,Dũng"]
    )  # fmt: skip
    assert lines(found) == ["2015-11-13 1.2 An Bình Chi Dũng", "2015-11-13 2.2 Bình An Chi Dũng"]
    assert found.nights[0].name == "Đêm 1"


def test_a_chat():
    found = read(
        [
            ["13/11: An nhất, Tý nhì, Long ba, Thảo bét"],
            ["vui quá trời"],
            ["An nhất, Long nhì, Chú Năm ba, Thảo bét"],
            ["[20/11/2015, 21:03] Cô Ba: Bàn 2: An nhất, Bình nhì"],
        ]
    )
    assert lines(found) == [
        "2015-11-13 1.1 An Tý Long Thảo",
        "2015-11-13 2.1 An Long Chú Năm Thảo",
        "2015-11-20 1.2 An Bình",
    ]
    assert [(one.line, one.template) for one in found.left] == [(2, "no game in this line")]


def test_one_name_three_ways_is_asked_once_and_joined_unless_one_says_no():
    apart = unicodedata.normalize("NFD", "Hường")
    rows = ["date,1,2", "2015-11-13,Hương,Long", "2015-11-14,HƯƠNG,Long",
            f"2015-11-15,{apart},Long", "2015-11-16,Huong,Long"]  # fmt: skip
    found = read(rows)
    assert found.names == ["Hương", "Long"]
    assert [doubt.kind for doubt in found.doubts] == ["one"]
    apart = read(rows, answers={asked(found)[0]: False})
    assert apart.names == ["Hương", "Long", "Hường", "Huong"]


def test_names_that_the_club_has_for_two_people_stay_apart():
    rows = ["date,1,2,3", "2015-11-13,Hoa,Tuấn,Tí"]
    found = read(rows, known=["Hoà", "Hoa"])
    assert found.doubts == []
    assert lines(found) == ["2015-11-13 1.1 Hoa Tuấn Tí"]
    assert [doubt.kind for doubt in read(rows, known=["Hoà"]).doubts] == ["one"]


def test_names_that_met_are_never_asked():
    found = read(["date,1,2", "2015-11-13,An,Ân", "2015-11-14,Ân,Long"])
    assert (asked(found), found.names) == ([], ["An", "Ân", "Long"])


def test_serial_dates_times_a_substitute_and_a_row_of_totals():
    found = read(
        ["Ngày,Bàn,Nhất,Nhì,Ba,Bét", "42329,1,An,Bình,Chi,Dũng", "42329,1,Bình,An,Chi,Em",
         "2015-11-22 20:30:00,1,An,Bình,Chi,Dũng", "Tổng,,3,,,"]
    )  # fmt: skip
    assert lines(found) == [
        "2015-11-21 1.1 An Bình Chi Dũng",
        "2015-11-21 2.1 Bình An Chi Em",
        "2015-11-22 1.1 An Bình Chi Dũng",
    ]


def test_a_row_a_person_and_telephone_numbers_that_are_not_kept():
    found = read(
        [
            ["STT", "Ngày", "Ván", "Họ và tên", "Hạng", "Tiền", "SĐT"],
            ["1", "13/11/2015", "1", "An - 0912345678", "1", "20k", "0912 345 678"],
            ["2", "", "", "Bình", "2", "-20.000", "0912345679"],
            ["3", "13/11/2015", "2", "Bình", "1", "1,5", ""],
            ["4", "", "", "An - 0912345678", "2", "-1,5", ""],
        ]
    )
    assert lines(found) == ["2015-11-13 1.1 An Bình", "2015-11-13 1.1 Bình An"]
    assert [game.money for game in found.nights[0].games] == [
        {"An": 20000, "Bình": -20000}, {"Bình": Decimal("1.5"), "An": Decimal("-1.5")},
    ]  # fmt: skip
    assert "09" not in "".join(found.names)


# --- Doubts, waits and losses ------------------------------------------------------------------


def test_a_doubled_column_is_named_and_its_games_wait():
    rows = ["night,date,round,table,1,2,2,4", "N,2015-11-13,1,1,An,Bình,Chi,Dũng"]
    found = read(rows)
    assert found.columns[0].doubled == [6]
    assert waiting(found) == [(2, "a column is there twice: 2")]
    assert lines(read(rows, chosen={"0:6": "rank:3"})) == ["2015-11-13 1.1 An Bình Chi Dũng"]


def test_an_unknown_column_is_named():
    found = read(["date,1,2,weather", "2015-11-13,An,Bình,mưa to"])
    assert (found.columns[0].unknown, found.columns[0].meanings[3]) == ([3], "note")


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        (["date,1,2,3", f"{DAY},An,Bình,Chi,Dũng"],
         (2, "“Dũng” stands under no heading: say what its column means")),
        (["date,1,2,3,", f"{DAY},An,Bình,Chi,Dũng"],
         (2, "“Dũng” stands under no heading: say what its column means")),
        (["date,nhất,nhì,Hạng 3,hạng 3", f"{DAY},An,Bình,Chi,Dũng"],
         (2, "a column is there twice: hạng 3")),
        (["date,1,2,3,4", f"{DAY},An,,Chi,Dũng"], (2, "place 2 is empty")),
        (["date,1,2,3,4", f"{DAY},,An,Chi,Dũng"], (2, "place 1 is empty")),
        (["date,1,2,3,4,5", f"{DAY},An = Bình,,,Chi,Dũng"], (2, "place 3 is empty")),
        (["date,1,2,3,4,5,6,7,8,9", f"{DAY},A1,B1,C1,D1,E1,F1,G1,H1,I1"],
         (2, "A game has 2 to 8 players; this one has 9.")),
        (["date,night,1,2", f"{DAY},{'đêm ' * 30},An,Bình"],
         (2, "The name is 119 characters long. Shorten it to 80 or fewer.")),
    ],
)  # fmt: skip
def test_what_a_table_does_not_understand_makes_its_row_wait(rows, problem):
    found = read(rows)
    assert (waiting(found), lines(found)) == ([problem], [])


@pytest.mark.parametrize(
    ("rows", "game"),
    [
        (["date,1,2,3,4", f"{DAY},An = Bình,,Chi,Dũng"], "1.1 An=Bình Chi Dũng"),
        (["date,1,2,3,4", f"{DAY},An = Bình,Chi,Dũng,"], "1.1 An=Bình Chi Dũng"),
        (["Ngày,Nhất,Nhì,Ba,Bét", f"{DAY},An,Bình,,Chi"], "1.1 An Bình Chi"),
        (["date,1st,2nd,3rd,4th", f"{DAY},An,Bình,Chi,Dũng"], "1.1 An Bình Chi Dũng"),
        (["", "", "date,hạng 1,hạng 2", f"{DAY},An,Bình"], "1.1 An Bình"),
    ],
)
def test_places_that_others_left_free_are_no_gap(rows, game):
    assert lines(read(rows)) == [f"{DAY} {game}"]


def test_a_column_without_a_head_that_someone_calls_a_note_is_one():
    rows = ["date,1,2,", f"{DAY},An,Bình,mưa"]
    assert lines(read(rows, chosen={"0:3": "note"})) == [f"{DAY} 1.1 An Bình"]


def test_columns_that_are_not_read_are_one_question():
    found = read(["date,1,2,phạt,tiền,phone,G.chú", f"{DAY},An,Bình,5,7,0912345678,mưa"])
    assert asked(found) == ["unread phạt (1), tiền (1)"]
    assert not found.goes_without
    rows = ["date,1,2,phạt,tiền", f"{DAY},An,Bình,5,7"]
    assert read(rows, answers={"unread phạt (1), tiền (1)": True}).goes_without
    rows[0] = "date,1,2,phạt,tiền,"
    assert read(rows, chosen={"0:3": "note", "0:4": "none"}).goes_without


def test_where_a_row_names_a_person_no_column_is_one():
    rows = ["Ngày,Ván,Tên,Hạng,Phạt", f"{DAY},1,An,1,", f"{DAY},1,Bình,2,5"]
    found = read(rows)
    assert (asked(found), lines(found)) == (["unread Phạt (1)"], [f"{DAY} 1.1 An Bình"])


def test_a_nights_name_is_cleaned_before_two_are_told_apart():
    found = read(["date,night,1,2", f"{DAY},Đêm  1,An,Bình", f"{DAY},đêm 1\u3164,Bình,An"])
    assert [(night.name, len(night.games)) for night in found.nights] == [("Đêm 1", 2)]


@pytest.mark.parametrize(
    ("cells", "money", "question"),
    [
        ("15.000,-15.000", 15000, []),
        ("15.000;-15,000", 15000, []),
        ("1.500;-1,5", Decimal("1.5"), ["grouped 1.500"]),
        ("1,500;-1.500", Decimal("1.5"), ["grouped 1,500"]),
        ("0.500;-0.500", Decimal("0.5"), []),
        ("1.234.500;-1.234.500", 1_234_500, []),
        ("(15k);+15k", -15000, []),
    ],
)
def test_three_digits_behind_one_sign_are_asked_where_amounts_have_decimals(cells, money, question):
    row = [DAY, *cells.split(";" if ";" in cells else ",")]
    has_parts = money == Decimal("1.5")
    found = read([["Ngày", "An", "Bình"], row], has_parts=has_parts)
    assert [key for key in asked(found) if key.startswith("grouped")] == question
    answers = dict.fromkeys(question, False)
    found = read([["Ngày", "An", "Bình"], row], has_parts=has_parts, answers=answers)
    assert found.nights[0].games[0].money["An"] == money


def test_money_beside_places_is_read():
    found = read(["date,1,2,money 1,money 2,note", "2015-11-13,An,Bình,30,-30,hay"])
    assert found.nights[0].games[0].money == {"An": 30, "Bình": -30}


def test_is_it_the_fifth_of_june():
    rows = ["date,1,2", "05/06/2015,An,Bình", "06/07/2015,An,Bình"]
    assert asked(read(rows)) == ["day 05/06/2015"]
    assert lines(read(rows))[0].startswith("2015-06-05")
    turned = read(rows, answers={"day 05/06/2015": False})
    assert lines(turned)[0].startswith("2015-05-06")
    assert asked(read([*rows, "13/07/2015,An,Bình"])) == []


def test_a_note_behind_a_name_is_asked():
    rows = ["date,1,2", "2015-11-13,An,Dũng - heo", "2015-11-14,An,Chi (về sớm)"]
    found = read(rows)
    assert asked(found) == ["note Dũng - heo", "note Chi (về sớm)"]
    assert found.names == ["An", "Dũng", "Chi"]
    kept = read(rows, answers={"note Dũng - heo": False})
    assert kept.names == ["An", "Dũng - heo", "Chi"]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("31/11/2014,1,2,3,4", "month 11 has 30 days"),
        ("13/11/2051,1,2,3,4", "the year 2051 cannot be"),
        ("mai,1,2,3,4", "“mai” is not a date"),
        ("13/11/2014,1,,,", "A game has 2 to 8 players; this one has 1."),
        ("13/11/2014,1,3,4,4", "the places 1, 3, 4, 4 cannot be"),
        ("13/11/2014,1,2,heo,4", "“heo” is neither a place nor an amount"),
    ],
)
def test_a_row_that_cannot_be_waits_with_its_reason_and_stops_no_other_night(row, reason):
    found = read(["Ngày,An,Bình,Chi,Dũng", "14/10/2014,1,2,3,4", "15/10/2014,1,2,4,3", row])
    assert lines(found)[:2] == [
        "2014-10-14 1.1 An Bình Chi Dũng",
        "2014-10-15 1.1 An Bình Dũng Chi",
    ]
    assert waiting(found) == [(4, reason)]


def test_money_that_does_not_sum_to_zero_waits():
    found = read(["Ngày,An,Bình,Chi,Dũng", "14/10/2014,10,-10,20,-20", "15/10/2014,10,-10,20,-10"])
    assert waiting(found) == [(3, "the money adds up to +10, not 0")]


def test_equal_money_is_a_shared_place_unless_one_says_no():
    rows = ["Ngày,An,Bình,Chi,Dũng", "14/10/2014,30,-10,-10,-10"]
    assert lines(read(rows)) == ["2014-10-14 1.1 An Bình=Chi=Dũng"]
    assert waiting(read(rows, answers={"ties ": False})) == [
        (2, "equal money: the order is not known")
    ]


def test_who_moves_to_another_table_begins_a_round_there():
    found = read(
        ["date,table,1,2", "2015-11-13,1,An,Bình", "2015-11-13,2,Chi,Dũng", "2015-11-13,1,Chi,An"]
    )
    assert lines(found) == [
        "2015-11-13 1.1 An Bình",
        "2015-11-13 1.2 Chi Dũng",
        "2015-11-13 2.1 Chi An",
    ]


def test_years_that_are_missing_are_those_of_the_neighbours():
    found = read(["Ngày,An,Bình", "25/12,1,2", "03/01,1,2", "05/03/2015,1,2", "04/01,2,1"])
    assert [str(night.date) for night in found.nights] == [
        "2014-12-25", "2015-01-03", "2015-01-04", "2015-03-05",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("cell", "amount"),
    [("20k", 20000), ("20.000", 20000), ("20,000đ", 20000), ("1,5", Decimal("1.5")), ("−10", -10),
     ("- 10", -10), ("(10)", -10), ("1,5tr", 1500000), ("An", None), ("", None), ("1.2.3", None)],
)  # fmt: skip
def test_amounts(cell, amount):
    assert amount_of(cell) == amount


@pytest.mark.parametrize(
    "cell",
    ["13/11/2015", "13.11.15", "13-11-2015", "2015-11-13", "thứ Sáu 13/11/2015", "T6 13/11/2015",
     "2015-11-13 20:30:00", "42321"],
)  # fmt: skip
def test_days(cell):
    day = day_of(cell)
    assert day is not None
    assert (day.first, day.second, day.year) == (13, 11, 2015)


def test_twenty_thousand_games_are_read_and_no_more():
    rows = [["Ngày", "Ván", *FOUR]] + [
        ["13/11/2015", str(n), "1", "2", "3", "4"] for n in range(20_001)
    ]
    found = read(rows)
    assert len(found.nights[0].games) == 20_000
    assert found.left[0].line == 20_002


def test_two_people_whose_names_differ_by_marks_alone_are_two_columns():
    found = read(["Ngày,An,Ân,Long", "14/10/2014,1,2,3"])
    assert (found.columns[0].doubled, lines(found)) == ([], ["2014-10-14 1.1 An Ân Long"])


def test_numbers_of_games_in_a_chat_are_nobody():
    found = read(
        [["13/11"], ["Ván 1: An nhất, Bình nhì"], ["Ván 2: 1. Bình 2. An"], ["An 1, Bình 2, Chi 3"]]
    )
    assert lines(found) == [
        "2015-11-13 1.1 An Bình",
        "2015-11-13 1.1 Bình An",
        "2015-11-13 2.1 An Bình Chi",
    ]


def test_a_night_called_like_a_total_keeps_its_games():
    ours = ["night", "date", "round", "table", "game", *map(str, range(1, 9))]
    row = ["Tổng kết mùa", DAY, "1", "1", "1", *FOUR]
    assert lines(read([ours, row])) == [f"{DAY} 1.1 An Bình Chi Dũng"]
    sheet = ["Buổi,Ngày,Nhất,Nhì,Ba,Bét", f"Tổng kết,{DAY},An,Bình,Chi,Dũng", "Tổng,1,1,1,1,1"]
    assert lines(read(sheet)) == [f"{DAY} 1.1 An Bình Chi Dũng"]


def test_a_night_that_begins_with_a_sign_comes_back_without_the_apostrophe_of_files():
    ours = ["night", "date", "round", "table", "game", *map(str, range(1, 9))]
    for night in ("@ Quán Bà Ba", "’Đêm", "'70s", "+1"):
        row = [exports.defused(night), DAY, "1", "1", "1", *FOUR]
        assert [one.name for one in read([ours, row]).nights] == [night]


def test_people_called_like_a_total_are_people_and_totals_of_months_are_totals():
    found = read(
        ["Ngày,An,Tống", "13/10/2015,10,-10", "Tổng tháng 10,10,-10", "13/11/2015,20,-20",
         "Tổng tháng 11,20,-20", "Tổng cộng,30,-30"]
    )  # fmt: skip
    assert waiting(found) == []
    assert {total.theirs == total.ours for total in found.totals} == {True}
    assert found.names == ["An", "Tống"]
    placed = read(["Ngày,Nhất,Nhì", "13/10/2015,An,Tống", "14/10/2015,Tống,An"])
    assert len(lines(placed)) == 2


def test_a_vietnamese_day_is_not_asked_for():
    assert asked(read(["Ngày,An,Bình", "05/06/2015,1,2"])) == []
