"""Events of submissions as record sends them, for tests that put them into the stream."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from redis.asyncio import Redis

from deepoj_domain.judgement.result import GroupScore, Usage
from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId, SubmissionId
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.streams import Streams
from deepoj_domain.submission.events import (
    JudgedOutcome,
    SubmissionEvent,
    SubmissionFacts,
    SubmissionJudged,
    SubmissionSubmitted,
    SubmissionSuperseded,
)
from deepoj_domain.submission.submission import Standing
from deepoj_game.inbound.stream.on_submission import CODEC

_JUDGING = timedelta(seconds=2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """One submission of a contestant, and what the judge says of it."""

    game_id: str
    account_id: str
    question_id: str
    at: datetime
    verdict: Verdict
    id: UUID

    def facts(self, submission_id: UUID | None = None) -> SubmissionFacts:
        return SubmissionFacts(
            id=SubmissionId(submission_id or self.id),
            origin_id=SubmissionId(self.id),
            rejudge_of=None if submission_id is None else SubmissionId(self.id),
            standing=Standing.HEAD,
            account_id=AccountId(UUID(self.account_id)),
            game_id=GameId(UUID(self.game_id)),
            revision=RevisionRef(QuestionId(UUID(self.question_id)), 1),
            language=language_slug("cpp17"),
            submitted_at=self.at,
        )

    def submitted(self) -> SubmissionSubmitted:
        return SubmissionSubmitted(occurred_at=self.at, submission=self.facts())

    def judged(self) -> SubmissionJudged:
        return SubmissionJudged(
            occurred_at=self.at + _JUDGING,
            submission=self.facts(),
            attempt_id=1,
            outcome=outcome(self.verdict),
        )

    def rejudged(self, verdict: Verdict, new_id: UUID, at: datetime) -> SubmissionSuperseded:
        return SubmissionSuperseded(
            occurred_at=at,
            submission=self.facts(new_id),
            archived_id=SubmissionId(self.id),
            outcome=outcome(verdict),
        )

    def told(self) -> list[SubmissionEvent]:
        return [self.submitted(), self.judged()]


def outcome(verdict: Verdict) -> JudgedOutcome:
    score = Score.points(100 if verdict is Verdict.ACCEPTED else 0)
    return JudgedOutcome(
        verdict=verdict,
        score=score,
        groups=(GroupScore("all", score),),
        usage=Usage(),
        passed_cases=0,
        total_cases=1,
    )


async def publish(redis: Redis, env: str, events: Sequence[SubmissionEvent]) -> None:
    pipeline = redis.pipeline(transaction=False)
    for event in events:
        fields = {**CODEC.encode(event), "message_id": str(uuid4())}
        _ = pipeline.xadd(Streams(env).submission_events, dict(fields.items()))
    await pipeline.execute()
