"""Rejudges and dead letters."""
# ruff: noqa: N802, ARG002 — gRPC's names and signatures

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import RejudgeId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.submission.rejudge_batch import BatchStatus
from deepoj_domain.submission.selection import Selection
from deepoj_proto.common.v1 import judging_pb2
from deepoj_proto.record.v1 import record_pb2
from deepoj_record.commands.apply_rejudge import ApplyRejudge
from deepoj_record.commands.discard_rejudge import DiscardRejudge
from deepoj_record.commands.replay_dead_letter import ReplayDeadLetter
from deepoj_record.commands.start_rejudge import StartRejudge
from deepoj_record.inbound.grpc import decode, encode
from deepoj_record.inbound.grpc.refusals import raise_refusal, signed_in
from deepoj_record.queries.ports import EffectView
from deepoj_record.queries.rejudges import ListDeadLetters, ListRejudges, PreviewRejudge

_STATE_OF: Final[Mapping[BatchStatus, record_pb2.RejudgeState.ValueType]] = {
    BatchStatus.PREVIEW: record_pb2.REJUDGE_STATE_OPEN,
    BatchStatus.APPLIED: record_pb2.REJUDGE_STATE_APPLIED,
    BatchStatus.DISCARDED: record_pb2.REJUDGE_STATE_DISCARDED,
}
_MOST_REASON: Final = 500


@dataclass(frozen=True, slots=True)
class RejudgeUseCases:
    start: StartRejudge
    preview: PreviewRejudge
    apply: ApplyRejudge
    discard: DiscardRejudge
    list: ListRejudges
    dead_letters: ListDeadLetters
    replay: ReplayDeadLetter


class RejudgeCalls:
    _rejudges: RejudgeUseCases

    async def StartRejudge(
        self, request: record_pb2.StartRejudgeRequest, context: object
    ) -> record_pb2.StartRejudgeResponse:
        if len(request.reason) > _MOST_REASON or "\0" in request.reason:
            raise InvalidValueError("reason_malformed", f"a reason has at most {_MOST_REASON} characters")
        outcome = await self._rejudges.start(
            signed_in(decode.actor(request.actor)),
            _rejudge_id(request.rejudge_id),
            _selection(request),
            request.reason,
        )
        if isinstance(outcome, Refused):
            raise_refusal(outcome)
        return record_pb2.StartRejudgeResponse(rejudge_id=request.rejudge_id, submissions=outcome.submissions)

    async def PreviewRejudge(
        self, request: record_pb2.PreviewRejudgeRequest, context: object
    ) -> record_pb2.PreviewRejudgeResponse:
        found = await self._rejudges.preview(
            decode.actor(request.actor), _rejudge_id(request.rejudge_id), decode.page(request.page)
        )
        if isinstance(found, Refused):
            raise_refusal(found)
        return record_pb2.PreviewRejudgeResponse(
            submissions=found.progress.submissions,
            judged=found.progress.judged,
            failed=found.progress.failed,
            changed=found.progress.changed,
            effects=[_effect(effect) for effect in found.effects.items],
            page=encode.page_info(found.effects.next),
        )

    async def ApplyRejudge(
        self, request: record_pb2.ApplyRejudgeRequest, context: object
    ) -> record_pb2.ApplyRejudgeResponse:
        outcome = await self._rejudges.apply(
            signed_in(decode.actor(request.actor)), _rejudge_id(request.rejudge_id)
        )
        if isinstance(outcome, Refused):
            raise_refusal(outcome)
        return record_pb2.ApplyRejudgeResponse(applied=outcome.submissions, dropped=outcome.dropped)

    async def DiscardRejudge(
        self, request: record_pb2.DiscardRejudgeRequest, context: object
    ) -> record_pb2.DiscardRejudgeResponse:
        outcome = await self._rejudges.discard(
            signed_in(decode.actor(request.actor)), _rejudge_id(request.rejudge_id)
        )
        if isinstance(outcome, Refused):
            raise_refusal(outcome)
        return record_pb2.DiscardRejudgeResponse(discarded=outcome.submissions)

    async def ListRejudges(
        self, request: record_pb2.ListRejudgesRequest, context: object
    ) -> record_pb2.ListRejudgesResponse:
        found = await self._rejudges.list(decode.actor(request.actor), decode.page(request.page))
        if isinstance(found, Refused):
            raise_refusal(found)
        rejudges = [
            record_pb2.Rejudge(
                id=str(view.id),
                state=_STATE_OF[view.status],
                started_by=str(view.started_by),
                started_at=encode.timestamp(view.started_at),
                reason=view.reason,
                submissions=view.submissions,
            )
            for view in found.items
        ]
        return record_pb2.ListRejudgesResponse(rejudges=rejudges, page=encode.page_info(found.next))

    async def ListDeadLetters(
        self, request: record_pb2.ListDeadLettersRequest, context: object
    ) -> record_pb2.ListDeadLettersResponse:
        found = await self._rejudges.dead_letters(decode.actor(request.actor), decode.page(request.page))
        if isinstance(found, Refused):
            raise_refusal(found)
        letters = [
            record_pb2.DeadLetter(
                submission_id=str(letter.submission_id),
                reason=letter.cause,
                last_error=letter.last_error,
                attempts=letter.attempts,
                died_at=encode.timestamp(letter.died_at),
                replayed_as=str(letter.replayed_as or ""),
            )
            for letter in found.items
        ]
        return record_pb2.ListDeadLettersResponse(dead_letters=letters, page=encode.page_info(found.next))

    async def ReplayDeadLetter(
        self, request: record_pb2.ReplayDeadLetterRequest, context: object
    ) -> record_pb2.ReplayDeadLetterResponse:
        outcome = await self._rejudges.replay(
            signed_in(decode.actor(request.actor)),
            decode.submission_id(request.submission_id),
            decode.submission_id(request.new_submission_id),
        )
        if isinstance(outcome, Refused):
            raise_refusal(outcome)
        return record_pb2.ReplayDeadLetterResponse(new_submission_id=str(outcome.new_id))


def _rejudge_id(text: str) -> RejudgeId:
    return RejudgeId(decode.uuid(text, "rejudge_id"))


def _selection(request: record_pb2.StartRejudgeRequest) -> Selection:
    match request.WhichOneof("selection"):
        case "submission_id":
            return Selection(submission_id=decode.submission_id(request.submission_id))
        case "filter":
            return decode.selection(request.filter)
        case _:
            return Selection()


def _effect(effect: EffectView) -> record_pb2.RejudgeEffect:
    old_verdict, old_score = _decision(effect.before)
    new_verdict, new_score = _decision(effect.after)
    return record_pb2.RejudgeEffect(
        old_submission_id=str(effect.old_id),
        new_submission_id=str(effect.new_id),
        old_verdict=old_verdict,
        new_verdict=new_verdict,
        old_score=old_score,
        new_score=new_score,
    )


def _decision(
    decision: tuple[Verdict, Score] | None,
) -> tuple[judging_pb2.Verdict.ValueType, judging_pb2.Score | None]:
    if decision is None:
        return judging_pb2.VERDICT_UNSPECIFIED, None
    verdict, score = decision
    return encode.VERDICT_OF[verdict], encode.score(score)
