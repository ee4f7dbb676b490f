"""What the rejudge commands need from outside."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from deepoj_domain.kernel.ids import RejudgeId, SubmissionId
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.submission.rejudge_batch import RejudgeBatch
from deepoj_domain.submission.selection import Selection
from deepoj_domain.submission.submission import Submission
from deepoj_record.commands.ports import Stored, Write


class RejudgeRefusal(StrEnum):
    NOT_ALLOWED = "not_allowed"
    NOT_FOUND = "not_found"
    SELECTS_EVERYTHING = "selects_everything"
    SELECTS_NOTHING = "selects_nothing"
    TOO_MANY = "too_many"
    REJUDGE_ID_REUSED = "rejudge_id_reused"
    ALREADY_CLOSED = "already_closed"
    STILL_JUDGING = "still_judging"


def about(rejudge_id: RejudgeId, refusal: Refused[RejudgeRefusal]) -> Refused[RejudgeRefusal]:
    """Let the log line name the rejudge."""
    return replace(refusal, facts={"rejudge_id": str(rejudge_id)})


@dataclass(frozen=True, slots=True)
class Pair:
    candidate: Stored
    predecessor: Stored


class ClosingRejudge(Protocol):
    """One transaction that holds the lock on one rejudge; leaving it without an error commits."""

    @property
    def batch(self) -> RejudgeBatch: ...

    async def undecided(self) -> int: ...

    async def pairs(self, after: SubmissionId | None) -> list[Pair]:
        """Return a page of candidates by id, each with the one it was made from."""
        ...

    async def write(self, writes: Sequence[Write]) -> None:
        """Write all, or raise ContendedError."""
        ...

    async def close(self, batch: RejudgeBatch, at: datetime) -> None: ...


class Rejudges(Protocol):
    async def open(self, batch: RejudgeBatch, selection: Selection, reason: str) -> RejudgeBatch | None:
        """Store the batch, or find it stored; None when its id was used for another selection."""
        ...

    async def selected(self, selection: Selection, limit: int) -> int:
        """Count the heads that can be rejudged, up to `limit`."""
        ...

    async def unopened(
        self, rejudge_id: RejudgeId, selection: Selection, after: SubmissionId | None
    ) -> list[Submission]:
        """Return a page, by id, of selected heads that have no candidate in this rejudge."""
        ...

    async def add(self, candidates: Sequence[Changed[Submission]]) -> set[SubmissionId]:
        """Store candidates with their events; return the new ones, those that are there stay as they are."""
        ...

    async def size(self, rejudge_id: RejudgeId) -> int: ...

    def closing(self, rejudge_id: RejudgeId) -> AbstractAsyncContextManager[ClosingRejudge | None]: ...


class Successions(Protocol):
    async def replace(self, archived: Write, head: Submission) -> bool:
        """Archive one and store its successor, with the events; False when the first has changed."""
        ...
