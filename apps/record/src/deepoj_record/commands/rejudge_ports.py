"""What the rejudge commands need from outside."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from deepoj_domain.kernel.ids import GameId, RejudgeId, SubmissionId
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
    ALLOWANCE_SPENT = "allowance_spent"
    REJUDGE_ID_REUSED = "rejudge_id_reused"
    STILL_OPENING = "still_opening"
    ALREADY_CLOSED = "already_closed"
    STILL_JUDGING = "still_judging"


def about(rejudge_id: RejudgeId, refusal: Refused[RejudgeRefusal]) -> Refused[RejudgeRefusal]:
    """Let the log line name the rejudge."""
    return replace(refusal, facts={"rejudge_id": str(rejudge_id)})


@dataclass(frozen=True, slots=True)
class Pair:
    candidate: Stored
    predecessor: Stored


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejudge:
    """A batch, and how far the work on it is."""

    batch: RejudgeBatch
    selection: Selection
    selected: int
    """How many were selected when it was started."""
    reached: SubmissionId | None = None
    """The last selected submission that was looked at."""
    applied: int = 0
    dropped: int = 0


@dataclass(frozen=True, slots=True)
class Allowance:
    """How many submissions one person may have judged again since a moment."""

    most: int
    since: datetime


@dataclass(frozen=True, slots=True)
class Spent:
    """Too much of an allowance is used up."""

    submissions: int


class LockedRejudge(Protocol):
    """One transaction that holds the lock on one rejudge; leaving it without an error commits."""

    @property
    def rejudge(self) -> Rejudge: ...

    async def size(self) -> int:
        """Count its candidates, whatever became of them."""
        ...

    async def undecided(self) -> int: ...

    async def add(self, candidates: Sequence[Changed[Submission]]) -> set[SubmissionId]:
        """Store candidates with their events; return the new ones."""
        ...

    async def pairs(self) -> list[Pair]:
        """Return some candidates that are left, each with the one it was made from; both are locked."""
        ...

    async def write(self, writes: Sequence[Write]) -> None: ...

    async def save(self, after: Rejudge, at: datetime) -> None: ...


class Rejudges(Protocol):
    async def add(self, rejudge: Rejudge, reason: str, allowance: Allowance | None) -> Rejudge | Spent | None:
        """Store the rejudge, or find it stored; None when its id was used for another selection.

        With an allowance nothing is stored that goes beyond it, however many are added at once.
        """
        ...

    async def find(self, rejudge_id: RejudgeId) -> Rejudge | None: ...

    async def size(self, rejudge_id: RejudgeId) -> int: ...

    async def game_of(self, submission_id: SubmissionId) -> GameId | None:
        """Return the game a submission was sent to; None: to none, or there is no such submission."""
        ...

    async def selected(self, selection: Selection, limit: int) -> int:
        """Count the heads that can be rejudged, up to `limit`."""
        ...

    async def heads(self, rejudge: Rejudge) -> list[Submission]:
        """Return the next page, by id, of selected heads that were there when the rejudge was started."""
        ...

    def locked(self, rejudge_id: RejudgeId) -> AbstractAsyncContextManager[LockedRejudge | None]: ...

    async def under_way(self, untouched_since: datetime) -> list[RejudgeId]:
        """Return those with work to do that nobody has done a part of since."""
        ...


class Successions(Protocol):
    async def replace(self, archived: Write, head: Submission) -> bool:
        """Archive one and store its successor, with the events; False when the first has changed."""
        ...
