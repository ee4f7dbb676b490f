"""The record service: what it knows of the submissions to a game, and what a rejudge would make of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final
from uuid import UUID

import grpc

from deepoj_domain.game.scoring.preview import Hypothesis
from deepoj_domain.judgement.result import GroupScore
from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId, RejudgeId, SubmissionId
from deepoj_domain.kernel.score import ZERO, Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_game.commands.builds import Lines
from deepoj_game.queries.ports import RejudgeOutcomes
from deepoj_kit.grpc import Kind, RemoteError
from deepoj_kit.unavailable import Unavailable
from deepoj_proto.common.v1 import common_pb2, judging_pb2
from deepoj_proto.record.v1 import record_pb2
from deepoj_proto.record.v1.record_pb2_grpc import RecordServiceStub

VERDICTS: Final[Mapping[int, Verdict]] = {
    judging_pb2.Verdict.Value(f"VERDICT_{verdict.name}"): verdict for verdict in Verdict
}
# A service that acts by itself: it sees every submission.
_SERVICE: Final = common_pb2.Actor(role=common_pb2.ROLE_ADMIN)
_PAGE: Final = 500


class GrpcRecords:
    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._records = RecordServiceStub(channel)

    async def pages(self, game_id: GameId, account_id: AccountId | None, after: str) -> AsyncIterator[Lines]:
        """The next page is on its way while one is worked on."""
        request = record_pb2.ReadGameRequest(
            game_id=str(game_id), account_id="" if account_id is None else str(account_id), cursor=after
        )
        coming = asyncio.create_task(self._lines(request))
        try:
            while True:
                lines = await coming
                if lines.next:
                    request.cursor = lines.next
                    coming = asyncio.create_task(self._lines(request))
                yield lines
                if not lines.next:
                    return
        finally:
            coming.cancel()

    async def _lines(self, request: record_pb2.ReadGameRequest) -> Lines:
        with _outages():
            answer = await self._records.ReadGame(request)
        return Lines(answer.lines, answer.next_cursor)

    async def count(self, game_id: GameId, questions: Sequence[QuestionId]) -> int:
        request = record_pb2.CountByQuestionRequest(
            game_id=str(game_id), question_ids=[str(each) for each in questions]
        )
        with _outages():
            answer = await self._records.CountByQuestion(request)
        return sum(each.submitted for each in answer.counts)

    async def outcomes(self, rejudge_id: RejudgeId) -> RejudgeOutcomes | None:
        found: dict[SubmissionId, Hypothesis] = {}
        cursor = ""
        while True:
            page = common_pb2.PageRequest(size=_PAGE, cursor=cursor)
            request = record_pb2.PreviewRejudgeRequest(actor=_SERVICE, rejudge_id=str(rejudge_id), page=page)
            try:
                answer = await self._records.PreviewRejudge(request)
            except RemoteError as error:
                if error.kind is Kind.NOT_FOUND:
                    return None
                raise
            found.update(_hypotheses(answer.effects))
            cursor = answer.page.next_cursor
            if not cursor:
                break
        game_id = GameId(UUID(answer.game_id)) if answer.game_id else None
        return RejudgeOutcomes(game_id, answer.submissions, answer.judged, found)


@contextmanager
def _outages() -> Iterator[None]:
    """Tell an outage, which passes, from a refusal, which does not."""
    try:
        yield
    except RemoteError as error:
        if error.kind in {Kind.UNAVAILABLE, Kind.TIMEOUT}:
            raise Unavailable(f"record: {error.message}") from error
        raise


def _hypotheses(effects: Iterable[record_pb2.RejudgeEffect]) -> Iterable[tuple[SubmissionId, Hypothesis]]:
    for effect in effects:
        # What is applied is on the board already, and what is dropped never comes.
        if effect.fate != record_pb2.REJUDGE_FATE_OPEN:
            continue
        decided = effect.new_verdict != judging_pb2.VERDICT_UNSPECIFIED
        yield (
            SubmissionId(UUID(effect.old_submission_id)),
            Hypothesis(
                submission_id=SubmissionId(UUID(effect.new_submission_id)),
                verdict=VERDICTS[effect.new_verdict] if decided else None,
                score=Score(effect.new_score.micros) if decided else ZERO,
                groups=tuple(GroupScore(each.name, Score(each.score.micros)) for each in effect.new_groups),
            ),
        )
