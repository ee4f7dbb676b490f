"""A directory for one package, and work on it in a thread."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

from deepoj_question.commands.package_ports import BusyError

T = TypeVar("T")


class GivenUpError(Exception):
    """Nobody waits for the result any more; never seen by anybody."""


class Rooms:
    """So many at once; they fill the disk, so whoever comes later is sent away."""

    def __init__(self, directory: Path | None, most: int) -> None:
        """Without a directory they are made where temporary files go."""
        self._directory = directory
        self._most = most
        self._taken = 0

    @asynccontextmanager
    async def take(self) -> AsyncIterator[Path]:
        if self._taken >= self._most:
            raise BusyError(f"{self._taken} packages are being read or written")
        self._taken += 1
        try:
            room = Path(tempfile.mkdtemp(prefix="deepoj-package-", dir=self._directory))
            try:
                yield room
            finally:
                # Thousands of files: other calls must not wait for it.
                await asyncio.to_thread(shutil.rmtree, room, ignore_errors=True)
        finally:
            self._taken -= 1


async def in_thread(work: Callable[[Callable[[], None]], T]) -> T:
    """Run `work` with a function that it calls now and then: it raises when nobody waits any more.

    Even then the end of the thread is awaited, so that it does not write into a room that is cleared.
    """
    stop = threading.Event()

    def check() -> None:
        if stop.is_set():
            raise GivenUpError

    thread = asyncio.ensure_future(asyncio.to_thread(work, check))
    try:
        return await asyncio.shield(thread)
    except asyncio.CancelledError:
        stop.set()
        await asyncio.wait({thread})
        # Looked at, so that it is not reported as forgotten.
        thread.exception()
        raise
