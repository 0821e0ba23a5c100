"""Readers of untrusted files: in the jail, or in this process where no jail is available.

Either way the readers limit how much is in memory at a time.
"""

import json
import logging
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from django.utils.translation import gettext_noop

from league.exchange.acts import workbook_file
from league.exchange.acts.workbook_file import WorkbookError
from league.exchange.domain import club_file
from league.exchange.domain.club_file import ArchiveValue, ClubFileError
from league.exchange.domain.sheet_cells import amount_of
from league.exchange.domain.sheet_columns import ReadSheet
from league.exchange.domain.stages import Stage, Tell, tell_nobody
from league.exchange.facts.exports import defused
from tables.programs.confined import ReaderError, read_lines
from tables.programs.jail.door import JailError

log = logging.getLogger(__name__)
TOO_LARGE = gettext_noop("The file is larger than 1 MB. Split it into smaller files.")
TOO_LARGE_A_WORKBOOK = gettext_noop(
    "This workbook has more than 100 sheets, 25,000 rows or 160 columns, or too many letters. "
    "Split it into smaller files."
)
OPEN_DOCUMENT = gettext_noop("This is an OpenDocument file (ODS). Save it as Excel (xlsx) or CSV.")
UNREADABLE = gettext_noop("This Excel file can't be read. Save it as CSV.")


def archive_values(data: bytes) -> Iterator[ArchiveValue]:
    """Yield the values of an archive; ClubFileError if it is invalid or too large."""
    script = Path(club_file.__file__)
    try:
        for line in read_lines(script, data, most=club_file.MOST_LINE):
            if line == club_file.TOO_LARGE:
                raise club_file.TooLargeError
            if line == club_file.WRONG:
                raise ClubFileError
            yield ArchiveValue(*json.loads(line))
    except ReaderError as error:
        raise ClubFileError(str(error)) from error
    except (JailError, OSError) as error:
        log.warning("An archive is read outside of a jail: %s", error)
        yield from club_file.parts(data)


def workbook_sheets(data: bytes, tell: Tell = tell_nobody) -> list[ReadSheet]:
    """Return a workbook's sheets; ValueError if it is invalid or too large."""
    found: dict[str, list[list[str]]] = {}
    try:
        for number, (name, *row) in enumerate(_rows(data)):
            tell(Stage.READING, number, 0)
            bare = workbook_file.BARE  # What follows is refused with its line.
            cells = [cell[1:] if cell[:1] == bare else _harmless(cell) for cell in row]
            found.setdefault(name, []).append(cells)
    except workbook_file.OversizedWorkbookError as error:
        raise ValueError(TOO_LARGE_A_WORKBOOK) from error
    except (WorkbookError, ReaderError) as error:
        is_open = b"opendocument" in data[:100]
        raise ValueError(OPEN_DOCUMENT if is_open else UNREADABLE) from error
    return [ReadSheet(name, rows) for name, rows in found.items()]


def _harmless(cell: str) -> str:
    """Return text that a spreadsheet would run with an apostrophe; numbers stay as they are."""
    return cell if amount_of(cell) is not None else defused(cell)


def _rows(data: bytes) -> Iterator[list[str]]:
    script, spec = Path(workbook_file.__file__), find_spec("openpyxl")
    packages = str(Path(str(spec.origin)).parents[1]) if spec else ""
    try:
        for line in read_lines(script, data, packages, most=workbook_file.MOST_LINE):
            if line == workbook_file.TOO_LARGE:
                raise workbook_file.OversizedWorkbookError
            if line == workbook_file.WRONG:
                raise WorkbookError
            yield json.loads(line)
    except (JailError, OSError) as error:
        log.warning("A workbook is read outside of a jail: %s", error)
        yield from workbook_file.rows(data)
