"""What was kept of the attempt that judged a submission, for those who may read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.ids import SubmissionId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_domain.submission.logs import DATA, WHOLE, Log, may_read_log
from deepoj_record.queries.access import Access, Neighbours, QueryRefusal
from deepoj_record.queries.ports import Sample, Samples, SubmissionReader
from deepoj_record.queries.views import SubmissionView


@dataclass(frozen=True, slots=True)
class LogName:
    log: Log
    attempt_id: int
    case_number: int
    """From 1; 0 for what is of the whole attempt."""


@dataclass(frozen=True, slots=True)
class LogText:
    content: bytes
    truncated: bool


class LogStore(Protocol):
    async def kept(self, submission_id: SubmissionId, name: LogName) -> LogText | None: ...

    async def data(self, content: ContentHash) -> LogText | None: ...


class ReadLog:
    def __init__(
        self, submissions: SubmissionReader, neighbours: Neighbours, samples: Samples, logs: LogStore
    ) -> None:
        self._submissions = submissions
        self._neighbours = neighbours
        self._samples = samples
        self._logs = logs

    async def __call__(
        self, actor: Actor | None, submission_id: SubmissionId, name: LogName
    ) -> LogText | Refused[QueryRefusal]:
        access = Access(self._neighbours, actor)
        view = await self._submissions.get(submission_id)
        if view is None or await access.shown(view) is None:
            return Refused(QueryRefusal.NOT_FOUND)
        sample = await self._sample(view, name)
        rights = await access.rights(view)
        allowed = may_read_log(
            name.log,
            sight=await access.sight(view),
            inspects=rights.inspects,
            reads=rights.reads,
            is_sample=sample is not None,
            is_over=await access.is_over(view),
            is_staff=await access.is_staff_of(view),
        )
        if not allowed:
            return Refused(QueryRefusal.NOT_ALLOWED)
        return await self._read(view, name, sample) or Refused(QueryRefusal.NOT_FOUND)

    async def _sample(self, view: SubmissionView, name: LogName) -> Sample | None:
        cases = () if view.result is None else view.result.cases
        if not 0 < name.case_number <= len(cases):
            return None
        return (await self._samples.of(view.revision)).get(cases[name.case_number - 1].case)

    async def _read(self, view: SubmissionView, name: LogName, sample: Sample | None) -> LogText | None:
        result = view.result
        if result is None or name.attempt_id != view.attempt_id:
            return None
        if name.log in DATA:
            if sample is None:
                return None
            return await self._logs.data(sample.input if name.log is Log.INPUT else sample.answer)
        is_case = 0 < name.case_number <= len(result.cases)
        if not result.log_prefix or (name.log in WHOLE) == is_case:
            return None
        return await self._logs.kept(view.id, name)
