"""Encryption of files with TIENLEN_BACKUP_KEY: AES-GCM in blocks, so that any size streams.

Each block's nonce has its number and whether it is the last: a truncated, rearranged or altered
file is refused. scrypt derives the key from the passphrase.
"""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from launcher.errors import LaunchError

VARIABLE = "TIENLEN_BACKUP_KEY"
SHORTEST = 20
MAGIC = b"TIENLEN1"
BLOCK = 1 << 20
SALT, PREFIX, TAG = 16, 7, 16
HEADER = len(MAGIC) + SALT + PREFIX


def words() -> str:
    """Return the passphrase, or "" if files are not to be encrypted."""
    chosen = os.environ.get(VARIABLE, "").strip()
    if chosen and len(chosen) < SHORTEST:
        raise LaunchError(f"{VARIABLE} is too short: give {SHORTEST} characters or more.")
    return chosen


def is_sealed(file: Path) -> bool:
    """Return whether the file is encrypted; True if it cannot be read from here."""
    try:
        with file.open("rb") as source:
            return source.read(len(MAGIC)) == MAGIC
    except OSError:
        return True


def seal(source: IO[bytes], target: IO[bytes], key: str) -> None:
    """Copy the source to the target, encrypted with this passphrase."""
    header = MAGIC + os.urandom(SALT + PREFIX)
    cipher = _cipher(key, header)
    target.write(header)
    for block, nonce in _blocks(source, BLOCK, header):
        target.write(cipher.encrypt(nonce, block, header))


def content(source: IO[bytes], file: Path) -> Iterator[bytes]:
    """Yield the content of the open file, decrypted if it is encrypted.

    Raises LaunchError for a wrong key or a damaged file.
    """
    is_sealed = source.read(len(MAGIC)) == MAGIC
    source.seek(0)
    if not is_sealed:
        while block := source.read(BLOCK):
            yield block
    elif key := words():
        yield from _opened(source, key, file)
    else:
        raise LaunchError(f"{file} is encrypted: set {VARIABLE} to its key.")


def _opened(source: IO[bytes], key: str, file: Path) -> Iterator[bytes]:
    from cryptography.exceptions import InvalidTag

    header = source.read(HEADER)
    cipher = _cipher(key, header)
    for block, nonce in _blocks(source, BLOCK + TAG, header):
        try:
            yield cipher.decrypt(nonce, block, header)
        except InvalidTag:
            raise LaunchError(
                f"{file} does not open: {VARIABLE} is not the key it was written with, "
                "or the file is damaged."
            ) from None


def _blocks(source: IO[bytes], size: int, header: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the source in blocks, at least one, each with its nonce."""
    block, number = source.read(size), 0
    while True:
        following = source.read(size)
        last = b"\0" if following else b"\1"
        yield block, header[-PREFIX:] + number.to_bytes(4) + last
        if not following:
            return
        block, number = following, number + 1


def _cipher(key: str, header: bytes) -> Any:
    # Imported on use: the import would slow every start.
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    salt = header[len(MAGIC) : len(MAGIC) + SALT]
    return AESGCM(
        hashlib.scrypt(key.encode(), salt=salt, n=1 << 15, r=8, p=1, maxmem=1 << 26, dklen=32)
    )
