"""The logs that workers keep of their attempts, and the data of samples."""

from __future__ import annotations

from contextlib import aclosing
from datetime import timedelta
from typing import Final

from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.ids import SubmissionId
from deepoj_domain.submission.logs import Log
from deepoj_kit.clock import Clock
from deepoj_kit.ids import first_id_at
from deepoj_kit.objects import NotFoundError, ObjectStore, ObjectStoreError
from deepoj_kit.unavailable import Unavailable
from deepoj_record.queries.read_log import LogName, LogText

MOST_BYTES: Final = 64 * 1024
_SUBMISSIONS: Final = "submissions/"


class ObjectLogs:
    def __init__(self, store: ObjectStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def kept(self, submission_id: SubmissionId, name: LogName) -> LogText | None:
        return await self._read(f"{_SUBMISSIONS}{submission_id}/attempts/{name.attempt_id}/{_file(name)}")

    async def data(self, content: ContentHash) -> LogText | None:
        return await self._read(f"data/{content}")

    async def purge(self, keep: timedelta) -> int:
        """Delete the logs of submissions that are older; return how many files that were.

        Ids sort by age and the store lists in order, so that nothing is looked at but what is deleted.
        """
        first_kept, deleted = str(first_id_at(self._clock() - keep)), 0
        try:
            async with aclosing(self._store.list(_SUBMISSIONS)) as files:
                async for file in files:
                    if file.key.removeprefix(_SUBMISSIONS) >= first_kept:
                        break
                    await self._store.delete(file.key)
                    deleted += 1
        except ObjectStoreError as error:
            raise Unavailable(f"old logs cannot be deleted: {error}") from error
        return deleted

    async def _read(self, key: str) -> LogText | None:
        found = b""
        try:
            async with aclosing(self._store.stream(key)) as chunks:
                async for chunk in chunks:
                    found += chunk
                    if len(found) > MOST_BYTES:
                        break
        except NotFoundError:
            return None
        return LogText(found[:MOST_BYTES], truncated=len(found) > MOST_BYTES)


def _file(name: LogName) -> str:
    match name.log:
        case Log.COMPILE:
            return "compile.log"
        case Log.MANIFEST:
            return "manifest.json"
        case Log.RESOURCE:
            return f"case_{name.case_number}_resource.json"
        case Log.STDOUT | Log.STDERR | Log.CHECKER:
            return f"case_{name.case_number}.{name.log}"
        case Log.INPUT | Log.ANSWER:
            raise ValueError(f"{name.log} is no log")
