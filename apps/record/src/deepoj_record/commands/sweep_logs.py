"""Delete logs of submissions that are not there: a database put back to an earlier moment leaves them behind.

Submissions are stored before their logs and never deleted, so one that is not there does not come.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from deepoj_domain.kernel.ids import SubmissionId


@dataclass(frozen=True, slots=True)
class LogFile:
    submission_id: SubmissionId
    key: str
    size: int


class LogFiles(Protocol):
    def older_than(self, moment: datetime) -> AsyncIterator[Sequence[LogFile]]:
        """Give the logs of submissions made before; what is named like no submission is not among them."""
        ...

    async def delete(self, file: LogFile) -> None: ...


class KnownSubmissions(Protocol):
    async def there(self, ids: Collection[SubmissionId]) -> frozenset[SubmissionId]: ...


@dataclass(slots=True)
class SweptLogs:
    objects: int = 0
    """Looked at."""
    bytes: int = 0
    deleted_objects: int = 0
    """In a dry run: those that would be deleted."""
    deleted_bytes: int = 0


class SweepLogs:
    def __init__(self, files: LogFiles, submissions: KnownSubmissions, clock: Callable[[], datetime]) -> None:
        self._files = files
        self._submissions = submissions
        self._clock = clock

    async def __call__(self, keep: timedelta, *, dry_run: bool = False) -> SweptLogs:
        swept = SweptLogs()
        async for page in self._files.older_than(self._clock() - keep):
            known = await self._submissions.there({each.submission_id for each in page})
            swept.objects += len(page)
            swept.bytes += sum(each.size for each in page)
            for file in page:
                if file.submission_id not in known:
                    swept.deleted_objects += 1
                    swept.deleted_bytes += file.size
                    if not dry_run:
                        await self._files.delete(file)
        return swept
