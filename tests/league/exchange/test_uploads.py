"""Strangers' files are read in the jail: what they do to their reader they do to nobody else."""

import io
import zipfile

import pytest
from openpyxl import Workbook

from league.exchange.acts import uploads, workbook_file
from league.exchange.domain import club_file
from league.exchange.domain.club_file import ClubFileError
from tables.programs import confined
from tables.programs.jail import door
from tables.programs.jail.door import JailError


@pytest.fixture
def jail():
    try:
        return door.jail_tier()
    except JailError as error:
        pytest.skip(str(error))


def packed(text: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(club_file.FILE, text)
    return out.getvalue()


ARCHIVE = packed('{"format": "x", "tables": {"a": [{"id": 1}, {"id": 2, "name": "Lan 🂡 Hùng"}]}}')


def workbook() -> bytes:
    book, out = Workbook(), io.BytesIO()
    for row in (["name", "rank"], ["Lan Hùng", 1.0], [], ["=1+1", None]):
        book.active.append(row)
    book.save(out)
    return out.getvalue()


def test_the_jail_reads_what_this_process_would(jail, monkeypatch):
    """And this process reads it where nothing can be shut in."""
    apart = list(uploads.archive_values(ARCHIVE)), uploads.workbook_sheets(workbook())
    assert apart[1][0].rows[:2] == [["name", "rank"], ["Lan Hùng", "1"]]

    def nowhere():
        raise JailError("no Landlock")

    monkeypatch.setattr(confined, "jail_tier", nowhere)
    assert apart == (list(uploads.archive_values(ARCHIVE)), uploads.workbook_sheets(workbook()))
    monkeypatch.undo()
    for module, name in ((club_file, "parts"), (workbook_file, "rows")):
        monkeypatch.setattr(module, name, None)
    assert apart == (list(uploads.archive_values(ARCHIVE)), uploads.workbook_sheets(workbook()))


READERS = {
    "dies": "import os; os._exit(3)",
    "takes memory": "held = [bytearray(10**8) for _ in range(9)]; print('end')",
    "opens a socket": "import socket; socket.socket(); print('end')",
    "reads the password file": "print(len(open('/etc/passwd').read())); print('end')",
    "writes a file": "open('left', 'w'); print('end')",
    "says no end": "print('x')",
    "says too much": "print('x' * 5000)",
}


@pytest.mark.parametrize("reader", READERS)
def test_a_reader_that_a_file_has_taken_over_gets_nowhere(jail, reader, tmp_path, monkeypatch):
    tmp_path.chmod(0o755)
    for above in list(tmp_path.parents)[:2]:
        above.chmod(0o755)
    script = tmp_path / "reader.py"
    script.write_text(READERS[reader])
    script.chmod(0o644)
    with pytest.raises(confined.ReaderError):
        list(confined.read_lines(script, b"", most=1000))
    assert [path.name for path in tmp_path.iterdir()] == ["reader.py"]


def test_a_value_of_too_many_objects_is_refused(monkeypatch):
    monkeypatch.setattr(club_file, "MOST_ITEMS", 100_000)
    text = '{"club": [' + "{}," * 100_000 + "{}]}"
    with pytest.raises(club_file.TooLargeError):
        list(club_file.parts(packed(text)))
    with pytest.raises(ClubFileError):
        list(uploads.archive_values(b"x"))
