"""Keep the logs of an attempt, after its result stands.

Not before: an upload would delay every verdict, an outage of the object store would hold them all, and an
attempt that was fenced off must leave nothing behind. The price is that a worker killed at this very moment
loses the logs of a result that stands; the result itself never depends on them.
"""

import asyncio
import logging
from types import TracebackType
from typing import Self

from deepoj_domain.judgement.result import JudgeResult
from deepoj_judgement.commands.judge.errors import StoreFailedError
from deepoj_judgement.commands.judge.ports import JudgeLogs, LogStore

_log = logging.getLogger(__name__)
_MOST_WAITING, _MOST_BYTES = 256, 32 * 1024 * 1024
_LAST_SECONDS = 2.0


class LogUploads:
    def __init__(self, store: LogStore, at_once: int = 2) -> None:
        self._store = store
        self._turns = asyncio.Semaphore(at_once)
        self._tasks: set[asyncio.Task[None]] = set()
        self._bytes = 0

    def begin(self, logs: JudgeLogs, result: JudgeResult) -> None:
        """Upload in the background; when too many or too large ones wait, these logs are given up."""
        size = logs.size
        if len(self._tasks) >= _MOST_WAITING or (self._tasks and self._bytes + size > _MOST_BYTES):
            _log.warning("too many logs wait for their upload; these are dropped")
            return
        task = asyncio.create_task(self._upload(logs, result))
        self._tasks.add(task)
        self._bytes += size
        task.add_done_callback(lambda task: self._ended(task, size))

    def _ended(self, task: asyncio.Task[None], size: int) -> None:
        self._tasks.discard(task)
        self._bytes -= size

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Wait a little for what was begun; a process that has to go does not wait for a slow store."""
        if not self._tasks:
            return
        _, late = await asyncio.wait(self._tasks, timeout=_LAST_SECONDS)
        for task in late:
            task.cancel()
        if late:
            _log.warning("%d uploads of logs were cut", len(late))

    async def _upload(self, logs: JudgeLogs, result: JudgeResult) -> None:
        async with self._turns:
            try:
                await self._store.store(logs, result)
            except StoreFailedError as error:
                _log.warning("logs were not kept: %s", error)
