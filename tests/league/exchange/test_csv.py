"""Tables for spreadsheets: no formula runs, numbers are exact, Vietnamese survives."""

import csv
import io
import unicodedata
import zipfile
from datetime import date
from fractions import Fraction

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import translation
from openpyxl import Workbook, load_workbook

from league.base.domain import csv_text
from league.clubs.acts import merges, players
from league.clubs.domain import player_lists
from league.exchange.acts import file_imports, imports, notebooks, uploads, workbook_file
from league.exchange.domain import result_lists
from league.exchange.domain.notebooks import read_notebook
from league.exchange.domain.sheet_columns import ReadSheet
from league.exchange.facts import exports
from league.exchange.pages import csv_tables
from league.models import Club, Event, FileImport
from league.seasons.facts import standings
from league.tasks import sweep_ratings
from tests.factories import (
    browser_of,
    make_adjustment,
    make_club,
    make_night,
    make_paid_night,
    make_prize,
    make_season,
    make_table,
    owner_of,
    path_of,
    play,
    put_to_yesterday,
)
from tests.worlds import made_once


@pytest.mark.parametrize(
    "text", ["=1+1", "+84 90", "-1", "@x", "\t=1", "\r=1", "  =1", "|x", "%x", "\n=1"]
)
def test_what_a_spreadsheet_would_run_is_shown_as_text(text):
    assert exports.defused(text) == "'" + text


@pytest.mark.parametrize("text", ["Nguyễn Lan", "a=b", "1+1", ""])
def test_plain_text_stays_as_it_is(text):
    assert exports.defused(text) == text


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (-3, "-3"),
        (Fraction(3, 2), "1.5"),
        (Fraction(2, 3), "0.666667"),
        (Fraction(-10), "-10"),
        (0.1, "0.1"),
        (None, ""),
        (date(2015, 1, 31), "2015-01-31"),
        (100, "100"),
    ],
)
def test_numbers_and_dates_are_written_so_that_a_spreadsheet_reads_them(cell, text):
    assert exports.to_csv(["x"], [[cell]]).splitlines()[1:] == ([text] if text else ['""'])


@made_once
def night():
    return make_paid_night(5)


def read(client, name, *args):
    response = client.get(reverse(f"league:{name}", args=args), {"as": "plain"})
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    return list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))


def test_the_standings_of_the_page(client, night):
    slug = night.season.club.slug
    for name, key in (("season_csv", night.season_id), ("event_csv", night.pk)):
        rows = read(client, name, slug, key, "standings")
        assert [(r["Rank"], r["Player"], r["Points"]) for r in rows] == [
            (str(rank), player, str(4 - rank)) for rank, player in enumerate(night.order, start=1)
        ]


def test_money_transfers_results_and_penalties(client, night):
    client.force_login(owner_of(night))
    slug = night.season.club.slug
    make_adjustment(night.season, night.order[0], "-1.5", reason="=cmd")
    make_prize(night.season, night.order[1], 3)
    assert [r["Due"] for r in read(client, "season_csv", slug, night.season_id, "money")] == [
        "5", "3", "-3", "-5",
    ]  # fmt: skip
    transfers = read(client, "season_csv", slug, night.season_id, "transfers")
    assert [(t["Amount"], t["Reason"]) for t in transfers] == [
        ("5", "last place"),
        ("3", "prize"),
    ]
    [game] = read(client, "event_csv", slug, night.pk, "results")
    assert [game[column] for column in ("round", "table", "game", "1", "2", "3", "4", "5")] == [
        "1", "1", "1", *night.order, "",
    ]  # fmt: skip
    [penalty] = read(client, "season_csv", slug, night.season_id, "penalties")
    assert (penalty["Points"], penalty["Reason"]) == ("-1.5", "'=cmd")


def test_players_and_opponents(client, night):
    club = night.season.club
    players.add_player(club=club, name="=HYPERLINK(1)", by=owner_of(club))
    assert "'=HYPERLINK(1)" in [r["Name"] for r in read(client, "club_csv", club.slug, "players")]
    first = players.named(club=club, name=night.order[0])
    rows = read(client, "player_csv", club.slug, first.pk, night.season_id, "opponents")
    assert [(r["Games"], r["Ahead"], r["Behind"]) for r in rows] == [("1", "1", "0")] * 3


def test_the_other_tables_of_a_season_and_of_a_player(client, night):
    client.force_login(owner_of(night))
    season, order = night.season, night.order
    slug = season.club.slug
    play(make_table(make_night(season=season, stake=5)), order)
    put_to_yesterday(season)
    sweep_ratings()

    def of_season(what):
        return read(client, "season_csv", slug, season.pk, what)

    assert [list(r.values())[::2] for r in of_season("ratings")] == [
        ["", of["Rating"], "2"] for of in of_season("ratings")
    ], "no rank before ten games"
    assert [(r["Player"], r["Model"]) for r in of_season("ratings")] == [(n, "1") for n in order]
    race = of_season("race")
    assert [list(line.values()) for line in race] == [
        [name, str(3 - place), str(6 - 2 * place)] for place, name in enumerate(order)
    ]
    cross = of_season("crosstable")
    assert list(cross[0].values()) == [order[0], "", "2–0", "2–0", "2–0"]
    assert [list(line.values()) for line in of_season("payments")] == [[order[3], order[0], "10"]]
    assert [(p["All winners"], p["All losers"], p["Sum"]) for p in of_season("proof")] == [
        ("5", "-5", "0")
    ] * 2
    first = players.named(club=season.club, name=order[0])
    nights = read(client, "player_csv", slug, first.pk, season.pk, "nights")
    assert [(n["Points"], n["Running total"], n["Counts"]) for n in nights] == [
        ("3", "3", "yes"), ("3", "6", "yes"),
    ]  # fmt: skip
    assert float(nights[0]["Rating"]) < float(nights[1]["Rating"])
    assert [r["Games"] for r in read(client, "club_csv", slug, "ratings")] == ["2"] * 4


def test_an_old_link_of_a_merged_name_leads_to_the_persons_figures(client, night):
    season, club = night.season, night.season.club
    alias = players.named(club=club, name=night.order[0])
    into = players.add_player(club=club, name="Cô Ba", by=owner_of(club))
    merges.merge(alias=alias, into=into, by=owner_of(club))
    nights, row, explained = (
        [read_of(client, name, club.slug, *keys(player)) for player in (alias, into)]
        for name, keys in (
            ("league:player_csv", lambda player: [player.pk, season.pk, "nights"]),
            ("api:season_row", lambda player: [season.pk, player.pk]),
            ("league:season_explain", lambda player: [season.pk, player.pk]),
        )
    )
    assert nights[0] == nights[1]
    assert row[0] == row[1]
    assert "Cô Ba" in explained[0]


def read_of(client, name, *keys) -> str:
    answer = client.get(reverse(name, args=keys))
    assert answer.status_code == 200, name
    return answer.content.decode()


def test_a_table_that_is_not_there_is_not_found(client, night):
    slug = night.season.club.slug
    assert client.get(path_of(night.season.club, "club_csv", "else")).status_code == 404
    for season in (night.season_id, 99_999_999):
        first = players.named(club=night.season.club, name=night.order[0])
        args = [slug, first.pk, season, "else"]
        assert client.get(reverse("league:player_csv", args=args)).status_code == 404
    for name, key in (("season_csv", night.season_id), ("event_csv", night.pk)):
        assert client.get(path_of(night.season.club, name, key, "else")).status_code == 404


# --- Reading results again ------------------------------------------------------------------------

HEAD = "night,date,round,table,game,1,2,3,4\n"
LINE = "Đêm 1,2015-01-31,1,1,1,Lan,Hùng,Mai,Bảo\n"


def sheets_of(text: str) -> list[ReadSheet]:
    return [ReadSheet("", csv_text.read_cells(text))]


def bring(season, text: str) -> list[Event]:
    """Save a text as its page would, and return its nights."""
    looked = notebooks.look(season=season, sheets=sheets_of(text))
    made = notebooks.save(season=season, looked=looked, by=owner_of(season))
    return list(made.events.all())


def test_what_was_exported_is_imported_into_another_club(client, night):
    make_table(night, games=1)
    text = client.get(path_of(night, "event_csv", "results")).content.decode("utf-8-sig")
    [made] = bring(make_season(rules="killa"), text)
    assert (made.name, made.status, made.rounds.count()) == (night.name, "closed", 2)
    shown = [[(s.player.name, s.row.points, s.row.rank) for s in standings.event_standings(event)]
             for event in (night, made)]  # fmt: skip
    assert shown[0] == shown[1]


def test_semicolons_missing_game_numbers_and_aliases_are_read(season, db):
    by = owner_of(season)
    lines = HEAD.replace("game,", "") + "N,2015-01-31,1,1,Lan,Mai,Hùng,Bảo\n" * 2
    lan = players.add_player(club=season.club, name="Chị Lan", by=by)
    alias = players.add_player(club=season.club, name="LAN", by=by)
    merges.merge(alias=alias, into=lan, by=by)
    bring(season, lines.replace(",", ";"))
    rows = {s.player.name: (s.row.games, s.row.points) for s in standings.season_standings(season)}
    assert rows == {"Chị Lan": (2, 6), "Mai": (2, 4), "Hùng": (2, 2), "Bảo": (2, 0)}


def test_names_in_one_cell_share_a_place_and_are_written_so_again():
    text = HEAD + "N,2015-01-31,1,1,1,Lan,Mai = Hùng,Bảo,\n"
    [night] = read_notebook(sheets_of(text), today=date(2015, 2, 1)).nights
    [groups] = [game.groups for game in night.games]
    assert groups == (("Lan",), ("Mai", "Hùng"), ("Bảo",))
    assert result_lists.write_groups(groups)[:4] == ["Lan", "Mai = Hùng", "Bảo", ""]


def test_a_million_lines_are_refused_before_they_are_read(db):
    with pytest.raises(ValueError, match="50,000 lines"):
        csv_text.read_cells(HEAD + LINE * 3 + "N,x\n" * 1_000_000)
    found = player_lists.parse_players([["name"], *[["=x"]] * 40_000])
    assert len(found.problems) == csv_text.MOST_PROBLEMS + 1
    with pytest.raises(ValueError, match="larger than 1 MB"):
        csv_text.read_text(b"x" * 1_000_001)


def test_letters_of_no_encoding_say_what_to_do():
    with pytest.raises(ValueError, match="CSV UTF-8"):
        csv_text.read_text(b"\x81\x8d")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_encodings_of_spreadsheets_are_read(encoding):
    assert csv_text.read_text(LINE.encode(encoding)) == LINE


def test_old_encodings_are_told_by_which_makes_names():
    # As Windows saves Vietnamese in its own code page: letters with marks of their own.
    old = unicodedata.normalize("NFD", "Hùng, Bảo, Đào, ") + "Tr\u00e2\u0300n Thi\u0323"
    assert csv_text.read_text(old.encode("cp1258")) == "Hùng, Bảo, Đào, Trần Thị"
    assert csv_text.read_text("Hùng, Zoë, Hòa".encode("cp1252")) == "Hùng, Zoë, Hòa"


def test_the_same_file_twice_imports_nothing_twice(season, db):
    other = HEAD + LINE + LINE.replace("Đêm 1", "Đêm 2").replace("Lan,Hùng", "Hùng,Lan")
    for text, made in ((HEAD + LINE, 1), (HEAD + LINE, 0), (other, 1), (other, 0)):
        assert len(bring(season, text)) == made
    assert (season.events.count(), season.club.players.count()) == (2, 4)
    looked = notebooks.look(season=season, sheets=sheets_of(other))
    assert ([night.name for night in looked.there], looked.fresh) == (["Đêm 1", "Đêm 2"], [])


@pytest.mark.parametrize("name", ["Đêm khai mạc", "đêm 1", "Đêm 1"])
def test_a_night_is_known_again_by_its_games_and_its_day(season, db, name):
    [made] = bring(season, HEAD + LINE)
    Event.objects.filter(pk=made.pk).update(name=name)
    looked = notebooks.look(
        season=season, sheets=sheets_of(HEAD + LINE.replace("1,2015", " 1,2015"))
    )
    assert ([night.name for night in looked.there], looked.fresh) == (["Đêm 1"], [])
    assert looked.told == (
        [] if name.casefold() == "đêm 1" else
        ["31 Jan 2015 already has the very games of “Đêm 1”, as “Đêm khai mạc”."]
    )  # fmt: skip
    twin = notebooks.look(season=season, sheets=sheets_of(HEAD + LINE + LINE.replace("1,2", "2,2")))
    assert [night.name for night in twin.fresh] == ["Đêm 2"]  # One night is one night.


def test_a_night_that_is_there_with_other_games_waits(season, db):
    bring(season, HEAD + LINE)
    second = LINE.replace(",1,1,1,", ",1,1,2,")
    for changed in (
        LINE.replace("Lan,Hùng", "Hùng,Lan"), LINE + second, LINE.replace("Bảo", "Nga"),
    ):  # fmt: skip
        looked = notebooks.look(season=season, sheets=sheets_of(HEAD + changed))
        [night] = looked.waiting
        assert "already exists" in night.waits[0].template
        assert looked.fresh == []
    assert season.events.count() == 1


@pytest.mark.parametrize("cell", ["=1+1", "@SUM(A1)"])
def test_formulas_are_refused_by_line(season, db, cell):
    looked = notebooks.look(season=season, sheets=sheets_of(HEAD + LINE.replace("Lan", cell)))
    players_found = imports.preview_players(club=season.club, rows=[["name"], ["Lan"], [cell]])
    assert [one.line for one in looked.waiting[0].waits] == [2]
    assert players_found.problems == [
        f"Line 3: “{cell}” is a formula. Enter plain text, or put an apostrophe in front."
    ]


def workbook_of(*rows) -> bytes:
    """The bytes of a workbook in which no formula has a value yet, as programs write it."""
    book, out = Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(out)
    return out.getvalue()


def test_a_workbooks_formula_without_a_value_is_refused_by_line(season, db):
    lan = LINE.strip().split(",")
    book = workbook_of(HEAD.strip().split(","), lan, [*lan[:5], "=E2+1", *lan[6:]])
    [night] = notebooks.look(season=season, sheets=uploads.workbook_sheets(book)).waiting
    assert [one.line for one in night.waits] == [3]
    [sheet] = uploads.workbook_sheets(workbook_of(["name"], ["=CONCAT(B1,B2)"], ["Lan"]))
    assert imports.preview_players(club=season.club, rows=sheet.rows).problems == [
        "Line 2: “=CONCAT(B1,B2)” is a formula. Enter plain text, or put an apostrophe in front."
    ]


# --- Players ----------------------------------------------------------------------------------


def names_of(club):
    return list(club.players.values_list("name", "group", "fixed_table"))


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_players_come_with_groups_and_tables(db, separator):
    club = make_season().club
    text = "name,group,table\nLan,Gia  đình,\nHùng,,2\n".replace(",", separator)
    made = imports.save_players(club=club, rows=csv_text.read_cells(text), by=owner_of(club))
    assert [player.name for player in made] == ["Lan", "Hùng"]
    assert names_of(club) == [("Hùng", "", 2), ("Lan", "Gia đình", None)]
    assert club.accounts.exclude(player=None).count() == 2


def test_the_example_on_the_page_is_in_the_readers_language_and_can_be_read(db):
    club = make_season().club
    page = browser_of(owner_of(club)).get(
        path_of(club, "import_players"), headers={"accept-language": "vi"}
    )
    example = page.content.decode().split('aria-label="CSV">')[1].split("</pre>")[0]
    assert example.startswith("tên,")
    imports.save_players(club=club, rows=csv_text.read_cells(example), by=owner_of(club))
    assert names_of(club) == [("Hùng", "", 2), ("Nguyễn Lan", "Gia đình Lan", None)]


def test_the_players_of_one_club_are_those_of_another_and_nobody_comes_twice(night):
    old, new = night.season.club, make_season().club
    players.add_player(club=old, name="=HYPERLINK(1)", by=owner_of(old))
    players.add_player(club=old, name="greedy (bot)", by=owner_of(old), bot="greedy")
    with translation.override("vi"):
        table = csv_tables.of_club(old, "players")
        text = exports.to_csv(table.header, table.rows).removeprefix("\ufeff")
    assert text.startswith("Tên")
    rows = csv_text.read_cells(text)
    for made in (5, 0):
        assert len(imports.save_players(club=new, rows=rows, by=owner_of(new))) == made
    old_names = {name for name, *_wishes in names_of(old)} - {"greedy (bot)"}
    assert {name for name, *_wishes in names_of(new)} == old_names
    looked = imports.preview_players(club=new, rows=rows)
    assert (looked.unread, looked.fresh, len(looked.there), looked.bots) == ({}, [], 5, 1)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "Line 1: This line must name the columns, one of them “name”."),
        ("who\nLan", "Line 1: This line must name the columns"),
        ("name\n", "Line 1: There are no players in this file."),
        ("name\nNguyễn, Lan", "Line 2: “Lan” stands under no heading."),
        ("name,group\nLan,chị,Nga", "Line 2: “Nga” stands under no heading."),
        ("name,group,\nLan,chị,Nga", "Line 2: “Nga” stands under no heading."),
        ("name,tên\nLan,Nga", "Line 1: A column is there twice: name."),
        ("\n\nname,bot\nLan,không\n,no", "Line 5: Enter a name"),
        ("name\nLan\nlan", "Line 3: lan is already on line 2."),
        ("name\n…", "Line 2: "),
        ("name\n" + "x" * 99, "Line 2: "),
        ("name,table\nLan,x", "Line 2: “x” is not a table number"),
        ("name,table\nLan,0", "Line 2: “0” is not a table number"),
        ("name,group\nLan," + "x" * 41, "Line 2: A group name has at most 40 characters."),
    ],
)
def test_what_is_wrong_with_players_is_told_and_nobody_is_added(db, text, problem):
    club = make_season().club
    with pytest.raises(ValidationError) as refused:
        imports.save_players(club=club, rows=csv_text.read_cells(text), by=owner_of(club))
    assert refused.value.messages[0].startswith(problem)
    assert names_of(club) == []


def sent(client, path, **form):
    """Answer of the page after a worker did what was sent."""
    answer = client.post(path, form)
    if answer.status_code == 302:
        file_imports.work(key=FileImport.objects.get().pk)
        answer = client.get(path)
    return answer


def test_only_a_word_that_means_yes_makes_a_bot(db):
    rows = [["Tên", "Máy"], ["Lan", "không"], ["Mai", "no"], ["Bot A", "có"], ["Bot B", "greedy"]]
    looked = imports.preview_players(club=make_season().club, rows=rows)
    assert ([one.name for one in looked.fresh], looked.bots) == (["Lan", "Mai"], 2)


def test_what_is_not_read_of_players_needs_a_tick(client, db):
    club = make_season().club
    client.force_login(owner_of(club))
    path = path_of(club, "import_players")
    book = Workbook()
    for row in (["name", "Điện thoại"], ["Lan", "0912345678"], ["Mai", None]):
        book.active.append(row)
    book.create_sheet("Cũ").append(["name"])
    book["Cũ"].append(["Tý"])
    out = io.BytesIO()
    book.save(out)
    shown = sent(client, path, file=SimpleUploadedFile("a.xlsx", out.getvalue()), act="look")
    assert "Not read: Điện thoại (1), Cũ (2). Go on without." in shown.content.decode()
    assert client.post(path, {"act": "save"}).status_code == 422
    assert names_of(club) == []
    sent(client, path, act="save", leaves_out="on")
    assert [name for name, *_wishes in names_of(club)] == ["Lan", "Mai"]


def test_the_page_shows_players_first_and_adds_them_then(client, db):
    club = make_season().club
    client.force_login(owner_of(club))
    path = path_of(club, "import_players")
    old = unicodedata.normalize("NFD", "name\nHùng\n").encode("cp1258")
    looked = sent(client, path, file=SimpleUploadedFile("a.csv", old), act="look")
    assert [one.name for one in looked.context["page"].look.fresh] == ["Hùng"]
    assert names_of(club) == []
    saved = sent(client, path, act="save")
    assert ("1 player added." in saved.content.decode(), names_of(club)) == (
        True, [("Hùng", "", None)],
    )  # fmt: skip
    twin = sent(client, path, text="name\n\u041dùng\nMai\n", act="look")  # A Cyrillic letter.
    assert "“\u041dùng” looks like “Hùng”" in twin.content.decode()
    assert twin.context["page"].look.saves
    again = sent(client, path, text="name\nHùng\n", act="look")
    assert "There is nothing to save" in again.content.decode()
    assert client.post(path, {"act": "save"}).status_code == 422


def test_the_page_shows_first_and_saves_then(season, client, db):
    client.force_login(owner_of(season))
    path = path_of(season, "import_results")
    file = SimpleUploadedFile("past.csv", (HEAD + LINE).encode())
    looked = sent(client, path, file=file, act="look")
    assert (looked.context["page"].look.new_names, season.events.count()) == (
        ["Lan", "Hùng", "Mai", "Bảo"], 0,
    )  # fmt: skip
    saved = sent(client, path, act="save")
    assert ("1 night added." in saved.content.decode(), season.events.count()) == (True, 1)
    assert client.post(path, {"act": "look"}).status_code == 422
    others = HEAD + LINE.replace("Đêm 1", "Đêm 2").replace("Mai", "M\u0430i")
    twin = sent(client, path, text=others, act="look").content.decode()
    assert "“M\u0430i” looks like “Mai”" in twin


@pytest.mark.django_db
def test_a_workbook_runs_no_formula_and_comes_back_as_it_went(season, client):
    club, by = season.club, owner_of(season)
    names = ["=1+1", "Nguyễn Lan", "+Bình"]
    for name in names:
        players.add_player(club=club, name=name, by=by)
    answer = client.get(path_of(club, "club_csv", "players"), {"as": "xlsx"})
    assert answer["Content-Disposition"].endswith('players.xlsx"')
    sheet = load_workbook(io.BytesIO(answer.content)).worksheets[0]
    cells = {row[0].value: row[0].data_type for row in sheet.iter_rows(min_row=2)}
    assert cells == dict.fromkeys(names, "s")
    other = make_club()
    upload = SimpleUploadedFile("players.xlsx", answer.content)
    page = path_of(other, "import_players")
    looked = sent(browser_of(owner_of(other)), page, file=upload)
    assert {listed.name for listed in looked.context["page"].look.fresh} == set(names)


def test_a_workbook_is_read_whole_or_not_at_all():
    wide = workbook_of([""] * workbook_file.MOST_COLUMNS + ["x"])
    with pytest.raises(ValueError, match="160 columns"):
        uploads.workbook_sheets(wide)
    book, out = Workbook(), io.BytesIO()
    for _number in range(workbook_file.MOST_SHEETS):
        book.create_sheet()
    book.save(out)
    with pytest.raises(ValueError, match="100 sheets"):
        uploads.workbook_sheets(out.getvalue())


def test_what_is_no_workbook_or_unpacks_too_large_is_refused():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("xl/workbook.xml", "0" * (workbook_file.MOST_UNPACKED + 1))
    for wrong in (packed.getvalue(), b"PK\x03\x04", b"PK\x03\x04" + b"x" * 999):
        with pytest.raises(ValueError, match=r"file|workbook"):
            uploads.workbook_sheets(wrong)


def test_a_files_tie_breaks_are_words_of_its_clubs_language(client, night):
    Club.objects.update(language="vi")
    address = path_of(night.season, "season_csv", "standings")
    text = client.get(address, {"as": "csv"}).content.decode("utf-8-sig")
    assert "Hạng" in text
    assert not any(code in text for code in ("firsts", "seconds", "fewest_last", "head_to_head"))
