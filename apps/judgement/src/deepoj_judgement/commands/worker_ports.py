"""What a worker needs besides judging: the record that owns every state, and somebody who watches."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from deepoj_domain.judgement.result import JudgeResult
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.submission.lease import LeaseTerms
from deepoj_domain.submission.retry import Failure
from deepoj_judgement.commands.running import RunRef


class RecordsFailedError(Exception):
    """Record did not answer, so nobody knows whether the call took effect."""


class Refusal(StrEnum):
    """Why record changed nothing."""

    NOT_FOUND = "not_found"
    STALE_ATTEMPT = "stale_attempt"
    UNKNOWN_ATTEMPT = "unknown_attempt"
    ALREADY_FINISHED = "already_finished"
    NOT_IN_EXPECTED_STATE = "not_in_expected_state"
    LEASE_LOST_OR_OWNER_MISMATCH = "lease_lost_or_owner_mismatch"
    LEASE_STILL_VALID = "lease_still_valid"
    LEASE_EXPIRED = "lease_expired"
    ATTEMPTS_EXHAUSTED = "attempts_exhausted"
    MALFORMED_RESULT = "malformed_result"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
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

    async def claim(self, job_id: str) -> Claim | Refusal: ...

    async def reclaim(self, job_id: str) -> Claim | Refusal: ...

    async def heartbeat(self, refs: Sequence[RunRef]) -> Sequence[datetime | Refusal]: ...

    async def finalize(self, ref: RunRef, result: JudgeResult) -> Refusal | None: ...

    async def report_failure(self, ref: RunRef, failure: Failure, error: str) -> Refusal | None: ...


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
