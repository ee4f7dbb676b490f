"""argon2id in a few threads of its own: a flood of log-ins waits in line and then is told to come back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final, TypeVar

from argon2 import PasswordHasher, Type, extract_parameters
from argon2.exceptions import InvalidHashError, VerificationError

from deepoj_domain.account.personal import PasswordHash
from deepoj_user.commands.ports import BusyError, Verified

T = TypeVar("T")
_NOBODY: Final = "the password of nobody"


@dataclass(frozen=True, slots=True, kw_only=True)
class HashingTerms:
    memory_kib: int
    passes: int
    threads: int
    """How many are hashed at once."""
    waiting: int
    """How many more may wait for that."""


class Argon2Passwords:
    """Each hash takes `memory_kib` and one core, so the threads bound what hashing may take of a machine."""

    def __init__(self, terms: HashingTerms) -> None:
        self._hasher = PasswordHasher(
            time_cost=terms.passes, memory_cost=terms.memory_kib, parallelism=1, type=Type.ID
        )
        self._threads = ThreadPoolExecutor(terms.threads, thread_name_prefix="argon2")
        self._most = terms.threads + terms.waiting
        self._under_way = 0
        # By parameters; our own at once: the first stranger must not take longer than the second.
        own = PasswordHash(self._hasher.hash(_NOBODY))
        self._nobody = {_parameters(own): own}

    async def hash(self, password: str) -> PasswordHash:
        return PasswordHash(await self._run(lambda: self._hasher.hash(password)))

    async def verify(self, password: str, hashed: PasswordHash | None) -> Verified:
        return await self._run(lambda: self._verify(password, hashed))

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _verify(self, password: str, hashed: PasswordHash | None) -> Verified:
        """Verify one hash of each kind that is in use, its owner's or nobody's: all take as long."""
        kind = None if hashed is None else self._kind_of(hashed)
        is_right = False
        for each, nobody in list(self._nobody.items()):
            if hashed is not None and each == kind:
                is_right = self._matches(password, hashed)
            else:
                self._matches(password, nobody)
        outdated = is_right and hashed is not None and self._hasher.check_needs_rehash(hashed)
        return Verified(is_right, outdated)

    def _kind_of(self, hashed: PasswordHash) -> str | None:
        """Return its parameters, and remember that they are in use; None for what is no hash."""
        kind = _parameters(hashed)
        if kind not in self._nobody:
            try:
                hasher = PasswordHasher.from_parameters(extract_parameters(hashed))
            except InvalidHashError:
                return None
            self._nobody[kind] = PasswordHash(hasher.hash(_NOBODY))
        return kind

    def _matches(self, password: str, hashed: PasswordHash) -> bool:
        try:
            return self._hasher.verify(hashed, password)
        except (VerificationError, InvalidHashError):
            return False

    async def _run(self, work: Callable[[], T]) -> T:
        if self._under_way >= self._most:
            raise BusyError
        self._under_way += 1
        future = asyncio.get_running_loop().run_in_executor(self._threads, work)
        # Counted until the thread is done, also when the caller gave up meanwhile.
        future.add_done_callback(self._done)
        return await asyncio.shield(future)

    def _done(self, future: asyncio.Future[T]) -> None:
        self._under_way -= 1
        if not future.cancelled():
            future.exception()


def _parameters(hashed: PasswordHash) -> str:
    """Return all but salt and digest."""
    return hashed.rpartition("$")[0].rpartition("$")[0]
