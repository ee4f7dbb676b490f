"""Passwords of private games as argon2id hashes. Those set when scrypt was used go on as they are."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from base64 import b64decode, b64encode
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

# About 19 MiB and 30 ms a check: whoever steals the table guesses slowly, a sign-up does not notice.
_MEMORY_KIB: Final = 19 * 1024
_PASSES: Final = 2
_AT_ONCE: Final = 2
_SCRYPT: Final = "scrypt$"
# No password has this digest: comparing with it takes as long as with any other.
_SCRYPT_OF_NOBODY: Final = f"{_SCRYPT}{b64encode(bytes(16)).decode()}${b64encode(bytes(32)).decode()}"


class Argon2Passwords:
    def __init__(self) -> None:
        # However many guess at once, this is all the memory and the cores they get.
        self._threads = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="argon2")
        self._hasher = PasswordHasher(time_cost=_PASSES, memory_cost=_MEMORY_KIB, parallelism=1)
        self._nobody = self._hasher.hash("the password of nobody")

    async def hashed(self, password: str) -> str:
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._hasher.hash, password)

    async def matches(self, password: str, stored: str | None) -> bool:
        return await asyncio.get_running_loop().run_in_executor(
            self._threads, self._matches, password, stored
        )

    def _matches(self, password: str, stored: str | None) -> bool:
        """Check one hash of each kind, the game's or nobody's, so that all answers take as long."""
        is_scrypt = stored is not None and stored.startswith(_SCRYPT)
        scrypt = _matches_scrypt(password, stored if stored and is_scrypt else _SCRYPT_OF_NOBODY)
        argon2 = self._matches_argon2(password, self._nobody if is_scrypt or stored is None else stored)
        return stored is not None and (scrypt if is_scrypt else argon2)

    def _matches_argon2(self, password: str, stored: str) -> bool:
        try:
            return self._hasher.verify(stored, password)
        except (VerificationError, InvalidHashError):
            return False


def _matches_scrypt(password: str, stored: str) -> bool:
    _, salt, expected = stored.split("$")
    digest = hashlib.scrypt(
        password.encode(), salt=b64decode(salt), n=2**14, r=8, p=1, maxmem=64 * 1024 * 1024, dklen=32
    )
    return hmac.compare_digest(digest, b64decode(expected))
