"""The logs that workers keep of their attempts, and the data of samples."""

from __future__ import annotations

from contextlib import aclosing
from typing import Final

from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.ids import SubmissionId
from deepoj_domain.submission.logs import Log
from deepoj_kit.objects import NotFoundError, ObjectStore
from deepoj_record.queries.read_log import LogName, LogText

MOST_BYTES: Final = 64 * 1024


class ObjectLogs:
    def __init__(self, store: ObjectStore) -> None:
        self._store = store

    async def kept(self, submission_id: SubmissionId, name: LogName) -> LogText | None:
        return await self._read(f"submissions/{submission_id}/attempts/{name.attempt_id}/{_file(name)}")

    async def data(self, content: ContentHash) -> LogText | None:
        return await self._read(f"data/{content}")

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
        case Log.RESOURCE:
            return f"case_{name.case_number}_resource.json"
        case Log.STDOUT | Log.STDERR | Log.CHECKER:
            return f"case_{name.case_number}.{name.log}"
        case Log.INPUT | Log.ANSWER:
            raise ValueError(f"{name.log} is no log")
