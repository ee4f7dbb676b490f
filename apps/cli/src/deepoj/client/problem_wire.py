"""As much of problems as their setters are shown."""

from __future__ import annotations

from datetime import datetime

from deepoj.client.wire import Problem, Wire


class Revision(Wire, frozen=True):
    number: int
    made_by: str
    judge_hash: str
    changes: tuple[str, ...]
    made_at: datetime | None = None
    outdated_submissions: int | None = None


class ObjectRef(Wire, frozen=True):
    sha256: str
    size: int


class StoredObject(Wire, frozen=True):
    object: ObjectRef


class VerifyProgress(Wire, frozen=True):
    step: str
    done: int
    total: int
    solution: str | None = None
    case_name: str | None = None
    verdict: str | None = None
    expected: str | None = None
    ok: bool | None = None
    message: str | None = None


class VerifyFinding(Wire, frozen=True):
    severity: str
    about: str
    message: str


class VerifyTimeLimit(Wire, frozen=True):
    suggested_ms: int
    slowest_ms: int
    slowest: str
    current_ms: int | None = None


class VerifyDone(Wire, frozen=True):
    ok: bool
    findings: tuple[VerifyFinding, ...]
    time_limit: VerifyTimeLimit | None = None


class VerifyEvent(Wire, frozen=True):
    progress: VerifyProgress | None = None
    done: VerifyDone | None = None
    error: Problem | None = None
