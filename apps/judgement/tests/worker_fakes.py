"""The ports of a worker in memory, for tests of its commands."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from deepoj_domain.judgement.result import CaseResult, JudgeResult
from deepoj_domain.submission.attempt import LeaseTerms
from deepoj_domain.submission.retry import Failure
from deepoj_domain.submission.route import Needs
from deepoj_domain.submission.submission import SubmissionRefusal
from deepoj_domain.testing import NOW
from deepoj_judgement.commands.judge.sandbox_port import RunRef
from deepoj_judgement.commands.judge.testing import Notebook
from deepoj_judgement.commands.worker.ports import ClaimedJob, RecordsFailedError

LEASE = timedelta(seconds=60)


class WorkerNotebook(Notebook):
    @contextmanager
    def job(self, ref: RunRef, language: str) -> Iterator[None]:
        self.notes.append(("job", ref.job_id, language))
        yield

    @contextmanager
    def executing(self) -> Iterator[None]:
        yield

    @contextmanager
    def reclaiming(self) -> Iterator[None]:
        yield

    def executed_job(self, result: str, seconds: float) -> None:  # noqa: ARG002
        self.notes.append(("exec", result))

    def claimed(self, status: str, reason: str, *, reclaim: bool, seconds: float) -> None:  # noqa: ARG002
        self.notes.append(("reclaim" if reclaim else "claim", status, reason))

    def heartbeat(self, status: str, reason: str) -> None:
        self.notes.append(("heartbeat", status, reason))

    def finalized(self, status: str, reason: str, seconds: float) -> None:  # noqa: ARG002
        self.notes.append(("finalize", status, reason))


@dataclass
class ToldProgress:
    told: list[tuple[RunRef, int, int]] = field(default_factory=list)

    def __call__(self, ref: RunRef, results: Sequence[CaseResult], total: int) -> None:
        self.told.append((ref, len(results), total))


@dataclass
class ScriptedRecords:
    """Answers as told; an answer of RecordsFailedError is raised."""

    claims: list[ClaimedJob | SubmissionRefusal | RecordsFailedError] = field(default_factory=list)
    reclaims: list[ClaimedJob | SubmissionRefusal] = field(default_factory=list)
    beats: list[datetime | SubmissionRefusal | RecordsFailedError] = field(default_factory=list)
    write: SubmissionRefusal | RecordsFailedError | None = None
    calls: list[str] = field(default_factory=list)
    finalized: list[JudgeResult] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    granted: LeaseTerms = field(default_factory=lambda: LeaseTerms(duration=2 * LEASE))
    silent: int = 0
    """How many times nobody answers the question for the terms."""

    async def terms(self) -> LeaseTerms:
        if self.silent:
            self.silent -= 1
            raise RecordsFailedError("nobody answers")
        return self.granted

    async def claim(self, job_id: str) -> ClaimedJob | SubmissionRefusal:
        self.calls.append(f"claim {job_id}")
        answer = self.claims.pop(0)
        if isinstance(answer, RecordsFailedError):
            raise answer
        return answer

    async def reclaim(self, job_id: str) -> ClaimedJob | SubmissionRefusal:
        self.calls.append(f"reclaim {job_id}")
        return self.reclaims.pop(0)

    async def heartbeat(self, refs: Sequence[RunRef]) -> Sequence[datetime | SubmissionRefusal]:
        answer = self.beats.pop(0) if self.beats else NOW + LEASE
        if isinstance(answer, RecordsFailedError):
            raise answer
        return [answer for _ in refs]

    async def finalize(
        self,
        ref: RunRef,
        result: JudgeResult,
        toolchain: str,  # noqa: ARG002 — the port's signature
    ) -> SubmissionRefusal | None:
        self.calls.append(f"finalize {ref.job_id} {ref.attempt_id}")
        self.finalized.append(result)
        return self._written()

    async def report_failure(
        self,
        ref: RunRef,
        failure: Failure,
        error: str,  # noqa: ARG002
        needs: Needs | None = None,  # noqa: ARG002
    ) -> SubmissionRefusal | None:
        self.calls.append(f"fail {ref.job_id} {ref.attempt_id}")
        self.failures.append(failure)
        return self._written()

    def _written(self) -> SubmissionRefusal | None:
        if isinstance(self.write, RecordsFailedError):
            raise self.write
        return self.write
