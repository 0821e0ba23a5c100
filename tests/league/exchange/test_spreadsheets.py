"""Tables in spreadsheets of both languages, and back into a club."""

import csv
import datetime
import io
import re
import shutil
import subprocess
import zipfile

import pytest
from django.utils import translation
from hypothesis import example, given
from hypothesis import strategies as st
from openpyxl import load_workbook

from league.base.domain import csv_text
from league.base.domain.names import NameProblem, clean_name, identity
from league.clubs.acts import players
from league.clubs.domain import player_lists
from league.exchange.acts import notebooks, uploads
from league.exchange.domain import result_lists
from league.exchange.domain.notebooks import read_notebook
from league.exchange.domain.sheet_columns import ReadSheet
from league.exchange.facts import exports, workbooks
from tests.factories import (
    browser_of,
    make_adjustment,
    make_paid_night,
    make_season,
    owner_of,
    path_of,
)

THOUSANDS = re.compile(r"^-?\d{1,3}([.,]\d{3})+$")
"""What a spreadsheet of the other language takes for thousands."""
SEASON = ("standings", "race", "crosstable", "money", "transfers", "payments", "proof", "ratings",
          "bots", "specials", "penalties", "teams")  # fmt: skip
NIGHT = ("standings", "places", "money", "transfers", "results")
HARD = ["Tèo =))", "=HYPERLINK(1)", "'=1+1", "-Bình", "+84 An", "@Chi", '"Út" Mười', '"Cô"',
        "a, b; c", "=", "''x", "1/2", "007", "A = B = C", "|x", "%y", '"A" = "B"']  # fmt: skip


def sheet(client, path, language):
    answer = client.get(path, headers={"accept-language": language})
    text = answer.content.decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text), delimiter=";" if language == "vi" else ","))


@pytest.mark.django_db
@pytest.mark.parametrize(("language", "points"), [("vi", "-1,88"), ("en", "-1.88")])
def test_numbers_are_written_as_the_readers_spreadsheet_reads_them(client, language, points):
    """1.625 was 1625 in a Vietnamese spreadsheet, and 2.3 was text."""
    night = make_paid_night(5)
    season = night.season
    season.club.language = "vi"
    season.club.save()
    made = make_adjustment(season, night.order[0], "-1.875", reason="=cmd")
    type(made).objects.filter(pk=made.pk).update(at="2015-11-23T15:53:59.952857Z")
    path = path_of(season, "season_csv", "penalties")
    head, row = sheet(client, path, language)
    assert head[:6] == ["Người chơi", "Điểm", "Lý do", "Buổi / giải", "Đầu", "UTC"]
    assert (row[1], row[2]) == (points, "'=cmd")
    assert row[4:6] == ["2015-11-23 22:53", "UTC+07:00"]
    plain = client.get(path, {"as": "plain"}).content.decode("utf-8-sig").splitlines()
    assert plain[0].startswith("Player,Points,Reason,Event,Start,Revoked")
    assert "-1.875,'=cmd,,2015-11-23T15:53:59.952857+00:00," in plain[1]
    book = client.get(path, {"as": "xlsx"}).content
    names, values = load_workbook(io.BytesIO(book)).worksheets[0].iter_rows(values_only=True)
    assert (names[5], values[1], values[5]) == ("UTC", -1.875, "UTC+07:00")
    assert values[4].replace(microsecond=0) == datetime.datetime(2015, 11, 23, 22, 53, 59)


@given(st.fractions(max_denominator=1000) | st.decimals(allow_nan=False, allow_infinity=False))
@example(1625 / 1000)
def test_no_number_of_a_sheet_can_be_taken_for_thousands(number):
    for language in ("vi", "en"):
        with translation.override(language):
            cell = exports.to_sheet(["x"], [[number]]).splitlines()[1].strip('"')
        assert not THOUSANDS.match(cell)


def names():
    def clean(text):
        try:
            return clean_name(text)
        except NameProblem:
            return None

    signs = st.text("=\"' -+@;,|%\tAn)([0é", max_size=12)
    return (signs | st.text(max_size=40)).map(clean).filter(bool)


@pytest.mark.limit(240, reason="the long form writes and reads seven hundred sheets")
@given(
    st.lists(names(), min_size=2, max_size=6, unique_by=identity),
    st.lists(st.integers(1, 2), min_size=6, max_size=6),
)
@example(HARD[:8], [1] * 8)
@example(HARD[8:15], [1] * 7)
@example(["' =1", "'' =1", "'=1", "' 1"], [1] * 4)
@example(["0;;,", "0;,"], [1, 1])
@example(['"0', "=0"], [2])
@example(['"A', "=C", '""D', "B="], [2, 2])
@example(['"A"B', 'C="', "'\"D", '"=E'], [2, 2])
def test_what_is_exported_is_imported_for_every_name(people, sizes):
    """ "Tèo =))" is one player, not two who share a place."""
    groups, rest = [], list(people)
    for size in sizes:
        if rest:
            groups.append(tuple(rest[:size]))
            rest = rest[size:]
    row = ["Đêm 1", datetime.date(2015, 1, 31), 1, 1, 1, *result_lists.write_groups(groups)]
    header = [*result_lists.COLUMNS, *result_lists.PLACES]
    for rows in written(header, [row]):
        [night] = read_notebook([ReadSheet("", rows)], today=datetime.date(2015, 2, 1)).nights
        assert not night.waits
        assert (night.name, [g.groups for g in night.games]) == ("Đêm 1", [tuple(groups)])
    for rows in written(["name", "group"], [[name, ""] for name in people]):
        listed = player_lists.parse_players(rows)
        assert (listed.problems, [one.name for one in listed.players]) == ([], people)


def written(header, rows):
    yield csv_text.read_cells(exports.to_csv(header, rows).removeprefix("\ufeff"))
    for language in ("vi", "en"):
        with translation.override(language):
            text = csv_text.read_text(exports.to_sheet(header, rows).encode())
        yield csv_text.read_cells(text)
    yield uploads.workbook_sheets(workbooks.to_workbook(header, rows))[0].rows


@pytest.mark.django_db
def test_a_known_name_is_read_whole_and_shared_places_are_refused_at_the_look():
    season = make_season(rules="killa")
    club, by = season.club, owner_of(season)
    players.add_player(club=club, name="Tèo = Tí", by=by)
    text = "night,date,round,table,1,2\nN,2015-01-31,1,1,Tèo = Tí,Lan\n"
    sheets = [ReadSheet("", csv_text.read_cells(text))]
    assert notebooks.look(season=season, sheets=sheets).new_names == ["Lan"]
    shared = [ReadSheet("", csv_text.read_cells(text.replace("Tí,", "Út,")))]
    [night] = notebooks.look(season=season, sheets=shared).waiting
    assert "no shared places" in night.waits[0].template


@pytest.mark.parametrize("name", ["-Bình", "+84 An", "%x"])
def test_a_name_that_another_program_wrote_bare_is_a_name(name):
    listed = player_lists.parse_players([["name"], [name]])
    assert [one.name for one in listed.players] == [name]


def test_an_opendocument_file_is_called_so():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
    with pytest.raises(ValueError, match="ODS"):
        uploads.workbook_sheets(packed.getvalue())


@pytest.mark.django_db
def test_two_nights_of_one_name_have_heads_of_their_own(client):
    night = make_paid_night(5)
    head = sheet(client, path_of(night.season, "season_csv", "race"), "en")[0]
    assert len(set(head)) == len(head)


@pytest.mark.long
@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not here")
@pytest.mark.django_db
@pytest.mark.parametrize("language", ["vi", "en"])
def test_libreoffice_reads_every_number_as_one(client, language, tmp_path):
    """In each table of a season, a night and a club: what our workbook has as a number."""
    night = make_paid_night(5)
    make_adjustment(night.season, night.order[0], "-1.875", reason="x")
    numbers = 0
    browser = browser_of(owner_of(night))
    for name, keys, what in [
        *(("season_csv", [night.season_id], what) for what in SEASON),
        *(("event_csv", [night.pk], what) for what in NIGHT),
        *(("club_csv", [], what) for what in ("players", "ratings", "bots", "past-seasons")),
    ]:
        path = path_of(night.season.club, name, *keys, what)
        answer = browser.get(path, headers={"accept-language": language})
        (tmp_path / "table.csv").write_bytes(answer.content)
        sign, locale = (59, 1066) if language == "vi" else (44, 1033)
        subprocess.run(
            ["soffice", f"-env:UserInstallation=file://{tmp_path}/home", "--headless",
             f"--infilter=CSV:{sign},34,76,1,,{locale},false,true", "--convert-to", "xlsx",
             "--outdir", str(tmp_path), str(tmp_path / "table.csv")],
            check=True, timeout=120,
        )  # fmt: skip
        meant = cells(io.BytesIO(browser.get(path, {"as": "xlsx"}).content))
        for ours, theirs in zip(meant, cells(tmp_path / "table.xlsx"), strict=True):
            for one, other in zip(ours, theirs, strict=False):
                if isinstance(one, (int, float)):
                    assert other == pytest.approx(one, abs=0.0051), (path, ours, theirs)
                    numbers += 1
    assert numbers > 100


def cells(book):
    return list(load_workbook(book).worksheets[0].iter_rows(values_only=True))
