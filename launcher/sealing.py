"""Files that only the key of TIENLEN_BACKUP_KEY opens: AES-GCM in blocks, so that any size streams.

Each block's nonce has its number and whether it is the last: a file that was cut, put together
again or changed in one bit is refused. The key is made from the words by scrypt.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from typing import IO, Any

from launcher.errors import LaunchError

VARIABLE = "TIENLEN_BACKUP_KEY"
SHORTEST = 20
MAGIC = b"TIENLEN1"
BLOCK = 1 << 20
SALT, PREFIX, TAG = 16, 7, 16
HEADER = len(MAGIC) + SALT + PREFIX


def words() -> str:
    """Return the words of the key, "" where files are not to be encrypted."""
    chosen = os.environ.get(VARIABLE, "").strip()
    if chosen and len(chosen) < SHORTEST:
        raise LaunchError(f"{VARIABLE} is too short: give {SHORTEST} characters or more.")
    return chosen


def seal(source: IO[bytes], target: IO[bytes], key: str) -> None:
    """Copy the source to the target, encrypted with these words."""
    header = MAGIC + os.urandom(SALT + PREFIX)
    cipher = _cipher(key, header)
    target.write(header)
    block, number = source.read(BLOCK), 0
    while True:
        following = source.read(BLOCK)
        target.write(cipher.encrypt(_nonce(header, number, last=not following), block, header))
        if not following:
            return
        block, number = following, number + 1


def is_sealed(source: IO[bytes]) -> bool:
    """Return whether the file is encrypted; it is read from its beginning again."""
    found = source.read(len(MAGIC)) == MAGIC
    source.seek(0)
    return found


def opened(source: IO[bytes], key: str) -> Iterator[bytes]:
    """Yield what was encrypted; raise LaunchError where the key or the file is another one."""
    from cryptography.exceptions import InvalidTag

    header = source.read(HEADER)
    cipher = _cipher(key, header)
    block, number = source.read(BLOCK + TAG), 0
    while True:
        following = source.read(BLOCK + TAG)
        try:
            yield cipher.decrypt(_nonce(header, number, last=not following), block, header)
        except InvalidTag:
            raise LaunchError(
                f"{source.name} does not open: {VARIABLE} is not the key it was written with, "
                "or the file is damaged."
            ) from None
        if not following:
            return
        block, number = following, number + 1


def _cipher(key: str, header: bytes) -> Any:
    # Loaded by those alone who encrypt: a start is quicker without.
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    salt = header[len(MAGIC) : len(MAGIC) + SALT]
    return AESGCM(
        hashlib.scrypt(key.encode(), salt=salt, n=1 << 15, r=8, p=1, maxmem=1 << 26, dklen=32)
    )


def _nonce(header: bytes, number: int, *, last: bool) -> bytes:
    return header[-PREFIX:] + number.to_bytes(4) + (b"\1" if last else b"\0")
