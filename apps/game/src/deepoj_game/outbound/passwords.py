"""Passwords of private games, stored as scrypt hashes."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
from base64 import b64decode, b64encode
from concurrent.futures import ThreadPoolExecutor
from typing import Final

# About 16 MiB and 30 ms a check: whoever steals the table guesses slowly, a sign-up does not notice.
_COST: Final = 2**14
_BLOCK: Final = 8
_PARALLEL: Final = 1
_MEMORY: Final = 64 * 1024 * 1024
_AT_ONCE: Final = 2


class ScryptPasswords:
    def __init__(self) -> None:
        # However many guess at once, this is all the memory and the cores they get.
        self._threads = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="scrypt")

    async def hashed(self, password: str) -> str:
        salt = secrets.token_bytes(16)
        digest = await self._digest(password, salt)
        return f"scrypt${b64encode(salt).decode()}${b64encode(digest).decode()}"

    async def matches(self, password: str, stored: str) -> bool:
        _, salt, expected = stored.split("$")
        digest = await self._digest(password, b64decode(salt))
        return hmac.compare_digest(digest, b64decode(expected))

    async def _digest(self, password: str, salt: bytes) -> bytes:
        return await asyncio.get_running_loop().run_in_executor(self._threads, _digest, password, salt)


def _digest(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(
        password.encode(), salt=salt, n=_COST, r=_BLOCK, p=_PARALLEL, maxmem=_MEMORY, dklen=32
    )
