"""Jailed readers of untrusted files.

Harm done by a file, to time, memory or worse, is confined to its reader and ends with it.
"""

import os
import select
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from tables.programs.jail import view
from tables.programs.jail.door import door, jail_tier
from tables.programs.jail.job import Job

CPU_SECONDS, MEMORY_MB = 120, 256
END = b"end"
"""The last line of a reader that read the whole file."""
_SILENCE_SECONDS = 60.0
_PIECE = 1 << 18


class ReaderError(Exception):
    """Raised if the reader was killed or broke its protocol."""


def read_lines(script: Path, data: bytes, *words: str, most: int) -> Iterator[bytes]:
    """Yield the lines, of at most `most` bytes, that a script prints for a file on standard input.

    Raises `JailError` before the first line if no jail is available.
    """
    job = Job(
        jail_tier(),
        (sys.executable, "-I", "-S", str(script), *words),
        str(script.parent),
        tuple(view.shown(sys.executable, script.parent, (), (settings.DATA_DIR,))),
        os.defpath,
        CPU_SECONDS,
        MEMORY_MB,
    )
    answers, theirs = os.pipe()
    try:
        with tempfile.TemporaryFile() as given, open(os.devnull, "wb") as nothing:
            given.write(data)
            given.seek(0)
            try:
                reader = door().start(job, given.fileno(), theirs, nothing.fileno())
            finally:
                os.close(theirs)
        try:
            yield from _lines(answers, most)
        finally:
            reader.end()
    finally:
        os.close(answers)


def _lines(answers: int, most: int) -> Iterator[bytes]:
    begun: list[bytes] = []
    length = 0
    while True:
        if not select.select([answers], [], [], _SILENCE_SECONDS)[0]:
            raise ReaderError("It was silent for too long.")
        found = os.read(answers, _PIECE)
        if not found:
            raise ReaderError("It ended before the file did.")
        *whole, rest = found.split(b"\n")
        for line in whole:
            line = b"".join((*begun, line))
            begun, length = [], 0
            if line == END:
                return
            yield line
        begun.append(rest)
        length += len(rest)
        if length > most:
            raise ReaderError("Its line is too long.")
