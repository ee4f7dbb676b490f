"""The record service: what it knows of the submissions to a game, and what a rejudge would make of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC
from typing import Final
from uuid import UUID

import grpc

from deepoj_domain.game.scoring.fact import Fact, micros
from deepoj_domain.game.scoring.preview import Hypothesis
from deepoj_domain.judgement.result import GroupScore
from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId, RejudgeId, SubmissionId
from deepoj_domain.kernel.score import ZERO, Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_game.queries.ports import RejudgeOutcomes
from deepoj_kit.grpc import Kind, RemoteError
from deepoj_proto.common.v1 import common_pb2, judging_pb2
from deepoj_proto.record.v1 import record_pb2
from deepoj_proto.record.v1.record_pb2_grpc import RecordServiceStub

VERDICTS: Final[Mapping[int, Verdict]] = {
    judging_pb2.VERDICT_ACCEPTED: Verdict.ACCEPTED,
    judging_pb2.VERDICT_WRONG_ANSWER: Verdict.WRONG_ANSWER,
    judging_pb2.VERDICT_PRESENTATION_ERROR: Verdict.PRESENTATION_ERROR,
    judging_pb2.VERDICT_TIME_LIMIT_EXCEEDED: Verdict.TIME_LIMIT,
    judging_pb2.VERDICT_MEMORY_LIMIT_EXCEEDED: Verdict.MEMORY_LIMIT,
    judging_pb2.VERDICT_OUTPUT_LIMIT_EXCEEDED: Verdict.OUTPUT_LIMIT,
    judging_pb2.VERDICT_RUNTIME_ERROR: Verdict.RUNTIME_ERROR,
    judging_pb2.VERDICT_COMPILE_ERROR: Verdict.COMPILE_ERROR,
    judging_pb2.VERDICT_SYSTEM_ERROR: Verdict.SYSTEM_ERROR,
}
# A service that acts by itself: it sees every submission.
_SERVICE: Final = common_pb2.Actor(role=common_pb2.ROLE_ADMIN)
_PAGE: Final = 500
_AT_ONCE: Final = 16


class GrpcRecords:
    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._records = RecordServiceStub(channel)

    async def pages(self, game_id: GameId, account_id: AccountId | None) -> AsyncIterator[Sequence[Fact]]:
        """Archived members of a chain come along: what was known before a rejudge stays known."""
        chosen = record_pb2.SubmissionFilter(
            game_id=str(game_id), account_id="" if account_id is None else str(account_id), with_archived=True
        )
        cursor = ""
        while True:
            page = common_pb2.PageRequest(size=_PAGE, cursor=cursor)
            request = record_pb2.ListRequest(actor=_SERVICE, filter=chosen, page=page, ascending=True)
            answer = await self._records.List(request)
            yield [fact for each in answer.submissions for fact in facts_of(each)]
            cursor = answer.page.next_cursor
            if not cursor:
                return

    async def count(self, game_id: GameId, questions: Sequence[QuestionId]) -> int:
        request = record_pb2.CountByQuestionRequest(
            game_id=str(game_id), question_ids=[str(each) for each in questions]
        )
        return sum(each.submitted for each in (await self._records.CountByQuestion(request)).counts)

    async def outcomes(self, rejudge_id: RejudgeId, *, with_groups: bool) -> RejudgeOutcomes | None:
        found: dict[SubmissionId, Hypothesis] = {}
        cursor, submissions, judged = "", 0, 0
        while True:
            page = common_pb2.PageRequest(size=_PAGE, cursor=cursor)
            request = record_pb2.PreviewRejudgeRequest(actor=_SERVICE, rejudge_id=str(rejudge_id), page=page)
            try:
                answer = await self._records.PreviewRejudge(request)
            except RemoteError as error:
                if error.kind is Kind.NOT_FOUND:
                    return None
                raise
            submissions, judged = answer.submissions, answer.judged
            found.update(_hypotheses(answer.effects))
            cursor = answer.page.next_cursor
            if not cursor:
                break
        if with_groups:
            found = await self._with_groups(found)
        return RejudgeOutcomes(submissions, judged, found)

    async def _with_groups(self, found: Mapping[SubmissionId, Hypothesis]) -> dict[SubmissionId, Hypothesis]:
        limit = asyncio.Semaphore(_AT_ONCE)

        async def one(supposed: Hypothesis) -> Hypothesis:
            async with limit:
                request = record_pb2.GetRequest(actor=_SERVICE, submission_id=str(supposed.submission_id))
                answer = await self._records.Get(request)
            return replace(supposed, groups=_groups(answer.submission.result))

        decided = {key: each for key, each in found.items() if each.verdict is not None}
        filled = await asyncio.gather(*(one(each) for each in decided.values()))
        return {**found, **dict(zip(decided, filled, strict=True))}


def facts_of(submission: record_pb2.Submission) -> list[Fact]:
    """The submission as it was made, and what became of it. One that died stays undecided."""
    submitted_us = micros(submission.submitted_at.ToDatetime(UTC))
    made = Fact(
        submission_id=SubmissionId(UUID(submission.id)),
        origin_id=SubmissionId(UUID(submission.origin_id)),
        account_id=AccountId(UUID(submission.account_id)),
        question_id=QuestionId(UUID(submission.question_id)),
        submitted_us=submitted_us,
        known_us=submitted_us,
    )
    known_us = max(submitted_us, micros(submission.finished_at.ToDatetime(UTC)))
    if submission.status == record_pb2.STATUS_FINISHED:
        result = submission.result
        judged = replace(
            made,
            known_us=known_us,
            verdict=VERDICTS[result.verdict],
            score=Score(result.score.micros),
            groups=_groups(result),
        )
        return [judged] if submission.rejudge_of else [made, judged]
    if submission.status == record_pb2.STATUS_CANCELLED:
        return [made, replace(made, known_us=known_us, cancelled=True)]
    return [made]


def _hypotheses(effects: Iterable[record_pb2.RejudgeEffect]) -> Iterable[tuple[SubmissionId, Hypothesis]]:
    for effect in effects:
        decided = effect.new_verdict != judging_pb2.VERDICT_UNSPECIFIED
        yield (
            SubmissionId(UUID(effect.old_submission_id)),
            Hypothesis(
                submission_id=SubmissionId(UUID(effect.new_submission_id)),
                verdict=VERDICTS[effect.new_verdict] if decided else None,
                score=Score(effect.new_score.micros) if decided else ZERO,
            ),
        )


def _groups(result: judging_pb2.JudgeResult) -> tuple[GroupScore, ...]:
    return tuple(GroupScore(group.name, Score(group.score.micros)) for group in result.groups)
