"""Which submissions are meant, for a list or a rejudge. What is None or empty does not restrict."""

from dataclasses import dataclass, fields
from datetime import datetime

from deepoj_domain.kernel.clock import require_utc
from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId, SubmissionId
from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.submission.states import Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    submission_id: SubmissionId | None = None
    account_id: AccountId | None = None
    question_id: QuestionId | None = None
    game_id: GameId | None = None
    language: LanguageSlug | None = None
    statuses: frozenset[Status] = frozenset()
    verdicts: frozenset[Verdict] = frozenset()
    submitted_from: datetime | None = None
    submitted_before: datetime | None = None
    question_revisions: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        require_utc(self.submitted_from, self.submitted_before)

    @property
    def is_everything(self) -> bool:
        return not any(getattr(self, field.name) for field in fields(self))
