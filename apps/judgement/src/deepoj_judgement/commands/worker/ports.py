"""What a worker needs besides judging: the record that owns every state, and somebody who watches."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum, auto
from typing import Protocol

from deepoj_domain.judgement.result import CaseResult, JudgeResult
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.submission.attempt import LeaseTerms
from deepoj_domain.submission.retry import Failure
from deepoj_domain.submission.route import Needs
from deepoj_domain.submission.submission import SubmissionRefusal
from deepoj_judgement.commands.judge.sandbox_port import RunRef


class RecordsFailedError(Exception):
    """Record did not answer, so nobody knows whether the call took effect."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedJob:
    """A granted attempt. `ref.attempt_id` is the fencing token of everything written afterwards."""

    ref: RunRef
    lease_until: datetime
    revision: RevisionRef
    language: str
    source: str = field(repr=False)
    fresh: bool = False


class Records(Protocol):
    """Every method raises RecordsFailedError when record cannot be asked."""

    async def terms(self) -> LeaseTerms: ...

    async def claim(self, job_id: str) -> ClaimedJob | SubmissionRefusal: ...

    async def reclaim(self, job_id: str) -> ClaimedJob | SubmissionRefusal: ...

    async def heartbeat(self, refs: Sequence[RunRef]) -> Sequence[datetime | SubmissionRefusal]: ...

    async def finalize(
        self, ref: RunRef, result: JudgeResult, toolchain: str
    ) -> SubmissionRefusal | None: ...

    async def report_failure(
        self, ref: RunRef, failure: Failure, error: str, needs: Needs | None = None
    ) -> SubmissionRefusal | None: ...


class Progress(Protocol):
    def __call__(self, ref: RunRef, results: Sequence[CaseResult], total: int) -> None:
        """Hear the results so far and how many there will be; judging waits until this returns."""
        ...


class WorkerObserver(Protocol):
    """Reasons come from small fixed sets, because they label metrics (INV-6)."""

    def job(self, ref: RunRef, language: str) -> AbstractContextManager[None]:
        """Let every log line inside carry the job and the attempt."""
        ...

    def reclaiming(self) -> AbstractContextManager[None]: ...

    def claimed(self, status: str, reason: str, *, reclaim: bool, seconds: float) -> None: ...

    def heartbeat(self, status: str, reason: str) -> None: ...

    def executing(self) -> AbstractContextManager[None]: ...

    def executed_job(self, result: str, seconds: float) -> None: ...

    def finalized(self, status: str, reason: str, seconds: float) -> None: ...


class Settlement(Enum):
    DONE = auto()
    REFUSED = auto()
    """Acknowledged, with a reason."""
    KEPT = auto()
    """Not acknowledged; nothing is wrong."""
    FAILED = auto()
    """Not acknowledged; the system failed."""


@dataclass(frozen=True, slots=True)
class Settled:
    """How a job ended for its message: acknowledged or not, and why."""

    how: Settlement
    reason: str = ""
