"""From views to protobuf."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from deepoj_domain.judgement.result import CaseResult, JudgeResult
from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.submission.attempt import Attempt
from deepoj_domain.submission.routing import Band, Lane
from deepoj_domain.submission.states import Status
from deepoj_domain.submission.submission import Standing
from deepoj_kit.grpc import Refusal
from deepoj_proto.common.v1 import common_pb2, judging_pb2
from deepoj_proto.record.v1 import record_pb2
from deepoj_record.inbound.grpc.decode import STATUSES, VERDICTS
from deepoj_record.queries.paging import Position, cursor_of
from deepoj_record.queries.views import SubmissionView

STATUS_OF: Final[Mapping[Status, record_pb2.Status.ValueType]] = {
    status: record_pb2.Status.Value(f"STATUS_{status.name}") for status in STATUSES.values()
}
VERDICT_OF: Final[Mapping[Verdict, judging_pb2.Verdict.ValueType]] = {
    verdict: judging_pb2.Verdict.ValueType(number) for number, verdict in VERDICTS.items()
}
LANE_OF: Final = {lane: judging_pb2.Lane.Value(f"LANE_{lane.name}") for lane in Lane}
BAND_OF: Final = {band: judging_pb2.Band.Value(f"BAND_{band.name}") for band in Band}
_KIB: Final = 1024


def timestamp(moment: datetime | None) -> Timestamp | None:
    if moment is None:
        return None
    made = Timestamp()
    made.FromDatetime(moment)
    return made


def duration(length: timedelta) -> Duration:
    made = Duration()
    made.FromTimedelta(length)
    return made


def page_info(position: Position | None) -> common_pb2.PageInfo:
    return common_pb2.PageInfo(next_cursor=cursor_of(position))


def score(value: Score) -> judging_pb2.Score:
    return judging_pb2.Score(micros=value.micros)


def judge_result(result: JudgeResult) -> judging_pb2.JudgeResult:
    return judging_pb2.JudgeResult(
        verdict=VERDICT_OF[result.verdict],
        score=score(result.score),
        time=duration(timedelta(milliseconds=result.usage.time_ms)),
        memory_bytes=result.usage.memory_kib * _KIB,
        cases=[_case(number, case) for number, case in enumerate(result.cases, start=1)],
        groups=[
            judging_pb2.GroupResult(name=group.group, score=score(group.score)) for group in result.groups
        ],
        log_prefix=result.log_prefix,
        compile_output=result.message,
    )


def _case(number: int, case: CaseResult) -> judging_pb2.CaseResult:
    return judging_pb2.CaseResult(
        number=number,
        name=case.case,
        verdict=judging_pb2.VERDICT_UNSPECIFIED if case.verdict is None else VERDICT_OF[case.verdict],
        share_millionths=case.share.millionths,
        time=duration(timedelta(milliseconds=case.usage.time_ms)),
        memory_bytes=case.usage.memory_kib * _KIB,
        exit_code=case.exit_code,
        signal=case.signal,
        message=case.message,
        points=None if case.points is None else score(case.points),
    )


def submission(view: SubmissionView, source: str | None = None) -> record_pb2.Submission:
    return record_pb2.Submission(
        id=str(view.id),
        account_id=str(view.account_id),
        question_id=str(view.revision.question_id),
        question_revision=view.revision.number,
        game_id=str(view.game_id or ""),
        language=view.language,
        status=STATUS_OF[view.status],
        attempt_id=view.attempt_id,
        result=None if view.result is None else judge_result(view.result),
        submitted_at=timestamp(view.submitted_at),
        finished_at=timestamp(view.finished_at),
        origin_id=str(view.origin_id),
        rejudge_of=str(view.rejudge_of or ""),
        is_head=view.standing is Standing.HEAD,
        source_bytes=view.source_bytes,
        source=source or "",
        reason=f"{view.reason}: {view.last_error}" if view.last_error else view.reason,
    )


def submit_refused(refusal: Refusal) -> record_pb2.SubmitRefused:
    wait = refusal.retry_after or timedelta(0)
    return record_pb2.SubmitRefused(
        kind=refusal.kind,
        reason=refusal.reason,
        message=refusal.message,
        retry_after_ms=round(wait / timedelta(milliseconds=1)),
    )


def attempt(row: Attempt) -> record_pb2.Attempt:
    return record_pb2.Attempt(
        attempt_id=row.attempt_id,
        worker=row.worker,
        started_at=timestamp(row.started_at),
        ended_at=timestamp(row.ended_at),
        outcome=row.outcome or "",
        reason=row.reason,
    )
