"""The Judgement aggregate is the judge cache: same data, same toolchain, same code, same stored result."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from deepoj_domain.judgement.result import JudgeResult
from deepoj_domain.kernel.clock import require_utc
from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import JudgementId
from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.kernel.verdict import Verdict


@dataclass(frozen=True, slots=True)
class JudgementKey:
    """A new revision or toolchain makes a new key, so old entries become unreachable by themselves."""

    revision: RevisionRef
    language: LanguageSlug
    toolchain: str
    code: ContentHash

    def __post_init__(self) -> None:
        if not self.toolchain:
            raise InvalidValueError("toolchain_empty", "the toolchain version is part of the cache key")


class JudgementRefusal(StrEnum):
    NOT_REPEATABLE = "not_repeatable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    id: JudgementId
    key: JudgementKey
    result: JudgeResult
    judged_at: datetime

    def __post_init__(self) -> None:
        require_utc(self.judged_at)

    @classmethod
    def remember(
        cls, judgement_id: JudgementId, key: JudgementKey, result: JudgeResult, now: datetime
    ) -> Changed["Judgement"] | Refused[JudgementRefusal]:
        """A system error is our own and may not happen again, so it is never stored."""
        if result.verdict is Verdict.SYSTEM_ERROR:
            return Refused(JudgementRefusal.NOT_REPEATABLE)
        return Changed(cls(id=judgement_id, key=key, result=result, judged_at=now))
