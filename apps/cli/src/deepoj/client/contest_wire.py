"""As much of contests as their staff is shown."""

from __future__ import annotations

from datetime import datetime

from deepoj.client.wire import Row, Wire


class PlannedContest(Wire, frozen=True):
    id: str
    title: str
    phase: str
    version: int
    unfrozen_at: datetime | None = None
    finalized_at: datetime | None = None


class RankChange(Wire, frozen=True):
    user_id: str
    reason: str
    before: Row | None = None
    after: Row | None = None


class RulingPreview(Wire, frozen=True):
    rows_changed: int
    changes: tuple[RankChange, ...]


class BoardEffect(Wire, frozen=True):
    submissions: int
    judged: int
    changes: tuple[RankChange, ...]


class Ruling(Wire, frozen=True):
    at: datetime
    by: str
    action: str
    reason: str
    details: str


class LoggedSubmission(Wire, frozen=True):
    submission_id: str
    user_id: str
    display_name: str
    problem_id: str
    label: str
    submitted_at: datetime


class RecomputeDone(Wire, frozen=True):
    submissions: int
    rows_changed: int
    submissions_corrected: int
    changes: tuple[RankChange, ...] = ()


class Work(Wire, frozen=True):
    id: str
    kind: str
    state: str
    done: int
    total: int
    asked_by: str
    asked_at: datetime
    reason: str = ""
    finished_at: datetime | None = None
    error: str | None = None
    result: RecomputeDone | None = None


class RecomputeProgress(Wire, frozen=True):
    work: Work
    submissions_read: int = 0
    submissions_total: int = 0


class ContestParticipant(Wire, frozen=True):
    user_id: str
    display_name: str
    kind: str
    penalty_adjustment_minutes: int = 0
    signed_up_at: datetime | None = None


class ImportedParticipant(Wire, frozen=True):
    name: str
    user_id: str | None = None
    refused: str | None = None


class ImportedParticipants(Wire, frozen=True):
    items: tuple[ImportedParticipant, ...]
    enrolled: int
    refused: int


class Clarification(Wire, frozen=True):
    id: str
    text: str
    public: bool
    asked_by: str | None = None
    asked_at: datetime | None = None
    problem_id: str | None = None
    answer: str | None = None
