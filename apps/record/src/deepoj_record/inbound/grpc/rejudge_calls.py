"""Rejudges and dead letters."""
# ruff: noqa: N802, ARG002 — gRPC's names and signatures

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.submission.selection import Selection
from deepoj_kit.grpc import signed_in
from deepoj_proto.record.v1 import record_pb2
from deepoj_record.commands.close_rejudge import CloseRejudge, RejudgeClosed
from deepoj_record.commands.replay_dead_letter import ReplayDeadLetter
from deepoj_record.commands.replay_dead_letters import ReplayDeadLetters, ReplayedMany
from deepoj_record.commands.start_rejudge import RejudgeStarted, StartRejudge
from deepoj_record.inbound.grpc import mapper
from deepoj_record.inbound.grpc.mapper import MAPPER
from deepoj_record.inbound.grpc.refusals import raise_refusal
from deepoj_record.queries.ports import (
    DeadLetter,
    DeadLetterGroup,
    EffectView,
    GameCount,
    Progress,
    RejudgeSize,
    RejudgeView,
    VerdictChange,
)
from deepoj_record.queries.rejudges import (
    CountRejudge,
    ListDeadLetterGroups,
    ListDeadLetters,
    ListRejudges,
    PreviewRejudge,
)

_STARTED: Final = MAPPER.writer(RejudgeStarted, record_pb2.StartRejudgeResponse)
_PROGRESS: Final = MAPPER.writer(Progress, record_pb2.PreviewRejudgeResponse)
_EFFECT: Final = MAPPER.writer(EffectView, record_pb2.RejudgeEffect)
_APPLIED: Final = MAPPER.writer(RejudgeClosed, record_pb2.ApplyRejudgeResponse)
_DISCARDED: Final = MAPPER.writer(RejudgeClosed, record_pb2.DiscardRejudgeResponse)
_REJUDGE: Final = MAPPER.writer(RejudgeView, record_pb2.Rejudge)
_DEAD_LETTER: Final = MAPPER.writer(DeadLetter, record_pb2.DeadLetter)
_DEAD_GROUP: Final = MAPPER.writer(DeadLetterGroup, record_pb2.DeadLetterGroup)
_REPLAYED: Final = MAPPER.writer(ReplayedMany, record_pb2.ReplayDeadLettersResponse)
_FILTER: Final = MAPPER.writer(Selection, record_pb2.SubmissionFilter)
_CHANGE: Final = MAPPER.writer(VerdictChange, record_pb2.VerdictChange)
_GAME: Final = MAPPER.writer(GameCount, record_pb2.GameCount)
_SIZE: Final = MAPPER.writer(RejudgeSize, record_pb2.CountRejudgeResponse)
_MOST_REASON: Final = 500


@dataclass(frozen=True, slots=True)
class RejudgeUseCases:
    start: StartRejudge
    preview: PreviewRejudge
    apply: CloseRejudge
    discard: CloseRejudge
    list: ListRejudges
    count: CountRejudge
    dead_letters: ListDeadLetters
    dead_letter_groups: ListDeadLetterGroups
    replay: ReplayDeadLetter
    replay_many: ReplayDeadLetters


class RejudgeCalls:
    _rejudges: RejudgeUseCases

    async def StartRejudge(
        self, request: record_pb2.StartRejudgeRequest, context: object
    ) -> record_pb2.StartRejudgeResponse:
        if len(request.reason) > _MOST_REASON or "\0" in request.reason:
            raise InvalidValueError("reason_malformed", f"a reason has at most {_MOST_REASON} characters")
        outcome = await self._rejudges.start(
            signed_in(mapper.actor(request.actor)),
            mapper.rejudge_id(request.rejudge_id),
            _selection(request),
            request.reason,
        )
        if isinstance(outcome, Refused):
            raise_refusal(outcome)
        started = _STARTED(outcome)
        started.rejudge_id = request.rejudge_id
        return started

    async def PreviewRejudge(
        self, request: record_pb2.PreviewRejudgeRequest, context: object
    ) -> record_pb2.PreviewRejudgeResponse:
        found = await self._rejudges.preview(
            mapper.actor(request.actor), mapper.rejudge_id(request.rejudge_id), mapper.page(request.page)
        )
        if isinstance(found, Refused):
            raise_refusal(found)
        preview = _PROGRESS(found.progress)
        selection = found.progress.selection
        if selection.submission_id is None:
            preview.filter.CopyFrom(_FILTER(selection))
        else:
            preview.submission_id = str(selection.submission_id)
        preview.game_id = "" if selection.game_id is None else str(selection.game_id)
        preview.matrix.extend(map(_CHANGE, found.matrix))
        preview.games.extend(map(_GAME, found.games))
        preview.effects.extend(map(_EFFECT, found.effects.items))
        preview.page.CopyFrom(mapper.page_info(found.effects.next))
        return preview

    async def CountRejudge(
        self, request: record_pb2.CountRejudgeRequest, context: object
    ) -> record_pb2.CountRejudgeResponse:
        found = await self._rejudges.count(mapper.actor(request.actor), mapper.selection(request.filter))
        if isinstance(found, Refused):
            raise_refusal(found)
        return _SIZE(found)

    async def ApplyRejudge(
        self, request: record_pb2.ApplyRejudgeRequest, context: object
    ) -> record_pb2.ApplyRejudgeResponse:
        outcome = await self._rejudges.apply(
            signed_in(mapper.actor(request.actor)), mapper.rejudge_id(request.rejudge_id)
        )
        if isinstance(outcome, Refused):
            raise_refusal(outcome)
        return _APPLIED(outcome)

    async def DiscardRejudge(
        self, request: record_pb2.DiscardRejudgeRequest, context: object
    ) -> record_pb2.DiscardRejudgeResponse:
        outcome = await self._rejudges.discard(
            signed_in(mapper.actor(request.actor)), mapper.rejudge_id(request.rejudge_id)
        )
        if isinstance(outcome, Refused):
            raise_refusal(outcome)
        return _DISCARDED(outcome)

    async def ListRejudges(
        self, request: record_pb2.ListRejudgesRequest, context: object
    ) -> record_pb2.ListRejudgesResponse:
        found = await self._rejudges.list(
            mapper.actor(request.actor), mapper.game_id(request.game_id), mapper.page(request.page)
        )
        if isinstance(found, Refused):
            raise_refusal(found)
        return record_pb2.ListRejudgesResponse(
            rejudges=map(_REJUDGE, found.items), page=mapper.page_info(found.next)
        )

    async def ListDeadLetters(
        self, request: record_pb2.ListDeadLettersRequest, context: object
    ) -> record_pb2.ListDeadLettersResponse:
        group = mapper.dead_letter_group(request.group)
        found = await self._rejudges.dead_letters(
            mapper.actor(request.actor), group, mapper.page(request.page)
        )
        if isinstance(found, Refused):
            raise_refusal(found)
        return record_pb2.ListDeadLettersResponse(
            dead_letters=map(_DEAD_LETTER, found.items), page=mapper.page_info(found.next)
        )

    async def ReplayDeadLetter(
        self, request: record_pb2.ReplayDeadLetterRequest, context: object
    ) -> record_pb2.ReplayDeadLetterResponse:
        outcome = await self._rejudges.replay(
            signed_in(mapper.actor(request.actor)),
            mapper.submission_id(request.submission_id),
            mapper.submission_id(request.new_submission_id),
        )
        if isinstance(outcome, Refused):
            raise_refusal(outcome)
        return record_pb2.ReplayDeadLetterResponse(new_submission_id=str(outcome.new_id))

    async def ListDeadLetterGroups(
        self, request: record_pb2.ListDeadLetterGroupsRequest, context: object
    ) -> record_pb2.ListDeadLetterGroupsResponse:
        found = await self._rejudges.dead_letter_groups(mapper.actor(request.actor))
        if isinstance(found, Refused):
            raise_refusal(found)
        return record_pb2.ListDeadLetterGroupsResponse(groups=map(_DEAD_GROUP, found))

    async def ReplayDeadLetters(
        self, request: record_pb2.ReplayDeadLettersRequest, context: object
    ) -> record_pb2.ReplayDeadLettersResponse:
        ids = [mapper.submission_id(each) for each in request.submission_ids]
        group = mapper.dead_letter_group(request.group)
        outcome = await self._rejudges.replay_many(signed_in(mapper.actor(request.actor)), ids, group)
        if isinstance(outcome, Refused):
            raise_refusal(outcome)
        return _REPLAYED(outcome)


def _selection(request: record_pb2.StartRejudgeRequest) -> Selection:
    match request.WhichOneof("selection"):
        case "submission_id":
            return Selection(submission_id=mapper.submission_id(request.submission_id))
        case "filter":
            return mapper.selection(request.filter)
        case _:
            return Selection()
