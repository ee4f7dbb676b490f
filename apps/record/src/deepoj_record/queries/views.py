"""What record shows of its submissions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from deepoj_domain.judgement.result import JudgeResult
from deepoj_domain.kernel.ids import AccountId, GameId, SubmissionId
from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.submission.attempt import Attempt
from deepoj_domain.submission.route import Route
from deepoj_domain.submission.states import Status
from deepoj_domain.submission.submission import Standing


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionView:
    id: SubmissionId
    origin_id: SubmissionId
    rejudge_of: SubmissionId | None
    standing: Standing
    account_id: AccountId
    game_id: GameId | None
    revision: RevisionRef
    language: LanguageSlug
    route: Route
    status: Status
    attempt_id: int
    result: JudgeResult | None
    """In a list without its cases and messages."""
    submitted_at: datetime
    finished_at: datetime | None
    source_bytes: int
    reason: str
    """Why it is DEAD or CANCELLED."""
    last_error: str
    lease_owner: str
    lease_until: datetime | None
    message_due: datetime

    @property
    def is_head(self) -> bool:
        return self.standing is Standing.HEAD

    @property
    def full_reason(self) -> str:
        return f"{self.reason}: {self.last_error}" if self.last_error else self.reason

    def outlined(self) -> SubmissionView:
        """For others: the verdict, but nothing the program or the judge said."""
        result = self.result and replace(self.result, cases=(), message="", log_prefix="")
        return replace(self, result=result, last_error="", lease_owner="")

    def undecided(self) -> SubmissionView:
        """For the owner while the game keeps its verdicts to itself."""
        return replace(self, result=None, last_error="", lease_owner="")

    def without_staff_notes(self) -> SubmissionView:
        """For the owner: not what the checker said, nor what went wrong on our side."""
        return replace(self.without_checker_messages(), last_error="", lease_owner="")

    def without_checker_messages(self) -> SubmissionView:
        """For the staff of a game to whom its test data are not open: checkers quote them."""
        result = self.result
        if result is not None:
            result = replace(result, cases=tuple(replace(case, message="") for case in result.cases))
        return replace(self, result=result)


def cancelled_by(account_id: UUID, owner: UUID) -> str:
    return "cancelled_by_owner" if account_id == owner else "cancelled_by_staff"


@dataclass(frozen=True, slots=True)
class Detail:
    submission: SubmissionView
    attempts: tuple[Attempt, ...] = ()
    source: str | None = None
    shows_cases: bool = False
    """Those of its result, as soon as there is one."""
    samples: frozenset[str] = frozenset()
    """The names of those cases that are samples."""
