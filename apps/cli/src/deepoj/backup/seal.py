"""Encryption of a backup's files: AES-256-GCM in pieces, each bound to its place and to being the last.

A file is a mark, a salt, and the pieces. Its key is derived from the operator's by the salt, so that no two
files share one and a counter is a safe nonce. A piece that is missing, moved, changed or added is noticed.
"""

from __future__ import annotations

import hmac
import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from deepoj.errors import Exit, Failure

MARK: Final = b"deepoj sealed 1\n"
SALT: Final = 32
PIECE: Final = 64 * 1024
TAG: Final = 16
LEAST_KEY: Final = 32
MOST_KEY: Final = 4096
_OTHERS: Final = 0o077


class SealBrokenError(Exception):
    """A file was not written with this key, or not as it is now."""


class Seal:
    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self._names = _derived(secret, b"", b"names")

    def name(self, digest: str) -> str:
        """Return the name for a content, which tells nobody without the key what the content is."""
        return hmac.new(self._names, digest.encode(), sha256).hexdigest()

    def writer(self, file: BinaryIO, about: str = "") -> Writer:
        salt = os.urandom(SALT)
        file.write(MARK + salt)
        return Writer(file, self._cipher(salt, about))

    def read(self, file: BinaryIO, about: str = "") -> Iterator[bytes]:
        if file.read(len(MARK)) != MARK:
            raise SealBrokenError
        cipher = self._cipher(file.read(SALT), about)
        number, piece = 0, file.read(PIECE + TAG)
        while True:
            following = file.read(PIECE + TAG)
            try:
                yield cipher.decrypt(_nonce(number, last=not following), piece, None)
            except InvalidTag as error:
                raise SealBrokenError from error
            if not following:
                return
            number, piece = number + 1, following

    def _cipher(self, salt: bytes, about: str) -> AESGCM:
        return AESGCM(_derived(self._secret, salt, b"file " + about.encode()))


class Writer:
    def __init__(self, file: BinaryIO, cipher: AESGCM) -> None:
        self._file = file
        self._cipher = cipher
        self._number = 0
        self._held = bytearray()

    def write(self, chunk: bytes) -> None:
        self._held += chunk
        while len(self._held) > PIECE:
            self._put(bytes(self._held[:PIECE]), last=False)
            del self._held[:PIECE]

    def finish(self) -> None:
        self._put(bytes(self._held), last=True)

    def _put(self, piece: bytes, *, last: bool) -> None:
        self._file.write(self._cipher.encrypt(_nonce(self._number, last=last), piece, None))
        self._number += 1


def sealed_size(size: int) -> int:
    pieces = max(1, -(-size // PIECE))
    return len(MARK) + SALT + size + TAG * pieces


def seal_of(key_file: Path | None) -> Seal | None:
    return None if key_file is None else Seal(_secret(key_file))


def _secret(path: Path) -> bytes:
    with path.open("rb") as file:
        shared = os.fstat(file.fileno()).st_mode & _OTHERS
        secret = file.read(MOST_KEY + 1).strip()
    if shared:
        raise _unusable(path, "other users may read it")
    if not LEAST_KEY <= len(secret) <= MOST_KEY:
        raise _unusable(path, f"a key has {LEAST_KEY} to {MOST_KEY} characters")
    return secret


def _unusable(path: Path, why: str) -> Failure:
    return Failure(
        f"the key file {path} cannot be used: {why}; make one with "
        f"(umask 077; head -c 32 /dev/urandom | base64 > {path})",
        Exit.UNUSABLE,
    )


def _derived(secret: bytes, salt: bytes, about: bytes) -> bytes:
    return HKDF(SHA256(), length=32, salt=salt, info=b"deepoj backup " + about).derive(secret)


def _nonce(number: int, *, last: bool) -> bytes:
    return number.to_bytes(11, "big") + bytes([last])
