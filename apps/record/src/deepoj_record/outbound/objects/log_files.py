"""The files that workers keep of their attempts, in the order of the submissions' ids and so of their age."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from datetime import datetime
from typing import Final
from uuid import UUID

from deepoj_domain.kernel.ids import SubmissionId
from deepoj_kit.ids import first_id_at
from deepoj_kit.objects import LIST_PAGE, ObjectInfo, ObjectStore, ObjectStoreError
from deepoj_kit.unavailable import Unavailable
from deepoj_record.commands.sweep_logs import LogFile

_SUBMISSIONS: Final = "submissions/"


class ObjectLogFiles:
    def __init__(self, store: ObjectStore) -> None:
        self._store = store

    async def older_than(self, moment: datetime) -> AsyncIterator[Sequence[LogFile]]:
        first_kept = first_id_at(moment)
        page: list[LogFile] = []
        try:
            async with aclosing(self._store.list(_SUBMISSIONS)) as found:
                async for each in found:
                    file = _log_file(each)
                    if file is not None and file.submission_id >= first_kept:
                        break
                    if file is not None:
                        page.append(file)
                    if len(page) == LIST_PAGE:
                        yield page
                        page = []
        except ObjectStoreError as error:
            raise Unavailable(f"logs cannot be listed: {error}") from error
        if page:
            yield page

    async def delete(self, file: LogFile) -> None:
        try:
            await self._store.delete(file.key)
        except ObjectStoreError as error:
            raise Unavailable(f"a log cannot be deleted: {error}") from error


def _log_file(found: ObjectInfo) -> LogFile | None:
    name = found.key.removeprefix(_SUBMISSIONS).partition("/")[0]
    try:
        return LogFile(SubmissionId(UUID(name)), found.key, found.size)
    except ValueError:
        return None
